/** What the rows of the cockpit share: names with their values, instants in words, and links to other sections. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormatter, useNow, useTranslations } from 'use-intl';
import { Instant } from '../../components/instant.tsx';
import { formatDate } from '../../dates.ts';
import { sinceWhen } from '../account/device-row.tsx';
import { type McpView, toAddress } from './address.ts';
import { useMcpRight } from './gate.tsx';

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
