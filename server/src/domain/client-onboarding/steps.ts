/**
 * The steps of an MCP client's connection and the rules that refuse one, each with its explanation for super admins.
 * Surfaces note steps as they pass; no token, code, state or query is kept.
 */
import type { ConnectionRule } from '../../kernel/errors.ts';

/** In the order in which a client takes them. */
export const connectionSteps = [
  'challenge',
  'resource_metadata',
  'server_metadata',
  'registration',
  'client_document',
  'authorization',
  'consent',
  'token',
  'refresh',
  'call',
] as const;
export type ConnectionStep = (typeof connectionSteps)[number];

const places = connectionSteps.filter((step) => step !== 'client_document');

/** A client with a metadata document does not register: the two steps share a place. */
export const placeOfStep = (step: ConnectionStep): number =>
  places.indexOf(step === 'client_document' ? 'registration' : step);

/** One step as a surface observed it. */
export interface ConnectionStepEvent {
  readonly step: ConnectionStep;
  /** Null when the step passed. */
  readonly rule: ConnectionRule | null;
  /** Known from the registration on. */
  readonly clientId: string | null;
  readonly ip: string;
  readonly userAgent: string | null;
  /** The refused value: a redirect URI without its query, an origin, a scope, a version or an account. */
  readonly detail: string | null;
}

/** The token with which `gatehouse doctor` tests that tokens arrive. Never accepted, and not recorded as an attempt. */
export const doctorToken = 'made-up-by-gatehouse-doctor';

/** The sink for steps of the surfaces. Never throws, never waits: a connection does not depend on its record. */
export interface ConnectionLog {
  note(event: ConnectionStepEvent): void;
}

// Explanations of the rules, for a super admin who has to find out why a client cannot connect, and the fix for each.

interface RuleExplanation {
  /** The refused condition. */
  readonly explanation: string;
  /** The fix, and the party that applies it. */
  readonly fix: string;
}

