/** Parts of the cockpit's rows: exact times, and links to other sections. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { formatDate } from '../../components/dates.tsx';
import { toSearchParams } from '../../lists/list-view.ts';
import { useConsolePermission } from '../console/permissions.ts';
import type { McpView } from './view.ts';

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
  const canSeeClients = useConsolePermission('access')?.granted === true;
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
