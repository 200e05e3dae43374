/** /account/tokens: the person's own personal tokens, of every organization. */
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../components/button.tsx';
import { lazyComponent } from '../../../components/lazy-component.tsx';
import { NoOrganization } from '../../../components/no-organization.tsx';
import { Section, SectionLoading } from '../../../components/section.tsx';
import { WholeList } from '../../../lists/whole-list.tsx';
import { useHasDraft } from '../../../session/drafts.ts';
import { usePerson, useSession } from '../../../session/session-context.tsx';
import { TokenButtons, TokenDialogs, TokenResult, useTokenActions } from '../../../tokens/token-actions.tsx';
import { TokenRow } from '../../../tokens/token-row.tsx';
import { isEnded, myTokensQuery } from '../../../tokens/tokens.ts';
import { AccountFrame } from '../account-pages.tsx';

export const OwnTokensPage = () => {
  const t = useTranslations('ownTokens');
  const tokens = useQuery(myTokensQuery(useSession()));
  const actions = useTokenActions();
  const ended = tokens.data?.filter(isEnded) ?? [];
  const live = tokens.data?.filter((token) => !isEnded(token));
  return (
    <AccountFrame title={t('title')}>
      <p className="leading-relaxed text-soft">{t('lead')}</p>
      <NewToken onCreated={actions.showSecret} onOpen={() => actions.showResult(undefined)} />
      <WholeList
        title={t('list')}
        query={tokens}
        rows={live}
        none={t('none')}
        footer={<p className="text-sm leading-relaxed text-soft">{t('life')}</p>}
        result={<TokenResult actions={actions} />}
      >
        {(token) => (
          <TokenRow key={token.id} token={token} owner={token.organizationName}>
            <TokenButtons token={token} actions={actions} mayRotate />
          </TokenRow>
        )}
      </WholeList>
      {ended.length > 0 && (
        <Section title={t('ended')}>
          <ul className="divide-y divide-line">
            {ended.map((token) => (
              <TokenRow key={token.id} token={token} owner={token.organizationName} />
            ))}
          </ul>
        </Section>
      )}
      <TokenDialogs actions={actions} />
    </AccountFrame>
  );
};

const CreateTokenForm = lazyComponent(async () => (await import('./create-token-form.tsx')).CreateTokenForm);

interface NewTokenProps {
  readonly onCreated: Parameters<typeof CreateTokenForm>[0]['onCreated'];
  readonly onOpen: () => void;
}

/** Opens the form. A token is of the active organization, so that without one there is nothing to create. */
const NewToken = ({ onCreated, onOpen }: NewTokenProps) => {
  const t = useTranslations('ownTokens');
  const { currentMembership } = usePerson();
  const [isOpen, setOpen] = useState(useHasDraft('personal token'));
  if (currentMembership === null) {
    return (
      <>
        <p>{t('noOrganization')}</p>
        <NoOrganization />
      </>
    );
  }
  const { organization, scopes } = currentMembership;
  if (scopes.length === 0) {
    return <p className="wrap-anywhere text-soft">{t('noScopes', { organization: organization.name })}</p>;
  }
  const open = (): void => {
    onOpen();
    setOpen(true);
  };
  if (!isOpen) return <Button onClick={open}>{t('create')}</Button>;
  return (
    <Suspense fallback={<SectionLoading />}>
      <CreateTokenForm
        key={organization.id}
        membership={currentMembership}
        onCreated={(issued) => {
          setOpen(false);
          onCreated(issued);
        }}
        onClose={() => setOpen(false)}
      />
    </Suspense>
  );
};
