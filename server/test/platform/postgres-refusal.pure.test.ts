/** Messages to the operator about an unusable PostgreSQL server, without a server. */
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
