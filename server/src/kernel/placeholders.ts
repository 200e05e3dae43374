/** The placeholders of ICU messages: what a text of an adopter does with each, and whether it may. */
import { nearestOf } from './spelling.ts';

/** A placeholder or tag of a message, and what the message does with it. */
export interface Placeholder {
  readonly name: string;
  readonly use: 'argument' | 'select' | 'plural' | 'number' | 'tag' | 'other';
  /** The cases that a select or plural names. */
  readonly cases: readonly string[];
}

/** A number (`count`), a tag, one of some choices, which a text selects by, or a text of any other kind. */
type Kind = string | readonly string[];

/** The values that a text may be filled in with, by name. */
export type Kinds = Readonly<Record<string, Kind>>;

/** @returns what is wrong with a placeholder, the end of a sentence; null when nothing is */
export const placeholderFault = ({ name, use, cases }: Placeholder, kinds: Kinds): string | null => {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind === undefined) return unknownPlaceholder(written(name, use), name, kinds);
  if ((use === 'tag') !== (kind === 'tag')) return `there is no ${written(name, use)}, but ${written(name, kind)}.`;
  if (use === 'tag' || use === 'argument') return null;
  if (use === 'number' && kind === 'count') return null;
  if (use === 'plural' && kind === 'count') return pluralFault(name, cases);
  if (use === 'select' && typeof kind !== 'string') {
    const wrong = cases.find((word) => word !== 'other' && !kind.includes(word));
    return wrong === undefined ? null : `{${name}} is never ${wrong}, but ${kind.join(', ')}.`;
  }
  return `{${name}} is filled in as it is: write {${name}} alone.`;
};

/** An odd number of straight quotation marks before a placeholder or tag. */
const quoted = /(?<!')(?:'')*'([{<])(\w+)[,}>]/g;

/**
 * A quoted placeholder is legal in ICU messages, and an elision (`l'{name}`) by mistake: people would read `{name}`.
 * @returns the end of a sentence; null when none of these placeholders is quoted
 */
export const quotationFault = (text: string, kinds: Kinds): string | null => {
  const [, opening, name = ''] =
    [...text.matchAll(quoted)].find(([, , found = '']) => Object.hasOwn(kinds, found)) ?? [];
  if (opening === undefined) return null;
  return `the straight quotation mark before ${opening}${name} shows it as it is written: write ’.`;
};

/** The categories of CLDR; a language uses some of them. */
const pluralForms: readonly string[] = ['zero', 'one', 'two', 'few', 'many', 'other'];

const pluralFault = (name: string, cases: readonly string[]): string | null => {
  const wrong = cases.find((form) => !pluralForms.includes(form) && !/^=\d+$/.test(form));
  return wrong === undefined
    ? null
    : `{${name}} has no form ${wrong}, but ${pluralForms.join(', ')} and numbers as =0.`;
};

const written = (name: string, kind: Kind): string => (kind === 'tag' ? `<${name}>` : `{${name}}`);

const unknownPlaceholder = (shown: string, name: string, kinds: Kinds): string => {
  const nearest = nearestOf(name, Object.keys(kinds));
  if (nearest !== null) return `there is no ${shown}; did you mean ${written(nearest, kinds[nearest] ?? '')}?`;
  const names = Object.entries(kinds).map(([known, kind]) => written(known, kind));
  return names.length === 0 ? `there is no ${shown}.` : `there is no ${shown}, but ${names.join(', ')}.`;
};
