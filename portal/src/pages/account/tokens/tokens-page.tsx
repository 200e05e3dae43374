/** /account/tokens: the person's own personal tokens, of every organization. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../components/button.tsx';
import { lazyComponent } from '../../../components/lazy-component.tsx';
import { QueryState } from '../../../components/list.tsx';
import { NoOrganization } from '../../../components/no-organization.tsx';
import { Section, SectionLoading } from '../../../components/section.tsx';
import { useHasDraft } from '../../../session/drafts.ts';
import { usePerson, useSession } from '../../../session/session-context.tsx';
import { TokenButtons, TokenDialogs, TokenResult, useTokenActions } from '../../../tokens/token-actions.tsx';
import { TokenRow } from '../../../tokens/token-row.tsx';
import { isEnded, myTokensQuery, type Token } from '../../../tokens/tokens.ts';
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
      <Section title={t('list')} footer={<p className="text-sm leading-relaxed text-soft">{t('life')}</p>}>
        <TokenResult actions={actions} />
        <QueryState query={tokens} />
        {live?.length === 0 && <p className="px-5 py-5 leading-relaxed text-soft sm:px-6">{t('none')}</p>}
        {live !== undefined && live.length > 0 && (
          <OwnTokens tokens={live} buttons={(token) => <TokenButtons token={token} actions={actions} mayRotate />} />
        )}
      </Section>
      {ended.length > 0 && (
        <Section title={t('ended')}>
          <OwnTokens tokens={ended} />
        </Section>
      )}
      <TokenDialogs actions={actions} />
    </AccountFrame>
  );
};

interface OwnTokensProps {
  readonly tokens: readonly Token[];
  readonly buttons?: (token: Token) => ReactNode;
}

const OwnTokens = ({ tokens, buttons }: OwnTokensProps) => (
  <ul className="divide-y divide-line">
    {tokens.map((token) => (
      <TokenRow key={token.id} token={token} owner={token.organizationName}>
        {buttons?.(token)}
      </TokenRow>
    ))}
  </ul>
);

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
