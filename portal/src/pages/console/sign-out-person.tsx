/** Signing a person out everywhere: the request, the confirmation that names them, and the receipt. */
import type { QueryKey } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Notice } from '../../components/notice.tsx';
import { ConfirmDialog, useLastValue } from '../../components/overlays/confirm-dialog.tsx';
import { RevokeUserSessionsDocument } from '../../generated/graphql.ts';
import { usePerson, useSession } from '../../session/session-context.tsx';
import { useHasMachineTokens } from '../../tokens/has-machine-tokens.ts';
import { type Revocation, RevocationNotice, RevocationProblem, useRevocation } from './revocation.tsx';

interface SignedOutPerson {
  readonly userId: string;
  readonly userEmail: string;
}

/** @param invalidates queries that show the person's sessions */
export const useSignOutPerson = (invalidates: { readonly queryKey: QueryKey }): Revocation<SignedOutPerson> => {
  const session = useSession();
  const { id: ownId } = usePerson();
  return useRevocation({
    revoke: async ({ userId }: SignedOutPerson) => {
      const send = async () => (await session.request(RevokeUserSessionsDocument, { userId })).revokeUserSessions;
      if (userId !== ownId) return send();
      await session.end(send, 'signedOutEverywhere');
      return undefined;
    },
    invalidates,
  });
};

interface SignOutPersonProps {
  readonly revocation: Revocation<SignedOutPerson>;
}

export const SignOutPersonReceipt = ({ revocation }: SignOutPersonProps) => {
  const t = useTranslations('console.everywhere');
  return (
    <RevocationNotice
      revocation={revocation}
      message={({ result, target }) => t('result', { count: result.revokedCredentials, email: target.userEmail })}
    />
  );
};

export const SignOutPersonDialog = ({ revocation }: SignOutPersonProps) => {
  const t = useTranslations('console.everywhere');
  const { id: ownId } = usePerson();
  const hasMachineTokens = useHasMachineTokens();
  const { confirming, error, busy, resultRef, confirm, close } = revocation;
  const shown = useLastValue(confirming);
  if (shown === undefined) return null;
  const names = { email: shown.userEmail };
  return (
    <ConfirmDialog
      open={confirming !== undefined}
      title={t('title', names)}
      text={t(hasMachineTokens ? 'textWithTokens' : 'text', names)}
      submit={t('submit')}
      warning={
        shown.userId === ownId && (
          <Notice tone="warning">
            <p>{t('own')}</p>
          </Notice>
        )
      }
      busy={busy}
      problem={error !== undefined && <RevocationProblem error={error} />}
      focusAfter={resultRef}
      onConfirm={confirm}
      onClose={close}
    />
  );
};
