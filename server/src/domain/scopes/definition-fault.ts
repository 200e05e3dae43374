/** The faults of a definition: each is one sentence that begins with its place. */
import { nearestOf } from '../../kernel/spelling.ts';

/** A definition that cannot be served. The message begins with the place of the fault: `roles.EDITOR.title: …`. */
export class DefinitionRefused extends Error {
  override readonly name = 'DefinitionRefused';
}

export type Path = readonly (string | number)[];

const placeOf = (path: Path): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    const isName = /^[A-Za-z_$][\w$]*$/.test(part);
    if (!isName) return `${text}[${JSON.stringify(part)}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');

export const fault = (path: Path, sentence: string): DefinitionRefused =>
  new DefinitionRefused(path.length === 0 ? sentence : `${placeOf(path)}: ${sentence}`);

/** The end of a sentence about an unknown name. */
export const suggestion = (name: string, known: readonly string[]): string => {
  const nearest = nearestOf(name, known);
  return nearest === null ? '.' : `; did you mean ${nearest}?`;
};
