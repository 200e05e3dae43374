/**
 * Identifiers of rows: UUID version 7 (RFC 9562), so that new rows sit together in an index; a person's is random. They
 * are not secrets.
 */
import { randomBytes, randomUUID } from 'node:crypto';

let lastMillis = 0;
let counter = 0;

/**
 * A new identifier. Those of one process and one millisecond count up (RFC 9562, section 6.2, method 1), so that lists
 * which break a tie by id keep the order in which rows were made. Nothing reads the clock in it back.
 */
export const newId = (): string => {
  const bytes = randomBytes(16);
  const now = Date.now();
  // A random start leaves room for 2,048 more in the millisecond.
  counter = now === lastMillis ? counter + 1 : bytes.readUInt16BE(6) & 0x07ff;
  lastMillis = now;
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt16BE(0x7000 | (counter & 0x0fff), 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

/**
 * An identifier for a person: UUID version 4, so that it does not say how long somebody has had an account. An inviter
 * sees the id of whom they invite, and must not learn from it whether the address was known.
 */
export const newPersonId = (): string => randomUUID();

const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Why a text from outside is no identifier. */
export const idReason = 'This must be an id: a UUID, as the lists give it.';

/** Whether a text from outside can be an identifier at all; PostgreSQL rejects any other as an error. */
export const isId = (text: string): boolean => idPattern.test(text);
