/** Instances that start at once on an empty database apply each migration once. */
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/open.ts';
import { range } from '../support/concurrency.ts';
import { migrationsDirectory } from '../support/database-template.ts';
import { createEmptyPostgres } from '../support/databases.ts';
import { runGatehouse } from '../support/gatehouse-process.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { sqlOn } from '../support/sql.ts';

const serverUrl = process.env['TEST_DATABASE_URL'];
const title = 'Three `gatehouse migrate` at once (PostgreSQL only: the embedded engine has one process)';

describe.runIf(serverUrl !== undefined)(title, () => {
  it('apply each migration once, and all report the same version', async () => {
    const names = readdirSync(migrationsDirectory)
      .filter((file) => file.endsWith('.sql'))
      .map((file) => file.slice(0, -'.sql'.length))
      .toSorted();
    const stored = await createEmptyPostgres(serverUrl ?? '');
    try {
      const environment = { NODE_ENV: 'test', DATABASE_URL: stored.url };
      const runs = await Promise.all(range(3).map(() => runGatehouse(['migrate', '--json'], environment)));
      expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(runs.map(() => ({ code: 0, stderr: '' })));
      const reports = runs.map(({ stdout }) => JSON.parse(stdout) as { applied: string[]; version: number });
      expect(reports.flatMap(({ applied }) => applied).toSorted()).toEqual(names);
      expect(reports.map(({ version }) => version)).toEqual(reports.map(() => names.length));
      const database = await openDatabase({ url: stored.url, dataDirectory: tmpdir(), logger: silentLogger });
      const rows = await sqlOn(database)<{ name: string }>('SELECT name FROM schema_migrations ORDER BY version');
      await database.close();
      expect(rows.map(({ name }) => name)).toEqual(names);
    } finally {
      await stored.drop();
    }
  });
});
