/** Form that renames the active organization. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Notice, RefusalNotice } from '../../components/notice.tsx';
import { Field, FormButtons } from '../../forms/field.tsx';
import { organizationSchema, setFieldErrors } from '../../forms/form-schemas.ts';
import { RenameOrganizationDocument } from '../../generated/graphql.ts';
import { useRestoredDraft, useSavedDraft } from '../../session/drafts.ts';
import { refreshOnForbidden } from '../../session/refusal.ts';
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
  const schema = useMemo(() => organizationSchema(fields), [fields]);
  const form = useForm({ resolver: zodResolver(schema), values: { name: organization.name } });
  const draft = useRestoredDraft('rename organization');
  useSavedDraft('rename organization', draftFields, form.getValues);
  const { setFocus, setValue } = form;
  useEffect(() => {
    if (draft?.['name'] !== undefined) setValue('name', draft['name']);
    setFocus('name');
  }, [draft, setFocus, setValue]);
  const rename = useMutation({
    mutationFn: ({ name }: { readonly name: string }) => session.request(RenameOrganizationDocument, { name }),
    onSuccess: () => session.refreshAfterChange(),
    onError: async (error) => {
      if (!setFieldErrors(error, ['name'], form.setError)) await refreshOnForbidden(session, error);
    },
  });
  const problem = form.formState.errors.name?.message;
  return (
    <form
      noValidate
      className="space-y-5 px-5 py-5 sm:px-6"
      onSubmit={form.handleSubmit((input) => rename.mutate(input))}
    >
      <div role="status" className="empty:mb-0">
        {rename.isSuccess && (
          <Notice tone="success">
            <p className="break-words">{t('done', { name: rename.data.renameOrganization.name })}</p>
          </Notice>
        )}
      </div>
      {rename.isError && problem === undefined && <RefusalNotice error={rename.error} />}
      <Field {...form.register('name')} label={t('name')} autoComplete="off" problem={problem} />
      <FormButtons submit={t('submit')} busy={rename.isPending} onClose={onClose} />
    </form>
  );
};
