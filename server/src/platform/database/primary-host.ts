/**
 * Owns sessions with a server of which DATABASE_URL names several hosts. The driver knows one, so each new session
 * first asks all of them at once which is the primary: one that is down or a standby delays nothing, a silent one
 * little.
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { addressesOf } from '../../kernel/postgres-address.ts';
import { scaledMillis } from '../../kernel/waits/wait-scale.ts';
import { poolByTransaction } from './by-transaction.ts';
import { queryable, runText, unprepared } from './connection.ts';
import { statement } from './database.ts';
import { waitLimits } from './deadlines.ts';
import { DatabaseRefused, type HostState, NoPrimary, sqlState, wasSilent } from './failure.ts';
import { clientConfig, openingFailure, serverAt } from './postgres-client.ts';
import { readIdentity } from './postgres-session.ts';

const standby = statement<{ isStandby: boolean }>('database.standby', 'SELECT pg_is_in_recovery() AS "isStandby"');

type ClientClass = new (config?: pg.ClientConfig) => pg.Client;

/** What is between this process and the servers of an address. */
export interface PoolerOptions {
  /** DATABASE_POOLER; `none` and `session` differ in what an operator says alone. */
  readonly pooler?: 'none' | 'session' | 'transaction';
  /** DATABASE_PREPARED_STATEMENTS; true by default. */
  readonly preparedStatements?: boolean;
}

/** The class of the clients of an address, for a pool that creates them. */
export const clientClass = (url: string, { pooler, preparedStatements }: PoolerOptions = {}): ClientClass => {
  const addresses = addressesOf(url);
  const Client = addresses.length === 1 ? pg.Client : seekingClient(url, addresses);
  return class extends Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      if (preparedStatements === false) unprepared.add(this);
      if (pooler === 'transaction') poolByTransaction(this);
    }
  };
};

/** A client of an address, with its settings; not connected. */
export const newClient = (url: string, settings: pg.ClientConfig = {}, pooling: PoolerOptions = {}): pg.Client =>
  new (clientClass(url, pooling))({ ...clientConfig(url), ...settings });

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/** Half of the time limit of a connection is for finding the primary, the other half for the session with it. */
const seekingClient = (url: string, addresses: readonly string[]): ClientClass =>
  class extends pg.Client {
    readonly #millis: number;

    constructor(config: pg.ClientConfig = {}) {
      const millis = Math.ceil((config.connectionTimeoutMillis ?? waitLimits.connectMillis) / 2);
      super({ ...config, connectionTimeoutMillis: millis });
      this.#millis = millis;
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<pg.Client> | undefined {
      if (callback === undefined) {
        return new Promise((resolve, reject) => {
          this.connect((error: Error | null) => (error === null ? resolve(this) : reject(error)));
        });
      }
      this.#connectToPrimary(callback).catch((error: unknown) => this.emit('error', error));
      return undefined;
    }

    async #connectToPrimary(callback: Connected): Promise<void> {
      try {
        const address = await findPrimary(url, addresses, this.#millis);
        addressOf.set(this, address);
        Object.assign(this, placeOf(address));
      } catch (error) {
        Reflect.apply(callback, this, [error]);
        return;
      }
      super.connect(callback);
    }
  };

/** The certificate is checked against the host that is used. */
const placeOf = (address: string): { readonly host: string; readonly port: number } => {
  const { host, port } = new pg.Client({ connectionString: address });
  return { host, port };
};

/** With which of several addresses a client is. */
const addressOf = new WeakMap<pg.Client, string>();

/** Primaries whose commits did not return, and until when another one is preferred, by the monotonic clock. */
const doubts = new Map<string, number>();

/**
 * Call when a commit on this client has not returned: its server may be a former primary that answers sooner than the
 * present one. For a few seconds a search waits longer for the others, and uses this one where none is a primary.
 */
export const doubtHost = (client: pg.Client): void => {
  const address = addressOf.get(client);
  if (address !== undefined) doubts.set(address, performance.now() + limits.doubtMillis);
};

const isDoubted = (address: string | undefined): boolean => (doubts.get(address ?? '') ?? 0) > performance.now();

/** Searches in progress, by address: sessions that begin at the same moment share one. */
const searches = new Map<string, Promise<string>>();

const findPrimary = (url: string, addresses: readonly string[], millis: number): Promise<string> => {
  const running = searches.get(url);
  if (running !== undefined) return running;
  const search = seek(addresses, millis);
  const forget = (): void => void searches.delete(url);
  searches.set(url, search);
  search.then(forget, forget);
  return search;
};

const limits = scaledMillis({
  /** How much longer than the first primary that answered the others have to answer as one. */
  laterMillis: 50,
  /** Several heartbeats that do not return. */
  doubtMillis: 10_000,
});

/**
 * The address of the primary: of several the one on the highest timeline, and of those the first in the list.
 * @throws NoPrimary: none answers as one in time
 * @throws Error the driver's, for settings that are of no use at any host
 */
const seek = async (addresses: readonly string[], millis: number): Promise<string> => {
  const answers = addresses
    .map((address) => new pg.Client(clientConfig(address)))
    .map((client, at) => ask(client, addresses[at] ?? '', millis));
  // Data that came while the thread was busy is read before the time is up.
  const trusted = answers.filter((_answer, at) => !isDoubted(addresses[at]));
  const first = Promise.any(trusted).catch(() => Promise.any(answers));
  const isLate = first.then(
    () => pause(limits.laterMillis).then(() => nextTurn(null)),
    () => null,
  );
  const timelines = await Promise.all(answers.map((answer) => Promise.race([answer.catch(() => null), isLate])));
  const highest = Math.max(...timelines.filter((timeline) => timeline !== null));
  const address = addresses[timelines.indexOf(highest)];
  if (address !== undefined) return address;
  throw noPrimary(addresses, await Promise.allSettled(answers));
};

/** The timeline of a host that is a primary; 0 where its server does not tell. */
const ask = async (client: pg.Client, address: string, millis: number): Promise<number> => {
  // In the words of the driver's own time limit.
  const timer = setTimeout(() => client.connection.stream.destroy(new Error('timeout expired')), millis);
  client.on('end', () => clearTimeout(timer));
  // A waiting call rejects with the same error; without a listener the process would end.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const session = queryable(({ text }) => runText(client, text));
    const { isStandby } = await session.one(standby, []);
    if (isStandby) throw new DatabaseRefused(`The PostgreSQL server at ${serverAt(address)} is a read-only standby.`);
    return (await readIdentity(session)).identity?.timeline ?? 0;
  } finally {
    // Not awaited: the time limit ends a host that does not close it.
    client.end().catch(() => undefined);
  }
};

const noPrimary = (addresses: readonly string[], answers: readonly PromiseSettledResult<unknown>[]): NoPrimary => {
  const errors = answers.map((answer): unknown => (answer.status === 'rejected' ? answer.reason : null));
  const sentences = addresses.map((address, at) => openingFailure(errors[at], address).message);
  const message = `DATABASE_URL names no server that is a primary and lets this process in. ${sentences.join(' ')}`;
  return new NoPrimary(message, errors.map(stateOf), errors);
};

const stateOf = (error: unknown): HostState => {
  if (error instanceof DatabaseRefused) return 'standby';
  if (wasSilent(error)) return 'silent';
  return sqlState(error) === null ? 'unreachable' : 'refused';
};
