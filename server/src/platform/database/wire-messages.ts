/**
 * Owns the little that the embedded engine's stream must know of the PostgreSQL wire protocol: where messages end,
 * what greets a client, and which error a failing engine named last.
 */

const sync = 0x53; // 'S'
const simpleQuery = 0x51; // 'Q'
const errorResponse = 0x45; // 'E'
const headerBytes = 5;

/**
 * How many leading bytes of `bytes` hold only whole exchanges, each ended by Sync or Query. What follows waits for the
 * rest of it: the engine answers "ready" at the end of whatever it is given, and would do so in the middle.
 */
export const wholeExchanges = (bytes: Buffer): number => {
  let offset = 0;
  let whole = 0;
  while (offset + headerBytes <= bytes.length) {
    const type = bytes[offset];
    offset += 1 + bytes.readInt32BE(offset + 1);
    if (offset > bytes.length) break;
    if (type === sync || type === simpleQuery) whole = offset;
  }
  return whole;
};

/** AuthenticationOk, BackendKeyData without a key, ReadyForQuery outside a transaction. */
export const greeting = (): Buffer =>
  Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x4b, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

const fieldOf = (fields: readonly string[], code: string): string | null =>
  fields.find((field) => field.startsWith(code))?.slice(1) ?? null;

/** Severity and message of the last ErrorResponse in what an engine sent, or null. */
export const lastError = (bytes: Buffer): string | null => {
  let found: string | null = null;
  let offset = 0;
  while (offset + headerBytes <= bytes.length) {
    const end = offset + 1 + bytes.readInt32BE(offset + 1);
    if (bytes[offset] === errorResponse) {
      const fields = bytes.toString('utf8', offset + headerBytes, end).split('\0');
      found = `${fieldOf(fields, 'V') ?? 'ERROR'}: ${fieldOf(fields, 'M') ?? 'no message'}`;
    }
    offset = end;
  }
  return found;
};
