/** Consent of super admins to Platform MCP (contract/platform-mcp.md#accounts-without-super-admin). */
import { Refusal } from '../../kernel/errors.ts';
import { type Actor, awaitsSecondFactor, scopesOfActor } from '../access/actor.ts';
import { requireRecentAuthentication, secondFactorRequired } from '../access/authorize.ts';
import { type ClientAnswer, grantedScopes } from './authorization-request.ts';
import {
  type AnsweredAtOnce,
  type ConsentDeps,
  type Decision,
  type OpenRequest,
  type RequestKey,
  refusedByPerson,
  settle,
  type Verdict,
  type WrongAccount,
} from './decide-consent.ts';

/** The question that a super admin is asked. */
export interface PlatformQuestion {
  readonly kind: 'platform';
  readonly request: OpenRequest;
  /** The scopes that the client is granted if the person allows it. */
  readonly granted: readonly string[];
}

/** The question for the person, or why they are not asked. @throws Refusal as {@link decideForPlatform} */
export const askForPlatform = async (
  deps: ConsentDeps,
  actor: Actor,
  request: OpenRequest,
  key: RequestKey,
): Promise<PlatformQuestion | WrongAccount | AnsweredAtOnce> => {
  if (awaitsSecondFactor(actor)) throw secondFactorRequired();
  const verdict = verdictOn(actor, request, 'approve');
  if (!(verdict instanceof Refusal)) {
    await requireRecentAuthentication(deps.database, actor);
    return { kind: 'platform', request, granted: verdict.scopes };
  }
  if (verdict.rule === 'not_super_admin') return { kind: 'wrong_account', request, refusal: verdict };
  return { kind: 'answered', answer: await settle(deps, actor, request, key, () => verdict) };
};

/**
 * Decides an open request.
 * @returns the answer to the client
 * @throws Refusal as `settle`; for one who allows it also REAUTHENTICATION_REQUIRED: after 10 minutes;
 *   SECOND_FACTOR_REQUIRED: super admins need one here; nothing changes
 */
export const decideForPlatform = (
  deps: ConsentDeps,
  actor: Actor,
  request: OpenRequest,
  key: RequestKey,
  decision: Decision,
): Promise<ClientAnswer> =>
  settle(deps, actor, request, key, async (transaction, now) => {
    const verdict = verdictOn(now, request, decision);
    if (verdict instanceof Refusal) return verdict;
    if (awaitsSecondFactor(now)) throw secondFactorRequired();
    await requireRecentAuthentication(transaction, actor);
    return verdict;
  });

const verdictOn = (actor: Actor, { scopes, resource }: OpenRequest, decision: Decision): Verdict => {
  if (!actor.user.isSuperAdmin) {
    // The message goes to the client; the account is for the connection record only.
    return new Refusal('access_denied', 'Only super admins can connect a client.', {
      rule: 'not_super_admin',
      detail: actor.user.email,
    });
  }
  if (decision === 'deny') return refusedByPerson();
  const granted = grantedScopes(resource, scopes, scopesOfActor(actor));
  return granted.length > 0
    ? { scopes: granted, bound: null }
    : new Refusal('invalid_scope', 'The person holds none of the scopes asked for.', { rule: 'scope_not_held' });
};
