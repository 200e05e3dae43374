/**
 * What can be told of a client's attempt to connect to Platform MCP: the steps it takes, and the rules that refuse one.
 * Surfaces note steps as they pass; nothing here holds a token, a code, a state or a query.
 */

/** In the order in which a client takes them. */
export const connectionSteps = [
  'challenge',
  'resource_metadata',
  'server_metadata',
  'registration',
  'authorization',
  'consent',
  'token',
  'refresh',
  'call',
] as const;
export type ConnectionStep = (typeof connectionSteps)[number];

/** Why a step was refused. */
export const connectionRules = [
  'host_or_origin',
  'portal_token',
  'token_not_accepted',
  'protocol_version',
  'message_malformed',
  'registration_malformed',
  'redirect_uri_not_allowed',
  'client_unknown',
  'client_revoked',
  'redirect_uri_not_registered',
  'request_malformed',
  'pkce_missing',
  'resource_foreign',
  'scope_unknown',
  'scope_not_held',
  'not_super_admin',
  'consent_denied',
  'consent_expired',
  'consent_other_browser',
  'code_unknown',
  'code_expired',
  'code_replayed',
  'code_other_client',
  'verifier_mismatch',
  'refresh_refused',
  'refresh_superseded',
  'scope_widened',
  'tool_denied',
  'rate_limited',
] as const;
export type ConnectionRule = (typeof connectionRules)[number];

/** One step as a surface saw it. */
export interface ConnectionSighting {
  readonly step: ConnectionStep;
  /** Null: the step was passed. */
  readonly rule: ConnectionRule | null;
  /** Known from the registration on. */
  readonly clientId: string | null;
  readonly ip: string;
  readonly userAgent: string | null;
  /** What the rule refused, for who must mend it: a redirect URI without its query, an origin, a scope, a version, an account. */
  readonly detail: string | null;
}

/** The token that `gatehouse doctor` sends to see that tokens arrive. It is accepted nowhere, and is no client's attempt. */
export const doctorToken = 'made-up-by-gatehouse-doctor';

/** Where surfaces note steps. Never throws, never waits: a connection does not depend on its record. */
export interface ConnectionLog {
  note(sighting: ConnectionSighting): void;
}
