/**
 * Consent to an authorization request, asked for every time (contract/platform-mcp.md#consent-page,
 * contract/organization-mcp.md#consent-of-a-member) and decided on rows read again. `platform-consent.ts` and
 * `organization-consent.ts` have what each resource asks.
 */
import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { randomSecret, sha256 } from '../../kernel/secrets.ts';
import type { Queryable, Transaction } from '../../platform/database/database.ts';
import type { Actor } from '../access/actor.ts';
import { actIn, addAudit } from '../audit/audits-of-transaction.ts';
import { shareLiveSession } from '../credentials/sessions-store.ts';
import { isPlatformScope } from '../scopes/scopes.ts';
import { sharePlatformAuthority } from '../users/users-store.ts';
import type { ClientAnswer } from './authorization-request.ts';
import { claimRequest, findRequest, insertCode, type RequestRow } from './authorizations-store.ts';
import { type OAuthDeps, requireListed, revokedClient } from './clients.ts';
import { shareLiveClient } from './clients-store.ts';
import { redirectHostOf } from './redirect-uris.ts';
import { isRegisteredRedirectUri } from './register-client.ts';
import type { ProtectedResource } from './resources.ts';

export type ConsentDeps = Pick<OAuthDeps, 'application' | 'database' | 'logger' | 'resources' | 'settings'>;

/** Identifies a request in the browser that started it. */
export interface RequestKey {
  readonly requestId: string;
  /** Raw, from the browser's cookie; null without one. */
  readonly browserSecret: string | null;
}

/** A request that waits for a decision, and the resource that it is for. */
export interface OpenRequest extends RequestRow {
  readonly resource: ProtectedResource;
}

/** The person may have another account that can decide, so the request stays open. */
export interface WrongAccount {
  readonly kind: 'wrong_account';
  readonly request: OpenRequest;
  /** The answer to the client when the person cancels. */
  readonly refusal: Refusal;
}

/** The client gets an answer without a question; the request is consumed. */
export interface AnsweredAtOnce {
  readonly kind: 'answered';
  readonly answer: ClientAnswer;
}

export const decisions = ['approve', 'deny'] as const;
export type Decision = (typeof decisions)[number];

/**
 * An open request of the browser that started it.
 * @throws Refusal with the rule consent_expired: not open; consent_other_browser; client_revoked;
 *   client_document_unlisted: not listed any more; resource_foreign: not served any more; no rule: decided
 */
export const getOpenRequest = async (
  {
    database,
    resources,
    settings,
  }: { readonly database: Pick<Queryable, 'maybeOne'> } & Pick<ConsentDeps, 'resources' | 'settings'>,
  { requestId, browserSecret }: RequestKey,
): Promise<OpenRequest> => {
  const request = isId(requestId)
    ? await database.maybeOne(findRequest, [requestId, sha256(browserSecret ?? '')])
    : null;
  if (request === null) throw closed('This request does not exist, or has expired.');
  // Checked before any other property of the request is disclosed.
  const { clientId } = request;
  if (!request.isOfBrowser) throw otherBrowser(clientId);
  if (request.isDecided) throw alreadyAnswered();
  if (request.isExpired) throw closed('This request expired after ten minutes.', clientId);
  if (request.isClientRevoked) throw revokedClient(clientId);
  const resource = resources.ofAudience(request.audience);
  requireListed({ settings }, { id: clientId, metadataUrl: request.metadataUrl });
  if (!isRegisteredRedirectUri(request.redirectUri, request.redirectUris, settings.mcp.redirectAllowList)) {
    throw closed('The client no longer has the address that this request would be answered at.', clientId);
  }
  if (resource === null) throw closed('This request is for a server that is not served here any more.', clientId);
  return { ...request, resource };
};

/** The user returned to the page after the answer: nothing is refused to the client, so nothing is recorded. */
const alreadyAnswered = (): Refusal =>
  new Refusal(
    'invalid_request',
    'You have already answered this request. Each request is answered once, and the client has your answer.',
    { rule: null },
  );

const closed = (message: string, clientId: string | null = null): Refusal =>
  new Refusal('invalid_request', message, { rule: 'consent_expired', clientId });

const otherBrowser = (clientId: string): Refusal =>
  new Refusal('access_denied', 'This request began in another browser, or this browser did not keep its cookie.', {
    rule: 'consent_other_browser',
    clientId,
  });

/** The answer of a person who refuses. */
export const refusedByPerson = (): Refusal =>
  new Refusal('access_denied', 'The person refused the request.', { rule: 'consent_denied' });

