/** `gatehouse tokens list` and `gatehouse tokens revoke`, for operators. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createPersonalToken,
  createServiceAccount,
  createServiceToken,
  type Issued,
  refusalOf,
} from '../../support/actors/machines/token-operations.ts';
import { newOwner, type Tenant } from '../../support/actors/tenants.ts';
import { everythingStored } from '../../support/database/stored-rows.ts';
import { type CommandResult, runHere } from '../../support/gatehouse/command-line.ts';
import { type Service, startService } from '../../support/gatehouse/gatehouse.ts';
import { environmentFor, inDirectory } from '../../support/gatehouse/gatehouse-process.ts';

const failed = 1;
const usage = 2;
/** The embedded engine admits one process at a time, and these commands need the service beside them. */
const onPostgres = process.env['TEST_DATABASE_URL'] !== undefined;
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('usage', () => {
  it.each([
    ['list', ['--organization <id>', '--person <email>', '--status <status>', '--json']],
    ['revoke', ['<id...>', '--json']],
  ] as const)('of tokens %s', async (command, texts) => {
    const help = await runHere(['tokens', command, '--help'], {});
    expect(help.code).toBe(0);
    for (const text of texts) expect(help.stdout).toContain(text);
  });

  it.each([
    [['tokens']],
    [['tokens', 'revoke']],
    [['tokens', 'list', 'more']],
    [['tokens', 'list', '--status', 'LOST']],
    [['tokens', 'end', unknownId]],
  ])('is refused: %j', async (args) => {
    expect(await runHere(args, {})).toMatchObject({ code: usage, stdout: '' });
  });
});

describe.skipIf(onPostgres)('with the embedded engine', () => {
  it('lists none, and refuses to revoke what does not exist', () =>
    inDirectory(async (dataDirectory) => {
      const environment = {
        ...environmentFor({ dataDirectory }),
        GATEHOUSE_SECRET: 'a secret of thirty-two bytes and more',
      };
      expect((await runHere(['migrate'], environment)).code).toBe(0);
      expect(await runHere(['tokens', 'list'], environment)).toMatchObject({
        code: 0,
        stdout: 'There are no such tokens.\n',
      });
      expect(await runHere(['tokens', 'revoke', unknownId], environment)).toMatchObject({
        code: failed,
        stdout: '',
        stderr: `There is no token ${unknownId}; nothing was changed.\n`,
      });
    }));
});

describe.runIf(onPostgres)('on PostgreSQL', () => {
  let service: Service;
  let owner: Tenant;
  let personal: Issued;
  let ofService: Issued;
  beforeAll(async () => {
    service = await startService();
    owner = await newOwner(service);
    personal = await createPersonalToken(service, owner);
    const account = await createServiceAccount(service, owner);
    ofService = await createServiceToken(service, owner, account.id);
  });
  afterAll(() => service.close());

  const command = (...args: string[]): Promise<CommandResult> => {
    const { databaseUrl: url, dataDirectory, secrets } = service.config;
    if (url === undefined) throw new Error('The service has no DATABASE_URL');
    return runHere(['tokens', ...args], {
      ...environmentFor({ dataDirectory, url }),
      GATEHOUSE_SECRET: secrets.join(','),
    });
  };

  const idsIn = ({ stdout }: CommandResult): string[] =>
    (JSON.parse(stdout) as { tokens: { id: string }[] }).tokens.map(({ id }) => id);

  it('list prints a table, the newest first, without any part of a secret', async () => {
    const { code, stdout } = await command('list');
    expect(code).toBe(0);
    const [head = '', ...rows] = stdout.trimEnd().split('\n');
    expect(head.split(/ {2,}/)).toEqual([
      'ID',
      'KIND',
      'NAME',
      'ORGANIZATION',
      'OWNER',
      'STATUS',
      'EXPIRES',
      'LAST USED',
    ]);
    expect(rows.map((row) => row.split(/ {2,}/).slice(0, 6))).toEqual([
      [ofService.token.id, 'SERVICE', 'Importer', expect.any(String), '-', 'ACTIVE'],
      [personal.token.id, 'PERSONAL', 'Nightly export', expect.any(String), owner.email, 'ACTIVE'],
    ]);
    for (const { secret } of [personal, ofService]) expect(stdout).not.toContain(secret.slice(0, 12));
  });

  it('list filters by organization, person and status, and prints JSON', async () => {
    const other = await newOwner(service);
    const { token } = await createPersonalToken(service, other);
    expect(idsIn(await command('list', '--json', '--organization', owner.organizationId))).toEqual([
      ofService.token.id,
      personal.token.id,
    ]);
    expect(idsIn(await command('list', '--json', '--person', ` ${other.email.toUpperCase()}`))).toEqual([token.id]);
    expect(idsIn(await command('list', '--json', '--status', 'EXPIRED'))).toEqual([]);
    expect(await command('list', '--status', 'REVOKED')).toMatchObject({
      code: 0,
      stdout: 'There are no such tokens.\n',
    });
    for (const args of [
      ['--organization', 'acme'],
      ['--person', 'nobody@example.com'],
    ]) {
      expect(await command('list', ...args)).toMatchObject({ code: failed, stdout: '' });
    }
  });

  it('revoke ends all tokens or none, once, and audits it', async () => {
    const before = await everythingStored(service);
    for (const id of [unknownId, 'all']) {
      const refused = await command('revoke', personal.token.id, id);
      expect(refused).toMatchObject({ code: failed, stdout: '' });
      expect(refused.stderr).toContain('nothing was changed');
    }
    expect(await everythingStored(service)).toEqual(before);
    const ids = [personal.token.id, ofService.token.id];
    const ended = await command('revoke', ...ids, personal.token.id);
    expect(ended.code).toBe(0);
    for (const id of ids) expect(ended.stdout).toContain(`${id} is revoked: 1 secret ended.\n`);
    expect(
      ended.stderr
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toMatchObject(ids.toSorted().map((tokenId) => ({ event: 'token.revoked_by_operator', security: true, tokenId })));
    for (const { secret } of [personal, ofService]) expect(await refusalOf(service, secret)).toBe('UNAUTHENTICATED');
    expect(
      await service.sql(
        `SELECT c.revocation_reason AS reason, a.details, a.actor_kind AS actor FROM credentials c
         JOIN organization_audits a ON a.subject_id = c.session_family_id AND a.event = 'TOKEN_REVOKED'
         WHERE c.session_family_id = ANY ($1::uuid[])`,
        [ids],
      ),
    ).toEqual(
      ids.map(() => ({ reason: 'revoked_by_operator', details: '{"reason":"revoked_by_operator"}', actor: null })),
    );
    const again = await command('revoke', '--json', ...ids);
    expect(JSON.parse(again.stdout)).toEqual({
      tokens: ids.toSorted().map((tokenId) => ({ tokenId, revokedCredentials: 0 })),
    });
    expect(idsIn(await command('list', '--json', '--status', 'REVOKED')).toSorted()).toEqual(ids.toSorted());
  });
});
