/** A list of connected clients, page by page, each with its facts and the button that ends it. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import { formatDate, Instant } from '../components/dates.tsx';
import { Detail, DetailList, RelativeTime } from '../components/detail-list.tsx';
import { EmptyList, ListFooter, QueryState } from '../components/list.tsx';
import { Notice } from '../components/notice.tsx';
import { Section } from '../components/section.tsx';
import { uniqueBy } from '../session/paged-query.ts';
import { useSession } from '../session/session-context.tsx';
import { ScopesInWords } from '../tokens/scopes-in-words.tsx';
import { type ConnectedClient, clientsQuery, loopbackHosts, type Whose } from './clients.ts';
import { EndDialog } from './end-dialog.tsx';

interface ClientListProps {
  readonly title: string;
  readonly whose: Whose;
  /** The words of an empty list. */
  readonly none: string;
}

export const ClientList = ({ title, whose, none }: ClientListProps) => {
  const t = useTranslations('clients');
  const list = useInfiniteQuery(clientsQuery(useSession(), whose));
  const [asked, setAsked] = useState<ConnectedClient>();
  const [ended, setEnded] = useState<string>();
  const result = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // The focused button is unmounted with its row.
    if (ended !== undefined) result.current?.focus();
  }, [ended]);
  const pages = list.data?.pages;
  const clients = uniqueBy(pages?.flatMap(({ nodes }) => nodes) ?? [], ({ id }) => id);
  const total = pages?.at(-1)?.totalCount ?? 0;
  const count = list.hasNextPage ? t('shownOf', { shown: clients.length, total }) : t('total', { total });
  return (
    <Section title={title} footer={clients.length === 0 ? undefined : <ListFooter text={count} list={list} />}>
      <div ref={result} tabIndex={-1} role="status" className="outline-none">
        {ended !== undefined && (
          <div className="p-3">
            <Notice tone="success">
              <p>{t('wasEnded', { name: ended })}</p>
            </Notice>
          </div>
        )}
      </div>
      <QueryState query={list} />
      {pages !== undefined && clients.length === 0 && <EmptyList text={none} />}
      <ul className="divide-y divide-line">
        {clients.map((client) => (
          <ClientRow key={client.id} client={client} whose={whose}>
            <Button
              variant="danger-secondary"
              aria-label={t('endOne', { name: client.clientName, host: client.redirectHost })}
              onClick={() => {
                setEnded(undefined);
                setAsked(client);
              }}
            >
              {t('end')}
            </Button>
          </ClientRow>
        ))}
      </ul>
      <EndDialog
        client={asked}
        focusAfter={result}
        onEnded={({ clientName }) => setEnded(clientName)}
        onClose={() => setAsked(undefined)}
      />
    </Section>
  );
};

interface ClientRowProps {
  readonly client: ConnectedClient;
  readonly whose: Whose;
  readonly children: ReactNode;
}

const ClientRow = ({ client, whose, children }: ClientRowProps) => (
  <li className="space-y-3 px-5 py-4 sm:px-6">
    <div className="space-y-1">
      <p className="font-semibold">
        <bdi className="wrap-anywhere">{client.clientName}</bdi>
      </p>
      <p className="text-sm text-soft wrap-anywhere">
        <bdi>{whose === 'own' ? client.organizationName : client.userEmail}</bdi>
      </p>
    </div>
    <ClientFacts client={client} whose={whose} />
    {children}
  </li>
);

const ClientFacts = ({ client, whose }: Omit<ClientRowProps, 'children'>) => {
  const t = useTranslations('clients');
  return (
    <DetailList>
      <Detail name={t('host')}>
        <Code>{client.redirectHost}</Code>
        {loopbackHosts.includes(client.redirectHost) && <span className="block">{t('loopback')}</span>}
      </Detail>
      {/* The policy lists clients by it. To their person only the URL of a metadata document says something. */}
      {(whose === 'everybody' || client.metadataUrl !== null) && (
        <Detail name={t('clientId')}>
          <Code>{client.clientId}</Code>
        </Detail>
      )}
      <Detail name={t('resource')}>
        <Code>{client.resource}</Code>
      </Detail>
      <Detail name={t('scopes')}>
        <ScopesInWords scopes={client.scopes} />
      </Detail>
      <Detail name={t('connected')}>
        <Instant at={client.connectedAt}>{inMinutes(client.connectedAt)}</Instant>
      </Detail>
      <Detail name={t('expires')}>
        <Instant at={client.expiresAt}>{inMinutes(client.expiresAt)}</Instant>
      </Detail>
      <Detail name={t('lastUsed')}>
        {client.lastUsedAt === null ? t('neverUsed') : <RelativeTime at={client.lastUsedAt} />}
      </Detail>
    </DetailList>
  );
};

const Code = ({ children }: { readonly children: string }) => (
  <code dir="ltr" className="font-mono text-ink">
    {children}
  </code>
);

const inMinutes = (at: string): string => formatDate(at, { dateStyle: 'medium', timeStyle: 'short' });
