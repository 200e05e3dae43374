/** Every tool of Platform MCP (contract, "POST /mcp"). What governs Platform MCP itself is the portal's alone. */
import type { PlatformScope } from '../scopes/scopes.ts';
import { cancelInvitation, resetInvitation } from './invitations.ts';
import { listSessions } from './list-sessions.ts';
import { getOrganization, listOrganizations } from './organizations.ts';
import { revokeSession, revokeUser } from './revoke-sessions.ts';
import type { Tool } from './tool.ts';
import { getUser, searchUsers } from './users.ts';
import { whoami } from './whoami.ts';

export const catalogue: readonly Tool[] = [
  whoami,
  listSessions,
  revokeSession,
  revokeUser,
  searchUsers,
  getUser,
  listOrganizations,
  getOrganization,
  resetInvitation,
  cancelInvitation,
];

/** Every scope that some tool needs, the least first: those that only look, then those that change something. */
export const scopesOfTools: readonly PlatformScope[] = [
  ...new Set(
    [true, false].flatMap((isReadOnly) =>
      catalogue.filter((tool) => tool.isReadOnly === isReadOnly).flatMap(({ requiredScopes }) => requiredScopes),
    ),
  ),
];

const byName: ReadonlyMap<string, Tool> = new Map(catalogue.map((tool) => [tool.name, tool]));

export const findTool = (name: string): Tool | null => byName.get(name) ?? null;
