/** The frame of the pages of one's own account: heading, and the links between them. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useHasOrganizationMcp } from '../../clients/has-organization-mcp.ts';
import { PageHeading } from '../../components/page.tsx';
import { useHasMachineTokens } from '../../tokens/has-machine-tokens.ts';

const linkClass =
  'flex min-h-11 items-center rounded-control px-3 font-medium text-soft hover:text-ink data-[status=active]:bg-tint data-[status=active]:text-ink';

interface AccountFrameProps {
  readonly title: string;
  readonly children: ReactNode;
}

export const AccountFrame = ({ title, children }: AccountFrameProps) => {
  const t = useTranslations('accountPages');
  const hasMachineTokens = useHasMachineTokens();
  return (
    <>
      <PageHeading title={title} />
      <nav aria-label={t('navigation')} className="-mx-3 flex flex-wrap gap-1">
        <Link to="/account" activeOptions={{ exact: true, includeSearch: false }} className={linkClass}>
          {t('account')}
        </Link>
        <Link to="/account/security" className={linkClass}>
          {t('security')}
        </Link>
        {hasMachineTokens && (
          <Link to="/account/tokens" className={linkClass}>
            {t('tokens')}
          </Link>
        )}
        {useHasOrganizationMcp() && (
          <Link to="/account/clients" className={linkClass}>
            {t('clients')}
          </Link>
        )}
        <Link to="/account/data" className={linkClass}>
          {t('data')}
        </Link>
      </nav>
      {children}
    </>
  );
};
