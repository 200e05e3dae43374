/** Owns identifiers of rows, not secret: UUID version 7 (RFC 9562), adjacent in an index; a person's is random. */
import { randomUUID } from 'node:crypto';

let lastMillis = 0;
let counter = 0;

/**
 * Ids of one process and millisecond are monotonic (RFC 9562, section 6.2, method 1), so that lists sorted by id as
 * tiebreaker keep the order of creation. The embedded time is never read back.
 */
export const newId = (): string => {
  // Node draws random bytes for many UUIDs at once, which costs a tenth of drawing them for each.
  const random = randomUUID();
  const now = Date.now();
  // The random start leaves room for 2,048 more in the millisecond.
  counter = now === lastMillis ? counter + 1 : Number.parseInt(random.slice(0, 3), 16) & 0x07ff;
  lastMillis = now;
  const millis = now.toString(16).padStart(12, '0');
  const sequence = (0x7000 | (counter & 0x0fff)).toString(16);
  // The last 64 bits of a version 4 have the variant and 62 random bits, as those of a version 7 do.
  return `${millis.slice(0, 8)}-${millis.slice(8)}-${sequence}-${random.slice(19)}`;
};

/**
 * For a person: UUID version 4, which does not reveal the account's age. An inviter sees the id of the invited person,
 * and must not learn whether the address was known.
 */
export const newPersonId = (): string => randomUUID();

const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether an external text has the form of an identifier; PostgreSQL rejects any other with an error. */
export const isId = (text: string): boolean => idPattern.test(text);

/** An id that a caller gives, which is accepted in any case. */
export const normalizeGivenId = (text: string): string => text.toLowerCase();

/** The same of an id that may be left out, as in a filter. Null for none. */
export const normalizeId = (text: string | null | undefined): string | null => text?.toLowerCase() ?? null;

/** The reason for which a normalized id is refused, or null. */
export const idReason = (id: string | null): string | null =>
  id === null || isId(id) ? null : 'This must be an id: a UUID, as the lists return it.';
