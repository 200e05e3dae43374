/**
 * A person's answer to what a client asks for. It is asked every time; nobody but a super admin is asked at all
 * (specification, "Authentication" 10). What was true when the page was shown is read again when the answer comes.
 */
import { randomBytes } from 'node:crypto';
import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { sha256 } from '../../kernel/secrets.ts';
import type { Database, Queryable, Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { type Actor, scopesOfActor } from '../access/actor.ts';
import { shareLiveSession } from '../credentials/sessions-store.ts';
import { isPlatformScope, type PlatformScope } from '../scopes/scopes.ts';
import { sharePlatformAuthority } from '../users/users-store.ts';
import { claimRequest, findRequest, insertCode, type RequestRow } from './authorizations-store.ts';
import { type ClientAnswer, grantedScopes } from './authorize.ts';
import { revokedClient } from './clients.ts';
import { shareLiveClient } from './clients-store.ts';
import { OAuthRefusal } from './oauth-refusal.ts';

export interface ConsentDeps {
  readonly database: Database;
  readonly logger: Logger;
  readonly settings: { readonly mcp: { readonly codeTtlSeconds: number } };
}

/** A request as its own browser names it. */
export interface RequestKey {
  readonly requestId: string;
  /** Raw, as the browser kept it; null when it kept none. */
  readonly browserSecret: string | null;
}

/** What a person is asked. */
export interface ConsentQuestion {
  readonly kind: 'question';
  readonly request: RequestRow;
  /** What the client gets when they allow it. */
  readonly granted: readonly PlatformScope[];
}

/** Only a super admin is asked; the person may have another account, so the request stays open. */
export interface WrongAccount {
  readonly kind: 'wrong_account';
  readonly request: RequestRow;
  /** The answer to the client when the person cancels. */
  readonly refusal: OAuthRefusal;
}

/** The client is answered without a question; the request is used up. */
export interface Unasked {
  readonly kind: 'unasked';
  readonly answer: ClientAnswer;
}

export const decisions = ['approve', 'deny'] as const;
export type Decision = (typeof decisions)[number];

/**
 * A request that can still be decided, by the browser that began it.
 * @throws OAuthRefusal consent_expired when there is none any more; consent_other_browser; client_revoked
 * @throws AlreadyAnswered
 */
export const getOpenRequest = async (
  queryable: Pick<Queryable, 'maybeOne'>,
  { requestId, browserSecret }: RequestKey,
): Promise<RequestRow> => {
  const request = isId(requestId)
    ? await queryable.maybeOne(findRequest, [requestId, sha256(browserSecret ?? '')])
    : null;
  if (request === null) throw closed('There is no such request, or it is long over.');
  // Before anything else is told of it.
  const { clientId } = request;
  if (!request.isOfBrowser) throw otherBrowser(clientId);
  if (request.isDecided) throw new AlreadyAnswered();
  if (request.isExpired) throw closed('This request has waited for longer than ten minutes.', clientId);
  if (request.isClientRevoked) throw revokedClient(clientId);
  return request;
};

/** The person comes back to a request that they have answered: nothing is refused by that, and nothing is changed. */
export class AlreadyAnswered extends Error {
  override readonly name = 'AlreadyAnswered';
}

const closed = (message: string, clientId: string | null = null): OAuthRefusal =>
  new OAuthRefusal('invalid_request', 'consent_expired', message, null, clientId);

const otherBrowser = (clientId: string): OAuthRefusal =>
  new OAuthRefusal(
    'access_denied',
    'consent_other_browser',
    'This request was begun in another browser, or this one has not kept its cookie.',
    null,
    clientId,
  );

/**
 * What to ask the person, or why they are not asked (specification, "Authentication" 10).
 * @param request open
 * @throws like `decideConsent`
 */
export const askForConsent = async (
  deps: ConsentDeps,
  actor: Actor,
  request: RequestRow,
  key: RequestKey,
): Promise<ConsentQuestion | WrongAccount | Unasked> => {
  const verdict = verdictOn(actor, request, 'approve');
  if (!(verdict instanceof OAuthRefusal)) return { kind: 'question', request, granted: verdict };
  if (verdict.rule === 'not_super_admin') return { kind: 'wrong_account', request, refusal: verdict };
  return { kind: 'unasked', answer: await settle(deps, actor, request, key, () => verdict) };
};

/**
 * Decides an open request, once: of answers that come together one counts.
 * @returns what the client is told: a code, or a refusal by the person or for want of authority
 * @throws OAuthRefusal when the request is open no more, see `getOpenRequest`; Refusal UNAUTHENTICATED when the person's
 *   session ended meanwhile. Nothing is changed then
 */
export const decideConsent = (
  deps: ConsentDeps,
  actor: Actor,
  request: RequestRow,
  key: RequestKey,
  decision: Decision,
): Promise<ClientAnswer> => settle(deps, actor, request, key, (now) => verdictOn(now, request, decision));

/** What the client gets, or why it gets nothing. */
type Verdict = readonly PlatformScope[] | OAuthRefusal;

const verdictOn = (actor: Actor, { scopes }: RequestRow, decision: Decision): Verdict => {
  if (!actor.user.isSuperAdmin) {
    // The message goes to the client; whose account it was is for the record alone.
    return new OAuthRefusal(
      'access_denied',
      'not_super_admin',
      'Only super admins can connect a client.',
      actor.user.email,
    );
  }
  if (decision === 'deny') {
    return new OAuthRefusal('access_denied', 'consent_denied', 'The person refused the request.');
  }
  const granted = grantedScopes(scopes, scopesOfActor(actor));
  return granted.length > 0
    ? granted
    : new OAuthRefusal('invalid_scope', 'scope_not_held', 'The person holds none of the scopes asked for.');
};

const settle = async (
  { database, logger, settings }: ConsentDeps,
  actor: Actor,
  request: RequestRow,
  key: RequestKey,
  judge: (now: Actor) => Verdict,
): Promise<ClientAnswer> =>
  database.transaction(async (transaction) => {
    const now = await holdParties(transaction, actor, request);
    await claim(transaction, key);
    const { clientId, redirectUri, state } = request;
    const verdict = judge(now);
    const facts = { userId: actor.user.id, clientId, requestId: request.id };
    if (verdict instanceof OAuthRefusal) {
      const refused = { event: 'oauth.consent_refused', ...facts, rule: verdict.rule } as const;
      transaction.afterCommit(() => logger.info(refused, 'A client was refused access'));
      return { clientId, redirectUri, state, refusal: verdict };
    }
    const code = await mintCode(transaction, actor, request, verdict, settings.mcp.codeTtlSeconds);
    const given = { event: 'oauth.consent_given', ...facts } as const;
    transaction.afterCommit(() => logger.info(given, 'A person allowed a client to connect'));
    return { clientId, redirectUri, state, code };
  });

/**
 * Holds client, person and session until the transaction ends: a revocation of any of them comes before, and is seen
 * here, or after, and ends what comes of it.
 * @returns the actor with what they may do now
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

const claim = async (transaction: Transaction, key: RequestKey): Promise<void> => {
  const claimed = await transaction.maybeOne(claimRequest, [key.requestId, sha256(key.browserSecret ?? '')]);
  if (claimed !== null) return;
  await getOpenRequest(transaction, key);
  throw closed('This request cannot be answered any more.');
};

/** @returns the code, raw: only its hash is kept */
const mintCode = async (
  transaction: Transaction,
  { user }: Actor,
  { clientId, redirectUri, codeChallenge }: RequestRow,
  scopes: readonly PlatformScope[],
  ttlSeconds: number,
): Promise<string> => {
  const code = randomBytes(32).toString('base64url');
  await transaction.execute(insertCode, [
    sha256(code),
    clientId,
    redirectUri,
    codeChallenge,
    user.id,
    scopes,
    ttlSeconds,
  ]);
  return code;
};
