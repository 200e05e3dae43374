/** The choice of when a token expires: in some days, or at the end of a day. */
import { type RefObject, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Field, FieldProblem } from '../forms/field.tsx';
import { hasCode } from '../session/refusal.ts';
import { focusGroup } from './scope-field.tsx';

const offeredDays = ['7', '30', '90', '365'] as const;

type Choice = (typeof offeredDays)[number] | 'date';

interface Expiry {
  readonly choice: Choice;
  readonly date: string;
  readonly problem: string | undefined;
  readonly group: RefObject<HTMLFieldSetElement | null>;
  readonly choose: (choice: Choice) => void;
  readonly setDate: (date: string) => void;
  /** The instant, ISO 8601; undefined where it has a problem, which is shown then. */
  readonly accept: () => string | undefined;
  /** Shows the server's reason. @returns whether there is one */
  readonly showRefusal: (error: unknown) => boolean;
}

export const useExpiry = (): Expiry => {
  const t = useTranslations('tokenForm');
  const [choice, setChoice] = useState<Choice>('30');
  const [date, setDate] = useState('');
  const [problem, setProblem] = useState<'missing' | { readonly message: string }>();
  const group = useRef<HTMLFieldSetElement>(null);
  const show = (shown: 'missing' | { readonly message: string }): void => {
    setProblem(shown);
    const dateField = group.current?.querySelector<HTMLInputElement>('input[type="date"]');
    if (dateField === null || dateField === undefined) focusGroup(group.current);
    else dateField.focus();
  };
  return {
    choice,
    date,
    problem: problem === 'missing' ? t('dateMissing') : problem?.message,
    group,
    choose: (next) => {
      setChoice(next);
      setProblem(undefined);
    },
    setDate: (next) => {
      setDate(next);
      setProblem(undefined);
    },
    accept: () => {
      const instant = instantOf(choice, date);
      if (instant === undefined) show('missing');
      return instant;
    },
    showRefusal: (error) => {
      const message = hasCode(error, 'BAD_USER_INPUT') ? error.fields['expiresAt'] : undefined;
      if (message !== undefined) show({ message });
      return message !== undefined;
    },
  };
};

const millisecondsPerDay = 86_400_000;

/** A minute less than whole days: the policy counts in days, by the clock of the server. */
const clockSkewMilliseconds = 60_000;

/** The end of the chosen day in the time zone of this browser. */
const instantOf = (choice: Choice, date: string): string | undefined => {
  const now = Date.now();
  const end =
    choice === 'date'
      ? Date.parse(`${date}T23:59:59`)
      : now + Number(choice) * millisecondsPerDay - clockSkewMilliseconds;
  return Number.isNaN(end) || end <= now ? undefined : new Date(end).toISOString();
};

export const ExpiryField = ({ expiry }: { readonly expiry: Expiry }) => {
  const t = useTranslations('tokenForm');
  const id = useId();
  const problemId = `${id}-problem`;
  const { choice, problem } = expiry;
  return (
    <fieldset
      ref={expiry.group}
      className="space-y-1.5"
      aria-describedby={problem === undefined ? undefined : problemId}
    >
      <legend className="text-[0.9375rem] font-medium">{t('expiry')}</legend>
      <div className="divide-y divide-line rounded-control border border-edge">
        {[...offeredDays, 'date' as const].map((each) => (
          <label key={each} className="flex min-h-11 items-center gap-3 px-3.5 py-2">
            <input
              type="radio"
              name={`${id}-expiry`}
              value={each}
              checked={each === choice}
              className="size-4 shrink-0 accent-accent"
              onChange={() => expiry.choose(each)}
            />
            {each === 'date' ? t('onDate') : t('inDays', { days: Number(each) })}
          </label>
        ))}
      </div>
      {choice === 'date' && (
        <Field
          type="date"
          label={t('date')}
          value={expiry.date}
          describedBy={problem === undefined ? undefined : problemId}
          onChange={(event) => expiry.setDate(event.target.value)}
        />
      )}
      {problem !== undefined && <FieldProblem id={problemId} text={problem} />}
    </fieldset>
  );
};
