/** Which sessions the governance page shows. It stands in the address, so that a reload and a link show the same. */
import type { CredentialKind, SessionFilter } from '../generated/graphql.ts';

export const credentialKinds: readonly CredentialKind[] = ['user_session', 'user_refresh'];

/** The audiences that credentials are issued for; an address may name another one. */
export const knownAudiences = ['portal', 'api', 'mcp'] as const;

export interface GovernanceFilter {
  /** Part of the person's address. */
  readonly email?: string | undefined;
  readonly kind?: CredentialKind | undefined;
  readonly audience?: string | undefined;
  /** Id of the only person. */
  readonly user?: string | undefined;
  /** Id of the only organization. */
  readonly organization?: string | undefined;
}

/** What an address says, without what cannot be meant. Every key is there: see readRedirect in router.tsx. */
export const readGovernanceFilter = (search: Record<string, unknown>): GovernanceFilter => ({
  email: text(search['email'])?.slice(0, longestEmail),
  kind: credentialKinds.find((kind) => kind === search['kind']),
  audience: text(search['audience']),
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
export const toSessionFilter = ({ email, kind, audience, user, organization }: GovernanceFilter): SessionFilter => ({
  email: email ?? null,
  kind: kind ?? null,
  audience: audience ?? null,
  userId: user ?? null,
  organizationId: organization ?? null,
});
