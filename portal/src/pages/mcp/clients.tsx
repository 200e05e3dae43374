/** Registered clients: redirect URIs, usage and active tokens; and the revocation of a client. */
import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { formatDate, Instant } from '../../components/dates.tsx';
import { Detail, DetailList, RelativeTime } from '../../components/detail-list.tsx';
import { Notice } from '../../components/notice.tsx';
import { ConfirmDialog, useLastValue } from '../../components/overlays/confirm-dialog.tsx';
import { RevokeMcpClientDocument } from '../../generated/graphql.ts';
import { FilterBar } from '../../lists/filters.tsx';
import { usePagedList } from '../../lists/paged-list.ts';
import { useSession } from '../../session/session-context.tsx';
import { useConsolePermission } from '../console/permissions.ts';
import {
  CannotRevokeNotice,
  type Revocation,
  RevocationNotice,
  RevocationProblem,
  useRevocation,
} from '../console/revocation.tsx';
import { ScopeGate } from '../console/scope-gate.tsx';
import { McpList, McpSearch } from './list.tsx';
import { allMcpQueries, clientsQuery, type McpClient, ownClientsQuery } from './queries.ts';
import { ViewLink } from './rows.tsx';
import { useMcpView } from './view.ts';

export const McpClients = () => (
  <ScopeGate requires="access">
    <MissingPermission />
    <Clients />
  </ScopeGate>
);

const Clients = () => {
  const t = useTranslations('mcp.clients');
  const list = usePagedList(clientsQuery(useSession(), useMcpView().view), 'id');
  const revocation = useClientRevocation();
  const canRevoke = useConsolePermission('revoke')?.granted === true;
  return (
    <McpList
      title={t('title')}
      lead={t('lead')}
      list={list}
      total={(total) => t('total', { total })}
      none={t('none')}
      filters={<FilterBar fields={<McpSearch label={t('search')} />} />}
      result={<ClientRevocationResult revocation={revocation} />}
    >
      {(clients, isBusy) => (
        <ul aria-busy={isBusy} className="divide-y divide-line">
          {clients.map((client) => (
            <McpClientRow key={client.id} client={client} canRevoke={canRevoke} onRevoke={revocation.start} />
          ))}
        </ul>
      )}
    </McpList>
  );
};

const MissingPermission = () => {
  const t = useTranslations('mcp.clients.cannotRevoke');
  const permission = useConsolePermission('revoke');
  if (permission === undefined || permission.granted) return null;
  return <CannotRevokeNotice title={t('title')} why={t('why')} reasons={permission.reasons} />;
};

interface McpClientRowProps {
  readonly client: McpClient;
  readonly canRevoke: boolean;
  readonly onRevoke: (client: McpClient) => void;
}

const McpClientRow = ({ client, canRevoke, onRevoke }: McpClientRowProps) => {
  const t = useTranslations('mcp.clients');
  const isRevoked = client.revokedAt !== null;
  const date = formatDate(client.registeredAt, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <li className="space-y-3 px-5 py-4 sm:flex sm:items-start sm:gap-6 sm:space-y-0 sm:px-6">
      <div className="min-w-0 flex-1 space-y-2">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
          <span className="min-w-0 wrap-anywhere">
            <bdi>{client.name}</bdi>
          </span>
          {isRevoked && <Badge variant="caution">{t('revoked')}</Badge>}
        </p>
        <ClientDetails client={client} registered={date} />
        <ClientLinks client={client} />
      </div>
      {canRevoke && !isRevoked && (
        <Button
          variant="danger-secondary"
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

interface ClientDetailsProps {
  readonly client: McpClient;
  /** The formatted date of registration. */
  readonly registered: string;
}

const ClientDetails = ({ client, registered }: ClientDetailsProps) => {
  const t = useTranslations('mcp.clients');
  const format = useFormatter();
  const { registeredAt, registeredIp, lastAuthorizedAt, lastUsedAt, revokedAt, metadataUrl } = client;
  return (
    <DetailList>
      {revokedAt !== null && (
        <Detail name={t('revoked')}>
          <RelativeTime at={revokedAt} />
        </Detail>
      )}
      <Detail name={t('credentials')}>{format.number(client.activeCredentials)}</Detail>
      <Detail name={t('used')}>{lastUsedAt === null ? t('neverUsed') : <RelativeTime at={lastUsedAt} />}</Detail>
      <Detail name={t('authorized')}>
        {lastAuthorizedAt === null ? t('neverAuthorized') : <RelativeTime at={lastAuthorizedAt} />}
      </Detail>
      {metadataUrl === null ? (
        <Detail name={t('registered')}>
          <Instant at={registeredAt}>
            {t('from', { when: registered, address: registeredIp ?? t('unknownAddress') })}
          </Instant>
        </Detail>
      ) : (
        <>
          <Detail name={t('known')}>
            <Instant at={registeredAt}>{registered}</Instant>
          </Detail>
          <Detail name={t('document')}>
            <span className="font-mono wrap-anywhere">{metadataUrl}</span>
          </Detail>
        </>
      )}
      <Detail name={t('redirects')}>
        {client.redirectUris.length === 0 && t('nowhere')}
        <ul>
          {client.redirectUris.map((uri) => (
            <li key={uri} className="font-mono wrap-anywhere">
              {uri}
            </li>
          ))}
        </ul>
      </Detail>
    </DetailList>
  );
};

/** Links to the client's entries in other sections. */
const ClientLinks = ({ client: { id, name } }: { readonly client: McpClient }) => {
  const t = useTranslations('mcp.clients');
  const canSeeCalls = useConsolePermission('audit')?.granted === true;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {canSeeCalls && (
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

type ClientRevocationState = Revocation<McpClient>;

const useClientRevocation = (): ClientRevocationState => {
  const session = useSession();
  return useRevocation({
    revoke: async ({ id }: McpClient) =>
      (await session.request(RevokeMcpClientDocument, { clientId: id })).revokeMcpClient,
    invalidates: allMcpQueries,
  });
};

const ClientRevocationResult = ({ revocation }: { readonly revocation: ClientRevocationState }) => {
  const t = useTranslations('mcp.clients');
  return (
    <>
      <RevocationNotice
        revocation={revocation}
        message={({ result, target }) => t('result', { count: result.revokedCredentials, client: target.name })}
      />
      <RevocationDialog revocation={revocation} />
    </>
  );
};

const RevocationDialog = ({ revocation }: { readonly revocation: ClientRevocationState }) => {
  const t = useTranslations('mcp.clients.confirm');
  const { confirming, error, busy, resultRef, confirm, close } = revocation;
  const shown = useLastValue(confirming);
  const own = useQuery({ ...ownClientsQuery(useSession()), enabled: shown !== undefined });
  if (shown === undefined) return null;
  return (
    <ConfirmDialog
      open={confirming !== undefined}
      title={t('title', { client: shown.name })}
      text={t('text', { count: shown.activeCredentials })}
      submit={t('submit')}
      warning={
        <>
          {shown.metadataUrl !== null && (
            <Notice tone="warning">
              <p className="wrap-anywhere">{t('document', { url: shown.metadataUrl })}</p>
            </Notice>
          )}
          {own.data?.includes(shown.name) === true && (
            <Notice tone="warning">
              <p>{t('own')}</p>
            </Notice>
          )}
        </>
      }
      busy={busy}
      problem={error !== undefined && <RevocationProblem error={error} />}
      focusAfter={resultRef}
      onConfirm={confirm}
      onClose={close}
    />
  );
};
