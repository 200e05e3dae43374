/** What `gatehouse upkeep` writes, in this process: the tests of processes start the command itself. */
import { expect, it } from 'vitest';
import { cleanUp } from '../../src/cli/clean-up.ts';
import { explain } from '../../src/cli/exit.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

const run = async (isJson: boolean): Promise<{ code: number; written: string; logged: string }> => {
  const [written, logged]: [string[], string[]] = [[], []];
  const logger = createLogger('warn', { write: (line: string) => logged.push(line) });
  const write = (text: string) => written.push(text);
  const code = await cleanUp({ database: service.database, logger, signInHistoryDays: 30, write }, isJson).then(
    () => 0,
    (error: unknown) => explain(error, (text) => logged.push(text)),
  );
  return { code, written: written.join(''), logged: logged.join('\n') };
};

// Contract: organizations#expired-rows — `gatehouse upkeep`
it('skips the job of another process, and exits with 1 when a job failed, after all others', async () => {
  await run(true);
  await service.sql(
    `INSERT INTO helper_session_entries (session_hash, name, sealed_value, expires_at)
     VALUES (sha256('over'), 'over', '', now() - interval '1 hour')`,
  );
  await service.sql('ALTER TABLE external_exchanges RENAME TO exchanges_away');
  await service.sql(
    `UPDATE scheduled_jobs SET run_id = gen_random_uuid(), lease_ends_at = 'infinity' WHERE name = 'credentials'`,
  );
  const { code, written, logged } = await run(false);
  expect(code).toBe(1);
  expect(written.split('\n')).toEqual(
    expect.arrayContaining([
      'credentials: 0 rows, running elsewhere',
      'external_exchanges: 0 rows, failed',
      'helper_session_entries: 1 row',
      'oauth_codes: 0 rows',
    ]),
  );
  expect(logged).toContain('"upkeep.failed"');
  expect(logged).toContain('Not everything could be deleted: external_exchanges.');
  await service.sql('ALTER TABLE exchanges_away RENAME TO external_exchanges');
  await service.sql(`UPDATE scheduled_jobs SET run_id = NULL, lease_ends_at = NULL WHERE name = 'credentials'`);
  expect(await run(false)).toMatchObject({ code: 0, logged: '' });
});
