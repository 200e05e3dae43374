/**
 * What a person had typed into a form when their session ended under it, for the moment when they are back. Kept in
 * this tab only, for that person only, and never anything secret: each form names the fields that it gives.
 */
import type { Session } from './session.ts';

export type Draft = Readonly<Record<string, string>>;

export interface Drafts {
  readonly keep: (person: string, form: string, draft: Draft) => void;
  readonly find: (person: string, form: string) => Draft | undefined;
  readonly remove: (form: string) => void;
  /** Of everybody, or of everybody else. */
  readonly forget: (but?: string) => void;
}

const key = 'gatehouse-drafts';

interface Kept {
  readonly person: string;
  readonly draft: Draft;
}

/** @param storage that of the tab; a browser may refuse it, and then nothing is kept */
export const createDrafts = (storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): Drafts => {
  const read = (): ReadonlyMap<string, Kept> => {
    try {
      return new Map(readKept(JSON.parse(storage().getItem(key) ?? '[]')));
    } catch {
      return new Map();
    }
  };
  const write = (kept: ReadonlyMap<string, Kept>): void => {
    try {
      if (kept.size === 0) storage().removeItem(key);
      else storage().setItem(key, JSON.stringify([...kept]));
    } catch {
      // Full, or refused: the person types again.
    }
  };
  return {
    keep: (person, form, draft) => write(new Map([...read(), [form, { person, draft }]])),
    find: (person, form) => {
      const kept = read().get(form);
      return kept?.person === person ? kept.draft : undefined;
    },
    remove: (form) => write(new Map([...read()].filter(([name]) => name !== form))),
    forget: (but) => write(new Map([...read()].filter(([, { person }]) => person === but))),
  };
};

/** Anything else in the storage is none of ours. */
const readKept = (value: unknown): [string, Kept][] =>
  Array.isArray(value) ? value.filter((entry): entry is [string, Kept] => isEntry(entry)) : [];

const isEntry = (value: unknown): boolean => {
  if (!Array.isArray(value) || typeof value[0] !== 'string') return false;
  const kept: unknown = value[1];
  if (typeof kept !== 'object' || kept === null || !('person' in kept) || !('draft' in kept)) return false;
  const { person, draft } = kept;
  return typeof person === 'string' && typeof draft === 'object' && draft !== null && areTexts(Object.values(draft));
};

const areTexts = (values: readonly unknown[]): boolean => values.every((value) => typeof value === 'string');

/**
 * Keeps what `read` answers at the moment when the session ends without the person's own wish, and nothing before.
 * @param read the texts of the form; undefined when there is nothing worth keeping
 * @returns ends the watch
 */
export const keepWhenSessionEnds = (
  session: Pick<Session, 'state' | 'subscribe'>,
  drafts: Drafts,
  form: string,
  read: () => Draft | undefined,
): (() => void) => {
  let person = personOf(session);
  return session.subscribe(() => {
    const before = person;
    person = personOf(session);
    if (before === undefined || person !== undefined || isOwnWish(session)) return;
    const draft = read();
    if (draft !== undefined) drafts.keep(before, form, draft);
  });
};

/** Removes the drafts of a person who leaves on purpose, and those of any other person than the one who signs in. */
export const forgetDraftsOfOthers = (session: Pick<Session, 'state' | 'subscribe'>, drafts: Drafts): (() => void) =>
  session.subscribe(() => {
    const person = personOf(session);
    if (person !== undefined) drafts.forget(person);
    else if (isOwnWish(session)) drafts.forget();
  });

const personOf = (session: Pick<Session, 'state'>): string | undefined => {
  const state = session.state();
  return state.kind === 'in' ? state.person.id : undefined;
};

const isOwnWish = (session: Pick<Session, 'state'>): boolean => {
  const state = session.state();
  return state.kind === 'out' && state.ending !== undefined && state.ending !== 'ended';
};
