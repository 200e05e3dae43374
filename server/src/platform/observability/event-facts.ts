/** The declaration of an event of the log: level, fields and meaning. */

export type Level = 'debug' | 'info' | 'warn' | 'error';

export interface EventFacts<At extends Level = Level> {
  readonly levels: readonly At[];
  /**
   * Whether the event matters for detecting attacks: who did, or tried, what to whom. Its lines have `"security":
   * true`.
   */
  readonly isSecurity: boolean;
  /** Additional fields of its line. Never a person's address, a secret, or a raw argument. */
  readonly fields: readonly string[];
  /** Text for docs/events.md. */
  readonly meaning: string;
}

const described =
  (isSecurity: boolean) =>
  <At extends Level>(level: At | readonly At[], fields: string, meaning: string): EventFacts<At> => ({
    levels: typeof level === 'string' ? [level] : level,
    isSecurity,
    fields: fields === '' ? [] : fields.split(' '),
    meaning,
  });

/** @param fields separated by spaces */
export const security = described(true);
export const operation = described(false);
