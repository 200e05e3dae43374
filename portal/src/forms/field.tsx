/** A form field with its label and validation message, and the buttons of a form. */
import { type InputHTMLAttributes, type ReactNode, type Ref, useId, useLayoutEffect } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'spellCheck'> {
  readonly label: string;
  readonly problem?: string | undefined;
  /** Id of another element that describes the field. */
  readonly describedBy?: string | undefined;
  /** Rendered inside the input's box, at its end. */
  readonly adornment?: ReactNode;
  readonly ref?: Ref<HTMLInputElement>;
  /** A word, because Preact leaves an attribute out for the value `false`. */
  readonly spellCheck?: 'false';
  /** The rules for a password manager's new passwords. */
  readonly passwordrules?: string;
}

export const Field = (props: FieldProps) => {
  const { label, problem, describedBy, adornment, className, autoFocus = false, ...input } = props;
  const id = useId();
  useFirstFocus(id, autoFocus);
  const problemId = `${id}-problem`;
  const descriptions = [problem === undefined ? undefined : problemId, describedBy].filter(
    (part) => part !== undefined,
  );
  return (
    <div className="min-w-0 space-y-1.5">
      <label htmlFor={id} className="block text-[0.9375rem] font-medium">
        {label}
      </label>
      <div className="relative">
        <input
          {...input}
          id={id}
          aria-invalid={problem === undefined ? undefined : true}
          aria-describedby={descriptions.length === 0 ? undefined : descriptions.join(' ')}
          className={`${inputClass} ${adornment === undefined ? '' : 'pe-12'} ${className ?? ''}`}
        />
        {adornment}
      </div>
      {problem !== undefined && <FieldProblem id={problemId} text={problem} />}
    </div>
  );
};

/** The problem of a field or of a group of inputs, which names it as its description. */
export const FieldProblem = ({ id, text }: { readonly id: string; readonly text: string }) => (
  <p id={id} className="settle flex gap-1.5 text-sm leading-snug text-danger">
    <Icon name="alert" className="mt-px size-4.5" />
    <span>{text}</span>
  </p>
);

/** React gives the focus itself; Preact leaves it to the attribute, which browsers heed once for a page. */
const useFirstFocus = (id: string, isWanted: boolean): void =>
  useLayoutEffect(() => {
    if (isWanted) document.getElementById(id)?.focus();
  }, [id, isWanted]);

export const EmailField = (props: FieldProps) => (
  <Field type="email" autoCapitalize="none" spellCheck="false" {...props} />
);

/** For a one-time code or a recovery code; `inputMode="numeric"` where only digits are asked for. */
export const CodeField = (props: FieldProps) => (
  <Field
    type="text"
    name="code"
    autoComplete="one-time-code"
    autoCapitalize="characters"
    autoCorrect="off"
    spellCheck="false"
    {...props}
  />
);

// 16 pixels or more: smaller text makes phones zoom into the field.
export const inputClass =
  'block min-h-12 w-full rounded-control border border-edge bg-surface px-3.5 text-base text-ink transition-[border-color,box-shadow] duration-150 hover:border-soft focus-visible:border-accent focus-visible:outline-none focus-visible:ring-3 focus-visible:ring-accent/25 aria-invalid:border-danger aria-invalid:focus-visible:ring-danger/25';

interface FormButtonsProps {
  readonly submit: string;
  readonly busy: boolean;
  readonly onClose: () => void;
}

export const FormButtons = ({ submit, busy, onClose }: FormButtonsProps) => {
  const t = useTranslations('common');
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" busy={busy}>
        {submit}
      </Button>
      <Button variant="secondary" onClick={onClose}>
        {t('close')}
      </Button>
    </div>
  );
};
