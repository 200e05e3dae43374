/** Content of every log line, and the number of lines for refusals. */
import { fastify, LogController } from 'fastify';
import { describe, expect, it } from 'vitest';
import { exitCodes, explain } from '../../src/cli/exit.ts';
import { DatabaseUnavailable } from '../../src/platform/database/database.ts';
import { LogThrottle } from '../../src/platform/observability/log-throttle.ts';
import { createLogger, gatherLines } from '../../src/platform/observability/logger.ts';
import { until } from '../support/checks/concurrency.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

// Contract: incidents#lines-of-the-log — Every line of the log has an event, and no address
it('A line of the HTTP framework has an event, and no address, when a route answers twice', async () => {
  const lines: string[] = [];
  const app = fastify({
    loggerInstance: createLogger('debug', { write: (line) => lines.push(line) }),
    logController: new LogController({ disableRequestLogging: true }),
  });
  app.get('/twice', (_request, reply) => {
    reply.send('once');
    reply.send('twice');
  });
  app.get('/past-it', (_request, reply) => {
    reply.raw.writeHead(200);
    reply.send('once more');
    reply.raw.end();
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  await app.inject('/twice?token=canary');
  await app.inject('/past-it?token=canary').catch(() => undefined);
  await app.close();
  expect(lines.filter((line) => line.includes('Reply was already sent')).length).toBeGreaterThan(1);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
    lines.map(() => expect.objectContaining({ event: 'http.framework' }) as unknown),
  );
  expect(lines.join('')).not.toContain('canary');
});

describe('Lines for the standard output', () => {
  const newOutput = () => {
    const written: string[] = [];
    let exit = (): void => undefined;
    const output = gatherLines({ write: (text) => written.push(text) }, (write) => {
      exit = write;
    });
    return { written, output, exit: () => exit() };
  };

  it('are written together, in their order, before the work that they precede goes on', async () => {
    const { written, output } = newOutput();
    const recorded = Promise.resolve();
    const calls = [1, 2, 3].map(async (call) => {
      await recorded;
      output.write(`line ${call}\n`);
      await Promise.resolve();
      return written.length;
    });
    expect(await Promise.all(calls)).toEqual([1, 1, 1]);
    output.write('later\n');
    await Promise.resolve();
    expect(written).toEqual(['line 1\nline 2\nline 3\n', 'later\n']);
  });

  it('are written when the process ends first', () => {
    const { written, output, exit } = newOutput();
    output.write('last\n');
    exit();
    exit();
    expect(written).toEqual(['last\n']);
  });
});

describe('A log line with a secret', () => {
  const logged = (facts: object): string => {
    const lines: string[] = [];
    createLogger('info', { write: (line) => lines.push(line) }).info(
      { event: 'service.started', ...facts },
      'A "token":',
    );
    return lines.join('');
  };

  it('has it nowhere, and the rest unchanged', () => {
    const facts = {
      token: 'canary',
      seen: [{ password: { text: 'canary' } }, { name: 'Robin' }],
      deep: { deeper: { deepest: { 'set-cookie': ['canary'], kept: 1 } } },
      text: 'He said "token": no',
    };
    const line = logged(facts);
    expect(line).not.toContain('canary');
    expect(line.endsWith('}\n')).toBe(true);
    expect(JSON.parse(line)).toMatchObject({
      event: 'service.started',
      msg: 'A "token":',
      token: '[redacted]',
      seen: [{ password: '[redacted]' }, { name: 'Robin' }],
      deep: { deeper: { deepest: { 'set-cookie': '[redacted]', kept: 1 } } },
      text: 'He said "token": no',
    });
  });

  it('is unchanged without such names', () => {
    expect(JSON.parse(logged({ tokens: 3, text: 'He said "token": no' }))).toMatchObject({ tokens: 3 });
  });
});

describe('An error of the database', () => {
  const service = serviceFixture();

  /** The failures of a statement. Each of them has the canary in its row, or in its own words. */
  const failureOf = (statement: string): Promise<Error> =>
    service.sql(statement).then(
      () => Promise.reject(new Error('It succeeded.')),
      (error: unknown) => {
        if (error instanceof Error) return error;
        throw new Error('What it failed with is no error.');
      },
    );

  const broken: readonly (readonly [state: string, statement: string])[] = [
    ['23502', `INSERT INTO users (id, email, name) VALUES (gen_random_uuid(), 'canary@example.org', NULL)`],
    ['23514', `INSERT INTO scheduled_jobs (name, run_id) VALUES ('canary', gen_random_uuid())`],
    ['23505', `INSERT INTO scheduled_jobs (name) VALUES ('canary'), ('canary')`],
    ['22P02', `SELECT text::uuid FROM unnest(ARRAY['canary']) AS text`],
    ['22P02', `DO $$ BEGIN EXECUTE 'SELECT ''canary''::uuid'; END $$`],
  ];

  it.each(broken)('of %s is logged by its code and stack, without its row (%s)', async (state, text) => {
    const failure = await failureOf(text);
    expect(failure).toMatchObject({ code: state });
    const lines: string[] = [];
    const logger = createLogger('debug', { write: (line) => lines.push(line) });
    const app = fastify({ loggerInstance: logger });
    const wrapped = new DatabaseUnavailable(`The database did not answer: ${failure.message}`, { cause: failure });
    for (const err of [failure, wrapped, new AggregateError([failure, wrapped], 'Several'), { thrown: failure }]) {
      logger.error({ event: 'request.failed', err }, 'A request failed');
      app.log.error({ event: 'request.failed', err }, 'A request failed');
    }
    await app.close();
    expect(lines).toHaveLength(8);
    expect(lines.join('')).not.toContain('canary');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      err: { type: 'DatabaseError', code: state, stack: expect.stringContaining('    at ') as string },
    });
    expect(lines[2]).toMatch(/DatabaseUnavailable.*caused by: /);
    for (const error of [failure, new Error(failure.message, { cause: failure })]) {
      const reported: string[] = [];
      expect(explain(error, (text) => reported.push(text))).toBe(exitCodes.failed);
      expect(reported.join('')).toContain('    at ');
      expect(reported.join('')).not.toContain('canary');
    }
  });

  it('names the violated constraint, the table and the column', async () => {
    const lines: string[] = [];
    const logger = createLogger('debug', { write: (line) => lines.push(line) });
    for (const [, text] of broken.slice(0, 2))
      logger.error({ event: 'request.failed', err: await failureOf(text) }, '');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { err: { table: 'users', column: 'name', message: expect.stringContaining('not-null') as string } },
      { err: { table: 'scheduled_jobs', constraint: 'scheduled_jobs_check' } },
    ]);
  });

  it('is null when there is none', () => {
    const lines: string[] = [];
    createLogger('debug', { write: (line) => lines.push(line) }).warn({ event: 'database.lookups_cut', err: null }, '');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ err: null }]);
  });
});

// Contract: incidents#lines-of-the-log — Clients cannot fill the log with refusals
it('Refusals are logged at once for the first of a kind, then as a summary with the last of them', async () => {
  const log = new LogThrottle(50);
  const reported: string[] = [];
  const note = (key: string, who: string): void =>
    log.note(key, (refusals) => reported.push(`${key} ${who} ${refusals}`));
  for (const who of ['a', 'b', 'c']) note('one', who);
  note('other', 'd');
  expect(reported).toEqual(['one a 1', 'other d 1']);
  await until('the later ones are logged', async () => reported.length > 2);
  expect(reported).toEqual(['one a 1', 'other d 1', 'one c 2']);
});
