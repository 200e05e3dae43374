/** Form that changes the person's name. */
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { RefusalNotice } from '../../components/notice.tsx';
import { Field, FormButtons } from '../../forms/field.tsx';
import { useOneField } from '../../forms/one-field.ts';
import { ChangeNameDocument } from '../../generated/graphql.ts';
import { useRestoredDraft, useSavedDraft } from '../../session/drafts.ts';
import { usePerson, useSession } from '../../session/session-context.tsx';

const draftFields = ['name'] as const;

export const NameForm = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useTranslations('ownAccount');
  const fields = useTranslations('fields');
  const session = useSession();
  const person = usePerson();
  const draft = useRestoredDraft('name');
  const field = useOneField({ missing: fields('nameMissing'), initial: draft?.['name'] ?? person.name });
  useSavedDraft('name', draftFields, field.read);
  const change = useMutation({
    mutationFn: async (name: string) => {
      await session.request(ChangeNameDocument, { name });
      await session.refetchEverywhere();
    },
    onSuccess: onClose,
    onError: (error) => field.showRefusal(error, 'name'),
  });
  return (
    <form noValidate className="space-y-5 px-5 py-5 sm:px-6" onSubmit={field.onSubmit((name) => change.mutate(name))}>
      {change.isError && field.problem === undefined && <RefusalNotice error={change.error} />}
      <Field {...field.input} label={t('name')} autoComplete="name" autoFocus problem={field.problem} />
      <FormButtons submit={t('save')} busy={change.isPending} onClose={onClose} />
    </form>
  );
};
