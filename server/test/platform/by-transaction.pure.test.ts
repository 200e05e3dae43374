/** Sessions through a pooler of transactions: what is sent, in which order, and which answers count. */
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { byTransaction, poolByTransaction } from '../../src/platform/database/by-transaction.ts';
import { type Answer, runStatement, type StatementClient, unprepared } from '../../src/platform/database/connection.ts';
import { DatabaseUnavailable, statement } from '../../src/platform/database/database.ts';
import { DatabaseRefused, IsStandby, stateAfter } from '../../src/platform/database/failure.ts';
import { beginSession } from '../../src/platform/database/postgres-session.ts';
import { Primary } from '../../src/platform/database/primary/primary.ts';
import { runTransaction } from '../../src/platform/database/transaction.ts';
import { usableSettings } from '../support/database/usable-settings.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { waitAsInProduction } from '../support/gatehouse/wait-limits.ts';

waitAsInProduction();

const read = statement<{ value: number }>('test.read_by_transaction', 'SELECT 7 AS value');
const change = statement<{ value: number }>(
  'test.change_by_transaction',
  'UPDATE things SET value = 7 RETURNING value',
);

const key = { pid: 7, begunAt: '1764500000.5' };
const here = { system: '1', timeline: '00000005', walPosition: 900, key };

const saying = (code: string, message: string): Error =>
  Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code });

const rowsOf = (rows: readonly unknown[]): Answer => ({ command: 'SELECT', rows, rowCount: rows.length });

/** What a text is in the order of messages. */
const kindOf = (text: string): string => {
  if (text.includes('pg_control_system')) return 'place';
  if (text === read.text) return 'read';
  if (text === change.text) return 'change';
  return /^\w+/.exec(text)?.[0] ?? text;
};

/** A pooler whose transactions are on the server `place`; an Error in place of rows is the answer to that kind. */
const newClient = (answers: Readonly<Record<string, Error>> = {}) => {
  const state = {
    place: here,
    settings: usableSettings,
    answers: { ...answers } as Record<string, Error>,
    isHeld: false,
  };
  const sent: (Parameters<StatementClient['query']>[0] & { readonly kind: string })[] = [];
  const held: (() => void)[] = [];
  const answerTo = (kind: string, text: string): Answer => {
    if (kind === 'place') return rowsOf([state.place]);
    if (text.includes('pg_is_in_recovery')) return rowsOf([state.settings]);
    return kind === 'read' || kind === 'change' ? rowsOf([{ value: 7 }]) : { ...rowsOf([]), command: kind };
  };
  const client: StatementClient = {
    query: (options, callback) => {
      const { text } = options;
      const kind = kindOf(text);
      sent.push({ ...options, kind });
      const answer = (): void => {
        const error = state.answers[kind];
        if (error === undefined) callback(null, answerTo(kind, text));
        else callback(error, rowsOf([]));
      };
      if (state.isHeld) held.push(answer);
      else answer();
    },
  };
  poolByTransaction(client);
  const kinds = (): string[] => sent.map(({ kind }) => kind);
  const release = (): void => {
    for (const answer of held.splice(0)) answer();
  };
  return { client, state, sent, kinds, release };
};

/** Begun on the server `here`, with a fresh heartbeat; what was sent for that is forgotten. */
const begin = async (settings = 'SET plan_cache_mode TO force_generic_plan; SET statement_timeout = 1200') => {
  const pooled = newClient();
  const primary = new Primary({
    newClient: () => {
      throw new Error('No heartbeat in this test');
    },
    fenceMillis: 60_000,
    logger: silentLogger,
  });
  const { term } = await primary.begin(pooled.client, settings, 1_000);
  primary.fence.confirm(term, performance.now(), 1_000);
  pooled.state.place = { ...here, walPosition: 1_000 };
  pooled.sent.splice(0);
  return { ...pooled, primary, term };
};

const run = (client: StatementClient, asked: typeof read | typeof change) => runStatement(client, asked, [], 1_000);

