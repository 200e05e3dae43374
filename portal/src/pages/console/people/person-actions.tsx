/** What a super admin can do with one account, each confirmed and followed by its receipt. */
import { useTranslations } from 'use-intl';
import { Button } from '../../../components/button.tsx';
import { ConfirmDialog, useLastValue } from '../../../components/confirm-dialog.tsx';
import { Notice } from '../../../components/notice.tsx';
import { RevokeUserSessionsDocument } from '../../../generated/graphql.ts';
import { usePerson, useSession } from '../../../session/session-context.tsx';
import { useConsolePermission } from '../permissions.ts';
import { type Revocation, RevocationNotice, RevocationProblem, useRevocation } from '../revocation.tsx';
import { allPeople, type PersonDetails } from './people.ts';

type Person = PersonDetails['user'];

export const PersonActions = ({ details: { user } }: { readonly details: PersonDetails }) => {
  const t = useTranslations('console.person');
  const canRevoke = useConsolePermission('revoke')?.granted === true;
  const signOut = useSignOutEverywhere();
  if (!canRevoke) return null;
  return (
    <div className="space-y-3">
      <Button variant="danger-secondary" onClick={() => signOut.start(user)}>
        {t('signOut')}
      </Button>
      <RevocationNotice
        revocation={signOut}
        message={({ result, target }) => t('signedOut', { count: result.revokedCredentials, email: target.email })}
      />
      <SignOutDialog revocation={signOut} />
    </div>
  );
};

const useSignOutEverywhere = (): Revocation<Person> => {
  const session = useSession();
  const { id: ownId } = usePerson();
  return useRevocation({
    revoke: async ({ id: userId }: Person) => {
      const send = async () => (await session.request(RevokeUserSessionsDocument, { userId })).revokeUserSessions;
      if (userId !== ownId) return send();
      await session.end(send, 'signedOutEverywhere');
      return undefined;
    },
    invalidates: allPeople,
  });
};

const SignOutDialog = ({ revocation }: { readonly revocation: Revocation<Person> }) => {
  const t = useTranslations('console.person.confirm');
  const { id: ownId } = usePerson();
  const { confirming, error, busy, resultRef, confirm, close } = revocation;
  const shown = useLastValue(confirming);
  if (shown === undefined) return null;
  return (
    <ConfirmDialog
      open={confirming !== undefined}
      title={t('title', { email: shown.email })}
      text={t('text', { email: shown.email })}
      submit={t('submit')}
      warning={
        shown.id === ownId && (
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
