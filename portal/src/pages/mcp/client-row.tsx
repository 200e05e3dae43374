/** One registered client: where it comes back to, when it was registered and used, what it holds, and its end. */
import { useFormatter, useTranslations } from 'use-intl';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Instant } from '../../components/instant.tsx';
import { formatDate } from '../../dates.ts';
import { Ago, Fact, Facts, ViewLink } from './facts.tsx';
import { useMcpRight } from './gate.tsx';
import type { McpClient } from './queries.ts';

interface McpClientRowProps {
  readonly client: McpClient;
  readonly mayRevoke: boolean;
  readonly onRevoke: (client: McpClient) => void;
}

export const McpClientRow = ({ client, mayRevoke, onRevoke }: McpClientRowProps) => {
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
