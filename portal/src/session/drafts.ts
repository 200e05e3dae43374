/**
 * Form drafts: the values typed into a form when its session ended, restored after the next sign-in. Kept in this tab's
 * sessionStorage for that person only, and never with a secret: each form lists the fields to keep.
 */
import { useEffect, useState } from 'react';
import type { FieldValues, Path, UseFormGetValues } from 'react-hook-form';
import type { Session } from './session.ts';
import { usePerson, useSession } from './session-context.tsx';

type Draft = Readonly<Record<string, string>>;

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

const drafts = createDrafts(() => window.sessionStorage);

/** Removes the drafts of other people while this person is signed in, and this person's when they sign out. */
export const useForgottenDrafts = (): void => {
  const session = useSession();
  const { id } = usePerson();
  useEffect(() => {
    drafts.forget(id);
    return forgetDraftsOfOthers(session, drafts);
  }, [session, id]);
};

/** Whether a form that is closed at first has something to show. */
export const useHasDraft = (form: string): boolean => {
  const { id } = usePerson();
  return drafts.find(id, form) !== undefined;
};

/** What was typed before the person had to sign in again; once shown, it is kept no more. */
export const useRestoredDraft = (form: string): Draft | undefined => {
  const { id } = usePerson();
  const [draft] = useState(() => drafts.find(id, form));
  useEffect(() => drafts.remove(form), [form]);
  return draft;
};

/** @param names the fields whose texts are kept; never one of a secret */
export const useKeptDraft = <Values extends FieldValues>(
  form: string,
  names: readonly Path<Values>[],
  getValues: UseFormGetValues<Values>,
): void => {
  const session = useSession();
  useEffect(
    () =>
      keepWhenSessionEnds(session, drafts, form, () => {
        const texts = names.map((name): [string, string] => [name, String(getValues(name))]);
        return texts.every(([, text]) => text === '') ? undefined : Object.fromEntries(texts);
      }),
    [session, form, names, getValues],
  );
};
