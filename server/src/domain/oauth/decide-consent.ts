/**
 * Consent: the user's decision on an authorization request. Consent is requested every time, and of super admins only
 * (specification, "Authentication" 10). Facts that held when the page was shown are re-read when the decision arrives.
 */
import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { randomSecret, sha256 } from '../../kernel/secrets.ts';
import type { Queryable, Transaction } from '../../platform/database/database.ts';
import { type Actor, awaitsSecondFactor, scopesOfActor } from '../access/actor.ts';
import { requireRecentAuthentication, secondFactorRequired } from '../access/authorize.ts';
import { shareLiveSession } from '../credentials/sessions-store.ts';
import { isPlatformScope, type PlatformScope } from '../scopes/scopes.ts';
import { sharePlatformAuthority } from '../users/users-store.ts';
import { type ClientAnswer, grantedScopes } from './authorization-request.ts';
import { claimRequest, findRequest, insertCode, type RequestRow } from './authorizations-store.ts';
import { type OAuthDeps, requireListed, revokedClient } from './clients.ts';
import { shareLiveClient } from './clients-store.ts';

type ConsentDeps = Pick<OAuthDeps, 'database' | 'logger' | 'settings'>;

/** Identifies a request in the browser that started it. */
export interface RequestKey {
  readonly requestId: string;
  /** Raw, from the browser's cookie; null without one. */
  readonly browserSecret: string | null;
}

/** The question that the user is asked. */
export interface ConsentQuestion {
  readonly kind: 'question';
  readonly request: RequestRow;
  /** The scopes that the client is granted if the user allows it. */
  readonly granted: readonly PlatformScope[];
}

/** Consent is requested of super admins only; the user may have another account, so the request stays open. */
export interface WrongAccount {
  readonly kind: 'wrong_account';
  readonly request: RequestRow;
  /** The answer to the client when the user cancels. */
  readonly refusal: Refusal;
}

/** The client gets an answer without a question; the request is consumed. */
interface AnsweredAtOnce {
  readonly kind: 'answered';
  readonly answer: ClientAnswer;
}

export const decisions = ['approve', 'deny'] as const;
export type Decision = (typeof decisions)[number];

/**
 * An open request of the browser that started it.
 * @throws Refusal with the rule consent_expired: there is no open request; consent_other_browser: another browser
 *   started it; client_revoked: the client was revoked; without a rule: the request is already decided
 */
