/**
 * Owns how column types become values in a row: int8 a number, timestamptz a Date, bytea a Buffer, json the value.
 *
 * `date`, `timestamp`, `time`, `interval` and `numeric` stay the text that PostgreSQL sent: no JavaScript type holds
 * them without a loss, and the driver's own guesses depend on the time zone of the process.
 */
import pg from 'pg';

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