describe('A statement through a pooler of transactions', () => {
  // Contract: operation#connection-poolers — Each transaction has its limits in the message that begins it
  it('is a transaction of its own, whose first message has the limits, and the second the settings of its session', async () => {
    const { client, sent, kinds } = await begin();
    expect((await run(client, read)).rows).toEqual([{ value: 7 }]);
    expect(kinds()).toEqual(['BEGIN', 'place', 'read', 'COMMIT']);
    const [first, second] = sent;
    expect(first?.text.split('; ')).toEqual([
      'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE',
      'SET LOCAL statement_timeout TO 1200',
      'SET LOCAL lock_timeout TO 1500',
      'SET LOCAL idle_in_transaction_session_timeout TO 2000',
    ]);
    expect(second?.text).toContain('set_config(name, value, true)');
    const [names, values] = second?.values ?? [];
    expect(names).toEqual([
      'TimeZone',
      'DateStyle',
      'IntervalStyle',
      'bytea_output',
      'jit',
      'max_parallel_workers_per_gather',
      'plan_cache_mode',
    ]);
    expect(values).toEqual(['UTC', 'ISO, YMD', 'postgres', 'hex', 'off', '0', 'force_generic_plan']);
  });

  it('is sent at once where it reads', async () => {
    const { client, state, kinds, release } = await begin();
    state.isHeld = true;
    const answer = run(client, read);
    expect(kinds()).toEqual(['BEGIN', 'place', 'read', 'COMMIT']);
    release();
    expect((await answer).rows).toEqual([{ value: 7 }]);
  });

  it('is sent once its server is known where it changes something', async () => {
    const { client, state, kinds, release } = await begin();
    state.isHeld = true;
    const answer = run(client, change);
    expect(kinds()).toEqual(['BEGIN', 'place']);
    state.isHeld = false;
    release();
    expect((await answer).rows).toEqual([{ value: 7 }]);
    expect(kinds()).toEqual(['BEGIN', 'place', 'change', 'COMMIT']);
  });

  const others = [
    ['of an earlier timeline', { timeline: '00000004', walPosition: 5_000 }],
    ['of a later timeline', { timeline: '00000006', walPosition: 5_000 }],
    ['of another cluster', { system: '2', walPosition: 5_000 }],
    ['of a restored copy', { walPosition: 999 }],
  ] as const;

  // Contract: operation#connection-poolers — An answer of another server than the session began with is not used, and a
  //   change is not sent there
  it.each(others)('does not count where the transaction was on a server %s', async (_which, place) => {
    const { client, state, kinds } = await begin();
    state.place = { ...state.place, ...place };
    for (const asked of [read, change]) {
      const error: unknown = await run(client, asked).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(DatabaseUnavailable);
      expect(stateAfter(error)).toBe('unusable');
    }
    expect(kinds()).toEqual(['BEGIN', 'place', 'read', 'COMMIT', 'BEGIN', 'place', 'ROLLBACK']);
  });

  it('does not count where the server was a standby, and its session is left', async () => {
    const { client, state } = await begin();
    state.answers['BEGIN'] = saying('0A000', 'cannot set transaction read-write mode during recovery');
    const error: unknown = await run(client, read).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DatabaseUnavailable);
    expect(error).toMatchObject({ cause: expect.any(IsStandby) as unknown });
    expect(stateAfter(error)).toBe('unusable');
  });

  it('fails for its own reason, or for that of its beginning', async () => {
    const { client, state } = await begin();
    state.answers['read'] = saying('22012', 'division by zero');
    await expect(run(client, read)).rejects.toThrow('division by zero');
    state.answers['BEGIN'] = saying('42704', 'unrecognized configuration parameter');
    await expect(run(client, read)).rejects.toThrow('unrecognized');
  });

  it('is no transaction of its own inside one', async () => {
    const { client, kinds } = await begin();
    const sessions = byTransaction.get(client);
    await sessions?.begin('; SET LOCAL statement_timeout = 5000', 1_000);
    await run(client, change);
    await sessions?.end('COMMIT', 1_000);
    await run(client, read);
    expect(kinds()).toEqual(['BEGIN', 'place', 'change', 'COMMIT', 'BEGIN', 'place', 'read', 'COMMIT']);
  });

  it('fails for its beginning in a transaction too, whichever answer comes first', async () => {
    const { client, state } = await begin();
    state.answers['place'] = saying('57014', 'canceling statement due to statement timeout');
    state.answers['SELECT'] = saying('25P02', 'current transaction is aborted');
    const began: string[] = [];
    const hooks = { sent: () => undefined, settled: () => undefined, wasCommitted: () => Promise.resolve(true) };
    const failing = runTransaction(client, () => Promise.resolve(began.push('work')), hooks, silentLogger);
    await expect(failing).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(failing).rejects.toMatchObject({ cause: { code: '57014' } });
    expect(began).toEqual([]);
  });

  it('names no process while its beginning is not answered', async () => {
    const { client, state, release } = await begin();
    const sessions = byTransaction.get(client);
    await sessions?.begin('', 1_000);
    expect(sessions?.key).toEqual(key);
    await sessions?.end('COMMIT', 1_000);
    state.isHeld = true;
    const beginning = sessions?.begin('', 1_000);
    expect(sessions?.key).toBeNull();
    release();
    await beginning;
    expect(sessions?.key).toEqual(key);
  });

  // Contract: operation#connection-poolers — Without prepared statements no statement has a name
  it('has no name where no statement is prepared', async () => {
    const { client, sent } = await begin();
    await run(client, read);
    expect(sent.map(({ name }) => name)).toEqual([undefined, 'database.begin_read', read.name, undefined]);
    sent.splice(0);
    unprepared.add(client);
    await run(client, read);
    expect(sent.map(({ name }) => name)).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe('A session through a pooler of transactions', () => {
  it('begins with two transactions that keep their settings, and knows its server', async () => {
    const { client, kinds } = newClient();
    const begun = await beginSession(client, '', 1_000);
    expect(begun).toEqual({ identity: { system: '1', timeline: 5, walPosition: 900 }, key: null });
    expect(kinds()).toEqual(['BEGIN', 'place', 'SELECT', 'COMMIT', 'BEGIN', 'place', 'SELECT', 'COMMIT']);
    expect(byTransaction.get(client)?.key).toEqual(key);
  });

  // Contract: operation#connection-poolers — What a pooler does not keep is refused in one sentence
  it.each([
    ['BEGIN', saying('08P01', 'transaction blocks not allowed in statement pooling mode'), /pool_mode = transaction/],
    [
      'SELECT',
      saying('42P05', 'prepared statement "database.begin_session" already exists'),
      /max_prepared_statements/,
    ],
    ['place', saying('26000', 'prepared statement does not exist'), /DATABASE_PREPARED_STATEMENTS=false/],
    ['place', saying('42501', 'permission denied for function pg_control_system'), /may not call pg_control_system/],
    ['place', saying('55000', 'recovery is in progress'), /read-only standby/],
  ])('is refused where %s answers %s', async (kind, error, sentence) => {
    const { client } = newClient({ [kind]: error });
    const beginning = beginSession(client, '', 1_000);
    await expect(beginning).rejects.toBeInstanceOf(DatabaseRefused);
    await expect(beginning).rejects.toThrow(sentence);
  });

  it.each([
    ['a limit', { statementMillis: 0 }],
    ['the time zone', { timeZone: 'Europe/Berlin' }],
  ])('is refused where a transaction does not keep %s', async (_what, dropped) => {
    const { client, state } = newClient();
    state.settings = { ...usableSettings, ...dropped };
    await expect(beginSession(client, '', 1_000)).rejects.toThrow(/does not keep a transaction/);
  });

  it('is refused with another encoding than UTF-8', async () => {
    const { client, state } = newClient();
    state.settings = { ...usableSettings, clientEncoding: 'LATIN1' };
    await expect(beginSession(client, '', 1_000)).rejects.toThrow(/client_encoding LATIN1/);
  });
});
