/** What the database layer needs of a logger; pino's has this shape. Facts first, then one sentence. */
export interface Logger {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
