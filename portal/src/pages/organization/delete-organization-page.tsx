/** /organization/delete: an owner deletes the active organization. */
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Button, buttonClass } from '../../components/button.tsx';
import { NoOrganization } from '../../components/no-organization.tsx';
import { Notice, RefusalNotice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page.tsx';
import { Field } from '../../forms/field.tsx';
import { useOneField } from '../../forms/one-field.ts';
import { DeleteOrganizationDocument } from '../../generated/graphql.ts';
import { hasCode } from '../../session/refusal.ts';
import { usePerson, useSession } from '../../session/session-context.tsx';
import type { Membership } from '../members/members.ts';

export const DeleteOrganizationPage = () => {
  const { currentMembership } = usePerson();
  if (currentMembership === null) return <NoOrganization />;
  return <DeleteOrganization membership={currentMembership} />;
};

const DeleteOrganization = ({ membership }: { readonly membership: Membership }) => {
  const t = useTranslations('deleteOrganization');
  const { organization, role } = membership;
  return (
    <div className="space-y-7">
      <PageHead title={t('title', { name: organization.name })} lead={t('lead')} />
      {role === 'OWNER' ? (
        <DeletionForm organization={organization} />
      ) : (
        <Notice tone="warning">
          <p>{t('notOwner')}</p>
        </Notice>
      )}
    </div>
  );
};

const DeletionForm = ({ organization }: Pick<Membership, 'organization'>) => {
  const t = useTranslations('deleteOrganization');
  const common = useTranslations('common');
  const session = useSession();
  const navigate = useNavigate();
  const field = useOneField({ missing: t('nameMissing') });
  const deletion = useMutation({
    mutationFn: (name: string) =>
      session.request(DeleteOrganizationDocument, { input: { name, organizationId: organization.id } }),
    onSuccess: async () => {
      await navigate({ to: '/' });
      await session.refetchEverywhere();
    },
    onError: (error) => field.showRefusal(error, 'name'),
  });
  const { problem, input } = field;
  return (
    <form noValidate className="space-y-5" onSubmit={field.onSubmit((name) => deletion.mutate(name))}>
      <p>{t('text')}</p>
      {deletion.isError && problem === undefined && <DeletionProblem error={deletion.error} />}
      <Field
        {...input}
        label={t('typeName', { name: organization.name })}
        autoComplete="off"
        spellCheck="false"
        problem={problem}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="danger" busy={deletion.isPending || deletion.isSuccess}>
          {t('submit')}
        </Button>
        <Link to="/members" className={buttonClass('secondary')}>
          {common('cancel')}
        </Link>
      </div>
    </form>
  );
};

const DeletionProblem = ({ error }: { readonly error: unknown }) => {
  const t = useTranslations('deleteOrganization');
  if (!hasCode(error, 'SUBSCRIPTION_ACTIVE')) return <RefusalNotice error={error} />;
  return (
    <Notice tone="warning">
      <p>{t('SUBSCRIPTION_ACTIVE')}</p>
    </Notice>
  );
};
