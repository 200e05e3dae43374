/**
 * Form drafts: the values typed into a form when its session ended, restored after the next sign-in. Kept in this tab's
 * sessionStorage for that person only, and never with a secret: each form lists the fields to keep.
 */
import { useEffect, useState } from 'react';
import type { Session } from './session.ts';
import { usePerson, useSession } from './session-context.tsx';
import { deliberateEndOf } from './sign-out.ts';

type Draft = Readonly<Record<string, string>>;

/** @internal The type of what tests build or receive. */
export interface Drafts {
  readonly save: (person: string, form: string, draft: Draft) => void;
  readonly find: (person: string, form: string) => Draft | undefined;
  readonly remove: (form: string) => void;
  /** Removes all drafts, or those of other people. */
  readonly clear: (exceptPerson?: string) => void;
}

const key = 'gatehouse-drafts';

interface StoredDraft {
  readonly person: string;
  readonly draft: Draft;
}

/**
 * @param storage the tab's sessionStorage; when the browser denies it, nothing is kept
 * @internal A test runs it alone.
 */
export const createDrafts = (storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): Drafts => {
  const read = (): ReadonlyMap<string, StoredDraft> => {
    try {
      return new Map(readStoredDrafts(JSON.parse(storage().getItem(key) ?? '[]')));
    } catch {
      return new Map();
    }
  };
  const write = (stored: ReadonlyMap<string, StoredDraft>): void => {
    try {
      if (stored.size === 0) storage().removeItem(key);
      else storage().setItem(key, JSON.stringify([...stored]));
    } catch {
      // Quota exceeded or access denied: the draft is lost.
    }
  };
  return {
    save: (person, form, draft) => write(new Map([...read(), [form, { person, draft }]])),
    find: (person, form) => {
      const stored = read().get(form);
      return stored?.person === person ? stored.draft : undefined;
    },
    remove: (form) => write(new Map([...read()].filter(([name]) => name !== form))),
    clear: (exceptPerson) => write(new Map([...read()].filter(([, { person }]) => person === exceptPerson))),
  };
};

/** Foreign entries in the storage are ignored. */
const readStoredDrafts = (value: unknown): [string, StoredDraft][] =>
  Array.isArray(value) ? value.filter((entry): entry is [string, StoredDraft] => isEntry(entry)) : [];

const isEntry = (value: unknown): boolean => {
  if (!Array.isArray(value) || typeof value[0] !== 'string') return false;
  const stored: unknown = value[1];
  if (typeof stored !== 'object' || stored === null || !('person' in stored) || !('draft' in stored)) return false;
  const { person, draft } = stored;
  return typeof person === 'string' && typeof draft === 'object' && draft !== null && areStrings(Object.values(draft));
};

const areStrings = (values: readonly unknown[]): boolean => values.every((value) => typeof value === 'string');

/**
 * Saves the values of `read` when the session ends involuntarily.
 * @param read values of the form; undefined when it is empty
 * @returns unsubscribes
 * @internal A test runs it alone.
 */
export const saveOnSessionEnd = (
  session: Pick<Session, 'state' | 'subscribe'>,
  drafts: Drafts,
  form: string,
  read: () => Draft | undefined,
): (() => void) => {
  let person = personIdOf(session);
  return session.subscribe(() => {
    const before = person;
    person = personIdOf(session);
    if (before === undefined || person !== undefined || isIntentional(session)) return;
    const draft = read();
    if (draft !== undefined) drafts.save(before, form, draft);
  });
};

/**
 * Removes the drafts of a person who signs out, and of others than the person who signs in.
 * @internal A test runs it alone.
 */
export const clearDraftsOfOthers = (session: Pick<Session, 'state' | 'subscribe'>, drafts: Drafts): (() => void) =>
  session.subscribe(() => {
    const person = personIdOf(session);
    if (person !== undefined) drafts.clear(person);
    else if (isIntentional(session)) drafts.clear();
  });

const personIdOf = (session: Pick<Session, 'state'>): string | undefined => {
  const state = session.state();
  return state.status === 'signedIn' ? state.user.id : undefined;
};

const isIntentional = (session: Pick<Session, 'state'>): boolean => deliberateEndOf(session.state()) !== undefined;

const drafts = createDrafts(() => window.sessionStorage);

/** Removes drafts of other people, and this person's when they sign out. */
export const useDraftCleanup = (): void => {
  const session = useSession();
  const { id } = usePerson();
  useEffect(() => {
    drafts.clear(id);
    return clearDraftsOfOthers(session, drafts);
  }, [session, id]);
};

/** Whether a collapsed form has a draft to show. */
export const useHasDraft = (form: string): boolean => {
  const { id } = usePerson();
  return drafts.find(id, form) !== undefined;
};

/** The draft saved before the last sign-in; removed from the storage once read. */
export const useRestoredDraft = (form: string): Draft | undefined => {
  const { id } = usePerson();
  const [draft] = useState(() => drafts.find(id, form));
  useEffect(() => drafts.remove(form), [form]);
  return draft;
};

/** @param names fields to save, never a secret */
export const useSavedDraft = <Name extends string>(
  form: string,
  names: readonly Name[],
  getValue: (name: Name) => unknown,
): void => {
  const session = useSession();
  useEffect(
    () =>
      saveOnSessionEnd(session, drafts, form, () => {
        const values = names.map((name): [string, string] => [name, String(getValue(name))]);
        return values.every(([, text]) => text === '') ? undefined : Object.fromEntries(values);
      }),
    [session, form, names, getValue],
  );
};
