/** A list of connected clients, page by page, each with its details and the button that ends it. */
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import { formatDate, Instant } from '../components/dates.tsx';
import { Detail, DetailList, RelativeTime } from '../components/detail-list.tsx';
import { ResultNotice } from '../components/result-notice.tsx';
import { ListFrame } from '../lists/list-frame.tsx';
import { usePagedList } from '../lists/paged-list.ts';
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
  const list = usePagedList(clientsQuery(useSession(), whose), 'id');
  const [asked, setAsked] = useState<ConnectedClient>();
  const [ended, setEnded] = useState<string>();
  const result = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // The focused button is unmounted with its row.
    if (ended !== undefined) result.current?.focus();
  }, [ended]);
  return (
    <>
      <ListFrame
        title={title}
        list={list}
        result={
          <ResultNotice place={result}>{ended === undefined ? undefined : t('wasEnded', { name: ended })}</ResultNotice>
        }
        shown={(counts) => t('shownOf', counts)}
        all={(total) => t('total', { total })}
        none={none}
      >
        {(clients) => (
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
        )}
      </ListFrame>
      <EndDialog
        client={asked}
        focusAfter={result}
        onEnded={({ clientName }) => setEnded(clientName)}
        onClose={() => setAsked(undefined)}
      />
    </>
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
