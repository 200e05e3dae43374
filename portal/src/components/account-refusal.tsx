/**
 * A failed change of the person's own account, also one that waits until a change of their address cannot be undone.
 */
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { hasCode } from '../session/refusal.ts';
import { formatDate } from './dates.tsx';
import { Notice, RefusalNotice } from './notice.tsx';

interface AccountRefusalProps {
  readonly error: unknown;
  /** The words for any other FORBIDDEN. Default: the general ones. */
  readonly forbidden?: ReactNode;
}

export const AccountRefusal = ({ error, forbidden }: AccountRefusalProps) => {
  const until = undoableUntil(error);
  if (until !== undefined) {
    return <PendingUndo until={until} />;
  }
  if (forbidden === undefined || !hasCode(error, 'FORBIDDEN')) return <RefusalNotice error={error} />;
  return (
    <Notice tone="warning">
      <p>{forbidden}</p>
    </Notice>
  );
};

const PendingUndo = ({ until }: { readonly until: string }) => {
  const t = useTranslations('pendingUndo');
  return (
    <Notice tone="warning" title={t('title')}>
      <p>{t('text', { until: formatDate(until, { dateStyle: 'medium', timeStyle: 'short' }) })}</p>
    </Notice>
  );
};

/** The instant until which a change of the person's address can be undone, in a refusal because of it. */
const undoableUntil = (error: unknown): string | undefined => {
  if (!hasCode(error, 'FORBIDDEN')) return;
  const { undoableUntil: until } = error.extensions;
  return typeof until === 'string' ? until : undefined;
};
