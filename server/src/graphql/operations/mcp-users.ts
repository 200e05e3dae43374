/** GraphQL query of super admins on who uses Platform MCP: platformMcpUsers. */
import { listPlatformMcpUsers, type McpUsersRequest } from '../../domain/tools/list-mcp-users.ts';
import type { McpUserRow } from '../../domain/tools/mcp-users-store.ts';
import { builder } from '../builder.ts';
import { chain, guarded, loggedIn, scopes, superAdmin } from '../guards.ts';
import { connectionOf } from '../objects/connection.ts';

const McpUser = builder.objectRef<McpUserRow>('McpUser').implement({
  fields: (t) => ({
    userId: t.exposeID('userId'),
    email: t.exposeString('email'),
    name: t.exposeString('name'),
    scopes: t.stringList({ description: 'What the person is granted now.', resolve: ({ scopes }) => [...scopes] }),
    activeCredentials: t.exposeInt('activeCredentials', {
      description: 'Credentials of MCP clients that can be used now, access and refresh ones alike.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The last recorded call of a tool.',
    }),
  }),
});

const McpUserConnection = connectionOf('McpUser', McpUser);

const pageSize = 50;

type McpUsersArguments = Omit<McpUsersRequest, 'first'> & { readonly first?: number | null | undefined };

builder.queryField('platformMcpUsers', (t) =>
  t.field({
    type: McpUserConnection,
    description:
      'Super admin with mcp:access:view: the super admins who may use, or have used, Platform MCP, by address; at most 100 at a time.',
    args: {
      first: t.arg.int({ defaultValue: pageSize }),
      after: t.arg.string(),
      search: t.arg.string({ description: 'Part of a name or an address, case-insensitive.' }),
    },
    resolve: guarded(
      chain(chain(loggedIn, superAdmin), scopes('EVERY', ['mcp:access:view'])),
      (_actor, args: McpUsersArguments, { services }) =>
        listPlatformMcpUsers(services, { ...args, first: args.first ?? pageSize }),
    ),
  }),
);
