/** The clients that have registered themselves, what each holds, and the end of one. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Notice } from '../../components/notice.tsx';
import { useSession } from '../../session/session-context.tsx';
import { McpClientRow } from './client-row.tsx';
import { McpGate, Reasons, useMcpRight } from './gate.tsx';
import { McpList } from './list.tsx';
import { clientsQuery, type McpClient } from './queries.ts';
import { ClientRevocation, useClientRevoking } from './revocation.tsx';
import { McpSearch } from './search.tsx';
import { useClearing, useMcpView } from './view.ts';

export const McpClients = () => (
  <McpGate takes="access">
    <MayNotRevoke />
    <Clients />
  </McpGate>
);

const Clients = () => {
  const t = useTranslations('mcp.clients');
  const view = useMcpView();
  const list = useInfiniteQuery(clientsQuery(useSession(), view));
  const { field, onClear } = useClearing();
  const revoking = useClientRevoking();
  const mayRevoke = useMcpRight('revoke')?.granted === true;
  return (
    <McpList
      title={t('title')}
      lead={t('lead')}
      list={list}
      keyOf={({ id }: McpClient) => id}
      total={(total) => t('total', { total })}
      none={t('none')}
      onClear={onClear}
      filters={<McpSearch label={t('search')} field={field} />}
      news={<ClientRevocation revoking={revoking} />}
    >
      {(clients, isBusy) => (
        <ul aria-busy={isBusy} className="divide-y divide-line">
          {clients.map((client) => (
            <McpClientRow key={client.id} client={client} mayRevoke={mayRevoke} onRevoke={revoking.begin} />
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
