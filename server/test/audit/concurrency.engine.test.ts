/** The record of tool calls under load: concurrent calls in one process and in two make one chain without a gap. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { appendOrganizationAudits } from '../../src/domain/audit/organization-audits.ts';
import { newId } from '../../src/kernel/ids.ts';
import { expectSoundAudits, newAudit } from '../support/actors/organization-audits.ts';
import { appendMany, expectSoundChain } from '../support/actors/tool-calls.ts';
import { inParallel, range } from '../support/checks/concurrency.ts';
import { lendDatabase } from '../support/database/database-pool.ts';
import { postgresOnly, serverUrl } from '../support/database/engines.ts';
import { sqlOn } from '../support/database/sql.ts';

const each = 1000;
const appender = fileURLToPath(new URL('../support/actors/tool-call-appender.ts', import.meta.url));

const endOf = async (child: ChildProcess): Promise<number | null> => {
  await once(child, 'exit');
  return child.exitCode;
};

const appendInProcess = (url: string, dataDirectory: string): Promise<number | null> =>
  endOf(fork(appender, [url, dataDirectory, String(each)], { execArgv: [] }));

it.skipIf(serverUrl === undefined)(
  `is one chain of the concurrent records of two processes${postgresOnly}`,
  async () => {
    const stored = await lendDatabase();
    const url = stored.url ?? '';
    const codes = await Promise.all([1, 2].map(() => appendInProcess(url, stored.dataDirectory)));
    expect(codes).toEqual([0, 0]);
    const database = await stored.open();
    await expectSoundChain(database, 2 * each);
    // The records interleave: neither process wrote all of its rows first.
    const [row] = await sqlOn(database)<{ changes: number }>(
      `SELECT count(*) FILTER (WHERE tool <> before)::integer AS changes FROM
       (SELECT tool, lag(tool) OVER (ORDER BY position) AS before FROM mcp_tool_audits) t`,
    );
    expect(row?.changes).toBeGreaterThan(1);
    await database.close();
    await stored.drop();
  },
);

// Two pools act as two processes: the order is decided by locks of the database.
it.skipIf(serverUrl === undefined)(
  `is one chain for each organization of concurrent changes over two pools${postgresOnly}`,
  async () => {
    const stored = await lendDatabase();
    const databases = [await stored.open(), await stored.open()];
    const organizations = [newId(), newId(), newId()];
    await Promise.all(
      databases.map((database, which) =>
        inParallel(range(150), 8, (turn) =>
          database.transaction((transaction) =>
            appendOrganizationAudits(
              transaction,
              (which === turn % 2 ? organizations : organizations.toReversed()).map((organizationId) =>
                newAudit({ organizationId }),
              ),
            ),
          ),
        ),
      ),
    );
    const [database] = databases;
    if (database === undefined) throw new Error('No database');
    await expectSoundAudits(database, Object.fromEntries(organizations.map((id) => [id, 300])));
    for (const each of databases) await each.close();
    await stored.drop();
  },
);

// Contract: incidents#chain-of-rows — One chain of concurrent records of several processes
it('is one chain of concurrent records, alone and in transactions', async () => {
  const stored = await lendDatabase();
  const database = await stored.open();
  await appendMany(database, each, 'mcp_whoami');
  await expectSoundChain(database, each);
  await database.close();
  await stored.drop();
});
