/**
 * The state of a form of several text fields. Inputs keep their own values, so that what a browser fills in counts; a
 * form is checked when it is submitted, and from then on with each change.
 */
import { type RefCallback, type SubmitEvent, useCallback, useState } from 'react';
import { hasCode } from '../session/refusal.ts';
import type { FieldRule } from './form-rules.ts';

/** Properties of the input of a field. */
interface FieldInput {
  readonly name: string;
  readonly ref: RefCallback<HTMLInputElement>;
  readonly defaultValue: string | undefined;
  readonly onChange: () => void;
  readonly problem: string | undefined;
}

interface Form<Name extends string> {
  readonly field: (name: Name) => FieldInput;
  /** As it is typed now; empty before the field is rendered. */
  readonly typed: (name: Name) => string;
  readonly focus: (name: Name) => void;
  /** Empties all fields. */
  readonly clear: () => void;
  readonly hasProblem: boolean;
  /** Calls the handler with a reader of the values; with a problem, shows all and focuses the first field of them. */
  readonly onSubmit: (handler: (read: (name: Name) => string) => void) => (event: SubmitEvent) => void;
  readonly showProblem: (name: Name, problem: string) => void;
  /** Shows the server's reasons at their fields. */
  readonly showRefusal: (error: unknown) => void;
}

/** A value that breaks the rule of its field, worded when it is shown, or a message. */
type Problem = { readonly value: string } | { readonly message: string };

type Problems<Name> = ReadonlyMap<Name, Problem>;

/** @param rules of each field, in the order in which they are shown */
export const useForm = <Name extends string>(
  rules: Readonly<Record<Name, FieldRule>>,
  initial?: Readonly<Partial<Record<Name, string>>>,
): Form<Name> => {
  const [inputs] = useState(() => new InputRefs<Name>());
  const [problems, setProblems] = useState<Problems<Name>>(new Map());
  const [isChecked, setChecked] = useState(false);
  const names = Object.keys(rules).filter((name): name is Name => name in rules);
  const typed = useCallback((name: Name) => inputs.get(name)?.value ?? '', [inputs]);
  const focus = useCallback((name: Name) => inputs.get(name)?.focus(), [inputs]);
  const read = (name: Name) => (rules[name].isVerbatim === true ? typed(name) : typed(name).trim());
  const problemsBy = (problemOf: (name: Name) => Problem | undefined): Problems<Name> =>
    new Map(names.flatMap((name) => entryOf(name, problemOf(name))));
  const show = (found: Problems<Name>): void => {
    setProblems(found);
    const [first] = found.keys();
    if (first !== undefined) focus(first);
  };
  const checked = () =>
    problemsBy((name) => {
      const value = read(name);
      return rules[name].check(value) === undefined ? undefined : { value };
    });
  /** In the language that is shown now, which may have changed since. */
  const wordsOf = (name: Name, problem: Problem | undefined): string | undefined =>
    problem === undefined || 'message' in problem ? problem?.message : rules[name].check(problem.value);
  return {
    field: (name) => ({
      name,
      ref: inputs.refOf(name),
      defaultValue: initial?.[name],
      // A new map renders the form again: what depends on the typed text is shown with it.
      onChange: () => setProblems(isChecked ? checked() : new Map()),
      problem: wordsOf(name, problems.get(name)),
    }),
    typed,
    focus,
    clear: () => {
      for (const name of names) inputs.empty(name);
      setProblems(new Map());
      setChecked(false);
    },
    hasProblem: problems.size > 0,
    onSubmit: (handler) => (event) => {
      event.preventDefault();
      const found = checked();
      setChecked(true);
      show(found);
      if (found.size === 0) handler(read);
    },
    showProblem: (name, problem) => show(new Map([[name, { message: problem }]])),
    showRefusal: (error) => {
      if (hasCode(error, 'BAD_USER_INPUT')) show(problemsBy((name) => messageOf(error.fields[name])));
    },
  };
};

const messageOf = (message: string | undefined): Problem | undefined =>
  message === undefined ? undefined : { message };

const entryOf = <Name>(name: Name, problem: Problem | undefined): readonly (readonly [Name, Problem])[] =>
  problem === undefined ? [] : [[name, problem]];

/** The rendered inputs by name, and for each name one ref, so that React keeps it over renderings. */
class InputRefs<Name> {
  readonly #inputs = new Map<Name, HTMLInputElement>();
  readonly #refs = new Map<Name, RefCallback<HTMLInputElement>>();

  get(name: Name): HTMLInputElement | undefined {
    return this.#inputs.get(name);
  }

  empty(name: Name): void {
    const input = this.#inputs.get(name);
    if (input !== undefined) input.value = '';
  }

  refOf(name: Name): RefCallback<HTMLInputElement> {
    const known = this.#refs.get(name);
    if (known !== undefined) return known;
    const ref: RefCallback<HTMLInputElement> = (input) => {
      if (input === null) this.#inputs.delete(name);
      else this.#inputs.set(name, input);
    };
    this.#refs.set(name, ref);
    return ref;
  }
}
