/** The button that ends every session of an organization, after a dry run. */
import { useTranslations } from 'use-intl';
import { Button } from '../../../components/button.tsx';
import { useConsolePermission } from '../permissions.ts';
import { useBulkRevocation } from '../sessions/bulk-revocation.ts';
import { BulkRevocationDialog, BulkRevocationReceipt } from '../sessions/bulk-revocation-dialog.tsx';

interface EndSessionsProps {
  readonly organizationId: string;
}

export const EndSessions = ({ organizationId }: EndSessionsProps) => {
  const canRevoke = useConsolePermission('revoke')?.granted === true;
  if (!canRevoke) return null;
  return <EndSessionsButton organizationId={organizationId} />;
};

const EndSessionsButton = ({ organizationId }: EndSessionsProps) => {
  const t = useTranslations('console.organization');
  const revocation = useBulkRevocation(() => undefined);
  return (
    <div className="space-y-3">
      <Button variant="danger-secondary" onClick={() => revocation.start({ kind: 'organization', organizationId })}>
        {t('endSessions')}
      </Button>
      <BulkRevocationReceipt revocation={revocation} />
      <BulkRevocationDialog revocation={revocation} />
    </div>
  );
};
