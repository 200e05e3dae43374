/** Form that renames the active organization. */
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Notice, RefusalNotice } from '../../components/notice.tsx';
import { Field, FormButtons } from '../../forms/field.tsx';
import { useOneField } from '../../forms/one-field.ts';
import { RenameOrganizationDocument } from '../../generated/graphql.ts';
import { useRestoredDraft, useSavedDraft } from '../../session/drafts.ts';
import { refreshOnForbidden } from '../../session/refresh-on-forbidden.ts';
import { useSession } from '../../session/session-context.tsx';
import type { Membership } from '../members/members.ts';

interface RenameFormProps extends Pick<Membership, 'organization'> {
  readonly onClose: () => void;
}

const draftFields = ['name'] as const;

export const RenameForm = ({ organization, onClose }: RenameFormProps) => {
  const t = useTranslations('renameOrganization');
  const fields = useTranslations('fields');
  const session = useSession();
  const draft = useRestoredDraft('rename organization');
  const field = useOneField({
    missing: fields('organizationNameMissing'),
    initial: draft?.['name'] ?? organization.name,
  });
  useSavedDraft('rename organization', draftFields, field.read);
  const rename = useMutation({
    mutationFn: ({ name }: { readonly name: string }) => session.request(RenameOrganizationDocument, { name }),
    onSuccess: () => session.refetchEverywhere(),
    onError: async (error) => {
      if (!field.showRefusal(error, 'name')) await refreshOnForbidden(session, error);
    },
  });
  const { problem, input } = field;
  return (
    <form
      noValidate
      className="space-y-5 px-5 py-5 sm:px-6"
      onSubmit={field.onSubmit((name) => rename.mutate({ name }))}
    >
      <div role="status" className="empty:mb-0">
        {rename.isSuccess && (
          <Notice tone="success">
            <p className="wrap-anywhere">{t('done', { name: rename.data.renameOrganization.name })}</p>
          </Notice>
        )}
      </div>
      {rename.isError && problem === undefined && <RefusalNotice error={rename.error} />}
      <Field {...input} label={t('name')} autoComplete="off" autoFocus problem={problem} />
      <FormButtons submit={t('submit')} busy={rename.isPending} onClose={onClose} />
    </form>
  );
};
