/** Every tool of Platform MCP (contract, "POST /mcp"). What governs Platform MCP itself is the portal's alone. */
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

const byName: ReadonlyMap<string, Tool> = new Map(catalogue.map((tool) => [tool.name, tool]));

export const findTool = (name: string): Tool | null => byName.get(name) ?? null;
