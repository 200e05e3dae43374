/**
 * Owns sessions through a pooler that may give each transaction another process of the server. Nothing of a session
 * lasts there: each transaction begins with the settings of its session, and tells which server it is on.
 */
import {
  type Answer,
  type NamedText,
  queryable,
  runningAlone,
  runText,
  type StatementClient,
  sendStatement,
} from './connection.ts';
import { DatabaseUnavailable, type SqlValue, statement } from './database.ts';
import { DatabaseRefused, standbyRefusal } from './failure.ts';
import { isChange } from './primary/commit-stall.ts';
import type { Fence, ServerIdentity, SessionKey, Term } from './primary/fence.ts';

interface PlaceRow {
  /** Hexadecimal. */
  readonly timeline: string;
  readonly walPosition: number;
  readonly pid: number;
  readonly begunAt: string;
}

/** The timeline is read from the name of the present file of the log: the last checkpoint may be of the one before. */
const timelineAndPosition = `left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) AS timeline,
          (pg_current_wal_flush_lsn() - '0/0')::bigint AS "walPosition"`;
const begunAt = 'extract(epoch FROM backend_start)::text';

/** Of the session with the server that runs it. */
export const place = statement<PlaceRow>(
  'database.place',
  `SELECT ${timelineAndPosition}, pid, ${begunAt} AS "begunAt" FROM pg_stat_get_activity(pg_backend_pid())`,
);

/**
 * All of it in one statement, because a failed one would end the transaction, and with the settings that are no limits:
 * their answers would cost more than they do.
 */
const beginning = `${timelineAndPosition}, system_identifier::text AS system,
          (SELECT count(set_config(name, value, true)) FROM unnest($1::text[], $2::text[]) AS own (name, value)) AS own`;

interface BegunRow extends Omit<PlaceRow, 'pid' | 'begunAt'> {
  readonly system: string;
  readonly key: SessionKey | null;
}

type Settings = [names: readonly string[], values: readonly string[]];

/** Without the process, whose look-up takes longer: a read waits for no standby. */
const beginRead = statement<BegunRow, Settings>(
  'database.begin_read',
  `SELECT ${beginning}, NULL AS key FROM pg_control_system()`,
);
const beginChange = statement<BegunRow, Settings>(
  'database.begin_change',
  `SELECT ${beginning}, json_build_object('pid', pid, 'begunAt', ${begunAt}) AS key
     FROM pg_control_system(), pg_stat_get_activity(pg_backend_pid())`,
);

/**
 * How a transaction begins with the settings of a session, a later one in place of an earlier one.
 * @param settings `SET` statements; others, such as for a check of the client, are of no use through a pooler
 */
const beginningOf = (settings: string): { readonly text: string; readonly settings: Settings } => {
  const found = settings.matchAll(/\bSET (\w+) (?:TO|=) ([^;]+)/g);
  const values = new Map([...found].map(([, name = '', value = '']) => [name, value.replace(/^'(.*)'$/, '$1')]));
  const mode = values.get('default_transaction_read_only') === 'on' ? 'READ ONLY' : 'READ WRITE';
  const isLimit = (name: string): boolean => name.endsWith('_timeout');
  const limits = [...values]
    .filter(([name]) => isLimit(name))
    .map(([name, value]) => `; SET LOCAL ${name} TO ${value}`);
  const own = [...values].filter(([name]) => !isLimit(name) && !name.startsWith('default_'));
  return {
    text: `BEGIN ISOLATION LEVEL READ COMMITTED ${mode}${limits.join('')}`,
    settings: [own.map(([name]) => name), own.map(([, value]) => value)],
  };
};

/** Those clients whose pooler may give each transaction another process of the server. */
export const byTransaction = new WeakMap<StatementClient, ByTransaction>();

/** Call before the client connects. */
export const poolByTransaction = (client: StatementClient): void => {
  const sessions = new ByTransaction(client);
  byTransaction.set(client, sessions);
  runningAlone.set(client, sessions);
};

