/**
 * Identifiers of rows: UUID version 7 (RFC 9562), so that new rows sit together in an index; a person's is random. They
 * are not secrets.
 */
import { randomBytes, randomUUID } from 'node:crypto';

/** A new identifier. The clock in it only orders rows on disk; nothing ever reads it back. */
export const newId = (): string => {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
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
