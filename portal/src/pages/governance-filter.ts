/** Which sessions the governance page shows. It stands in the address, so that a reload and a link show the same. */
import type { SessionFilter } from '../generated/graphql.ts';

/** The audiences that credentials are issued for. */
export const knownAudiences = ['portal', 'api', 'mcp'] as const;

type Audience = (typeof knownAudiences)[number];

export interface GovernanceFilter {
  /** Part of the person's address. */
  readonly email?: string | undefined;
  readonly audience?: Audience | undefined;
  /** Id of the only person. */
  readonly user?: string | undefined;
  /** Id of the only organization. */
  readonly organization?: string | undefined;
}

/** What an address says, without what cannot be meant. Every key is there: see readRedirect in router.tsx. */
export const readGovernanceFilter = (search: Record<string, unknown>): GovernanceFilter => ({
  email: text(search['email'])?.slice(0, longestEmail),
  audience: knownAudiences.find((audience) => audience === search['audience']),
  user: id(search['user']),
  organization: id(search['organization']),
});

/** The server looks for nothing longer. */
const longestEmail = 254;

const text = (candidate: unknown): string | undefined =>
  typeof candidate === 'string' && candidate.trim() !== '' ? candidate : undefined;

const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const id = (candidate: unknown): string | undefined =>
  typeof candidate === 'string' && idPattern.test(candidate) ? candidate : undefined;

export const isFiltered = (filter: GovernanceFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined);

/** The same in the words of the server. */
export const toSessionFilter = ({ email, audience, user, organization }: GovernanceFilter): SessionFilter => ({
  email: email ?? null,
  // Both credentials of a session are needed for its row.
  kind: null,
  audience: audience ?? null,
  userId: user ?? null,
  organizationId: organization ?? null,
});
