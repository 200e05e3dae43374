/**
 * DATABASE_URL with several hosts: which of them a session is with, with servers that only say which role they have.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { DatabaseUnavailable } from '../../../src/platform/database/database.ts';
import { NoPrimary } from '../../../src/platform/database/failure.ts';
import { openDatabase } from '../../../src/platform/database/open.ts';
import { doubtHost, newClient } from '../../../src/platform/database/primary-host.ts';
import { testFixture } from '../../support/fixture.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';
import { freePort } from '../../support/servers/listen.ts';
import { type Role, type ScriptedPostgres, startScriptedPostgres } from '../../support/servers/scripted-postgres.ts';

const start = (role: Role): Promise<ScriptedPostgres> => testFixture(startScriptedPostgres(role));

const urlOf = (servers: readonly { readonly port: number }[], query = ''): string =>
  `postgres://user:hunter2@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/gatehouse${query}`;

/** Connects as every session does. @returns the port of its host */
const portOfSession = async (url: string): Promise<number> => {
  const client = newClient(url, { connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client.port;
  } finally {
    await client.end();
  }
};

const failureOf = (url: string): Promise<unknown> =>
  openDatabase({ url, dataDirectory: '', logger: silentLogger }).then(
    () => null,
    (error: unknown) => error,
  );

describe('A session with several hosts', () => {
  // Contract: operation#several-database-hosts — Of several hosts of DATABASE_URL, the first that is the primary is
  //   used
  it.each(['', '?target_session_attrs=read-write', '?target_session_attrs=primary'])(
    'is with the first that is the primary, whatever the others are%s',
    async (query) => {
      const [closed, standby, silent] = [{ port: await freePort() }, await start('standby'), await start('silent')];
      const [first, second] = [await start('primary'), await start('primary')];
      for (const before of [closed, standby, await start({ refuses: '57P03' }), silent])
        expect(await portOfSession(urlOf([before, first, second], query))).toBe(first.port);
      expect(await portOfSession(urlOf([silent, closed, standby, second], query))).toBe(second.port);
      expect(await portOfSession(urlOf([first, silent, second], query))).toBe(first.port);
    },
  );

  it('is with another host once the first has become a standby, and the other the primary', async () => {
    const [first, second] = [await start('primary'), await start('standby')];
    const url = urlOf([first, second]);
    expect(await portOfSession(url)).toBe(first.port);
    [first.role, second.role] = ['standby', 'primary'];
    expect(await portOfSession(url)).toBe(second.port);
    first.role = 'silent';
    expect(await portOfSession(url)).toBe(second.port);
  });

  // Contract: operation#several-database-hosts — Of several primaries, the one on the latest timeline is used, wherever
  //   it stands
  it('is with the primary of the latest timeline, and not with one that was it before', async () => {
    const [former, present, standby] = [await start('primary'), await start('primary'), await start('standby')];
    [former.timeline, present.timeline] = [9, 10];
    former.after = present.told;
    expect(await portOfSession(urlOf([former, standby, present]))).toBe(present.port);
    expect(await portOfSession(urlOf([present, former, standby]))).toBe(present.port);
  });

  // Contract: operation#several-database-hosts — A former primary whose commits do not return is left for one that is
  //   slower
  it('waits for a slower host where the commits of the first primary do not return', async () => {
    const [former, present] = [await start('primary'), await start('primary')];
    [former.timeline, present.timeline] = [1, 2];
    const held = Promise.withResolvers<void>();
    present.after = held.promise;
    const [url, another] = [urlOf([former, present]), urlOf([former, present], '?application_name=another')];
    const client = newClient(url);
    onTestFinished(() => client.end());
    await client.connect();
    expect(client.port).toBe(former.port);
    doubtHost(client);
    const found = portOfSession(url);
    // For another address the time of the slower host is over meanwhile.
    expect(await portOfSession(another)).toBe(former.port);
    held.resolve();
    expect(await found).toBe(present.port);
  });

  it('is with the primary whose commits do not return where there is no other', async () => {
    const [former, standby] = [await start('primary'), await start('standby')];
    const url = urlOf([former, standby]);
    const client = newClient(url);
    onTestFinished(() => client.end());
    await client.connect();
    doubtHost(client);
    expect(await portOfSession(url)).toBe(former.port);
  });

  it('shares one search with the sessions that begin at the same moment', async () => {
    const [standby, primary] = [await start('standby'), await start('primary')];
    const url = urlOf([standby, primary]);
    await Promise.all([1, 2, 3, 4].map(() => portOfSession(url)));
    expect([standby.sessions, primary.sessions]).toEqual([1, 5]);
  });

  it('is with one of several sockets', async () => {
    const directories = ['/none/a', '/none/b'];
    const error = await failureOf(`postgres://user@/gatehouse?host=${directories.join(',')}&port=5433`);
    expect(error).toBeInstanceOf(NoPrimary);
    expect(error).toMatchObject({ hosts: ['unreachable', 'unreachable'] });
    for (const directory of directories) expect(String(error)).toContain(`${directory}/.s.PGSQL.5433`);
  });

  // Contract: operation#several-database-hosts — With several hosts, the certificate is checked against the host that
  //   is used
  it('checks the certificate against the host that is used', async () => {
    const fixture = (name: string) => new URL(`../../support/fixtures/${name}.pem`, import.meta.url);
    const certificate = fixture('tls-valid');
    const named = await testFixture(startScriptedPostgres('primary', certificate));
    const unnamed = await testFixture(startScriptedPostgres('primary', certificate, '127.0.0.2'));
    const query = `sslmode=verify-full&sslrootcert=${fixture('tls-authority').pathname}`;
    const hosts = `127.0.0.2:${unnamed.port},localhost:${named.port}`;
    expect(await portOfSession(`postgres://user@${hosts}/gatehouse?${query}`).catch(String)).toBe(named.port);
    expect(unnamed.sessions).toBe(0);
    const error = await failureOf(
      `postgres://user@127.0.0.2:${unnamed.port},127.0.0.2:${named.port}/gatehouse?${query}`,
    );
    expect(String(error)).toContain(`127.0.0.2:${unnamed.port} is not accepted`);
    expect(unnamed.sessions).toBe(0);
  });
});

describe('Several hosts without a primary', () => {
  // Contract: operation#several-database-hosts — Where no host is the primary, the reason is told for each, without
  //   secrets
  it('are refused with a reason for each, without the password', async () => {
    const closed = { port: await freePort() };
    const [standby, refusing] = [await start('standby'), await start({ refuses: '28P01' })];
    const error = await failureOf(urlOf([standby, closed, refusing]));
    expect(error).toBeInstanceOf(DatabaseUnavailable);
    expect(error).toMatchObject({ hosts: ['standby', 'unreachable', 'refused'] });
    const said = String(error);
    expect(said).toContain(`127.0.0.1:${standby.port} is a read-only standby.`);
    expect(said).toMatch(new RegExp(`127\\.0\\.0\\.1:${closed.port} cannot be reached: .*ECONNREFUSED`));
    expect(said).toContain(`127.0.0.1:${refusing.port} refused the password of user user (not this one); correct it.`);
    expect(said).not.toContain('hunter2');
  });

  it('are told from one that is silent until the time limit', async () => {
    const [standby, silent] = [await start('standby'), await start('silent')];
    await expect(portOfSession(urlOf([silent, standby]))).rejects.toMatchObject({ hosts: ['silent', 'standby'] });
    expect([standby.sessions, silent.sessions]).toEqual([1, 0]);
  });
});
