/** /account/data: a copy of what is kept of the person, and the deletion of the account. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { AccountRefusal } from '../../components/account-refusal.tsx';
import { Button } from '../../components/button.tsx';
import { downloadText } from '../../components/download.ts';
import { Notice, RefusalNotice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { Field } from '../../forms/field.tsx';
import { useOneField } from '../../forms/one-field.ts';
import { DeleteAccountDocument, ExportMyDataDocument } from '../../generated/graphql.ts';
import { hasCode } from '../../session/refusal.ts';
import type { Session } from '../../session/session.ts';
import { usePerson, useSession } from '../../session/session-context.tsx';
import { endAfterDeletion } from '../../session/sign-out.ts';
import { useHasMachineTokens } from '../../tokens/has-machine-tokens.ts';
import { AccountFrame } from './account-pages.tsx';

export const DataPage = () => {
  const t = useTranslations('accountPages');
  return (
    <AccountFrame title={t('dataTitle')}>
      <Export />
      <Deletion />
    </AccountFrame>
  );
};

const Export = () => {
  const t = useTranslations('ownData');
  const session = useSession();
  const download = useMutation({ mutationFn: () => downloadData(session) });
  return (
    <Section title={t('exportTitle')} lead={t('exportLead')}>
      <div className="space-y-4 px-5 py-5 sm:px-6">
        <div role="status" className="empty:mb-0">
          {download.isSuccess && (
            <Notice tone="success">
              <p>{t('exported')}</p>
            </Notice>
          )}
        </div>
        {download.isError && <RefusalNotice error={download.error} />}
        <Button variant="secondary" busy={download.isPending} onClick={() => download.mutate()}>
          {t('export')}
        </Button>
      </div>
    </Section>
  );
};

const downloadData = async (session: Session): Promise<void> => {
  const { exportMyData } = await session.request(ExportMyDataDocument, {});
  downloadText(`my-data-${exportMyData.createdAt.slice(0, 10)}.json`, 'application/json', exportMyData.json);
};

const Deletion = () => {
  const t = useTranslations('ownData');
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={t('deleteTitle')} lead={t('deleteLead')}>
      <div className="space-y-5 px-5 py-5 sm:px-6">
        <p>{t(useHasMachineTokens() ? 'deleteTextWithTokens' : 'deleteText')}</p>
        {isOpen ? (
          <DeletionForm onClose={() => setOpen(false)} />
        ) : (
          <Button variant="danger-secondary" onClick={() => setOpen(true)}>
            {t('open')}
          </Button>
        )}
      </div>
    </Section>
  );
};

const DeletionForm = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useTranslations('ownData');
  const common = useTranslations('common');
  const session = useSession();
  const { email } = usePerson();
  const field = useOneField({ missing: t('emailMissing') });
  const deletion = useMutation({
    mutationFn: (typed: string) => session.request(DeleteAccountDocument, { email: typed }),
    onSuccess: () => endAfterDeletion(session),
    onError: (error) => field.showRefusal(error, 'email'),
  });
  const { problem, input } = field;
  return (
    <form noValidate className="space-y-5" onSubmit={field.onSubmit((typed) => deletion.mutate(typed))}>
      {deletion.isError && problem === undefined && <DeletionProblem error={deletion.error} />}
      <Field
        {...input}
        type="email"
        label={t('typeEmail', { email })}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck="false"
        autoFocus
        problem={problem}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="danger" busy={deletion.isPending || deletion.isSuccess}>
          {t('submit')}
        </Button>
        <Button variant="secondary" onClick={onClose}>
          {common('cancel')}
        </Button>
      </div>
    </form>
  );
};

const DeletionProblem = ({ error }: { readonly error: unknown }) => {
  const t = useTranslations('ownData');
  const code = (['LAST_OWNER', 'SUBSCRIPTION_ACTIVE'] as const).find((known) => hasCode(error, known));
  if (code === undefined) return <AccountRefusal error={error} forbidden={t('FORBIDDEN')} />;
  return (
    <Notice tone="warning">
      <p>{t(code)}</p>
    </Notice>
  );
};
