/** What a super admin can do with one account, each confirmed and followed by its receipt. */
import { useTranslations } from 'use-intl';
import { Button } from '../../../components/button.tsx';
import { EverywhereDialog, EverywhereReceipt, useEverywhere } from '../everywhere.tsx';
import { useConsolePermission } from '../permissions.ts';
import { allPeople, type PersonDetails } from './people.ts';

export const PersonActions = ({ details: { user } }: { readonly details: PersonDetails }) => {
  const t = useTranslations('console.person');
  const canRevoke = useConsolePermission('revoke')?.granted === true;
  const everywhere = useEverywhere(allPeople);
  if (!canRevoke) return null;
  return (
    <div className="space-y-3">
      <Button variant="danger-secondary" onClick={() => everywhere.start({ userId: user.id, userEmail: user.email })}>
        {t('signOut')}
      </Button>
      <EverywhereReceipt revocation={everywhere} />
      <EverywhereDialog revocation={everywhere} />
    </div>
  );
};
