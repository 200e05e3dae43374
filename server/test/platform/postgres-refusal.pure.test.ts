/** Messages to the operator about an unusable PostgreSQL server, without a server. */
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { DatabaseUnavailable } from '../../src/platform/database/database.ts';
import { DatabaseRefused, toFailure } from '../../src/platform/database/failure.ts';
import { openDatabase } from '../../src/platform/database/open.ts';
import { openingFailure } from '../../src/platform/database/postgres-client.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

const failureOf = async (url: string): Promise<unknown> =>
  openDatabase({ url, dataDirectory: '', logger: silentLogger }).then(
    () => null,
    (error: unknown) => error,
  );

describe('An unusable PostgreSQL server', () => {
  it('is reported by the code when none of its several addresses answers', () => {
    const thrown = Object.assign(new AggregateError([new Error('first'), new Error('second')], 'as Node makes it'), {
      message: '',
      code: 'ECONNREFUSED',
    });
    const failure = toFailure(thrown);
    expect(failure).toBeInstanceOf(DatabaseUnavailable);
    expect(failure.message).toBe('The database did not answer: ECONNREFUSED');
    const refusal = openingFailure(thrown, 'postgres://user@db:5433/gatehouse');
    expect(refusal).toBeInstanceOf(DatabaseUnavailable);
    expect(refusal.message).toBe('The PostgreSQL server at db:5433 cannot be reached: ECONNREFUSED.');
  });

  /** An error of the server, as the driver reads it. */
  const said = (code: string, message: string): Error =>
    Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code });
  const withCode = (code: string, message: string): Error => Object.assign(new Error(message), { code });

  it.each([
    ['28P01', 'password authentication failed for user "user"', 'refused the password of user user ('],
    ['28000', 'no pg_hba.conf entry for host "192.0.2.1", no encryption', 'add sslmode=verify-full'],
    ['28000', 'role "user" is not permitted to log in', 'is not permitted to log in); let pg_hba.conf'],
    ['3D000', 'database "gatehouse" does not exist', 'There is no database gatehouse'],
    ['42501', 'permission denied for database "gatehouse"', 'User user may not use the database gatehouse'],
    ['08P01', 'unsupported startup parameter: options', 'cannot be reached: unsupported startup parameter'],
  ])('is reported with its own reason, without the password: %s, %s', (code, message, words) => {
    const refusal = openingFailure(said(code, message), 'postgres://user:hunter2@db:5433/gatehouse');
    expect(refusal.message).toContain(words);
    expect(refusal.message).toContain(message);
    expect(refusal.message).toContain(code === '3D000' || code === '42501' ? 'db:5433' : 'server at db:5433');
    expect(refusal.message).not.toContain('hunter2');
  });

  // Contract: operation#connection-poolers — A prepared statement of another session, or one that is gone, is told as a
  //   pooler of transactions
  it.each([
    ['42P05', 'prepared statement "database.heartbeat" already exists'],
    ['26000', 'prepared statement "database.heartbeat" does not exist'],
  ])('is told as a pooler of transactions: %s, %s', (code, message) => {
    const refusal = openingFailure(said(code, message), 'postgres://user:hunter2@db:5433/gatehouse');
    expect(refusal).toBeInstanceOf(DatabaseRefused);
    expect(refusal.message).toMatch(/connection pooler .+pool_mode = session/);
  });

  it.each([
    [
      'a certificate of an unknown authority',
      withCode('SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in chain'),
    ],
    ['an expired certificate', withCode('CERT_HAS_EXPIRED', 'certificate has expired')],
    ['a certificate of another host', withCode('ERR_TLS_CERT_ALTNAME_INVALID', 'Host: db. is not in the cert')],
  ])('is refused with %s, in words about sslmode', (_what, thrown) => {
    const refusal = openingFailure(thrown, 'postgres://user:hunter2@db/gatehouse?sslmode=require');
    expect(refusal).toBeInstanceOf(DatabaseRefused);
    expect(refusal.message).toContain(`(${thrown.message}): sslmode=require in DATABASE_URL has it checked; name its`);
    expect(refusal.message).not.toContain('hunter2');
  });

  it('is refused without TLS where the address asks for it', () => {
    const thrown = new Error('The server does not support SSL connections');
    const refusal = openingFailure(thrown, 'postgres://db/gatehouse?sslmode=verify-full');
    expect(refusal).toBeInstanceOf(DatabaseRefused);
    expect(refusal.message).toMatch(
      /^The PostgreSQL server at db:5432 does not offer TLS, for which sslmode=verify-full/,
    );
  });

  it('is refused where a file of its certificates is not there', async () => {
    const error = await failureOf('postgres://user:hunter2@127.0.0.1:1/gatehouse?sslrootcert=/none/ca.pem');
    expect(error).toBeInstanceOf(DatabaseRefused);
    expect(String(error)).toMatch(/A file that DATABASE_URL names cannot be read \(ENOENT: .*'\/none\/ca\.pem'\)\.$/);
    expect(String(error)).not.toContain('hunter2');
  });

  it.each([
    ['postgres:///gatehouse?host=/none/postgresql', '/none/postgresql/.s.PGSQL.5432'],
    ['postgres://%2Fnone%2Fpostgresql/gatehouse', '/none/postgresql/.s.PGSQL.5432'],
    ['postgres://me:hunter2@localhost:5433/gatehouse?host=/none', '/none/.s.PGSQL.5433'],
  ])('is named by its socket: %s', async (url, socket) => {
    const error = await failureOf(url);
    expect(error).toBeInstanceOf(DatabaseUnavailable);
    expect(String(error)).toContain(`The PostgreSQL server at ${socket} cannot be reached: `);
    expect(String(error)).not.toContain('hunter2');
  });

  it('is refused with an invalid percent escape in the password, without repeating it', async () => {
    const error = await failureOf('postgres://user:hunter2%ff@127.0.0.1:1/gatehouse');
    expect(error).toBeInstanceOf(DatabaseRefused);
    expect(String(error)).toMatch(/password in DATABASE_URL has a percent sign .+ write it as %25\.$/);
    expect(String(error)).not.toContain('hunter2');
  });

  it('is refused with an invalid percent escape elsewhere, as an invalid URL', async () => {
    for (const url of ['postgres://us%ff:hunter2@127.0.0.1:1/db', 'postgres://user:hunter2@ho%ff:1/db']) {
      const error = await failureOf(url);
      expect(error).toBeInstanceOf(DatabaseRefused);
      expect(String(error)).toContain('DATABASE_URL is not a valid postgres:// address.');
    }
  });

  it('is tried with an invalid escape that the driver accepts', async () => {
    const error = await failureOf('postgres://user:hunter2%zz@127.0.0.1:1/gatehouse');
    expect(error).toBeInstanceOf(DatabaseUnavailable);
    expect(String(error)).toContain('cannot be reached');
  });
});
