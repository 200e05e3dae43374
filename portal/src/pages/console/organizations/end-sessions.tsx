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
  return <Ending organizationId={organizationId} />;
};

const Ending = ({ organizationId }: EndSessionsProps) => {
  const t = useTranslations('console.organization');
  const ending = useBulkRevocation(() => undefined);
  return (
    <div className="space-y-3">
      <Button variant="danger-secondary" onClick={() => ending.start({ kind: 'organization', organizationId })}>
        {t('endSessions')}
      </Button>
      <BulkRevocationReceipt ending={ending} />
      <BulkRevocationDialog ending={ending} />
    </div>
  );
};
