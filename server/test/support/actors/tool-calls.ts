/** Recorded tool calls, for tests of the record and of its readers. */
import assert from 'node:assert/strict';
import { appendToolAudit, ToolAudits } from '../../../src/domain/audit/tool-audits.ts';
import type { ToolAuditEntry } from '../../../src/domain/audit/tool-audits-store.ts';
import { verifyToolAudits } from '../../../src/domain/audit/verify-tool-audits.ts';
import { newId } from '../../../src/kernel/ids.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { inParallel, range } from '../checks/concurrency.ts';
import type { Sql } from '../database/sql.ts';

/** A call by any user, with these columns. */
export const newCall = (facts: Partial<ToolAuditEntry> = {}): ToolAuditEntry => ({
  actorUserId: newId(),
  credentialId: newId(),
  clientId: newId(),
  tool: 'mcp_whoami',
  outcome: 'success',
  correlationId: newId(),
  argumentDigest: 'd'.repeat(43),
  ...facts,
});

export const storedCalls = (sql: Sql): Promise<readonly string[]> =>
  sql.column<string>('SELECT correlation_id AS id FROM mcp_tool_audits ORDER BY position');

export const expectSoundChain = async (database: Database, count: number): Promise<void> => {
  const { isSound, ...facts } = await verifyToolAudits(database);
  assert.ok(isSound, JSON.stringify(facts));
  assert.deepEqual({ ...facts, lastHash: '' }, { count, lastPosition: count, lastHash: '' });
};

/** Records `count` concurrent calls; every tenth in a transaction, every hundredth rolled back first. */
export const appendMany = async (database: Database, count: number, tool: string): Promise<void> => {
  const audits = new ToolAudits(database);
  await inParallel(range(count), 40, async (index) => {
    const call = newCall({ tool });
    if (index % 100 === 0) await appendAndRollBack(database, call);
    if (index % 10 === 0) await database.transaction((transaction) => appendToolAudit(transaction, call));
    else await audits.append(call);
  });
};

const appendAndRollBack = async (database: Database, call: ToolAuditEntry): Promise<void> => {
  const undone = new Error('undone');
  await database
    .transaction(async (transaction) => {
      await appendToolAudit(transaction, call);
      throw undone;
    })
    .catch((error: unknown) => assert.equal(error, undone));
};

/** Changes rows that the service cannot change: the trigger is disabled meanwhile, as by an owner of the database. */
export const withoutAppendOnly = async (sql: Sql, change: string): Promise<void> => {
  await sql(`DO $$ BEGIN
     ALTER TABLE mcp_tool_audits DISABLE TRIGGER mcp_tool_audits_append_only;
     ${change};
     ALTER TABLE mcp_tool_audits ENABLE TRIGGER mcp_tool_audits_append_only;
   END $$`);
};
