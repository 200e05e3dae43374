/** The service accounts of an organization: list, create, change and delete; and the tokens of each. */
import { useQuery } from '@tanstack/react-query';
import { type RefObject, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../components/button.tsx';
import { lazyComponent } from '../../../components/lazy-component.tsx';
import { ConfirmDialog, useLastValue } from '../../../components/overlays/confirm-dialog.tsx';
import { Section, SectionLoading } from '../../../components/section.tsx';
import { DeleteServiceAccountDocument } from '../../../generated/graphql.ts';
import { WholeList } from '../../../lists/whole-list.tsx';
import { useSession } from '../../../session/session-context.tsx';
import { TokenDialogs, TokenResult, useTokenActions } from '../../../tokens/token-actions.tsx';
import { useTokenQuestion } from '../../../tokens/token-question.tsx';
import type { Membership } from '../../members/members.ts';
import { AccountRow } from './account-row.tsx';
import { type ServiceAccount, serviceAccountsQuery } from './queries.ts';

const AccountForm = lazyComponent(async () => (await import('./account-form.tsx')).AccountForm);

export const ServiceAccounts = ({ membership }: { readonly membership: Membership }) => {
  const t = useTranslations('serviceAccounts');
  const accounts = useQuery(serviceAccountsQuery(useSession()));
  const actions = useTokenActions();
  const [isCreating, setCreating] = useState(false);
  const [doomed, setDoomed] = useState<ServiceAccount>();
  const { showResult, resultNotice } = actions;
  const create = (): void => {
    showResult(undefined);
    setCreating(true);
  };
  return (
    <>
      {isCreating ? (
        <Section title={t('createTitle')}>
          <Suspense fallback={<SectionLoading />}>
            <AccountForm
              membership={membership}
              onSaved={({ name }) => {
                setCreating(false);
                showResult(t('wasCreated', { name }));
              }}
              onClose={() => setCreating(false)}
            />
          </Suspense>
        </Section>
      ) : (
        <Button onClick={create}>{t('create')}</Button>
      )}
      <WholeList
        title={t('title')}
        lead={t('lead')}
        query={accounts}
        rows={accounts.data}
        none={t('none')}
        result={<TokenResult actions={actions} />}
      >
        {(account) => (
          <AccountRow
            key={account.id}
            account={account}
            membership={membership}
            actions={actions}
            onDelete={() => {
              showResult(undefined);
              setDoomed(account);
            }}
          />
        )}
      </WholeList>
      <TokenDialogs actions={actions} />
      <DeletionDialog
        account={doomed}
        focusAfter={resultNotice}
        onDeleted={({ name }) => showResult(t('wasDeleted', { name }))}
        onClose={() => setDoomed(undefined)}
      />
    </>
  );
};

interface DeletionDialogProps {
  readonly account: ServiceAccount | undefined;
  readonly focusAfter: RefObject<HTMLElement | null>;
  readonly onDeleted: (account: ServiceAccount) => void;
  readonly onClose: () => void;
}

const DeletionDialog = ({ account, focusAfter, onDeleted, onClose }: DeletionDialogProps) => {
  const t = useTranslations('serviceAccounts.deletion');
  const question = useTokenQuestion({
    subject: account,
    request: (session, { id }) => session.request(DeleteServiceAccountDocument, { serviceAccountId: id }),
    onDone: onDeleted,
    onClose,
  });
  return (
    <ConfirmDialog
      {...question}
      title={t('title', { name: useLastValue(account)?.name ?? '' })}
      text={t('text')}
      submit={t('submit')}
      focusAfter={focusAfter}
    />
  );
};
