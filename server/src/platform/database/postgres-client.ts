/** Owns the node-postgres client: its settings, the types of columns, and the messages for a server that refuses. */
import pg from 'pg';
import { orNull } from '../../kernel/attempts.ts';
import { addressesOf } from '../../kernel/postgres-address.ts';
import { DatabaseUnavailable } from './database.ts';
import { waitLimits } from './deadlines.ts';
import { CommitsWait, DatabaseRefused, messageOf, NoPrimary, sqlState, toFailure } from './failure.ts';

// Settings of every connection to a PostgreSQL server.

/** @param url of several hosts: the settings name the first of them (`primary-host.ts`) */
export const clientConfig = (url: string): pg.ClientConfig => ({
  connectionString: firstOf(url),
  application_name: 'gatehouse',
  connectionTimeoutMillis: waitLimits.connectMillis,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  types: rowTypes,
});

const firstOf = (url: string): string => addressesOf(url)[0] ?? url;

/** Called for each connection, with its settings beside those of every session; not connected. */
export type NewClient = (settings: pg.ClientConfig) => pg.Client;

/**
 * Ends an unused client in order; resolves once the socket is closed, by us after this time.
 * @param millis for statements on the wire, and for a peer that is slow to close
 */
export const endClient = async (client: pg.Client, millis: number): Promise<void> => {
  const timer = setTimeout(() => client.connection.stream.destroy(), millis).unref();
  await client.end();
  clearTimeout(timer);
};

// Column types in a row: int8 as number, timestamptz as Date, bytea as Buffer, json as its value. `date`, `timestamp`,
// `time`, `interval` and `numeric` remain the text that PostgreSQL sent: no JavaScript type represents them without
// loss, and the driver's own parsers depend on the time zone of the process.

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

/** Parsers for the `types` option of a `pg` client; only text results are ever requested. */
export const rowTypes: pg.CustomTypesConfig = { getTypeParser: parserOf };

// Messages for a server that cannot be used at start, never with the password or the address that contains it.

interface Target {
  readonly server: string;
  readonly user: string;
  readonly database: string;
  /** The parameter of the address; null without one. */
  readonly sslMode: string | null;
}

