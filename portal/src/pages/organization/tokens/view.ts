/** The view of /organization/tokens: section and filters, kept in the URL so that a reload and a link show the same. */
import { getRouteApi } from '@tanstack/react-router';
import type { MachineTokenFilter, MachineTokenKind, MachineTokenStatus } from '../../../generated/graphql.ts';

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

type Address = Readonly<Record<string, string>>;

/** Reads the URL; invalid values are dropped. */
const readTokenView = (address: Address): TokenView => ({
  section: tokenSections.find((section) => section === address['section']) ?? 'tokens',
  kind: tokenKinds.find((kind) => kind === address['kind']),
  status: tokenStatuses.find((status) => status === address['status']),
  expires: expiryDays.find((days) => days === address['expires']),
  unused: unusedDays.find((days) => days === address['unused']),
  account: idOf(address['account']),
  user: idOf(address['user']),
});

const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const idOf = (candidate: string | undefined): string | undefined =>
  candidate !== undefined && idPattern.test(candidate) ? candidate : undefined;

/** The search parameters of a view, without empty filters and without the first section. */
export const toSearchParams = ({ section, ...filters }: TokenView): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...filters, section: section === 'tokens' ? undefined : section }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );

export const isFiltered = ({ section: _, ...filters }: TokenView): boolean =>
  Object.values(filters).some((value) => value !== undefined);

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

const route = getRouteApi('/signed-in/organization/tokens');

export const useTokenView = (): TokenView => readTokenView(route.useSearch());

interface ViewChanges {
  readonly change: (changed: Partial<TokenView>) => void;
  /** Clears all filters. */
  readonly clear: () => void;
}

export const useViewChanges = (): ViewChanges => {
  const navigate = route.useNavigate();
  const go = (next: (latest: TokenView) => TokenView): void =>
    void navigate({
      search: (latest) => toSearchParams(next(readTokenView(latest))),
      replace: true,
      resetScroll: false,
    });
  return {
    change: (changed) => go((latest) => ({ ...latest, ...changed })),
    clear: () => go(({ section }) => ({ section })),
  };
};
