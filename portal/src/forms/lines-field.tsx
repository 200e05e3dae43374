/** A field for a list of exact texts, one on each line, with a hint and the problem of one of them. */
import { type Ref, useId } from 'react';
import { FieldProblem, inputClass } from './field.tsx';

interface LinesFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly problem: string | undefined;
  readonly onType: (text: string) => void;
  readonly ref?: Ref<HTMLTextAreaElement>;
}

export const LinesField = ({ label, hint, value, problem, onType, ref }: LinesFieldProps) => {
  const id = useId();
  const [hintId, problemId] = [`${id}-hint`, `${id}-problem`];
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block text-[0.9375rem] font-medium">
        {label}
      </label>
      <textarea
        ref={ref}
        id={id}
        rows={4}
        dir="ltr"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck="false"
        value={value}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={problem === undefined ? hintId : `${problemId} ${hintId}`}
        className={`${inputClass} py-2.5 font-mono`}
        onChange={({ currentTarget }) => onType(currentTarget.value)}
      />
      {problem !== undefined && <FieldProblem id={problemId} text={problem} />}
      <p id={hintId} className="text-sm text-soft">
        {hint}
      </p>
    </div>
  );
};

/** The entries, which are on lines or separated by commas or blanks. */
export const linesOf = (text: string): string[] => text.split(/[\s,;]+/).filter((line) => line !== '');
