/** Which sessions the governance page shows. It stands in the address, so that a reload and a link show the same. */
import type { SessionFilter } from '../../generated/graphql.ts';
import { hasCode } from '../../session/refusal.ts';

/** The audiences that credentials are issued for. */
export const knownAudiences = ['portal', 'api', 'mcp'] as const;

/** Every value as the address has it: one that cannot be meant stays, so that it never becomes the list of everybody. */
export interface GovernanceFilter {
  /** Part of the person's address. */
  readonly email?: string | undefined;
  readonly audience?: string | undefined;
  /** Id of the only person. */
  readonly user?: string | undefined;
  /** Id of the only organization. */
  readonly organization?: string | undefined;
}

/** What an address says; ids are in any case there. */
export const readGovernanceFilter = ({
  email,
  audience,
  user,
  organization,
}: GovernanceFilter): Readonly<Record<keyof GovernanceFilter, string | undefined>> => ({
  email: email?.trim() === '' ? undefined : email?.slice(0, longestEmail),
  audience,
  user: user?.toLowerCase(),
  organization: organization?.toLowerCase(),
});

/** The server looks for nothing longer. */
const longestEmail = 254;

export const isFiltered = (filter: GovernanceFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined);

export interface WrongFilter {
  readonly name: keyof GovernanceFilter;
  /** In the words of the server; undefined of a value that the page itself cannot read. */
  readonly reason: string | undefined;
}

const isUnreadable: Readonly<Record<keyof GovernanceFilter, (value: string) => boolean>> = {
  email: () => false,
  audience: (value) => knownAudiences.every((audience) => audience !== value),
  user: (value) => !idPattern.test(value),
  organization: (value) => !idPattern.test(value),
};

const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const names = ['email', 'audience', 'user', 'organization'] as const;

/** What no list can be asked for. */
export const unreadableFilters = (filter: GovernanceFilter): readonly WrongFilter[] =>
  names
    .filter((name) => filter[name] !== undefined && isUnreadable[name](filter[name]))
    .map((name) => ({ name, reason: undefined }));

const fields = { email: 'email', audience: 'audience', user: 'userId', organization: 'organizationId' } as const;

/** What the server refused of a filter; none when it refused something else. */
export const refusedFilters = (error: unknown): readonly WrongFilter[] =>
  hasCode(error, 'BAD_USER_INPUT')
    ? names.flatMap((name) => {
        const reason = error.fields[fields[name]];
        return reason === undefined ? [] : [{ name, reason }];
      })
    : [];

/** The same in the words of the server. */
export const toSessionFilter = ({ email, audience, user, organization }: GovernanceFilter): SessionFilter => ({
  email: email ?? null,
  // Both credentials of a session are needed for its row.
  kind: null,
  audience: audience ?? null,
  userId: user ?? null,
  organizationId: organization ?? null,
});
