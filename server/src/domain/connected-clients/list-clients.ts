/** Query connectedClients (contract/organization-mcp.md#connected-clients). */
import type { Page, PageRequest } from '../../kernel/paging.ts';
import { filteredPage } from '../../platform/database/filtered-list.ts';
import type { ReadDeps } from '../access/deps.ts';
import { type ConnectedClientRow, connectedClients } from './connected-clients-store.ts';

/** Whose connections are listed: one person's of every organization, or those of all members of one. */
type Whose = { readonly userId: string } | { readonly organizationId: string };

/** Newest first; the guard has required MCP_MANAGE. @throws Refusal BAD_USER_INPUT: names `first` or `after` */
export const listConnectedClients = (
  { database }: ReadDeps,
  whose: Whose,
  request: PageRequest,
): Promise<Page<ConnectedClientRow>> =>
  filteredPage(database, connectedClients, request, {
    user: 'userId' in whose ? whose.userId : null,
    organization: 'organizationId' in whose ? whose.organizationId : null,
  });
