/** Which errors are refusals to every surface: those that say so, and a database that does not answer. */
import { Refusal } from '../kernel/errors.ts';
import { DatabaseUnavailable } from '../platform/database/database.ts';

/** The refusal to show for an error, or null for a defect. */
export const refusalOf = (error: unknown): Refusal | null => {
  if (error instanceof Refusal) return error;
  return error instanceof DatabaseUnavailable
    ? new Refusal('UNAVAILABLE', 'The service is briefly unavailable. Try again in a moment.')
    : null;
};
