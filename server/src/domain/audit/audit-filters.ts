/** Owns what the lists of both audits share: the rules for a range of time and for the name of a tool. */

/** Why a range of time matches nothing; null for one that may, and for one that is open. */
export const rangeReason = (from: Date | null, to: Date | null): string | null =>
  from !== null && to !== null && from > to ? 'The time range ends before it begins.' : null;

/** A name to compare with: PostgreSQL refuses a text with NUL. No tool has a name with U+FFFD either. */
export const storableToolName = (name: string | null): string | null => name?.replaceAll('\u0000', '\ufffd') ?? null;
