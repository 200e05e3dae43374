/** Queries myTokens and organizationTokens (contract/machine-credentials.md#who-may-manage-tokens). */
import { requireValidInput } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import type { Page, PageRequest } from '../../kernel/paging.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { filteredPage } from '../../platform/database/filtered-list.ts';
import type { ActiveMembership, Actor } from '../access/actor.ts';
import type { ReadDeps } from '../access/deps.ts';
import {
  listTokensOfInstance,
  listTokensOfUser,
  type MachineTokenRow,
  type MachineTokenStatus,
  tokensOfOrganization,
} from './tokens-store.ts';

const mostOwnTokens = 500;

/** The caller's personal tokens of every organization, newest first; those that ended up to 90 days ago too. */
export const listMyTokens = ({ database }: ReadDeps, { user }: Actor): Promise<MachineTokenRow[]> =>
  database.many(listTokensOfUser, [user.id, mostOwnTokens]);

/** Null or absent matches any. */
interface TokenFilter {
  readonly kind?: 'PERSONAL' | 'SERVICE' | null | undefined;
  readonly serviceAccountId?: string | null | undefined;
  readonly userId?: string | null | undefined;
  readonly status?: MachineTokenStatus | null | undefined;
  /** Exclusive. */
  readonly expiresBefore?: Date | null | undefined;
  /** Not used for so many days, or never and older than that. */
  readonly unusedForDays?: number | null | undefined;
}

const mostUnusedDays = 36_500;

/**
 * Tokens of the active organization, newest first. The caller's guard has already required the scope TOKENS_MANAGE.
 * @throws Refusal BAD_USER_INPUT: names a field of the filter, or of the page
 */
export const listOrganizationTokens = (
  { database }: ReadDeps,
  { organization }: ActiveMembership,
  { filter, ...request }: PageRequest & { readonly filter?: TokenFilter | null | undefined },
): Promise<Page<MachineTokenRow>> => {
  const { kind = null, serviceAccountId = null, userId = null, unusedForDays = null } = filter ?? {};
  const isDays = unusedForDays === null || (unusedForDays >= 0 && unusedForDays <= mostUnusedDays);
  requireValidInput({
    serviceAccountId: idReason(serviceAccountId),
    userId: idReason(userId),
    unusedForDays: isDays ? null : `It must be 0 to ${mostUnusedDays}.`,
  });
  return filteredPage(database, tokensOfOrganization, request, {
    org: organization.id,
    personal: kind === null ? null : kind === 'PERSONAL',
    account: serviceAccountId,
    user: userId,
    status: filter?.status ?? null,
    expires: filter?.expiresBefore ?? null,
    unused: unusedForDays,
  });
};

const idReason = (id: string | null): string | null => (id === null || isId(id) ? null : 'This is no id.');

// For the operator's shell: no surface reaches it.

/** Null matches any. */
interface OperatorFilter {
  readonly organizationId: string | null;
  /** Whose personal tokens are listed. */
  readonly userId: string | null;
  readonly status: MachineTokenStatus | null;
}

export const mostListed = 10_000;

/** The newest tokens of every organization; those that ended up to 90 days ago too. */
export const listTokensByOperator = (
  database: Pick<Queryable, 'many'>,
  { organizationId, userId, status }: OperatorFilter,
): Promise<MachineTokenRow[]> => database.many(listTokensOfInstance, [organizationId, userId, status, mostListed]);
