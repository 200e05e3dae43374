/** Rows that the cockpit of Platform MCP shows, created through the domain and the endpoints of clients. */
import { ToolAudits } from '../../../src/domain/audit/tool-audits.ts';
import type { ToolAuditEntry } from '../../../src/domain/audit/tool-audits-store.ts';
import { platformScopes } from '../../../src/domain/scopes/scopes.ts';
import { clientTokensOf, newClient, newCode, redeem } from '../clients/oauth.ts';
import type { Service } from '../gatehouse/gatehouse.ts';
import { newCall } from './tool-calls.ts';

const userIdOf = async ({ sql }: Pick<Service, 'sql'>, email: string): Promise<string> => {
  const [row] = await sql<{ id: string }>('SELECT id FROM users WHERE email = $1', [email]);
  if (row === undefined) throw new Error(`Nobody is ${email}`);
  return row.id;
};

/** A client of this name that a super admin has approved, with an active pair; returns its id. */
export const connectClient = async (service: Service, email: string, name: string): Promise<string> => {
  const clientId = await newClient(service, { client_name: name });
  const code = await newCode(service, { clientId, userId: await userIdOf(service, email), scopes: platformScopes });
  clientTokensOf(await redeem(service, code));
  return clientId;
};

/** Records a call of a tool by a user through a client; returns its correlation id. */
export const recordCall = async (
  service: Service,
  email: string,
  clientId: string,
  facts: Partial<ToolAuditEntry> = {},
): Promise<string> => {
  const call = newCall({ actorUserId: await userIdOf(service, email), clientId, ...facts });
  await new ToolAudits(service.database).append(call);
  return call.correlationId;
};
