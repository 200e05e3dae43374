/** The button that copies an id or a command. */
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from './button.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** Accessible name, distinct for each copy button. */
  readonly label: string;
  /** For a compact row. */
  readonly isSmall?: boolean;
}

const shownMilliseconds = 4_000;

/** Copies a text, and reports when the browser denies access to the clipboard; the text itself stays selectable. */
export const CopyButton = ({ text, label, isSmall = false }: CopyButtonProps) => {
  const t = useTranslations('console.copy');
  const [outcome, setOutcome] = useState<Outcome>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    const next = await write(text);
    clearTimeout(timer.current);
    setOutcome(next);
    timer.current = setTimeout(() => setOutcome(undefined), shownMilliseconds);
  };
  const buttonProps = { 'aria-label': label, onClick: () => void copy() };
  const caption = t(outcome ?? 'copy');
  return (
    <>
      {isSmall ? (
        <button type="button" {...buttonProps} className="text-link py-1 text-sm">
          {caption}
        </button>
      ) : (
        <Button variant="secondary" {...buttonProps}>
          {caption}
        </Button>
      )}
      <span role="status" className="sr-only">
        {outcome !== undefined && t(outcome)}
      </span>
    </>
  );
};

type Outcome = 'copied' | 'failed';

const write = async (text: string): Promise<Outcome> => {
  try {
    await navigator.clipboard.writeText(text);
    return 'copied';
  } catch {
    return 'failed';
  }
};
