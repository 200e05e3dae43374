/** Parts of the cockpit's rows: exact times, links to other sections, and the copy button. */
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { formatDate } from '../../components/dates.tsx';
import { useMcpPermission } from './gate.tsx';
import { type McpView, toSearchParams } from './view.ts';

/** An instant to the second. */
export const formatExactly = (at: string): string => formatDate(at, { dateStyle: 'medium', timeStyle: 'medium' });

interface ViewLinkProps {
  readonly view: McpView;
  /** Accessible name, when the text alone is ambiguous. */
  readonly label?: string | undefined;
  readonly children: ReactNode;
}

/** The name of a client, linked to its revocation if the person may see the clients. */
export const ClientLink = ({ name }: { readonly name: string }) => {
  const t = useTranslations('mcp.list');
  const canSeeClients = useMcpPermission('access')?.granted === true;
  if (!canSeeClients) return name;
  return (
    <ViewLink view={{ section: 'clients', search: name }} label={t('clientOf', { client: name })}>
      {name}
    </ViewLink>
  );
};

/** Link to a section with filters. */
export const ViewLink = ({ view, label, children }: ViewLinkProps) => (
  <Link
    from="/admin/super/mcp"
    to="."
    search={toSearchParams(view)}
    aria-label={label}
    title={label}
    className="text-link min-w-0 wrap-anywhere"
  >
    {children}
  </Link>
);

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
