/** Parts of the console's pages about one person or organization: the link back, details, the id, and memberships. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { CopyButton } from '../../components/copy-button.tsx';
import { formatDate, Instant } from '../../components/dates.tsx';
import { PageHead } from '../../components/page.tsx';

interface BackLinkProps {
  readonly to: '/admin/super/people' | '/admin/super/organizations';
  readonly children: ReactNode;
}

export const BackLink = ({ to, children }: BackLinkProps) => (
  <p className="mb-3">
    <Link to={to} className="text-link inline-flex gap-1.5">
      <span aria-hidden="true" className="inline-block rtl:-scale-x-100">
        ←
      </span>
      {children}
    </Link>
  </p>
);

export const PropertyList = ({ children }: { readonly children: ReactNode }) => (
  <dl className="grid gap-x-6 gap-y-1 px-5 py-4 text-[0.9375rem] sm:grid-cols-[11rem_minmax(0,1fr)] sm:gap-y-2.5 sm:px-6">
    {children}
  </dl>
);

export const Property = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt className="text-soft">{name}</dt>
    <dd className="mb-2 min-w-0 wrap-anywhere tabular-nums sm:mb-0">{children}</dd>
  </>
);

interface IdPropertyProps {
  readonly name: string;
  readonly id: string;
  readonly copyLabel: string;
}

export const IdProperty = ({ name, id, copyLabel }: IdPropertyProps) => (
  <Property name={name}>
    <span className="flex flex-wrap items-center gap-x-3">
      <code dir="ltr" className="font-mono text-[0.8125rem] wrap-anywhere select-all">
        {id}
      </code>
      <CopyButton isSmall text={id} label={copyLabel} />
    </span>
  </Property>
);

export const NotFound = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <PageHead title={title} lead={text} />
);

interface MembershipStateProps {
  readonly joinedAt: string | null;
  readonly expiresAt: string | null;
}

/** When a person joined, or until when the invitation is or was open. */
export const MembershipState = ({ joinedAt, expiresAt }: MembershipStateProps) => {
  const t = useTranslations('console.person');
  const at = joinedAt ?? expiresAt;
  if (at === null) return null;
  const date = formatDate(at, { dateStyle: 'medium' });
  if (joinedAt !== null) return <Instant at={at}>{t('joined', { date })}</Instant>;
  return <Instant at={at}>{t(Date.parse(at) > Date.now() ? 'open' : 'expired', { date })}</Instant>;
};
