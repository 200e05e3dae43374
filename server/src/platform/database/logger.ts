/**
 * The logger that the database layer needs; pino's has this shape. Arguments: the event's fields, then one sentence.
 */
import type { LineAt } from '../observability/events.ts';

export interface Logger {
  info(line: LineAt<'info'>, message: string): void;
  warn(line: LineAt<'warn'>, message: string): void;
  error(line: LineAt<'error'>, message: string): void;
}
