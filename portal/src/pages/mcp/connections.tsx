/** Each attempt of a client to connect: how it ended, and when opened, each step with what refused it and what helps. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { FilterMenu } from '../../components/filter-menu.tsx';
import { useSession } from '../../session/session-context.tsx';
import { connectionStatuses } from './address.ts';
import { McpConnectionRow } from './connection-row.tsx';
import { McpGate } from './gate.tsx';
import { McpList } from './list.tsx';
import { McpNarrowed } from './narrowed.tsx';
import { connectionsQuery, type McpConnection } from './queries.ts';
import { McpSearch } from './search.tsx';
import { useClearing, useMcpView, useViewChanges } from './view.ts';

export const McpConnections = () => (
  <McpGate takes="access">
    <Connections />
  </McpGate>
);

const Connections = () => {
  const t = useTranslations('mcp.connections');
  const view = useMcpView();
  const { change } = useViewChanges();
  const list = useInfiniteQuery(connectionsQuery(useSession(), view));
  const { field, onClear } = useClearing();
  const first = list.data?.pages[0]?.nodes[0];
  return (
    <McpList
      title={t('title')}
      lead={t('lead')}
      list={list}
      keyOf={({ id }: McpConnection) => id}
      total={(total) => t('total', { total })}
      none={t('none')}
      onClear={onClear}
      filters={
        <>
          <McpSearch label={t('search')} field={field} />
          <div className="flex flex-wrap items-center gap-2">
            <FilterMenu
              label={t('status')}
              any={useTranslations('mcp.list')('any')}
              value={view.status}
              choices={connectionStatuses.map((value) => ({ value, name: t(`statuses.${value}`) }))}
              onChoose={(value) => change({ status: connectionStatuses.find((status) => status === value) })}
            />
            <McpNarrowed field={field} client={first?.clientName ?? undefined} />
          </div>
        </>
      }
    >
      {(connections, isBusy) => (
        <ul aria-busy={isBusy} className="divide-y divide-line">
          {connections.map((connection) => (
            <McpConnectionRow key={connection.id} connection={connection} />
          ))}
        </ul>
      )}
    </McpList>
  );
};
