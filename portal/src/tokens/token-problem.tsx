/** Why a token, a service account or the policy was not changed: missing scopes and limits in words. */
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Notice, RefusalNotice } from '../components/notice.tsx';
import { hasCode } from '../session/refusal.ts';
import { useWordsOfScopes } from './tokens.ts';

interface TokenProblemProps {
  readonly error: unknown;
  /** The words for any other FORBIDDEN. Default: the general ones. */
  readonly forbidden?: ReactNode;
  /** The words for LIMIT_REACHED. Default: general ones. */
  readonly limit?: ReactNode;
}

export const TokenProblem = ({ error, forbidden, limit }: TokenProblemProps) => {
  const t = useTranslations('tokens.refusals');
  const wordsOf = useWordsOfScopes();
  const missing = missingScopesOf(error);
  if (missing.length > 0) {
    const scopes = missing.map((scope) => wordsOf(scope) ?? scope).join(' · ');
    return (
      <RefusalNotice error={error}>
        <p>{t('missing', { scopes })}</p>
      </RefusalNotice>
    );
  }
  if (hasCode(error, 'LIMIT_REACHED')) {
    return (
      <Notice tone="error" title={t('limitTitle')}>
        <p>{limit ?? t('limit')}</p>
      </Notice>
    );
  }
  if (forbidden === undefined || !hasCode(error, 'FORBIDDEN')) return <RefusalNotice error={error} />;
  return (
    <Notice tone="error">
      <p>{forbidden}</p>
    </Notice>
  );
};

const missingScopesOf = (error: unknown): readonly string[] => {
  if (!hasCode(error, 'FORBIDDEN')) return [];
  const { missingScopes } = error.extensions;
  return Array.isArray(missingScopes) ? missingScopes.filter((scope) => typeof scope === 'string') : [];
};
