/** `gatehouse after-restore`, for operators. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { diagnose, faults, theFault } from '../../doctor/run-doctor.ts';
import { me } from '../../support/actors/credentials.ts';
import { newOwner } from '../../support/actors/tenants.ts';
import { everythingStored } from '../../support/database/stored-rows.ts';
import { type CommandResult, runHere } from '../../support/gatehouse/command-line.ts';
import { type Service, startService } from '../../support/gatehouse/gatehouse.ts';
import { type Environment, environmentFor } from '../../support/gatehouse/gatehouse-process.ts';

const failed = 1;
const usage = 2;
/** The embedded engine admits one process at a time, and the command needs the service beside it. */
const onPostgres = process.env['TEST_DATABASE_URL'] !== undefined;

const says = (pattern: RegExp | string): unknown => expect.stringMatching(pattern);

describe('usage', () => {
  it('names every option', async () => {
    const help = await runHere(['after-restore', '--help'], {});
    expect(help.code).toBe(0);
    for (const text of ['--since <instant>', '--keep-machine-tokens', '--nothing-restored', '--json'])
      expect(help.stdout).toContain(text);
  });

  it.each([
    [['--since', 'yesterday']],
    [['--since', '2026-01-31']],
    [['--since', '2026-01-31T12:00:00']],
    [['--since', '2026-13-31T12:00:00Z']],
    [['--since']],
    [['--nothing-restored', '--since', '2026-01-31T12:00:00Z']],
    [['--nothing-restored', '--keep-machine-tokens']],
    [['everything']],
  ])('is refused: %j', async (args) => {
    expect(await runHere(['after-restore', ...args], {})).toMatchObject({ code: usage, stdout: '' });
  });
});

describe.runIf(onPostgres)('on PostgreSQL', () => {
  let service: Service;
  let environment: Environment;
  beforeAll(async () => {
    service = await startService();
    const { databaseUrl: url, dataDirectory, secrets } = service.config;
    environment = {
      ...environmentFor({ dataDirectory, ...(url === undefined ? {} : { url }) }),
      GATEHOUSE_SECRET: secrets.join(','),
      BASE_URL: 'http://localhost:1',
    };
  });
  afterAll(() => service.close());

  const command = (...args: string[]): Promise<CommandResult> => runHere(['after-restore', ...args], environment);

  const restore = () =>
    service.sql(
      `INSERT INTO database_origin (system_identifier, timeline, object_ids, seen_at) VALUES ('1', '00000001', '1', now())
       ON CONFLICT (is_only) DO UPDATE SET system_identifier = '1', seen_at = now()`,
    );

  // Contract: operation#database-that-was-restored — A database that may have been restored is told until after-restore
  //   was run
  it('ends what the backup brought back, and the doctor tells of it until then', async () => {
    const owner = await newOwner(service);
    await restore();
    expect(theFault(await diagnose(environment), 'database')).toMatchObject({
      level: 'warning',
      says: says(/^The database was created from a dump or a template after .+ accepted again\.$/),
      fix: 'Run gatehouse after-restore, or with --nothing-restored where no commit was lost.',
    });
    const before = await everythingStored(service);
    for (const [since, reason] of [
      ['2100-01-01T00:00:00Z', '--since is later than now; nothing was changed.\n'],
      ['2020-01-31T12:00:00+02:00', /^--since is too early: .+ was in use until .+ or later; nothing was changed\.\n$/],
    ] as const) {
      const refused = await command('--since', since);
      expect(refused).toMatchObject({ code: failed, stdout: '', stderr: says(reason) });
    }
    expect(await everythingStored(service)).toEqual(before);
    const ended = await command();
    expect(ended).toMatchObject({
      code: 0,
      stdout: says(
        /^Ended 1 session and 0 tokens that began until .+Z\. 1 person and the managers of 0 organizations get a mail\.\n$/,
      ),
    });
    const lines = ended.stderr.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { event: 'auth.ended_after_restore', security: true, sessions: 1, isComplete: true },
      { event: 'database.restore_settled', isRestored: true },
    ]);
    expect((await me(service, owner.tokens.accessToken)).code).toBe('UNAUTHENTICATED');
    expect(faults(await diagnose(environment), 'database')).toEqual([]);
    expect((await command()).stdout).toMatch(/^Nothing was left to end of what began until .+Z\.\n$/);
    const [mail] = await service.mailsTo(owner.email);
    expect(mail?.subject).toBe('You were signed out: a backup of this service was restored');
  });

  it('ends nothing where nothing was restored, and the doctor is content', async () => {
    const owner = await newOwner(service);
    await restore();
    expect(faults(await diagnose(environment), 'database')).toHaveLength(1);
    const before = await everythingStored(service);
    const settled = await command('--nothing-restored', '--json');
    expect(JSON.parse(settled.stdout)).toMatchObject({ sessions: 0, tokens: 0, isSettled: true });
    expect(await everythingStored(service)).toEqual(before);
    expect((await me(service, owner.tokens.accessToken)).code).toBeNull();
    expect(faults(await diagnose(environment), 'database')).toEqual([]);
    expect(await command('--nothing-restored')).toMatchObject({
      code: 0,
      stdout: 'Nothing was ended. There was no change to settle.\n',
    });
  });
});