/** As the driver reads it. Null when it is no URL, or has a percent sign that begins no encoding. */
const targetOf = (url: string): Target | null =>
  orNull(() => {
    const parsed = new URL(url);
    if (decoded(parsed.username) === null || decoded(parsed.pathname) === null) return null;
    const sslMode = parsed.searchParams.get('sslmode');
    parsed.password = '';
    // They may name files.
    for (const name of ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation'])
      parsed.searchParams.delete(name);
    const client = new pg.Client({ connectionString: parsed.href });
    const { host, port, user = 'of the environment', database = user } = client;
    return { server: serverName(host, port), user, database, sslMode };
  });

const serverName = (host: string, port: number): string => {
  if (host.startsWith('/')) return `${host}/.s.PGSQL.${port}`;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
};

/** The host and port of an address of one host, or its socket. */
export const serverAt = (address: string): string => targetOf(address)?.server ?? 'an invalid address';

/** The server's own reason, which names what the address does, and a rule or a setting of the server. */
const reasonOf = (error: Error): string =>
  `(${messageOf(error)
    .replaceAll(/[\p{Cc};]/gu, ' ')
    .slice(0, 300)})`;

/** A pooler lends the processes of the server by the transaction, or by the statement. */
export const poolsTransactions = (): DatabaseRefused =>
  new DatabaseRefused(
    'A connection pooler in front of the server at DATABASE_URL does not keep the settings and prepared statements of a ' +
      'session; let it pool sessions (pool_mode = session), set DATABASE_POOLER=transaction if it pools transactions, or name the server itself.',
  );

/** Refusals under DATABASE_POOLER=transaction. */
export const poolsStatements = (): DatabaseRefused =>
  new DatabaseRefused(
    'The connection pooler in front of the server at DATABASE_URL does not keep a transaction, and its settings, on one session with the server; let it pool transactions (pool_mode = transaction) or sessions.',
  );

export const keepsNoStatements = (): DatabaseRefused =>
  new DatabaseRefused(
    'The connection pooler in front of the server at DATABASE_URL does not keep prepared statements; use PgBouncer 1.21 or newer with max_prepared_statements, or set DATABASE_PREPARED_STATEMENTS=false.',
  );

const byState = (cause: Error, target: Target): DatabaseRefused | null => {
  const { server, user, database } = target;
  const reason = reasonOf(cause);
  switch (sqlState(cause)) {
    case '28P01':
      return new DatabaseRefused(
        `The PostgreSQL server at ${server} refused the password of user ${user} ${reason}; correct it.`,
      );
    case '28000':
      return new DatabaseRefused(
        `The PostgreSQL server at ${server} refuses user ${user} from this host ${reason}; ${
          /no encryption|SSL off/.test(reason)
            ? 'add sslmode=verify-full to DATABASE_URL, or let pg_hba.conf allow it.'
            : 'let pg_hba.conf of the server allow it.'
        }`,
      );
    case '3D000':
      return new DatabaseRefused(
        `There is no database ${database} on the server at ${server} ${reason}; create it first.`,
      );
    case '42501':
      return new DatabaseRefused(
        `User ${user} may not use the database ${database} on the server at ${server} ${reason}.`,
      );
    // A prepared statement of another session, or none where there was one.
    case '42P05':
    case '26000':
      return poolsTransactions();
    default:
      return null;
  }
};

/** Codes of Node for a certificate that is not accepted (X509_V_ERR_*, without the prefix). */
const certificateCode = /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/;

/** The remedy for a failure of TLS; null for another failure. */
const byEncryption = (cause: Error, { server, sslMode }: Target): DatabaseRefused | null => {
  const asked = sslMode === null ? 'DATABASE_URL' : `sslmode=${sslMode} in DATABASE_URL`;
  if (cause.message.startsWith('The server does not support SSL'))
    return new DatabaseRefused(
      `The PostgreSQL server at ${server} does not offer TLS, for which ${asked} asks; turn it on at the server, or set sslmode=disable on a network of your own.`,
    );
  if (!certificateCode.test(String(Reflect.get(cause, 'code') ?? ''))) return null;
  return new DatabaseRefused(
    `The certificate of the PostgreSQL server at ${server} is not accepted ${reasonOf(cause)}: ${asked} has it checked; name its authority in sslrootcert and its host in the address, or encrypt without a check by sslmode=no-verify.`,
  );
};

/** Text as the driver decodes it, or null; use the result: a bundler drops a decoding whose result nothing uses. */
const decoded = (encoded: string): string | null => orNull(() => decodeURIComponent(encoded));

const invalid = (): DatabaseRefused => new DatabaseRefused('DATABASE_URL is not a valid postgres:// address.');

const unreadable = (url: string): DatabaseRefused => {
  if (decoded(new URL(url).password) !== null) return invalid();
  return new DatabaseRefused(
    'The password in DATABASE_URL has a percent sign that does not begin a percent-encoded character; write it as %25.',
  );
};

const waiting = ({ server }: Target, cause: CommitsWait): DatabaseUnavailable =>
  new DatabaseUnavailable(
    `The PostgreSQL server at ${server} answers, but its commits do not return, most often because a synchronous standby is missing; start the standby, or take it out of synchronous_standby_names.`,
    { cause },
  );

const causeOf = (error: Error): Error => (error.cause instanceof Error ? causeOf(error.cause) : error);

/** The error to show to the operator: DatabaseRefused when waiting does not help, DatabaseUnavailable when it may. */
export const openingFailure = (thrown: unknown, url: string): Error => {
  if (thrown instanceof DatabaseRefused || thrown instanceof NoPrimary) return thrown;
  const target = targetOf(firstOf(url));
  // The driver's error for an address that it cannot parse contains the whole address, so it is not passed on.
  if (target === null) return invalid();
  // Checked only now: the driver accepts some invalid percent signs as literal.
  if (thrown instanceof URIError) return unreadable(firstOf(url));
  const failure = toFailure(thrown);
  if (failure instanceof CommitsWait) return waiting(target, failure);
  const cause = causeOf(failure);
  if (cause instanceof DatabaseRefused) return cause;
  if (Reflect.get(cause, 'syscall') === 'open')
    return new DatabaseRefused(`A file that DATABASE_URL names cannot be read ${reasonOf(cause)}.`);
  const refused = byState(cause, target) ?? byEncryption(cause, target);
  if (refused !== null) return refused;
  return new DatabaseUnavailable(`The PostgreSQL server at ${target.server} cannot be reached: ${messageOf(cause)}.`, {
    cause,
  });
};
