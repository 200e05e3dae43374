/**
 * The node-postgres client: loaded once, with the types of columns, and the refusals of a server in words.
 */
import pg from 'pg';
import { DatabaseUnavailable } from './database.ts';
import { connectMillis, idleInTransactionMillis, lockMillis, statementMillis } from './deadlines.ts';
import { DatabaseRefused, messageOf, sqlState, toFailure } from './failure.ts';

// Owns what every connection to a PostgreSQL server is opened with.

export const clientConfig = (url: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: 'gatehouse',
  connectionTimeoutMillis: connectMillis,
  statement_timeout: statementMillis,
  lock_timeout: lockMillis,
  idle_in_transaction_session_timeout: idleInTransactionMillis,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  types: rowTypes,
});

// Owns how column types become values in a row: int8 a number, timestamptz a Date, bytea a Buffer, json the value.
//
// `date`, `timestamp`, `time`, `interval` and `numeric` stay the text that PostgreSQL sent: no JavaScript type holds
// them without a loss, and the driver's own guesses depend on the time zone of the process.

const oids = {
  int8: 20,
  date: 1082,
  time: 1083,
  timestamp: 1114,
  timestamptz: 1184,
  interval: 1186,
  timetz: 1266,
  int8Array: 1016,
  dateArray: 1182,
  timestampArray: 1115,
  intervalArray: 1187,
  textArray: 1009,
} as const;

type Parse = (text: string) => unknown;

const parseInt8 = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The bigint ${text} does not fit a number without loss`);
  return value;
};

const driverParser = (oid: number): Parse => pg.types.getTypeParser(oid, 'text') as Parse;

const driverInstant = driverParser(oids.timestamptz);

const parseInstant = (text: string): Date => {
  const value = driverInstant(text);
  if (!(value instanceof Date)) throw new RangeError(`The timestamp ${text} is not an instant`);
  return value;
};

const parseTextArray = driverParser(oids.textArray);

const parseInt8Array = (text: string): unknown => {
  const items = parseTextArray(text);
  return Array.isArray(items) ? items.map((item) => (typeof item === 'string' ? parseInt8(item) : null)) : null;
};

const asText: Parse = (text) => text;

const own: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [oids.int8, parseInt8],
  [oids.int8Array, parseInt8Array],
  [oids.timestamptz, parseInstant],
  [oids.date, asText],
  [oids.time, asText],
  [oids.timetz, asText],
  [oids.timestamp, asText],
  [oids.interval, asText],
  [oids.dateArray, parseTextArray],
  [oids.timestampArray, parseTextArray],
  [oids.intervalArray, parseTextArray],
]);

const parserOf = (oid: number): Parse => own.get(oid) ?? driverParser(oid);

/** Parsers for the `types` option of a `pg` client; only text results are ever asked for. */
export const rowTypes: pg.CustomTypesConfig = { getTypeParser: parserOf };

// Owns the sentences for a PostgreSQL server that cannot be used at start. They name host, port, user and database,
// which the operator needs, and never the password, nor the address as a whole, which holds it.

interface Target {
  readonly server: string;
  readonly user: string;
  readonly database: string;
}

/** Null for an address that cannot be read: no URL, or a percent sign that begins no encoding. */
const targetOf = (url: string): Target | null => {
  try {
    return readTarget(new URL(url));
  } catch {
    return null;
  }
};

const readTarget = (parsed: URL): Target => {
  const server = `${parsed.hostname || 'localhost'}:${parsed.port || '5432'}`;
  const user = decodeURIComponent(parsed.username) || 'of the environment';
  return { server, user, database: decodeURIComponent(parsed.pathname.slice(1)) || user };
};

const byState = (state: string | null, target: Target): DatabaseRefused | null => {
  const { server, user, database } = target;
  switch (state) {
    case '28P01':
      return new DatabaseRefused(
        `The PostgreSQL server at ${server} refused the password of user ${user}; correct it.`,
      );
    case '28000':
      return new DatabaseRefused(`The PostgreSQL server at ${server} does not let user ${user} in from this host.`);
    case '3D000':
      return new DatabaseRefused(`There is no database ${database} on the server at ${server}; create it first.`);
    case '42501':
      return new DatabaseRefused(`User ${user} may not use the database ${database} on the server at ${server}.`);
    default:
      return null;
  }
};

/** The driver reads user and password so, and gives up on what encodes no text. */
const isReadable = (encoded: string): boolean => {
  try {
    decodeURIComponent(encoded);
    return true;
  } catch {
    return false;
  }
};

const invalid = (): DatabaseRefused => new DatabaseRefused('DATABASE_URL is not a valid postgres:// address.');

const unreadable = (url: string): DatabaseRefused => {
  if (isReadable(new URL(url).password)) return invalid();
  return new DatabaseRefused(
    'The password in DATABASE_URL holds a percent sign that begins no encoding of a character; write it as %25.',
  );
};

const causeOf = (error: Error): Error => (error.cause instanceof Error ? causeOf(error.cause) : error);

/**
 * The error to give to the operator for what opening a PostgreSQL database threw: DatabaseRefused when waiting does
 * not help, DatabaseUnavailable when it may.
 */
export const refusalOf = (thrown: unknown, url: string): Error => {
  if (thrown instanceof DatabaseRefused) return thrown;
  const target = targetOf(url);
  // The driver's error for an address that it cannot parse carries the whole address, so it is not passed on.
  if (target === null) return invalid();
  // Asked only now: some percent signs that encode nothing are taken by the driver for themselves.
  if (thrown instanceof URIError) return unreadable(url);
  const failure = toFailure(thrown);
  const cause = causeOf(failure);
  if (cause instanceof DatabaseRefused) return cause;
  const refused = byState(sqlState(cause), target);
  if (refused !== null) return refused;
  return new DatabaseUnavailable(`The PostgreSQL server at ${target.server} cannot be reached: ${messageOf(cause)}.`, {
    cause,
  });
};
