/** Copies a text. Where the browser keeps the clipboard from the page, it says so: the text itself can be selected. */
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** Names what is copied, for those who hear several of these buttons. */
  readonly label: string;
  /** Beside a short text in a crowded row. */
  readonly isSmall?: boolean;
}

const shownMilliseconds = 4_000;

export const CopyButton = ({ text, label, isSmall = false }: CopyButtonProps) => {
  const t = useTranslations('mcp.copy');
  const [outcome, setOutcome] = useState<Outcome>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    const next = await write(text);
    clearTimeout(timer.current);
    setOutcome(next);
    timer.current = setTimeout(() => setOutcome(undefined), shownMilliseconds);
  };
  const press = { 'aria-label': label, onClick: () => void copy() };
  const words = t(outcome ?? 'copy');
  return (
    <>
      {isSmall ? (
        <button type="button" {...press} className="text-link py-1 text-sm">
          {words}
        </button>
      ) : (
        <Button look="quiet" {...press}>
          {words}
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
