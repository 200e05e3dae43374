/** /organization/tokens: the tokens of the active organization, its service accounts, and its policy for tokens. */
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { lazyComponent } from '../../../components/lazy-component.tsx';
import { SectionLoading } from '../../../components/section.tsx';
import type { Membership } from '../../members/members.ts';
import { OrganizationPage } from '../organization-page.tsx';
import { tokenParams, tokenSections, useTokenView } from './view.ts';

export const OrganizationTokensPage = () => {
  const t = useTranslations('organizationTokens');
  return (
    <OrganizationPage
      scope="TOKENS_MANAGE"
      title={(name) => t('title', { name })}
      lead={t('lead')}
      notAllowed={t('notAllowed')}
    >
      {(membership) => <Sections membership={membership} />}
    </OrganizationPage>
  );
};

const parts = {
  tokens: lazyComponent(async () => (await import('./token-list.tsx')).TokenList),
  accounts: lazyComponent(async () => (await import('./service-accounts.tsx')).ServiceAccounts),
  policy: lazyComponent(async () => (await import('./policy.tsx')).TokenPolicySection),
};

const Sections = ({ membership }: { readonly membership: Membership }) => {
  const t = useTranslations('organizationTokens');
  const { section } = useTokenView().view;
  const Part = parts[section];
  return (
    <>
      <nav aria-label={t('navigation')} className="-mx-3 flex flex-wrap gap-1">
        {tokenSections.map((each) => (
          <Link
            key={each}
            from="/organization/tokens"
            to="."
            search={tokenParams({ section: each })}
            resetScroll={false}
            // With its filters, a section is the same page.
            activeOptions={{ exact: true }}
            aria-current={each === section ? 'page' : undefined}
            data-status={each === section ? 'active' : undefined}
            className="flex min-h-11 items-center rounded-control px-3 font-medium text-soft hover:text-ink data-[status=active]:bg-tint data-[status=active]:text-ink"
          >
            {t(`sections.${each}`)}
          </Link>
        ))}
      </nav>
      <Suspense fallback={<SectionLoading />}>
        <Part membership={membership} />
      </Suspense>
    </>
  );
};
