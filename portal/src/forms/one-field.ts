/**
 * A required text field of a form that needs no form library, because it has one or two: its value, its problem, and
 * where the focus goes.
 */
import { type Ref, type SubmitEvent, useCallback, useRef, useState } from 'react';
import { hasCode } from '../session/refusal.ts';

interface OneFieldOptions {
  /** Shown when the field is empty. */
  readonly missing: string;
  readonly initial?: string;
  /** The problem of a value that is not empty; undefined where it has none. */
  readonly check?: (value: string) => string | undefined;
  /** Whether white space at the ends is removed; not that of a password. */
  readonly isTrimmed?: boolean;
}

interface OneField {
  readonly problem: string | undefined;
  /** Properties of the input. */
  readonly input: {
    readonly ref: Ref<HTMLInputElement>;
    readonly defaultValue: string;
    readonly onChange: () => void;
  };
  readonly read: () => string;
  readonly focus: () => void;
  /** The value; undefined where it has a problem, which is shown then. */
  readonly accept: () => string | undefined;
  /** The submission of a form of this field alone: calls the handler with the value, else shows the problem. */
  readonly onSubmit: (handler: (value: string) => void) => (event: SubmitEvent) => void;
  /** Shows the server's message for the field of this name. @returns whether the refusal says no more than that */
  readonly showRefusal: (error: unknown, name: string) => boolean;
}

/** A value with a problem of its own, or the message of the server. */
type Judged = { readonly value: string } | { readonly message: string };

export const useOneField = ({ missing, initial = '', isTrimmed = true, check }: OneFieldOptions): OneField => {
  const ref = useRef<HTMLInputElement>(null);
  const [judged, setJudged] = useState<Judged>();
  const read = useCallback(() => {
    const value = ref.current?.value ?? '';
    return isTrimmed ? value.trim() : value;
  }, [isTrimmed]);
  const focus = () => ref.current?.focus();
  const show = (shown: Judged) => {
    setJudged(shown);
    focus();
  };
  const problemOf = (value: string) => (value === '' ? missing : check?.(value));
  const accept = () => {
    const value = read();
    const isAccepted = problemOf(value) === undefined;
    if (isAccepted) setJudged(undefined);
    else show({ value });
    return isAccepted ? value : undefined;
  };
  return {
    // In the language that is shown now, which may have changed since.
    problem: judged === undefined || 'message' in judged ? judged?.message : problemOf(judged.value),
    input: { ref, defaultValue: initial, onChange: () => setJudged(undefined) },
    read,
    focus,
    accept,
    onSubmit: (handler) => (event) => {
      event.preventDefault();
      const value = accept();
      if (value !== undefined) handler(value);
    },
    showRefusal: (error, name) => {
      if (!hasCode(error, 'BAD_USER_INPUT') || error.fields[name] === undefined) return false;
      show({ message: error.fields[name] });
      return Object.keys(error.fields).length === 1;
    },
  };
};
