/**
 * Roles as data: those of the application, and which of them a member may give
 * (contract/application.md#who-may-manage-a-role).
 */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { FetchApplicationDocument, type FetchApplicationQuery, type Role } from '../generated/graphql.ts';
import type { Session } from '../session/session.ts';
import { useSession } from '../session/session-context.tsx';

export type ApplicationInfo = FetchApplicationQuery['application'];

interface RoleFacts<Name> {
  readonly name: Name;
  readonly scopes: readonly string[];
}

/** Fetched once for the life of the page. */
export const applicationQuery = (session: Session) =>
  queryOptions({
    queryKey: ['application'],
    queryFn: async () => (await session.request(FetchApplicationDocument, {})).application,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

const places: Readonly<Record<string, number>> = { MEMBER: 0, ADMIN: 2, OWNER: 3 };

/** The role with the fewest scopes first: MEMBER, those that are defined, ADMIN, OWNER. */
const inOrder = <Name extends string>(roles: readonly RoleFacts<Name>[]): readonly RoleFacts<Name>[] => {
  const place = ({ name }: RoleFacts<Name>): number => places[name] ?? 1;
  return roles.toSorted((left, right) => place(left) - place(right));
};

/**
 * Roles that a member of this role may give, change and remove: those whose scopes are all among their own. Only owners
 * make owners.
 */
export const assignableRoles = <Name extends string>(
  role: string,
  roles: readonly RoleFacts<Name>[],
): readonly Name[] => {
  const held = new Set(roles.find(({ name }) => name === role)?.scopes);
  return inOrder(roles)
    .filter(({ name, scopes }) => role === 'OWNER' || (name !== 'OWNER' && scopes.every((scope) => held.has(scope))))
    .map(({ name }) => name);
};

/** Until the roles of the application are known: of the built-in ones, those that hold for every application. */
const certainRoles: Readonly<Record<string, readonly Role[]>> = {
  OWNER: ['MEMBER', 'ADMIN', 'OWNER'],
  ADMIN: ['MEMBER', 'ADMIN'],
};

export const useAssignableRoles = (role: Role): readonly Role[] => {
  const { data } = useQuery(applicationQuery(useSession()));
  return data === undefined ? (certainRoles[role] ?? []) : assignableRoles(role, data.roles);
};

/** The roles to filter by: those of the application, or the built-in ones until it is known. */
export const useKnownRoles = (): readonly Role[] => {
  const { data } = useQuery(applicationQuery(useSession()));
  return data === undefined ? ['MEMBER', 'ADMIN', 'OWNER'] : inOrder(data.roles).map(({ name }) => name);
};
