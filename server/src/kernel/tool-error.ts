/** The error with which a tool of the application answers a model in words of its own. */

/** Programs may load this module twice, as source and compiled: the class alone would not tell. */
const brand = Symbol.for('gatehouse.ToolError');

/** Longer texts are cut. */
const maxCharacters = 2000;

export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly [brand] = true;

  /** @param message shown to the model and to the person who watches it */
  constructor(message: string, options?: ErrorOptions) {
    super(message.slice(0, maxCharacters), options);
  }
}

export const isToolError = (error: unknown): error is ToolError => error instanceof Error && brand in error;