export const ruleExplanations = {
  host_or_origin: {
    explanation:
      'The request named another host than BASE_URL, or came from a web page of an origin that is not allowed. This prevents other sites from reaching /mcp through the browser of a user.',
    fix: 'Enter the address exactly as BASE_URL/mcp in the client. Behind a proxy, configure the proxy to pass the Host header on, and set BASE_URL to the public address and TRUST_PROXY to the proxy, then restart. A client that runs in a web page of another origin cannot be allowed.',
  },
  portal_token: {
    explanation:
      'The client sent a token of the portal or of the GraphQL interface. Platform MCP accepts only tokens that the client got by its own authorization.',
    fix: 'Remove the token, and any Authorization header, from the configuration of the client and connect again: the client opens the sign-in page by itself. Never paste a portal token into a client. The client has seen this token, so end its session on the sessions page.',
  },
  token_not_accepted: {
    explanation:
      'The access token is unknown, expired or revoked, or its person signed out everywhere or is no longer a super admin. Access tokens are short-lived, so this is normal if the client then refreshes.',
    fix: 'If no refresh follows, remove the saved sign-in of this server from the client and connect again. Check on the sessions page that the session was not ended on purpose.',
  },
  protocol_version: {
    explanation:
      'The client uses a version of the Model Context Protocol that is not supported, or names different versions in header and message.',
    fix: 'Update the client. The supported versions are 2025-03-26, 2025-06-18, 2025-11-25 and 2026-07-28.',
  },
  message_malformed: {
    explanation:
      'The request to /mcp does not follow the protocol: it was not a POST of one JSON message, or it was a batch or too large.',
    fix: 'Choose the transport "Streamable HTTP" for this server in the client; the older transport, HTTP with SSE, is not supported. If it is already chosen, update the client, or report the problem to its developers.',
  },
  registration_malformed: {
    explanation: 'The client tried to register with invalid metadata (RFC 7591), so it has no client id.',
    fix: 'Update the client, or report the detail to its developers. It must register at least one redirect URI, as a public client without a secret, for authorization codes.',
  },
  redirect_uri_not_allowed: {
    explanation:
      'The client registered no redirect URI, or its metadata document has none, that is on its own machine (127.0.0.1, [::1], localhost) or on the list of allowed URIs, so it cannot receive an authorization code.',
    fix: 'If you trust the server at this address with authorization codes, add exactly this URI to MCP_REDIRECT_ALLOW_LIST (comma-separated, no wildcards), restart, and let the client register again or connect again. Include the query of the URI, which is not shown here.',
  },
  client_document_not_listed: {
    explanation:
      'The client sent the URL of a metadata document as its client id, and this URL is not on the list of the operator. It was not fetched. A client that was let in before keeps what it has until that expires, and gets nothing new.',
    fix: 'If you trust the site at this address to describe its client, add exactly this URL to MCP_CLIENT_METADATA_ALLOW_LIST (comma-separated, no wildcards), restart, and connect again. Include the query of the URL, which is not shown here. Or let the client register: most clients do so where the list is empty.',
  },
  client_document_address: {
    explanation:
      'The host of the metadata document has an address that is not on the public internet, such as one of a private network. It was not connected to.',
    fix: 'Check what the name resolves to on the machine of this service. A document inside of a network cannot be used: publish it on the internet, or remove the URL from MCP_CLIENT_METADATA_ALLOW_LIST and let the client register.',
  },
  client_document_unreachable: {
    explanation:
      'The metadata document could not be fetched: its host did not answer completely within 5 seconds, or said that it cannot answer now. A document that was fetched before is used for seven more days.',
    fix: 'Check that the machine of this service can open the URL over https, directly and without a proxy, then connect again a minute later. If it cannot, remove the URL from MCP_CLIENT_METADATA_ALLOW_LIST, and the client registers.',
  },
  client_document_gone: {
    explanation: 'The site of the metadata document answered that it does not exist any more.',
    fix: 'Update the client, which may have another URL by now, or remove the URL from MCP_CLIENT_METADATA_ALLOW_LIST.',
  },
  client_document_invalid: {
    explanation:
      'The answer at the URL is not a valid metadata document: it must be JSON of at most 5 KB without a redirect, its client_id must be the URL itself, its redirect_uris 1 to 20 URIs, and the client must be public, without a secret.',
    fix: 'Check that the URL on MCP_CLIENT_METADATA_ALLOW_LIST is that of the document itself, and report the detail to the developers of the client. The document is fetched again a minute later.',
  },
  client_unknown: {
    explanation:
      'The client used a client id that is not registered here: its registration was deleted after 30 days without an authorization, or belongs to another server.',
    fix: 'Remove the saved server, or its saved credentials, from the client and connect again, so that it registers again.',
  },
  client_revoked: {
    explanation: 'A super admin revoked the registration of this client. All its credentials have ended permanently.',
    fix: 'If the client should connect again, remove the saved server, or its saved credentials, from it and connect again: it registers as a new client. One with a metadata document cannot: its URL stays revoked.',
  },
  redirect_uri_not_registered: {
    explanation:
      'The client requested an authorization with a redirect URI that it has not registered, or that was later removed from MCP_REDIRECT_ALLOW_LIST. Only the port of a loopback URI may differ.',
    fix: 'Remove the saved server, or its saved credentials, from the client and connect again, so that it registers the URI. A URI that is not loopback must also be in MCP_REDIRECT_ALLOW_LIST, exactly as registered.',
  },
  request_malformed: {
    explanation: 'A parameter that OAuth 2.1 requires was missing, repeated or not supported.',
    fix: 'Connect again from the beginning, in the client and not from an old address in the browser. If it happens again, update the client, or report the problem to its developers.',
  },
  pkce_missing: {
    explanation: 'The client requested an authorization without PKCE with S256, which makes a stolen code useless.',
    fix: 'Update the client to one that follows OAuth 2.1. This check cannot be switched off.',
  },
  resource_foreign: {
    explanation:
      'The client requested a token for another server (RFC 8707). Usually the address in the client differs from BASE_URL in scheme, host or port. A query or fragment, which is not shown here, also makes it another server.',
    fix: 'Configure the client with exactly BASE_URL/mcp, with BASE_URL/mcp/organization for the people of an organization, or with the URL of a resource of the application. If people reach the service at another address than BASE_URL, set BASE_URL to that address and restart.',
  },
  scope_unknown: {
    explanation: 'The client requested only scopes that belong to another resource than the one it named.',
    fix: 'Remove the scopes from the configuration of the client; without any scope, the client requests all scopes that the person holds.',
  },
  scope_not_held: {
    explanation: 'The person holds none of the scopes that the client requested.',
    fix: 'Remove the list of scopes from the configuration of the client, so that it requests the scopes that the person holds; or connect with an account that holds one of them: `gatehouse create-super-admin --email … --scopes …` creates one.',
  },
  not_super_admin: {
    explanation:
      'The account in the detail, which was signed in to the browser at the consent page, is not a super admin. Only super admins can use Platform MCP.',
    fix: 'If that account is the wrong one, choose “Use another account” on the consent page, or connect again. `gatehouse create-super-admin --email …` creates a super admin, with an address that has no account yet: it never changes an existing account.',
  },
  not_a_member: {
    explanation:
      'The account in the detail, which was signed in to the browser at the consent page, belongs to no organization, or left the one that it gave access to before the client fetched its tokens.',
    fix: 'If that account is the wrong one, choose “Use another account” on the consent page, or connect again. Otherwise an owner or administrator of the organization has to invite the person.',
  },
  client_not_accepted: {
    explanation:
      'The organization does not accept this client: its policy lists other clients, or lets in none. Nothing was revoked.',
    fix: 'An owner or administrator of the organization can list the client, or the host of its redirect URI, on the page MCP clients of the organization.',
  },
  consent_denied: {
    explanation: 'The person chose to deny the request on the consent page.',
    fix: 'If that was a mistake, connect again and approve.',
  },
  consent_expired: {
    explanation: 'The consent page was opened or answered too late, or its request is unknown here.',
    fix: 'Connect again from the client, and answer the page that it opens within ten minutes.',
  },
  consent_other_browser: {
    explanation:
      'The consent was opened or answered in another browser than the one in which the authorization began, or the browser did not keep our cookie.',
    fix: 'Connect again, and stay in the window that the client opens; allow cookies of this site, and do not share the address.',
  },
  code_unknown: {
    explanation: 'The authorization code was not issued here.',
    fix: 'Connect again. If it happens again, two servers may share the address without sharing DATABASE_URL, or something between client and server may alter the code.',
  },
  code_expired: {
    explanation: 'The authorization code was redeemed too late.',
    fix: 'Connect again. If it happens again, the client is too slow: check that nothing delays its request to the token endpoint after the browser returns.',
  },
  code_replayed: {
    explanation:
      'The authorization code was redeemed a second time. A code works once, so the tokens issued for it were revoked.',
    fix: 'Connect again. If the client did not try twice, another party had the code: check the addresses on the sessions page.',
  },
  code_other_client: {
    explanation: 'The authorization code was issued to another client, or for another redirect URI.',
    fix: 'Connect again from one client at a time. If it happens again, remove the saved server, or its saved credentials, from the client, or update it.',
  },
  verifier_mismatch: {
    explanation: 'The PKCE verifier does not match the challenge of the authorization request.',
    fix: 'Connect again, once, in one window: a second attempt of the client may have replaced its verifier. If it happens again, update the client.',
  },
  refresh_refused: {
    explanation:
      'The refresh token is unknown, expired, revoked or of another client, or it was used a second time, which ends its session.',
    fix: 'Remove the saved sign-in of this server from the client and connect again. Two copies of a client must not share one saved sign-in.',
  },
  refresh_superseded: {
    explanation:
      'Two requests of the client refreshed at the same time; one of them succeeded, and the session continues with its tokens.',
    fix: 'Nothing, as long as the client continues by itself. If it does not, connect again, and let only one copy of the client use the saved sign-in.',
  },
  scope_widened: {
    explanation: 'The client requested more scopes at a refresh than the person consented to.',
    fix: 'Connect again from the client, so that the person is asked for the additional scopes.',
  },
  tool_denied: {
    explanation:
      'The client called a tool that does not exist, or that needs a scope that the person did not consent to or no longer holds.',
    fix: 'The page under Tools shows which scope the tool needs. If the account holds it, connect again and consent to it. If not, connect with an account that does: `gatehouse create-super-admin --email … --scopes …` creates one.',
  },
  rate_limited: {
    explanation: 'The client or its network made too many requests.',
    fix: 'Wait, and stop clients that retry without end. If many people appear with one address, set TRUST_PROXY so that the service sees their own addresses.',
  },
} satisfies Readonly<Record<ConnectionRule, RuleExplanation>>;
