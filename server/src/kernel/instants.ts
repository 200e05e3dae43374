/** Owns instants as clients write them. Pure. */

const shape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** An instant in ISO 8601 with its offset; null for any other text. */
export const readInstant = (text: string): Date | null => {
  const instant = shape.test(text) ? new Date(text) : null;
  return instant === null || Number.isNaN(instant.getTime()) ? null : instant;
};
