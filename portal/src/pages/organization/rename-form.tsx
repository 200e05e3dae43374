/** The form that gives the active organization another name. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Notice, RefusalNotice } from '../../components/notice.tsx';
import { Field, FormButtons } from '../../forms/field.tsx';
import { organizationSchema, showFieldProblems } from '../../forms/form-schemas.ts';
import { RenameOrganizationDocument } from '../../generated/graphql.ts';
import { useKeptDraft, useRestoredDraft } from '../../session/drafts.ts';
import { refreshOnForbidden } from '../../session/refusal.ts';
import { useSession } from '../../session/session-context.tsx';
import type { Membership } from '../members/members.ts';

interface RenameFormProps extends Pick<Membership, 'organization'> {
  readonly onClose: () => void;
}

const keptFields = ['name'] as const;

export const RenameForm = ({ organization, onClose }: RenameFormProps) => {
  const t = useTranslations('renameOrganization');
  const words = useTranslations('fields');
  const session = useSession();
  const schema = useMemo(() => organizationSchema(words), [words]);
  const form = useForm({ resolver: zodResolver(schema), values: { name: organization.name } });
  const draft = useRestoredDraft('rename organization');
  useKeptDraft('rename organization', keptFields, form.getValues);
  const { setFocus, setValue } = form;
  useEffect(() => {
    if (draft?.['name'] !== undefined) setValue('name', draft['name']);
    setFocus('name');
  }, [draft, setFocus, setValue]);
  const renaming = useMutation({
    mutationFn: ({ name }: { readonly name: string }) => session.request(RenameOrganizationDocument, { name }),
    onSuccess: () => session.noteChange(),
    onError: async (error) => {
      if (!showFieldProblems(error, ['name'], form.setError)) await refreshOnForbidden(session, error);
    },
  });
  const problem = form.formState.errors.name?.message;
  return (
    <form
      noValidate
      className="space-y-5 px-5 py-5 sm:px-6"
      onSubmit={form.handleSubmit((input) => renaming.mutate(input))}
    >
      <div role="status" className="empty:mb-0">
        {renaming.isSuccess && (
          <Notice tone="done">
            <p className="break-words">{t('done', { name: renaming.data.renameOrganization.name })}</p>
          </Notice>
        )}
      </div>
      {renaming.isError && problem === undefined && <RefusalNotice error={renaming.error} />}
      <Field {...form.register('name')} label={t('name')} autoComplete="off" problem={problem} />
      <FormButtons submit={t('submit')} busy={renaming.isPending} onClose={onClose} />
    </form>
  );
};
