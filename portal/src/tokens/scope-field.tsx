/** The choice of what a token or a service account may do: scopes in words, each with its name. */
import { type RefObject, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { FieldProblem } from '../forms/field.tsx';
import { hasCode } from '../session/refusal.ts';
import { useWordsOfScopes } from './tokens.ts';

interface ScopeFieldProps {
  readonly scopes: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  readonly problem: string | undefined;
  readonly hint?: string;
  readonly group: RefObject<HTMLFieldSetElement | null>;
}

export const ScopeField = ({ scopes, chosen, onChange, problem, hint, group }: ScopeFieldProps) => {
  const t = useTranslations('tokenForm');
  const wordsOf = useWordsOfScopes();
  const id = useId();
  const [hintId, problemId] = [`${id}-hint`, `${id}-problem`];
  const descriptions = [problem === undefined ? undefined : problemId, hint === undefined ? undefined : hintId];
  const toggle = (scope: string): void => onChange(scopes.filter((each) => (each === scope) !== chosen.includes(each)));
  return (
    <fieldset
      ref={group}
      className="space-y-1.5"
      aria-describedby={descriptions.filter((part) => part !== undefined).join(' ') || undefined}
    >
      <legend className="text-[0.9375rem] font-medium">{t('scopes')}</legend>
      <div
        className={`max-h-[36rem] divide-y divide-line overflow-y-auto rounded-control border ${problem === undefined ? 'border-edge' : 'border-danger'}`}
      >
        {scopes.map((scope) => (
          <label key={scope} className="flex min-h-11 items-start gap-3 px-3.5 py-2.5">
            <input
              type="checkbox"
              name="scopes"
              value={scope}
              checked={chosen.includes(scope)}
              className="mt-1 size-4 shrink-0 accent-accent"
              onChange={() => toggle(scope)}
            />
            <ScopeText scope={scope} words={wordsOf(scope)} />
          </label>
        ))}
      </div>
      {problem !== undefined && <FieldProblem id={problemId} text={problem} />}
      {hint !== undefined && (
        <p id={hintId} className="text-sm text-soft">
          {hint}
        </p>
      )}
    </fieldset>
  );
};

const ScopeText = ({ scope, words }: { readonly scope: string; readonly words: string | undefined }) => (
  <span className="min-w-0 wrap-anywhere">
    {words !== undefined && <span className="block font-medium">{words}</span>}
    <code className="block font-mono text-xs leading-5 text-soft">{scope}</code>
  </span>
);

/** Gives the focus to the chosen input of a group, or its first one. */
export const focusGroup = (group: HTMLElement | null): void => {
  const input = group?.querySelector<HTMLInputElement>('input:checked') ?? group?.querySelector('input');
  input?.focus();
};

/** The scopes that are chosen among those on offer. */
export const useChosenScopes = (scopes: readonly string[], initial: readonly string[]) => {
  const t = useTranslations('tokenForm');
  const [chosen, setChosen] = useState(initial);
  const [problem, setProblem] = useState<'missing' | { readonly message: string }>();
  const group = useRef<HTMLFieldSetElement>(null);
  const show = (shown: 'missing' | { readonly message: string }): void => {
    setProblem(shown);
    focusGroup(group.current);
  };
  return {
    group: {
      scopes,
      chosen,
      group,
      problem: problem === 'missing' ? t('scopesMissing') : problem?.message,
      onChange: (next: readonly string[]) => {
        setChosen(next);
        setProblem(undefined);
      },
    },
    accept: (): readonly string[] | undefined => {
      if (chosen.length === 0) show('missing');
      return chosen.length === 0 ? undefined : chosen;
    },
    showRefusal: (error: unknown): boolean => {
      const message = hasCode(error, 'BAD_USER_INPUT') ? error.fields['scopes'] : undefined;
      if (message !== undefined) show({ message });
      return message !== undefined;
    },
  };
};
