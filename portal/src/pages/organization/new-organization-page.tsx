/** /organizations/new: founds an organization and opens it. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { Notice, RefusalNotice } from '../../components/notice.tsx';
import { PageHeading } from '../../components/page.tsx';
import { Field } from '../../forms/field.tsx';
import { organizationSchema, showFieldProblems } from '../../forms/form-schemas.ts';
import { CreateOrganizationDocument, type CreateOrganizationMutation } from '../../generated/graphql.ts';
import { useKeptDraft, useRestoredDraft } from '../../session/drafts.ts';
import { useSession } from '../../session/session-context.tsx';

type Founded = CreateOrganizationMutation['createOrganization'];

export const NewOrganizationPage = () => {
  const t = useTranslations('newOrganization');
  const [founded, setFounded] = useState<Founded>();
  const [failure, setFailure] = useState<unknown>();
  const session = useSession();
  const navigate = useNavigate();
  const opening = useMutation({
    mutationFn: ({ id }: Founded) => session.switchOrganization(id),
    onSuccess: () => navigate({ to: '/members' }),
    onError: setFailure,
  });
  const open = (organization: Founded) => {
    setFounded(organization);
    opening.mutate(organization);
  };
  return (
    <div className="max-w-[28rem] space-y-7">
      <div className="space-y-2">
        <PageHeading title={t('title')} />
        <p className="text-soft">{t('lead')}</p>
      </div>
      {failure !== undefined && founded !== undefined ? (
        <NotOpened founded={founded} error={failure} busy={opening.isPending} onRetry={() => opening.mutate(founded)} />
      ) : (
        <FoundingForm isOpening={founded !== undefined} onFounded={open} />
      )}
    </div>
  );
};

const keptFields = ['name'] as const;

interface FoundingFormProps {
  readonly isOpening: boolean;
  readonly onFounded: (organization: Founded) => void;
}

const FoundingForm = ({ isOpening, onFounded }: FoundingFormProps) => {
  const t = useTranslations('newOrganization');
  const words = useTranslations('fields');
  const session = useSession();
  const schema = useMemo(() => organizationSchema(words), [words]);
  const draft = useRestoredDraft('new organization');
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { name: draft?.['name'] ?? '' } });
  useKeptDraft('new organization', keptFields, form.getValues);
  const founding = useMutation({
    mutationFn: (input: { readonly name: string }) => session.request(CreateOrganizationDocument, { input }),
    onSuccess: ({ createOrganization }) => onFounded(createOrganization),
    onError: (error) => showFieldProblems(error, ['name'], form.setError),
  });
  const problem = form.formState.errors.name?.message;
  return (
    <form noValidate className="space-y-5" onSubmit={form.handleSubmit((input) => founding.mutate(input))}>
      {founding.isError && problem === undefined && <RefusalNotice error={founding.error} />}
      <Field {...form.register('name')} label={t('name')} autoComplete="organization" problem={problem} />
      <Button type="submit" className="min-h-12 w-full sm:w-auto" busy={founding.isPending || isOpening}>
        {t('submit')}
      </Button>
    </form>
  );
};

interface NotOpenedProps {
  readonly founded: Founded;
  readonly error: unknown;
  readonly busy: boolean;
  readonly onRetry: () => void;
}

const NotOpened = ({ founded, error, busy, onRetry }: NotOpenedProps) => {
  const t = useTranslations('newOrganization');
  return (
    <div className="space-y-4">
      <Notice tone="caution" title={t('notSwitchedTitle', { name: founded.name })}>
        <p>{t('notSwitched')}</p>
      </Notice>
      <RefusalNotice error={error} />
      <Button busy={busy} onClick={onRetry}>
        {t('open', { name: founded.name })}
      </Button>
    </div>
  );
};