class ByTransaction {
  readonly #client: StatementClient;
  #beginning = beginningOf('');
  #known: { readonly fence: Pick<Fence, 'admit' | 'seen'>; readonly term: Term } | null = null;
  #isOutside = true;
  #identity: ServerIdentity | null = null;
  #key: SessionKey | null = null;

  constructor(client: StatementClient) {
    this.#client = client;
  }

  get isOutside(): boolean {
    return this.#isOutside;
  }

  /** The server of the last transaction that told it. */
  get identity(): ServerIdentity | null {
    return this.#identity;
  }

  /** The process of the last transaction, once it told. The pooler closes one whose client leaves it at work. */
  get key(): SessionKey | null {
    return this.#key;
  }

  /** @param settings as of {@link beginningOf}, for each transaction from now on */
  use(settings: string): void {
    this.#beginning = beginningOf(settings);
  }

  /** From now on, a transaction on a server of another term is refused, and with it the session. */
  follow(fence: Pick<Fence, 'admit' | 'seen'>, term: Term): void {
    this.#known = { fence, term };
  }

  /**
   * Begins a transaction, to be ended by {@link end}.
   * @param limit of this transaction alone: `; SET LOCAL …`
   * @throws DatabaseRefused: its server cannot be used
   * @throws DatabaseUnavailable: the same, once the session follows a term
   */
  begin(limit: string, timeoutMillis?: number): Promise<Answer> {
    this.#isOutside = false;
    return this.#open(beginChange, limit, timeoutMillis);
  }

  end(how: 'COMMIT' | 'ROLLBACK', timeoutMillis?: number): Promise<Answer> {
    this.#isOutside = true;
    return runText(this.#client, how, timeoutMillis);
  }

  /**
   * Runs one statement in a transaction of its own: a read in one round trip, a change once its server was accepted.
   * @param limit as of {@link begin}
   */
  async runAlone(asked: NamedText, params: readonly SqlValue[], timeoutMillis?: number, limit = ''): Promise<Answer> {
    const opened = this.#open(isChange(asked) ? beginChange : beginRead, limit, timeoutMillis);
    if (isChange(asked)) await this.#accepted(opened, timeoutMillis);
    this.#sendTogether();
    const answered = sendStatement(this.#client, asked, params, timeoutMillis);
    const ended = runText(this.#client, 'COMMIT', timeoutMillis);
    // After a failed beginning the others fail because of it.
    await Promise.allSettled([opened, answered, ended]);
    await opened;
    const answer = await answered;
    await ended;
    return answer;
  }

  async #accepted(opened: Promise<unknown>, timeoutMillis?: number): Promise<void> {
    try {
      await opened;
    } catch (error) {
      await runText(this.#client, 'ROLLBACK', timeoutMillis).catch(() => undefined);
      throw error;
    }
  }

  async #open(how: typeof beginChange, limit: string, timeoutMillis?: number): Promise<Answer> {
    const known = this.#known;
    const seen = known?.fence.seen;
    // That of the transaction before is another client's by now.
    this.#key = null;
    this.#sendTogether();
    const session = queryable((asked, params) => sendStatement(this.#client, asked, params, timeoutMillis));
    try {
      const [begun, { key, system, timeline, walPosition }] = await Promise.all([
        runText(this.#client, `${this.#beginning.text}${limit}`, timeoutMillis),
        session.one(how, this.#beginning.settings),
      ]);
      this.#key = key;
      this.#identity = { system, timeline: Number.parseInt(timeline, 16), walPosition };
      if (known !== null && seen !== undefined && known.fence.admit(this.#identity, seen) !== known.term)
        throw new DatabaseRefused('a newer server was seen');
      return begun;
    } catch (error) {
      const cause = standbyRefusal(error) ?? error;
      if (known === null || !(cause instanceof DatabaseRefused)) throw cause;
      throw new DatabaseUnavailable('The transaction was on another server than its session began with', { cause });
    }
  }

  /** What is sent in this turn of the loop goes in one packet. */
  #sendTogether(): void {
    const stream = this.#client.connection?.stream;
    stream?.cork?.();
    process.nextTick(() => stream?.uncork?.());
  }
}
