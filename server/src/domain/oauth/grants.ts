/** Token endpoint: code and refresh grants (RFC 6749, sections 4.1.3 and 6), and revocation (RFC 7009). */
import { hash } from 'node:crypto';
import { type ConnectionRule, isPublicRefusal, type PublicRefusal, Refusal } from '../../kernel/errors.ts';
import { sha256 } from '../../kernel/secrets.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { activeMembership } from '../access/actor.ts';
import { actIn, addAudit } from '../audit/audits-of-transaction.ts';
import type { GrantRow } from '../credentials/ended-tokens.ts';
import { type Caller, issueCredentialPair } from '../credentials/issue-pair.ts';
import { revokeSession } from '../credentials/revoke.ts';
import {
  type ClientRotationRequest,
  rotateCredentialPairOfClient,
  type ScopedPair,
} from '../credentials/rotate-pair.ts';
import { hashToken, isWellFormedToken } from '../credentials/token.ts';
import { findMembership } from '../organizations/organizations-store.ts';
import type { Application } from '../scopes/application.ts';
import {
  consumeCode,
  findCode,
  nameFamilyOfCode,
  type PresentedCode,
  type PresentedCodeRow,
  sharePersonOfCode,
} from './authorizations-store.ts';
import { getClientToEnd, getLiveClient, type OAuthDeps, revokedClient } from './clients.ts';
import {
  findAudienceOfClientToken,
  findFamilyOfClientToken,
  lockClientToRecord,
  recordAuthorization,
  shareLiveClient,
} from './clients-store.ts';
import { redirectHostOf } from './redirect-uris.ts';
import { spellingsOf } from './register-client.ts';
import { type ProtectedResource, type ProtectedResources, requireSameResource } from './resources.ts';

// Authorization code grant (OAuth 2.1, section 4.1.3; contract/platform-mcp.md#authorization-code).

type GrantDeps = Pick<OAuthDeps, 'application' | 'database' | 'logger' | 'lifetimes' | 'resources' | 'settings'>;

interface CodeGrant {
  readonly clientId: string;
  readonly code: string;
  /** Null where the request names none. */
  readonly redirectUri: string | null;
  /** The `code_verifier` of RFC 7636, section 4.1. */
  readonly codeVerifier: string;
  /** That the request names; null where it names none. */
  readonly resource: ProtectedResource | null;
  readonly caller: Caller;
}

/** A pair, and the client that it was issued to. */
export interface GrantedPair extends ScopedPair {
  /** The id in its row, whatever client_id the client sent. */
  readonly clientId: string;
}

/**
 * Redeems a code for the first request with its client, redirect URI and verifier.
 * @throws Refusal invalid_client: unknown or revoked; invalid_target: another resource; invalid_grant: else. Nothing
 *   changes, but a second use of a redeemed code with its verifier is theft, and revokes the session
 */
export const redeemCode = async (deps: GrantDeps, grant: CodeGrant): Promise<GrantedPair> => {
  const { id: clientId } = await getLiveClient(deps, grant.clientId);
  const presented = presentedOf({ ...grant, clientId }, deps.resources);
  // A request with nothing to redeem waits for no lock.
  requireSameResource(grant.resource, await requireRedeemable(deps, presented));
  const redeemed = await deps.database.transaction((transaction) => redeem(deps, transaction, presented, grant.caller));
  if (redeemed !== null) return redeemed;
  await requireRedeemable(deps, presented);
  // The missing precondition holds again: the second check passed.
  throw refused('code_expired', clientId);
};

/** The challenge is the verifier's hash (RFC 7636, section 4.6). PostgreSQL cannot store NUL, so it is replaced. */
const presentedOf = (
  { code, clientId, redirectUri, codeVerifier }: CodeGrant,
  { audiences }: ProtectedResources,
): PresentedCode => [
  sha256(code),
  clientId,
  redirectUri === null ? null : spellingsOf(redirectUri.replaceAll('\u0000', '\ufffd')),
  hash('sha256', codeVerifier, 'base64url'),
  audiences,
];

