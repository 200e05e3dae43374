/** Parts of the cockpit's rows: name–value lists, relative times, links to other sections, and the copy button. */
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useFormatter, useNow, useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { formatDate, Instant, sinceWhen } from '../../components/dates.tsx';
import { useMcpRight } from './gate.tsx';
import { type McpView, toAddress } from './view.ts';

export const Facts = ({ children }: { readonly children: ReactNode }) => (
  <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-sm text-soft tabular-nums">{children}</dl>
);

export const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd className="wrap-anywhere">{children}</dd>
  </>
);

/** How long ago something was; its instant is in the title. */
export const Ago = ({ at }: { readonly at: string }) => {
  const t = useTranslations('devices');
  const format = useFormatter();
  const now = useNow({ updateInterval: 60_000 });
  return <Instant at={at}>{sinceWhen(new Date(at), now, format, t('justNow'))}</Instant>;
};

/** An instant of the recent past to the second. */
export const exactly = (at: string): string => formatDate(at, { dateStyle: 'medium', timeStyle: 'medium' });

interface ViewLinkProps {
  readonly view: McpView;
  /** The link's name, where its words do not say enough alone. */
  readonly label?: string | undefined;
  readonly children: ReactNode;
}

/** A client by its name, leading to where it is ended, for who may see that. */
export const ClientLink = ({ name }: { readonly name: string }) => {
  const t = useTranslations('mcp.list');
  const maySeeClients = useMcpRight('access')?.granted === true;
  if (!maySeeClients) return name;
  return (
    <ViewLink view={{ section: 'clients', search: name }} label={t('clientOf', { client: name })}>
      {name}
    </ViewLink>
  );
};

/** Leads to a section, narrowed. */
export const ViewLink = ({ view, label, children }: ViewLinkProps) => (
  <Link
    from="/admin/super/mcp"
    to="."
    search={toAddress(view)}
    aria-label={label}
    title={label}
    className="text-link min-w-0 wrap-anywhere"
  >
    {children}
  </Link>
);

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
