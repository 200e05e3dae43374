/** Registered clients: redirect URIs, usage and active tokens; and the revocation of a client. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { formatDate, Instant } from '../../components/dates.tsx';
import { Notice } from '../../components/notice.tsx';
import { RevokeMcpClientDocument } from '../../generated/graphql.ts';
import { useSession } from '../../session/session-context.tsx';
import { RevocationProblem, RevocationReceipt, type Revoking, useRevoking } from '../governance/revocation-result.tsx';
import { McpGate, Reasons, useMcpRight } from './gate.tsx';
import { McpList, McpSearch } from './list.tsx';
import { allOfMcp, clientsQuery, type McpClient, ownClientsQuery } from './queries.ts';
import { Ago, Fact, Facts, ViewLink } from './rows.tsx';
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

interface McpClientRowProps {
  readonly client: McpClient;
  readonly mayRevoke: boolean;
  readonly onRevoke: (client: McpClient) => void;
}

const McpClientRow = ({ client, mayRevoke, onRevoke }: McpClientRowProps) => {
  const t = useTranslations('mcp.clients');
  const isRevoked = client.revokedAt !== null;
  const date = formatDate(client.registeredAt, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <li className="space-y-3 px-5 py-4 sm:flex sm:items-start sm:gap-6 sm:space-y-0 sm:px-6">
      <div className="min-w-0 flex-1 space-y-2">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
          <span className="min-w-0 wrap-anywhere">{client.name}</span>
          {isRevoked && <Badge look="caution">{t('revoked')}</Badge>}
        </p>
        <ClientFacts client={client} registered={date} />
        <Elsewhere client={client} />
      </div>
      {mayRevoke && !isRevoked && (
        <Button
          look="danger-quiet"
          className="whitespace-nowrap"
          aria-label={t('revokeOf', { client: client.name, date })}
          onClick={() => onRevoke(client)}
        >
          {t('revoke')}
        </Button>
      )}
    </li>
  );
};

interface ClientFactsProps {
  readonly client: McpClient;
  /** When it was registered, in words. */
  readonly registered: string;
}

const ClientFacts = ({ client, registered }: ClientFactsProps) => {
  const t = useTranslations('mcp.clients');
  const format = useFormatter();
  const { registeredAt, registeredIp, lastAuthorizedAt, lastUsedAt, revokedAt } = client;
  return (
    <Facts>
      {revokedAt !== null && (
        <Fact name={t('revoked')}>
          <Ago at={revokedAt} />
        </Fact>
      )}
      <Fact name={t('credentials')}>{format.number(client.activeCredentials)}</Fact>
      <Fact name={t('used')}>{lastUsedAt === null ? t('neverUsed') : <Ago at={lastUsedAt} />}</Fact>
      <Fact name={t('authorized')}>
        {lastAuthorizedAt === null ? t('neverAuthorized') : <Ago at={lastAuthorizedAt} />}
      </Fact>
      <Fact name={t('registered')}>
        <Instant at={registeredAt}>
          {t('from', { when: registered, address: registeredIp ?? t('unknownAddress') })}
        </Instant>
      </Fact>
      <Fact name={t('redirects')}>
        {client.redirectUris.length === 0 && t('nowhere')}
        <ul>
          {client.redirectUris.map((uri) => (
            <li key={uri} className="font-mono wrap-anywhere">
              {uri}
            </li>
          ))}
        </ul>
      </Fact>
    </Facts>
  );
};

/** Where the client stands in the other sections. */
const Elsewhere = ({ client: { id, name } }: { readonly client: McpClient }) => {
  const t = useTranslations('mcp.clients');
  const maySeeCalls = useMcpRight('audit')?.granted === true;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {maySeeCalls && (
        <ViewLink view={{ section: 'audits', client: id }} label={t('callsOf', { client: name })}>
          {t('calls')}
        </ViewLink>
      )}
      <ViewLink view={{ section: 'connections', client: id }} label={t('attemptsOf', { client: name })}>
        {t('attempts')}
      </ViewLink>
    </p>
  );
};

type ClientRevoking = Revoking<McpClient>;

const useClientRevoking = (): ClientRevoking => {
  const session = useSession();
  return useRevoking({
    revoke: async ({ id }: McpClient) =>
      (await session.request(RevokeMcpClientDocument, { clientId: id })).revokeMcpClient,
    stale: allOfMcp,
  });
};

const ClientRevocation = ({ revoking }: { readonly revoking: ClientRevoking }) => {
  const t = useTranslations('mcp.clients');
  return (
    <>
      <RevocationReceipt
        revoking={revoking}
        words={({ receipt, target }) => t('receipt', { count: receipt.revokedCredentials, client: target.name })}
      />
      <RevocationDialog revoking={revoking} />
    </>
  );
};

const RevocationDialog = ({ revoking }: { readonly revoking: ClientRevoking }) => {
  const t = useTranslations('mcp.clients.confirm');
  const { asked, error, busy, news, confirm, close } = revoking;
  // The words stay while the dialog fades out.
  const [shown, setShown] = useState(asked);
  if (asked !== undefined && asked !== shown) setShown(asked);
  const own = useQuery({ ...ownClientsQuery(useSession()), enabled: shown !== undefined });
  if (shown === undefined) return null;
  return (
    <ConfirmDialog
      open={asked !== undefined}
      title={t('title', { client: shown.name })}
      text={t('text', { count: shown.activeCredentials })}
      submit={t('submit')}
      warning={
        own.data?.includes(shown.name) === true && (
          <Notice tone="caution">
            <p>{t('own')}</p>
          </Notice>
        )
      }
      busy={busy}
      problem={error !== undefined && <RevocationProblem error={error} />}
      focusAfter={news}
      onConfirm={confirm}
      onClose={close}
    />
  );
};
