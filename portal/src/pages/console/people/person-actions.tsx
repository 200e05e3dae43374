/** Owns the actions of a super admin on one account, each confirmed and followed by its receipt. */
import { useTranslations } from 'use-intl';
import { Button } from '../../../components/button.tsx';
import { useConsolePermission } from '../permissions.ts';
import { SignOutPersonDialog, SignOutPersonReceipt, useSignOutPerson } from '../sign-out-person.tsx';
import { allPeople, type PersonDetails } from './people.ts';
import { Suspend } from './suspension.tsx';

export const PersonActions = ({ details: { user } }: { readonly details: PersonDetails }) => {
  const canRevoke = useConsolePermission('revoke')?.granted === true;
  const canSuspend = useConsolePermission('suspend')?.granted === true;
  if (!canRevoke && !canSuspend) return null;
  return (
    <div className="flex flex-wrap gap-3">
      {canRevoke && <SignOutEverywhere user={user} />}
      {canSuspend && <Suspend user={user} />}
    </div>
  );
};

const SignOutEverywhere = ({ user }: { readonly user: PersonDetails['user'] }) => {
  const t = useTranslations('console.person');
  const everywhere = useSignOutPerson(allPeople);
  return (
    <>
      <Button variant="danger-secondary" onClick={() => everywhere.start({ userId: user.id, userEmail: user.email })}>
        {t('signOut')}
      </Button>
      <div className="order-last basis-full">
        <SignOutPersonReceipt revocation={everywhere} />
      </div>
      <SignOutPersonDialog revocation={everywhere} />
    </>
  );
};
