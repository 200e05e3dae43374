/** What the database layer needs of a logger; pino's has this shape. What happened first, then one sentence. */
import type { LineAt } from '../observability/events.ts';

export interface Logger {
  info(line: LineAt<'info'>, message: string): void;
  warn(line: LineAt<'warn'>, message: string): void;
  error(line: LineAt<'error'>, message: string): void;
}
