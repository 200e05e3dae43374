/** Forms that keep what was typed while the person signs in again: see drafts.ts. */
import { useEffect, useState } from 'react';
import type { FieldValues, Path, UseFormGetValues } from 'react-hook-form';
import { createDrafts, type Draft, forgetDraftsOfOthers, keepWhenSessionEnds } from './drafts.ts';
import { usePerson, useSession } from './session-context.tsx';

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
