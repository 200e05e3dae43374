/**
 * The steps of an MCP client's connection and the rules that refuse one, each with its explanation for super admins.
 * Surfaces note steps as they pass; no token, code, state or query is kept.
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

/** The rules that refuse a step. */
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

/** One step as a surface observed it. */
export interface ConnectionStepEvent {
  readonly step: ConnectionStep;
  /** Null when the step passed. */
  readonly rule: ConnectionRule | null;
  /** Known from the registration on. */
  readonly clientId: string | null;
  readonly ip: string;
  readonly userAgent: string | null;
  /**
   * The refused value, which helps to fix the problem: a redirect URI without its query, an origin, a scope, a version
   * or an account.
   */
  readonly detail: string | null;
}

/**
 * The token that `gatehouse doctor` sends to test that tokens arrive. No surface accepts it, and it is not recorded as
 * a client's attempt.
 */
export const doctorToken = 'made-up-by-gatehouse-doctor';

/** The sink for steps of the surfaces. Never throws, never waits: a connection does not depend on its record. */
export interface ConnectionLog {
  note(sighting: ConnectionStepEvent): void;
}

// Explanations of the rules, for a super admin who has to find out why a client cannot connect, and the fix for each.

interface RuleExplanation {
  /** The refused condition. */
  readonly explanation: string;
  /** The fix, and the party that applies it. */
  readonly mend: string;
}