/** Redeems a code: one conditional UPDATE decides the winner, and a later request finds the resulting session. */
const redeem = async (
  { application, lifetimes, resources }: GrantDeps,
  transaction: Transaction,
  presented: PresentedCode,
  caller: Caller,
): Promise<GrantedPair | null> => {
  const [codeHash, clientId] = presented;
  const noted = await transaction.maybeOne(lockClientToRecord, [clientId]);
  if ((await transaction.maybeOne(shareLiveClient, [clientId])) === null) throw revokedClient(clientId);
  await transaction.maybeOne(sharePersonOfCode, [codeHash]);
  const code = await transaction.maybeOne(consumeCode, presented);
  if (code === null) return null;
  const { userId, scopes, audience, redirectUri, organizationId, membershipId } = code;
  const isBound = organizationId !== null && membershipId !== null;
  if (isBound) await requireHeldInOrganization(application, transaction, { ...code, organizationId, clientId });
  const bound = isBound ? { organizationId, membershipId, redirectHost: redirectHostOf(redirectUri) } : null;
  const request = { userId, audience, authMethod: 'mcp_oauth', caller, succeeds: null };
  const pair = await issueCredentialPair(transaction, lifetimes, { ...request, grant: { clientId, scopes, bound } });
  if (pair === null) throw refused('code_expired', clientId);
  const resource = resources.ofAudience(audience)?.url ?? audience;
  if (bound !== null) noteConnectedClient(transaction, { clientId, userId, scopes, resource, ...bound, ...pair });
  await transaction.execute(nameFamilyOfCode, [codeHash, pair.sessionFamilyId]);
  if (noted !== null) await transaction.execute(recordAuthorization, [clientId]);
  return { pair, scopes, clientId };
};

/** For the audit of the organization: its member connected a client, with a session family of its own. */
const noteConnectedClient = (
  transaction: Transaction,
  { clientId, userId, organizationId, actorRow, ...connection }: ConnectedClient,
): void => {
  actIn(transaction, { machine: null, user: { id: userId }, credential: { id: actorRow.credentialId } });
  const { redirectHost, resource, scopes, sessionFamilyId } = connection;
  addAudit(transaction, {
    organizationId,
    event: 'MCP_CLIENT_CONNECTED',
    subjectId: clientId,
    subjectUserId: userId,
    clientId,
    details: { name: actorRow.clientName, redirectHost, resource, scopes, sessionFamilyId },
  });
};

interface ConnectedClient extends GrantRow {
  readonly redirectHost: string;
  /** Its URL. */
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly actorRow: { readonly credentialId: string; readonly clientName: string | null };
}

/** @throws Refusal invalid_grant: the person holds none of the consented scopes in the organization any more */
const requireHeldInOrganization = async (
  application: Application,
  transaction: Transaction,
  code: {
    readonly clientId: string;
    readonly userId: string;
    readonly scopes: readonly string[];
    readonly organizationId: string;
  },
): Promise<void> => {
  const row = await transaction.maybeOne(findMembership, [code.userId, code.organizationId]);
  // Each call asks again whether the organization takes a second factor.
  const held = row === null ? [] : activeMembership(application, row, true).scopes;
  if (!code.scopes.some((scope) => held.includes(scope))) throw refused('scope_not_held', code.clientId);
};

/** @returns the audience of the pair that the code leads to */
const requireRedeemable = async (deps: GrantDeps, presented: PresentedCode): Promise<string> => {
  const facts = await deps.database.maybeOne(findCode, presented);
  const [, clientId] = presented;
  if (facts === null) throw refused('code_unknown', clientId);
  const rule = refusingRule(facts);
  if (rule === null) return facts.audience;
  if (rule === 'code_replayed') await revokeIssuedSession(deps, clientId, facts.sessionFamilyId);
  throw refused(rule, clientId, needsAddress(rule) ? facts.email : null);
};

/** Whether a super admin needs the person's address to see why. */
const needsAddress = (rule: ConnectionRule): boolean => rule === 'not_super_admin' || rule === 'not_a_member';

/** Only a request with the code's own client, redirect URI and verifier can reveal a replay. */
const refusingRule = (facts: PresentedCodeRow): ConnectionRule | null => {
  if (!facts.isOfClient) return 'code_other_client';
  if (!facts.isRedirectUri) return 'redirect_uri_not_registered';
  if (!facts.isVerified) return 'verifier_mismatch';
  if (facts.isConsumed) return 'code_replayed';
  if (facts.isExpired || facts.isRevoked) return 'code_expired';
  if (!facts.isServed) return 'resource_foreign';
  if (facts.isOfOrganization) return facts.isMember ? null : 'not_a_member';
  if (!facts.isSuperAdmin) return 'not_super_admin';
  return facts.isHeld ? null : 'scope_not_held';
};

