/** The clients that have registered themselves, what each holds, and the end of one. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Notice } from '../../components/notice.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { useSession } from '../../session/session-context.tsx';
import { isNarrowed } from './address.ts';
import { McpClientRow } from './client-row.tsx';
import { McpGate, Reasons, useMcpRight } from './gate.tsx';
import { McpList } from './list.tsx';
import { clientsQuery, type McpClient } from './queries.ts';
import { RevocationDialog, RevocationReceipt, useRevocation } from './revocation.tsx';
import { useMcpView, useViewChanges } from './view.ts';

export const McpClients = () => (
  <McpGate takes="access">
    <MayNotRevoke />
    <Clients />
  </McpGate>
);

const Clients = () => {
  const t = useTranslations('mcp.clients');
  const view = useMcpView();
  const { change, clear } = useViewChanges();
  const list = useInfiniteQuery(clientsQuery(useSession(), view));
  const field = useRef<HTMLInputElement>(null);
  const clearAll = () => {
    clear();
    // The button that had the focus goes with what it cleared.
    field.current?.focus();
  };
  const revocation = useRevocation();
  const mayRevoke = useMcpRight('revoke')?.granted === true;
  return (
    <McpList
      title={t('title')}
      lead={t('lead')}
      list={list}
      keyOf={({ id }: McpClient) => id}
      total={(total) => t('total', { total })}
      none={t('none')}
      onClear={isNarrowed(view) ? clearAll : undefined}
      filters={
        <SearchField
          label={t('search')}
          search={view.search ?? ''}
          field={field}
          onSearch={(search) => change({ search })}
        />
      }
      news={
        <>
          <RevocationReceipt revocation={revocation} />
          <RevocationDialog revocation={revocation} />
        </>
      }
    >
      {(clients, isBusy) => (
        <ul aria-busy={isBusy} className="divide-y divide-line">
          {clients.map((client) => (
            <McpClientRow key={client.id} client={client} mayRevoke={mayRevoke} onRevoke={revocation.begin} />
          ))}
        </ul>
      )}
    </McpList>
  );
};

/** Who may look but not revoke is told why. */
const MayNotRevoke = () => {
  const t = useTranslations('mcp.clients.mayNotRevoke');
  const right = useMcpRight('revoke');
  if (right === undefined || right.granted) return null;
  return (
    <Notice tone="news" title={t('title')}>
      <p>{t('why')}</p>
      <Reasons right={right} />
    </Notice>
  );
};
