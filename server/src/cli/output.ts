/** Owns the output of a command's result: text for people or, with `--json`, one JSON object. */

/** The option of every command with a result. */
export interface JsonOption {
  readonly json?: true;
}

export const write = (text: string): void => {
  process.stdout.write(text);
};

/** @param text given a line break at its end where it has none */
export const print = ({ json }: JsonOption, facts: object, text: string): void =>
  write(json === true ? `${JSON.stringify(facts)}\n` : text.endsWith('\n') ? text : `${text}\n`);

/** A number and its noun, such as `1 row` or `2 rows`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`;
