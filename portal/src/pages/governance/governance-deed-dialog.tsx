/** Ends what a row of the governance page stands for: asks first, naming whom it hits, then shows the receipt. */
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { useSession } from '../../session/session-context.tsx';
import { type Deed, isOwnEnd, perform, type Self } from './governance-deeds.ts';
import { allActiveSessions } from './governance-query.ts';
import { useSessionNames } from './governance-words.ts';
import { RevocationProblem, RevocationReceipt, type Revoking, useRevoking } from './revoking.tsx';

export type Deeds = Revoking<Deed>;

export const useDeeds = (self: Self): Deeds => {
  const session = useSession();
  return useRevoking({ revoke: (deed: Deed) => perform(session, deed, self), stale: allActiveSessions });
};

export const DeedReceipt = ({ deeds }: { readonly deeds: Deeds }) => {
  const t = useTranslations('governance');
  return (
    <RevocationReceipt
      revoking={deeds}
      words={({ receipt, target: { target } }) =>
        t('receipt', { count: receipt.revokedCredentials, email: target.userEmail })
      }
    />
  );
};

interface DeedDialogProps {
  readonly deeds: Deeds;
  readonly self: Self;
}

export const DeedDialog = ({ deeds, self }: DeedDialogProps) => {
  const t = useTranslations('governance.confirm');
  const wordsFor = useSessionNames();
  const { asked, error, busy, news, confirm, close } = deeds;
  // The words stay while the dialog fades out.
  const [shown, setShown] = useState(asked);
  if (asked !== undefined && asked !== shown) setShown(asked);
  if (shown === undefined) return null;
  const words = wordsFor(shown.target);
  return (
    <ConfirmDialog
      open={asked !== undefined}
      title={t(`${shown.kind}.title`, words)}
      text={t(`${shown.kind}.text`, words)}
      submit={t(`${shown.kind}.submit`)}
      warning={
        isOwnEnd(shown, self) && (
          <Notice tone="caution">
            <p>{t(`${shown.kind}.own`)}</p>
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
