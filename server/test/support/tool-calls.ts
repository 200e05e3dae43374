/** Tool calls as they are recorded, for tests of the record and of what shows it. */
import { expect } from 'vitest';
import type { ToolCallFacts } from '../../src/domain/audit/tool-audits.ts';
import { verifyToolAudits } from '../../src/domain/audit/verify-tool-audits.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Database } from '../../src/platform/database/database.ts';
import type { Sql } from './sql.ts';

/** A call by nobody in particular, with these facts. */
export const newCall = (facts: Partial<ToolCallFacts> = {}): ToolCallFacts => ({
  actorUserId: newId(),
  credentialId: newId(),
  clientId: newId(),
  tool: 'mcp_whoami',
  outcome: 'success',
  correlationId: newId(),
  argumentDigest: 'd'.repeat(43),
  ...facts,
});

/** The correlation ids in the record, in its order. */
export const storedCalls = async (sql: Sql): Promise<readonly string[]> => {
  const rows = await sql<{ id: string }>('SELECT correlation_id AS id FROM mcp_tool_audits ORDER BY position');
  return rows.map(({ id }) => id);
};

/** The chain is whole, and this long. */
export const expectSoundChain = async (database: Database, count: number): Promise<void> => {
  expect(await verifyToolAudits(database)).toMatchObject({ isSound: true, count, lastPosition: count });
};