export const getOpenRequest = async (
  queryable: Pick<Queryable, 'maybeOne'>,
  { requestId, browserSecret }: RequestKey,
): Promise<RequestRow> => {
  const request = isId(requestId)
    ? await queryable.maybeOne(findRequest, [requestId, sha256(browserSecret ?? '')])
    : null;
  if (request === null) throw closed('This request does not exist, or has expired.');
  // Checked before any other fact of the request is disclosed.
  const { clientId } = request;
  if (!request.isOfBrowser) throw otherBrowser(clientId);
  if (request.isDecided) throw alreadyAnswered();
  if (request.isExpired) throw closed('This request expired after ten minutes.', clientId);
  if (request.isClientRevoked) throw revokedClient(clientId);
  return request;
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

/**
 * The question for the user, or the reason why they are not asked (specification, "Authentication" 10).
 * @param request open
 * @throws as {@link decideConsent}
 */
export const askForConsent = async (
  deps: ConsentDeps,
  actor: Actor,
  request: RequestRow,
  key: RequestKey,
): Promise<ConsentQuestion | WrongAccount | AnsweredAtOnce> => {
  requireListed(deps, { id: request.clientId, metadataUrl: request.metadataUrl });
  if (awaitsSecondFactor(actor)) throw secondFactorRequired();
  const verdict = verdictOn(actor, request, 'approve');
  if (!(verdict instanceof Refusal)) {
    await requireRecentAuthentication(deps.database, actor);
    return { kind: 'question', request, granted: verdict };
  }
  if (verdict.rule === 'not_super_admin') return { kind: 'wrong_account', request, refusal: verdict };
  return { kind: 'answered', answer: await settle(deps, actor, request, key, () => verdict) };
};

/**
 * Decides an open request, once: only one of several concurrent decisions counts.
 * @returns the answer to the client: a code, or a refusal by the user or for lack of authority
 * @throws Refusal: the request is no longer open, see `getOpenRequest`; nothing changes
 * @throws Refusal UNAUTHENTICATED: the user's session ended meanwhile; REAUTHENTICATION_REQUIRED: the user allows it, and
 *   it is more than 10 minutes since they authenticated; SECOND_FACTOR_REQUIRED: the user allows it, super admins need a
 *   second factor, and the session has none; nothing changes
 */
export const decideConsent = (
  deps: ConsentDeps,
  actor: Actor,
  request: RequestRow,
  key: RequestKey,
  decision: Decision,
): Promise<ClientAnswer> => settle(deps, actor, request, key, (now) => verdictOn(now, request, decision));

/** The scopes that the client is granted, or the reason why it gets none. */
type Verdict = readonly PlatformScope[] | Refusal;

const verdictOn = (actor: Actor, { scopes }: RequestRow, decision: Decision): Verdict => {
  if (!actor.user.isSuperAdmin) {
    // The message goes to the client; the account is for the connection record only.
    return new Refusal('access_denied', 'Only super admins can connect a client.', {
      rule: 'not_super_admin',
      detail: actor.user.email,
    });
  }
  if (decision === 'deny') {
    return new Refusal('access_denied', 'The person refused the request.', { rule: 'consent_denied' });
  }
  const granted = grantedScopes(scopes, scopesOfActor(actor));
  return granted.length > 0
    ? granted
    : new Refusal('invalid_scope', 'The person holds none of the scopes asked for.', { rule: 'scope_not_held' });
};

const settle = async (
  { database, logger, settings }: ConsentDeps,
  actor: Actor,
  request: RequestRow,
  key: RequestKey,
  judge: (now: Actor) => Verdict,
): Promise<ClientAnswer> =>
  database.transaction(async (transaction) => {
    requireListed({ settings }, { id: request.clientId, metadataUrl: request.metadataUrl });
    const now = await holdParties(transaction, actor, request);
    await claim(transaction, key);
    const { clientId, redirectUri, state } = request;
    const verdict = judge(now);
    const facts = { userId: actor.user.id, clientId, requestId: request.id };
    if (verdict instanceof Refusal) {
      const refused = { event: 'oauth.consent_refused', ...facts, rule: verdict.rule } as const;
      transaction.afterCommit(() => logger.info(refused, 'A client was refused access'));
      return { clientId, redirectUri, state, refusal: verdict };
    }
    if (awaitsSecondFactor(now)) throw secondFactorRequired();
    await requireRecentAuthentication(transaction, actor);
    const code = await mintCode(transaction, actor, request, verdict, settings.mcp.codeTtlSeconds);
    const given = { event: 'oauth.consent_given', ...facts } as const;
    transaction.afterCommit(() => logger.info(given, 'A person allowed a client to connect'));
    return { clientId, redirectUri, state, code };
  });

/**
 * Holds client, user and session until the transaction ends: a revocation of any of them comes either before, and is
 * seen here, or after, and ends the resulting credentials.
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

const claim = async (transaction: Transaction, key: RequestKey): Promise<void> => {
  const claimed = await transaction.maybeOne(claimRequest, [key.requestId, sha256(key.browserSecret ?? '')]);
  if (claimed !== null) return;
  await getOpenRequest(transaction, key);
  throw closed('This request can no longer be answered.');
};

/** @returns the raw code: only its hash is stored */
const mintCode = async (
  transaction: Transaction,
  { user }: Actor,
  { clientId, redirectUri, codeChallenge }: RequestRow,
  scopes: readonly PlatformScope[],
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
  ]);
  return code;
};
