/** Which scopes of the console the person holds: one query for all its pages. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { FetchConsolePermissionsDocument, type FetchConsolePermissionsQuery } from '../../generated/graphql.ts';
import { withRefreshOnForbidden } from '../../session/refresh-on-forbidden.ts';
import type { Session } from '../../session/session.ts';
import { useSession } from '../../session/session-context.tsx';

type ConsolePermissions = FetchConsolePermissionsQuery;

/** A scope of the console. */
export type ConsoleScope = Exclude<keyof ConsolePermissions, '__typename'>;

export type ConsolePermission = ConsolePermissions['audit'];

/** Invalidated when scopes may have changed. */
export const allConsolePermissions = { queryKey: ['console', 'permissions'] } as const;

export const consolePermissionsQuery = (session: Session) =>
  queryOptions({
    ...allConsolePermissions,
    queryFn: () => withRefreshOnForbidden(session, () => session.request(FetchConsolePermissionsDocument, {})),
  });

/** The person's permission, once it is loaded. */
export const useConsolePermission = (name: ConsoleScope): ConsolePermission | undefined =>
  useQuery(consolePermissionsQuery(useSession())).data?.[name];

/** Whether the person holds a scope; undefined for a scope that the portal does not query. */
export const useScopeCheck = (): ((scope: string) => boolean | undefined) => {
  const permissions = useQuery(consolePermissionsQuery(useSession())).data;
  const known = Object.values(permissions ?? {}).filter((permission) => typeof permission === 'object');
  return (scope) => known.find((permission) => permission.scope === scope)?.granted;
};