/** The grant of the client. */
interface Granted {
  readonly scopes: readonly string[];
  /** The membership that the grant is bound to; null for Platform MCP. */
  readonly bound: { readonly organizationId: string; readonly membershipId: string } | null;
}

/** The grant of the client, or the reason why it gets none. */
export type Verdict = Granted | Refusal;

/**
 * Settles a request with a verdict, once.
 * @param judge gives the verdict, on the actor with their current authority; what it throws leaves the request open
 * @returns the answer to the client: a code, or a refusal
 * @throws Refusal as {@link getOpenRequest}; UNAUTHENTICATED; nothing changes
 */
export const settle = async (
  deps: ConsentDeps,
  actor: Actor,
  request: OpenRequest,
  key: RequestKey,
  judge: (transaction: Transaction, now: Actor) => Verdict | Promise<Verdict>,
): Promise<ClientAnswer> =>
  deps.database.transaction(async (transaction) => {
    const { logger } = deps;
    requireListed(deps, { id: request.clientId, metadataUrl: request.metadataUrl });
    const now = await holdParties(transaction, actor, request);
    await claim(deps, transaction, key);
    const { clientId, redirectUri, state } = request;
    const verdict = await judge(transaction, now);
    const facts = { userId: actor.user.id, clientId, requestId: request.id };
    if (verdict instanceof Refusal) {
      const refused = { event: 'oauth.consent_refused', ...facts, rule: verdict.rule } as const;
      transaction.afterCommit(() => logger.info(refused, 'A client was refused access'));
      noteRefusedClient(transaction, actor, request, verdict);
      return { clientId, redirectUri, state, refusal: verdict };
    }
    const code = await mintCode(transaction, actor, request, verdict, deps.settings.mcp.codeTtlSeconds);
    const organizationId = verdict.bound?.organizationId ?? null;
    const given = { event: 'oauth.consent_given', ...facts, audience: request.audience, organizationId } as const;
    transaction.afterCommit(() => logger.info(given, 'A person allowed a client to connect'));
    return { clientId, redirectUri, state, code };
  });

/** Audits a refusal by the policy of the organization; any other refusal is none of its concern. */
const noteRefusedClient = (
  transaction: Transaction,
  actor: Actor,
  { clientId, clientName: name, redirectUri, resource, scopes }: OpenRequest,
  { rule, organizationId }: Refusal,
): void => {
  if (rule !== 'client_not_accepted' || organizationId === null) return;
  actIn(transaction, actor);
  addAudit(transaction, {
    organizationId,
    event: 'MCP_CLIENT_REFUSED',
    subjectId: clientId,
    subjectUserId: actor.user.id,
    clientId,
    details: { name, redirectHost: redirectHostOf(redirectUri), resource: resource.url, scopes: scopes ?? undefined },
  });
};

/**
 * Holds client, user and session: a revocation of any comes before, and is seen here, or after, and ends the resulting
 * credentials.
 * @returns the actor with their current authority
 */
const holdParties = async (transaction: Transaction, actor: Actor, { clientId }: RequestRow): Promise<Actor> => {
  if ((await transaction.maybeOne(shareLiveClient, [clientId])) === null) throw revokedClient(clientId);
  const { user, credential } = actor;
  const authority = await transaction.maybeOne(sharePlatformAuthority, [user.id]);
  const session = await transaction.maybeOne(shareLiveSession, [credential.sessionFamilyId, user.id]);
  if (authority === null || session === null) throw new Refusal('UNAUTHENTICATED', 'You are not signed in any more.');
  const { isSuperAdmin } = authority;
  const held = isSuperAdmin ? authority.platformScopes.filter(isPlatformScope) : [];
  return { ...actor, user: { ...user, isSuperAdmin, platformScopes: held } };
};

const claim = async (deps: ConsentDeps, transaction: Transaction, key: RequestKey): Promise<void> => {
  const claimed = await transaction.maybeOne(claimRequest, [key.requestId, sha256(key.browserSecret ?? '')]);
  if (claimed !== null) return;
  await getOpenRequest({ ...deps, database: transaction }, key);
  throw closed('This request can no longer be answered.');
};

/** @returns the raw code: only its hash is stored */
const mintCode = async (
  transaction: Transaction,
  { user }: Actor,
  { clientId, redirectUri, codeChallenge, audience }: RequestRow,
  { scopes, bound }: Granted,
  ttlSeconds: number,
): Promise<string> => {
  const code = randomSecret();
  await transaction.execute(insertCode, [
    sha256(code),
    clientId,
    redirectUri,
    codeChallenge,
    user.id,
    scopes,
    ttlSeconds,
    audience,
    bound?.organizationId ?? null,
    bound?.membershipId ?? null,
  ]);
  return code;
};
