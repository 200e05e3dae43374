/** A token in a list: its name and status in words, its details, and the buttons that the page gives it. */
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Badge } from '../components/badge.tsx';
import { formatDate, Instant } from '../components/dates.tsx';
import { Detail, DetailList, useTimeAgo } from '../components/detail-list.tsx';
import { ScopesInWords } from './scopes-in-words.tsx';
import { isEnded, type Token } from './tokens.ts';

interface TokenRowProps {
  readonly token: Token;
  /** Whose it is; the organization where a list shows those of several. */
  readonly owner: ReactNode;
  /** Buttons; none for a token that has ended. */
  readonly children?: ReactNode;
}

export const TokenRow = ({ token, owner, children }: TokenRowProps) => (
  <li className="space-y-3 px-5 py-4 sm:px-6">
    <div className="space-y-1">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
        <bdi className="min-w-0 wrap-anywhere">{token.name}</bdi>
        <TokenStatus token={token} />
      </p>
      <div className="text-sm text-soft wrap-anywhere">{owner}</div>
    </div>
    <WhyNot token={token} />
    <TokenFacts token={token} />
    {children !== undefined && <div className="flex flex-wrap items-center gap-3">{children}</div>}
  </li>
);

const variants = {
  ACTIVE: 'accent',
  PENDING: 'caution',
  BLOCKED: 'caution',
  EXPIRED: 'plain',
  REVOKED: 'plain',
} as const satisfies Record<Token['status'], string>;

const TokenStatus = ({ token: { status } }: Pick<TokenRowProps, 'token'>) => {
  const t = useTranslations('tokens.statuses');
  return <Badge variant={variants[status]}>{t(status)}</Badge>;
};

const WhyNot = ({ token: { status, organizationName } }: Pick<TokenRowProps, 'token'>) => {
  const t = useTranslations('tokens.why');
  if (status !== 'PENDING' && status !== 'BLOCKED') return null;
  return <p className="text-sm text-caution wrap-anywhere">{t(status, { organization: organizationName })}</p>;
};

const TokenFacts = ({ token }: Pick<TokenRowProps, 'token'>) => {
  const t = useTranslations('tokens');
  return (
    <DetailList>
      <Detail name={t('scopes')}>
        <ScopesInWords scopes={token.scopes} />
      </Detail>
      <Detail name={t('lastCharacters')}>
        {t.rich('endsIn', {
          characters: token.lastCharacters,
          code: (text) => (
            <code dir="ltr" className="font-mono text-ink">
              {text}
            </code>
          ),
        })}
      </Detail>
      <TokenEnd token={token} />
      <Detail name={t('lastUsed')}>
        <LastUse token={token} />
      </Detail>
    </DetailList>
  );
};

const TokenEnd = ({ token }: Pick<TokenRowProps, 'token'>) => {
  const t = useTranslations('tokens');
  const { status, expiresAt, revokedAt, previousSecretEndsAt } = token;
  const at = status === 'REVOKED' && revokedAt !== null ? revokedAt : expiresAt;
  const name = isEnded(token) ? t(status === 'REVOKED' ? 'revoked' : 'expired') : t('expires');
  return (
    <Detail name={name}>
      <Instant at={at}>{inMinutes(at)}</Instant>
      {previousSecretEndsAt !== null && (
        <span className="block text-ink">
          <Instant at={previousSecretEndsAt}>{t('previousSecret', { date: inMinutes(previousSecretEndsAt) })}</Instant>
        </span>
      )}
    </Detail>
  );
};

const inMinutes = (at: string): string => formatDate(at, { dateStyle: 'medium', timeStyle: 'short' });

const LastUse = ({ token: { lastUsedAt, lastUsedIp } }: Pick<TokenRowProps, 'token'>) => {
  const t = useTranslations('tokens');
  const timeAgo = useTimeAgo();
  if (lastUsedAt === null) return t('neverUsed');
  const when = timeAgo(lastUsedAt);
  return <Instant at={lastUsedAt}>{lastUsedIp === null ? when : t('usedFrom', { when, address: lastUsedIp })}</Instant>;
};
