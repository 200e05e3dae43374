/** /organizations/new: creates an organization and switches to it. */
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { Notice, RefusalNotice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page.tsx';
import { Field } from '../../forms/field.tsx';
import { useOneField } from '../../forms/one-field.ts';
import { CreateOrganizationDocument, type CreateOrganizationMutation } from '../../generated/graphql.ts';
import { useRestoredDraft, useSavedDraft } from '../../session/drafts.ts';
import { useSession } from '../../session/session-context.tsx';

type CreatedOrganization = CreateOrganizationMutation['createOrganization'];

export const NewOrganizationPage = () => {
  const t = useTranslations('newOrganization');
  const [created, setCreated] = useState<CreatedOrganization>();
  const [failure, setFailure] = useState<unknown>();
  const session = useSession();
  const navigate = useNavigate();
  const switching = useMutation({
    mutationFn: ({ id }: CreatedOrganization) => session.switchOrganization(id),
    onSuccess: () => navigate({ to: '/members' }),
    onError: setFailure,
  });
  const open = (organization: CreatedOrganization) => {
    setCreated(organization);
    switching.mutate(organization);
  };
  return (
    <div className="max-w-[28rem] space-y-7">
      <PageHead title={t('title')} lead={t('lead')} />
      {failure !== undefined && created !== undefined ? (
        <NotSwitched
          created={created}
          error={failure}
          busy={switching.isPending}
          onRetry={() => switching.mutate(created)}
        />
      ) : (
        <CreateOrganizationForm isSwitching={switching.isPending} onCreated={open} />
      )}
    </div>
  );
};

const draftFields = ['name'] as const;

interface CreateOrganizationFormProps {
  readonly isSwitching: boolean;
  readonly onCreated: (organization: CreatedOrganization) => void;
}

const CreateOrganizationForm = ({ isSwitching, onCreated }: CreateOrganizationFormProps) => {
  const t = useTranslations('newOrganization');
  const fields = useTranslations('fields');
  const session = useSession();
  const draft = useRestoredDraft('new organization');
  const field = useOneField({ missing: fields('organizationNameMissing'), initial: draft?.['name'] ?? '' });
  useSavedDraft('new organization', draftFields, field.read);
  const creation = useMutation({
    mutationFn: (input: { readonly name: string }) => session.request(CreateOrganizationDocument, { input }),
    onSuccess: ({ createOrganization }) => onCreated(createOrganization),
    onError: (error) => field.showRefusal(error, 'name'),
  });
  const { problem, input } = field;
  return (
    <form noValidate className="space-y-5" onSubmit={field.onSubmit((name) => creation.mutate({ name }))}>
      {creation.isError && problem === undefined && <RefusalNotice error={creation.error} />}
      <Field {...input} label={t('name')} autoComplete="organization" problem={problem} />
      <Button type="submit" className="min-h-12 w-full sm:w-auto" busy={creation.isPending || isSwitching}>
        {t('submit')}
      </Button>
    </form>
  );
};

interface NotSwitchedProps {
  readonly created: CreatedOrganization;
  readonly error: unknown;
  readonly busy: boolean;
  readonly onRetry: () => void;
}

const NotSwitched = ({ created, error, busy, onRetry }: NotSwitchedProps) => {
  const t = useTranslations('newOrganization');
  return (
    <div className="space-y-4">
      <Notice tone="warning" title={t('notSwitchedTitle', { name: created.name })}>
        <p>{t('notSwitched')}</p>
      </Notice>
      <RefusalNotice error={error} />
      <Button busy={busy} onClick={onRetry}>
        {t('open', { name: created.name })}
      </Button>
    </div>
  );
};
