/** The attempt to join an organization, by accepting or by completing a profile: where it leads, and why it failed. */
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Notice } from '../../components/notice.tsx';
import { RefusalNotice } from '../../components/refusal-notice.tsx';
import { hasCode } from '../../session/refusal.ts';
import { useSession } from '../../session/session-context.tsx';

export type Joining = UseMutationResult<unknown, Error, () => Promise<unknown>>;

/** Refusals that mean that the invitation, or who is signed in, is no longer what the page shows. */
const isOutdated = (error: unknown): boolean =>
  hasCode(error, 'INVITATION_NOT_OPEN') || hasCode(error, 'ACCOUNT_MISMATCH') || hasCode(error, 'ALREADY_SIGNED_IN');

/** @param reread fetches anew what the page shows */
export const useJoining = (reread: () => Promise<unknown>): Joining => {
  const router = useRouter();
  const session = useSession();
  return useMutation({
    mutationFn: (join: () => Promise<unknown>) => join(),
    // The button stays busy until the page knows better.
    onError: async (error) => {
      if (!isOutdated(error)) return;
      await session.recheck();
      await reread();
    },
    onSuccess: () => void router.navigate({ to: '/', replace: true }),
  });
};

export const JoiningProblem = ({ error }: { readonly error: unknown }) => {
  const t = useTranslations('invitation');
  if (!isOutdated(error)) return <RefusalNotice error={error} />;
  return (
    <Notice tone="caution">
      <p>{t('changed')}</p>
    </Notice>
  );
};
