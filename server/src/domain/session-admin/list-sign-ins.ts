/** Operations signIns and mySignIns (contract/incidents.md#history-of-sign-ins): attempts, newest first, in pages. */
import { requireValidInput } from '../../kernel/errors.ts';
import { idReason, normalizeId } from '../../kernel/ids.ts';
import { readNetwork } from '../../kernel/network.ts';
import type { Page, PageRequest } from '../../kernel/paging.ts';
import { filteredPage } from '../../platform/database/filtered-list.ts';
import type { Actor } from '../access/actor.ts';
import { requireSuperAdmin } from '../access/authorize.ts';
import type { Deps } from '../access/deps.ts';
import { recordedRefusals, signInMethods, success } from '../sign-ins/sign-in-history.ts';
import { oneOf, requireTargets } from './session-filter.ts';
import { countUnlisted, pageOfWideNetwork, type SignInCriteria, type SignInRow, signInList } from './sign-ins-store.ts';

/** The outcomes that an attempt can have in the history. */
export const signInOutcomes = [success, ...recordedRefusals] as const;

/** Search criteria; null matches anything. Ids may be in any case. */
interface SignInFilter {
  readonly userId?: string | null | undefined;
  /** An address or a CIDR. */
  readonly network?: string | null | undefined;
  readonly method?: string | null | undefined;
  readonly outcome?: string | null | undefined;
  /** Both inclusive. */
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
}

/** A page of the history, with the number of refused attempts that were counted and not listed. */
export interface SignInPage extends Page<SignInRow> {
  readonly unlistedRefusals: () => Promise<number>;
}

type Criteria = Omit<SignInCriteria, 'days'>;
type HistoryDeps = Deps<'database' | 'signIns'>;

/**
 * Lists attempts of every person.
 * @throws Refusal FORBIDDEN: no super admin with sessions:view; BAD_USER_INPUT: names `first`, `after`, a malformed or
 *   unknown field, or `filter`, whose wide network leaves too many to read
 */
export const listSignIns = async (
  deps: HistoryDeps,
  actor: Actor,
  request: PageRequest,
  filter: SignInFilter,
): Promise<SignInPage> => {
  requireSuperAdmin(actor, ['sessions:view']);
  const criteria = readFilter(filter);
  const page = await readPage(deps, request, criteria);
  if (page.nodes.length === 0) await requireTargets(deps.database, { user: criteria.user });
  return page;
};

/** Lists the caller's own attempts. @throws Refusal BAD_USER_INPUT: names `first` or `after` */
export const listOwnSignIns = (deps: HistoryDeps, { user }: Actor, request: PageRequest): Promise<SignInPage> =>
  readPage(deps, request, readFilter({ userId: user.id }));

const readPage = async (
  { database, signIns }: HistoryDeps,
  request: PageRequest,
  criteria: Criteria,
): Promise<SignInPage> => {
  // A refusal of this process that was just answered is listed.
  await signIns.flush();
  const { days } = signIns;
  const page =
    criteria.network === null
      ? await filteredPage(database, signInList, request, { ...criteria, days })
      : await pageOfWideNetwork(database, request, { ...criteria, days, network: criteria.network });
  const unlistedRefusals = async (): Promise<number> =>
    (await database.one(countUnlisted, [criteria.user, days])).unlisted;
  return { ...page, unlistedRefusals };
};

const readFilter = ({ userId, network, method, outcome, from, to }: SignInFilter): Criteria => {
  const user = normalizeId(userId);
  const cidr = typeof network === 'string' ? readNetwork(network) : null;
  requireValidInput({
    userId: idReason(user),
    network: typeof network === 'string' && cidr === null ? networkRule : null,
    method: oneOf(signInMethods, method),
    outcome: oneOf(signInOutcomes, outcome),
  });
  return {
    user,
    place: cidr !== null && isOfOneSite(cidr) ? cidr : null,
    network: cidr !== null && !isOfOneSite(cidr) ? cidr : null,
    method: method ?? null,
    isSuccess: outcome === success ? true : null,
    refusal: outcome === success ? null : (outcome ?? null),
    from: from ?? null,
    to: to ?? null,
  };
};

export const networkRule = 'This must be an address or a network, such as 192.0.2.7 or 192.0.2.0/24.';

/** Whether a CIDR is a site, as the index of the history has them, or a part of one. */
const isOfOneSite = (cidr: string): boolean => {
  const [address = '', bits] = cidr.split('/');
  return Number(bits) >= (address.includes(':') ? 48 : 24);
};
