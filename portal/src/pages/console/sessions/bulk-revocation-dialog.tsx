/** The confirmation of what would end, and the receipt of what has ended. */
import { useTranslations } from 'use-intl';
import { formatDate, Instant } from '../../../components/dates.tsx';
import { Notice } from '../../../components/notice.tsx';
import { ConfirmDialog, useLastValue } from '../../../components/overlays/confirm-dialog.tsx';
import { ResultNotice } from '../../../components/result-notice.tsx';
import { hasCode } from '../../../session/refusal.ts';
import { useHasMachineTokens } from '../../../tokens/has-machine-tokens.ts';
import { RevocationProblem } from '../revocation.tsx';
import type { BulkRevocation } from './bulk-revocation.ts';

export const BulkRevocationDialog = ({ ending }: { readonly ending: BulkRevocation }) => {
  const t = useTranslations('sessions.confirm');
  const ofTokens = useTranslations('sessions.ofTokens');
  const { target, preview, areTokens, error, busy, resultRef, confirm, close } = ending;
  const text = useHasMachineTokens() ? 'textWithTokens' : 'text';
  const shown = useLastValue(preview);
  const isOpen = target !== undefined && (preview !== undefined || error !== undefined);
  const count = shown?.sessions ?? 0;
  if (!isOpen && shown === undefined) return null;
  const ends = areTokens ? ofTokens('text', { count }) : t(text, { credentials: shown?.revokedCredentials ?? 0 });
  return (
    <ConfirmDialog
      open={isOpen}
      title={areTokens ? ofTokens('title', { count }) : t('title', { count })}
      text={count === 0 ? t('nothing') : ends}
      submit={areTokens ? ofTokens('end', { count }) : t('submit', { count })}
      warning={
        shown?.endsOwnSession === true && (
          <Notice tone="warning">
            <p>{t('own')}</p>
          </Notice>
        )
      }
      busy={busy}
      problem={error !== undefined && <EndingProblem error={error} />}
      focusAfter={resultRef}
      onConfirm={confirm}
      onClose={close}
    />
  );
};

/** After CONFLICT the list shows the sessions that match now. */
const EndingProblem = ({ error }: { readonly error: unknown }) => {
  const t = useTranslations('sessions.changed');
  if (!hasCode(error, 'CONFLICT')) return <RevocationProblem error={error} />;
  const { count } = error.extensions;
  return (
    <Notice tone="warning" title={t('title')}>
      <p>{t('text', { count: typeof count === 'number' ? count : 0 })}</p>
    </Notice>
  );
};

export const BulkRevocationReceipt = ({
  ending: { receipt, areTokens, resultRef },
}: {
  readonly ending: BulkRevocation;
}) => {
  const t = useTranslations('sessions');
  const ofTokens = useTranslations('sessions.ofTokens');
  const revocation = useTranslations('console.revocation');
  if (receipt === undefined) return <ResultNotice place={resultRef} />;
  const { sessions, revokedCredentials, revokedAt } = receipt;
  return (
    <ResultNotice place={resultRef}>
      {areTokens ? ofTokens('result', { count: sessions }) : t('result', { sessions })}{' '}
      {!areTokens && revokedCredentials > 0 && t('resultTokens', { count: revokedCredentials })}{' '}
      {revokedAt !== null && (
        <Instant at={revokedAt}>
          {revocation('revokedSince', {
            instant: formatDate(revokedAt, { dateStyle: 'medium', timeStyle: 'long' }),
          })}
        </Instant>
      )}
    </ResultNotice>
  );
};