export const ruleExplanations: Readonly<Record<ConnectionRule, RuleExplanation>> = {
  host_or_origin: {
    explanation:
      'The request named another host than BASE_URL, or came from a web page of an origin that is not allowed. This keeps other sites from reaching /mcp through the browser of somebody here.',
    mend: 'Enter the address exactly as BASE_URL/mcp in the client. Behind a proxy, let it pass the Host header on, and set BASE_URL to the public address and TRUST_PROXY to the proxy, then restart. A client that runs in a web page of another origin cannot be allowed.',
  },
  portal_token: {
    explanation:
      'The client sent a token of the portal or of the GraphQL interface. Only tokens that a client was issued by its own authorization open Platform MCP.',
    mend: 'Remove the token, and any Authorization header, from the configuration of the client and connect again: it opens the sign-in page by itself. Never paste a portal token into a client. This one was shown to the client, so end its session on the page of sessions.',
  },
  token_not_accepted: {
    explanation:
      'The access token is unknown, expired or revoked, or its person signed out everywhere or was a super admin no longer. Access tokens are short-lived, so a client that then refreshes is well.',
    mend: 'When no refresh follows, remove the saved sign-in of this server from the client and connect again. Make sure on the page of sessions that the session was not ended on purpose.',
  },
  protocol_version: {
    explanation:
      'The client speaks a version of the Model Context Protocol that is not served here, or names different ones in header and message.',
    mend: 'Update the client. The versions 2025-03-26, 2025-06-18, 2025-11-25 and 2026-07-28 are served.',
  },
  message_malformed: {
    explanation:
      'The request to /mcp was none that the protocol knows: not a POST of one JSON message, a batch, or too large.',
    mend: 'Choose the transport "Streamable HTTP" for this server in the client; the older one, HTTP with SSE, is not served. If it is chosen, update the client, and report it to its makers.',
  },
  registration_malformed: {
    explanation: 'The client registered itself with metadata that cannot be used (RFC 7591), so it has no client id.',
    mend: 'Update the client, or report to its makers what the detail says. It must register at least one redirect URI, as a public client without a secret, for authorization codes.',
  },
  redirect_uri_not_allowed: {
    explanation:
      'The client registered no redirect URI that is on its own machine (127.0.0.1, [::1], localhost) or on the list of allowed ones, so no answer can be sent to it.',
    mend: 'If you trust whoever receives codes at this address, add exactly this URI to MCP_REDIRECT_ALLOW_LIST (comma-separated, no wildcards), restart, and let the client register anew. A query of the URI, which is not shown, belongs to it.',
  },
  client_unknown: {
    explanation:
      'The client came with a client id that is not registered here. It replays a registration that was deleted after 30 days without an authorization, or that it made with another server.',
    mend: 'Remove the saved server, or its saved credentials, from the client and connect again, so that it registers anew.',
  },
  client_revoked: {
    explanation: 'A super admin revoked the registration of this client. All its credentials have ended for good.',
    mend: 'If the client is to connect again, remove the saved server, or its saved credentials, from it and connect again: it registers as a new client.',
  },
  redirect_uri_not_registered: {
    explanation:
      'The client asked for an authorization with a redirect URI that it has not registered, or that has been taken off MCP_REDIRECT_ALLOW_LIST since. Only the port of a loopback URI may differ.',
    mend: 'Remove the saved server, or its saved credentials, from the client and connect again, so that it registers the URI. One that is not loopback must stand in MCP_REDIRECT_ALLOW_LIST exactly, too.',
  },
  request_malformed: {
    explanation: 'A parameter that OAuth 2.1 requires was missing, repeated or of another kind than is served here.',
    mend: 'Connect again from the beginning, in the client and not from an old address of the browser. If it stays so, update the client, or report it to its makers.',
  },
  pkce_missing: {
    explanation:
      'The client asked for an authorization without PKCE with S256, which keeps a stolen code useless to the thief.',
    mend: 'Update the client to one that follows OAuth 2.1. This cannot be allowed.',
  },
  resource_foreign: {
    explanation:
      'The client asked for a token for another server than this one (RFC 8707). Mostly the address in the client differs from BASE_URL in scheme, host or port. A query or fragment, which this record leaves out, makes it another server as well.',
    mend: 'Configure the client with exactly BASE_URL/mcp. If people reach the service by another address than BASE_URL, set BASE_URL to that one and restart.',
  },
  scope_unknown: {
    explanation: 'The client asked for a scope that does not exist here.',
    mend: 'Take the scope out of the configuration of the client; without any, it asks for everything that the person holds.',
  },
  scope_not_held: {
    explanation: 'The person holds none of the scopes that the client asked for.',
    mend: 'Take the list of scopes out of the configuration of the client, so that it asks for what the person holds; or connect with an account that holds one of them: `gatehouse create-super-admin --email … --scopes …` makes one.',
  },
  not_super_admin: {
    explanation:
      'The account named beside, which was signed in to the browser at the consent, is not a super admin. Platform MCP is for super admins alone.',
    mend: 'If that account is the wrong one, choose “Use another account” on the page that says so, or connect again. A super admin is made by `gatehouse create-super-admin --email …`, with an address that has no account yet: an existing account is never changed.',
  },
  consent_denied: {
    explanation: 'The person chose to deny the request on the consent page.',
    mend: 'If that was a mistake, connect again and approve.',
  },
  consent_expired: {
    explanation: 'The consent page was opened or answered too late, or its request is not known here.',
    mend: 'Connect again from the client, and answer the page that it opens within ten minutes.',
  },
  consent_other_browser: {
    explanation:
      'The consent was opened or answered in another browser than the one in which the authorization began, or the browser did not keep our cookie.',
    mend: 'Connect again, and stay in the window that the client opens; allow cookies of this site, and do not pass the address on to anybody.',
  },
  code_unknown: {
    explanation: 'The authorization code is none that was issued here.',
    mend: 'Connect again. If it stays so, two servers may share the address without sharing DATABASE_URL, or something between client and server alters the code.',
  },
  code_expired: {
    explanation: 'The authorization code was redeemed too late.',
    mend: 'Connect again. If it stays so, the client is slow to come back: see that nothing holds up its way from the browser to the token endpoint.',
  },
  code_replayed: {
    explanation:
      'The authorization code was redeemed a second time. A code works once, so everything that it was redeemed for has been revoked.',
    mend: 'Connect again. If it was not the client that tried twice, somebody else had the code: look at the addresses on the page of sessions.',
  },
  code_other_client: {
    explanation: 'The authorization code was issued to another client, or for another redirect URI.',
    mend: 'Connect again from one client at a time. If it stays so, remove the saved server, or its saved credentials, from the client, or update it.',
  },
  verifier_mismatch: {
    explanation: 'The PKCE verifier does not fit the challenge with which the authorization began.',
    mend: 'Connect again, once, in one window: a second attempt of the client may have replaced its verifier. If it stays so, update the client.',
  },
  refresh_refused: {
    explanation:
      'The refresh token is unknown, expired, revoked or of another client, or it was used a second time, which ends its session.',
    mend: 'Remove the saved sign-in of this server from the client and connect again. Two copies of a client must not share one saved sign-in.',
  },
  refresh_superseded: {
    explanation:
      'Two requests of the client refreshed at the same time; one of them won, and the session goes on with what it was given.',
    mend: 'Nothing, as long as the client goes on by itself. If it does not, connect again, and let only one copy of the client use the saved sign-in.',
  },
  scope_widened: {
    explanation: 'The client asked for more at a refresh than the person consented to.',
    mend: 'Connect again from the client, so that the person is asked for the additional scopes.',
  },
  tool_denied: {
    explanation:
      'The client called a tool that does not exist, or that needs a scope which was not consented to or is no longer held.',
    mend: 'See under Tools which scope the tool needs. If the account holds it, connect again and consent to it. If not, connect with an account that does: `gatehouse create-super-admin --email … --scopes …` makes one.',
  },
  rate_limited: {
    explanation: 'The client or its address has tried too often for a while.',
    mend: 'Wait, and stop clients that try again without end. If many people share the address, make sure that TRUST_PROXY lets the service see their own.',
  },
};
