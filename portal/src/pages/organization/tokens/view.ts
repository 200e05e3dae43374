/** The view of /organization/tokens: section and filters, kept in the URL so that a reload and a link show the same. */
import type { MachineTokenFilter, MachineTokenKind, MachineTokenStatus } from '../../../generated/graphql.ts';
import { type Address, idOf, type ListView, oneOf, toSearchParams, useListView } from '../../../lists/list-view.ts';

export const tokenSections = ['tokens', 'accounts', 'policy'] as const;
type TokenSection = (typeof tokenSections)[number];

export const tokenKinds: readonly MachineTokenKind[] = ['PERSONAL', 'SERVICE'];

export const tokenStatuses: readonly MachineTokenStatus[] = ['ACTIVE', 'PENDING', 'BLOCKED', 'EXPIRED', 'REVOKED'];

/** Days within which a token expires, and for which one was not used. */
export const expiryDays = ['7', '30', '90'] as const;
export const unusedDays = ['30', '90', '180'] as const;

export interface TokenView {
  readonly section: TokenSection;
  readonly kind?: MachineTokenKind | undefined;
  readonly status?: MachineTokenStatus | undefined;
  readonly expires?: (typeof expiryDays)[number] | undefined;
  readonly unused?: (typeof unusedDays)[number] | undefined;
  /** Id of a service account. */
  readonly account?: string | undefined;
  /** Id of a person. */
  readonly user?: string | undefined;
}

/** Reads the URL; invalid values are dropped. */
const readTokenView = (address: Address): TokenView => ({
  section: oneOf(tokenSections, address['section']) ?? 'tokens',
  kind: oneOf(tokenKinds, address['kind']),
  status: oneOf(tokenStatuses, address['status']),
  expires: oneOf(expiryDays, address['expires']),
  unused: oneOf(unusedDays, address['unused']),
  account: idOf(address['account']),
  user: idOf(address['user']),
});

/** The search parameters of a view, without empty filters and without the first section. */
export const tokenParams = ({ section, ...filters }: TokenView): Record<string, string> =>
  toSearchParams({ ...filters, section: section === 'tokens' ? undefined : section });

const hourMilliseconds = 3_600_000;

/**
 * Converts it to the filter input of the API.
 * @param now rounded up to the hour, so that a reload sends the same query
 */
export const toTokenFilter = (
  { kind, status, expires, unused, account, user }: TokenView,
  now: Date,
): MachineTokenFilter => ({
  kind: kind ?? null,
  status: status ?? null,
  serviceAccountId: account ?? null,
  userId: user ?? null,
  unusedForDays: unused === undefined ? null : Number(unused),
  expiresBefore: expires === undefined ? null : afterDays(Number(expires), now),
});

const afterDays = (days: number, now: Date): string => {
  const hour = Math.ceil(now.getTime() / hourMilliseconds) * hourMilliseconds;
  return new Date(hour + days * 24 * hourMilliseconds).toISOString();
};

/** The view in the URL of the page, and what changes it. */
export const useTokenView = (): ListView<TokenView> => useListView(readTokenView, tokenParams);