const revokeIssuedSession = async (
  { database, logger }: GrantDeps,
  clientId: string,
  sessionFamilyId: string | null,
): Promise<void> => {
  if (sessionFamilyId === null) return;
  const { revokedCredentials } = await database.transaction((transaction) =>
    revokeSession(transaction, sessionFamilyId, 'code_replayed'),
  );
  if (revokedCredentials === 0) return;
  const line = { event: 'oauth.code.replay', sessionFamilyId, clientId } as const;
  logger.warn(line, 'An authorization code was used again: the tokens issued for it are revoked');
};

/** The same answer for every reason, so that a guess reveals nothing. The detail is for the connection record only. */
const refused = (rule: ConnectionRule, clientId: string, detail: string | null = null): Refusal =>
  new Refusal('invalid_grant', codeRefused, { rule, detail, clientId });

const codeRefused = 'The code is unknown, expired or used, or belongs to another client, redirect URI or verifier.';

// Refresh token grant for an OAuth client (OAuth 2.1, section 4.3; contract/platform-mcp.md#refresh-of-a-client).

/**
 * Exchanges a refresh token for a new pair; unknown scopes are left out.
 * @throws Refusal invalid_client: unknown or revoked; invalid_scope: not granted; invalid_target: another resource;
 *   invalid_grant: {@link rotateCredentialPairOfClient} refuses
 */
export const refreshGrant = async (
  deps: GrantDeps,
  { resource, ...request }: Omit<ClientRotationRequest, 'audiences'> & Pick<CodeGrant, 'resource'>,
): Promise<GrantedPair> => {
  const { database, resources } = deps;
  const { id: clientId } = await getLiveClient(deps, request.clientId);
  const ownRow = [hashToken(request.refreshToken), clientId] as const;
  const scopes = resources.known(request.scopes);
  const pair = resource === null ? null : await database.maybeOne(findAudienceOfClientToken, [...ownRow]);
  if (pair !== null) requireSameResource(resource, pair.audience);
  try {
    const { audiences } = resources;
    return { ...(await rotateCredentialPairOfClient(deps, { ...request, scopes, clientId, audiences })), clientId };
  } catch (error) {
    throw isPublicRefusal(error) ? inWordsOfProtocol(error, clientId) : error;
  }
};

const inWordsOfProtocol = ({ code, details }: PublicRefusal, clientId: string): Refusal => {
  if (code === 'FORBIDDEN') {
    const detail = details.missingScopes?.join(' ') ?? null;
    const message = 'A refresh cannot request more scopes than were granted.';
    return new Refusal('invalid_scope', message, { rule: 'scope_widened', detail, clientId });
  }
  if (code === 'REFRESH_SUPERSEDED') {
    const message = 'Another request has just refreshed this pair.';
    return new Refusal('invalid_grant', message, { rule: 'refresh_superseded', clientId });
  }
  const message = 'This refresh token is unknown, expired, used or revoked.';
  return new Refusal('invalid_grant', message, { rule: 'refresh_refused', clientId });
};

/**
 * Ends the session of a live token of this client (RFC 7009). Any other token changes nothing (section 2.2).
 * @throws Refusal invalid_client: the client is unknown or revoked
 */
export const revokeToken = async (
  { database, logger }: Pick<OAuthDeps, 'database' | 'logger'>,
  { token, ...named }: { readonly clientId: string; readonly token: string },
): Promise<void> => {
  const { id: clientId } = await getClientToEnd(database, named.clientId);
  if (!isWellFormedToken('user_session', token) && !isWellFormedToken('user_refresh', token)) return;
  const ended = await database.transaction(async (transaction) => {
    const family = await transaction.maybeOne(findFamilyOfClientToken, [hashToken(token), clientId]);
    return family === null ? null : revokeSession(transaction, family.sessionFamilyId, 'revoked_by_client');
  });
  if (ended === null) return;
  const { sessionFamilyId, revokedCredentials: revoked } = ended;
  logger.info({ event: 'oauth.token.revoked', sessionFamilyId, clientId, revoked }, 'A client ended its session');
};
