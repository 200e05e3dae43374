/** The organizations of a person; below each, on demand, what the person may do there. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { applicationQuery } from '../../../access/roles.ts';
import { useRoleTitle } from '../../../components/application.tsx';
import { Section } from '../../../components/section.tsx';
import { SignedInIcon } from '../../../components/signed-in-icon.tsx';
import { DataTable } from '../../../lists/data-table.tsx';
import { EmptyList } from '../../../lists/empty-list.tsx';
import { useSession } from '../../../session/session-context.tsx';
import { MembershipState } from '../details.tsx';
import { usePlanWords } from '../organizations/organizations.ts';
import { GrantsOfMembership } from './grants-of-membership.tsx';
import type { Membership, PersonDetails } from './people.ts';

export const Memberships = ({ details: { memberships, membershipCount } }: { readonly details: PersonDetails }) => {
  const t = useTranslations('console.person');
  const lead = t('membershipsLead', { count: membershipCount });
  if (memberships.length === 0) return <NoMemberships title={t('memberships')} text={lead} />;
  return (
    <Section
      title={t('memberships')}
      lead={memberships.length < membershipCount ? `${lead} ${t('firstHundred')}` : lead}
    >
      <MembershipTable memberships={memberships} />
    </Section>
  );
};

const NoMemberships = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <Section title={title}>
    <EmptyList text={text} />
  </Section>
);

const detailsId = ({ memberId }: Membership): string => `grants-${memberId}`;

const MembershipTable = ({ memberships }: { readonly memberships: readonly Membership[] }) => {
  const t = useTranslations('console.person');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  // Asked for with the table, so that the words are there when the first row is opened.
  const scopes = useQuery(applicationQuery(useSession())).data?.scopes ?? [];
  const isOpen = ({ memberId }: Membership): boolean => open.has(memberId);
  const toggle = ({ memberId }: Membership): void =>
    setOpen(new Set(open.has(memberId) ? [...open].filter((id) => id !== memberId) : [...open, memberId]));
  return (
    <DataTable
      label={t('memberships')}
      rows={memberships}
      keyOf={({ memberId }) => memberId}
      below={(row) =>
        isOpen(row) ? (
          <div id={detailsId(row)}>
            <GrantsOfMembership membership={row} scopes={scopes} />
          </div>
        ) : null
      }
      columns={[
        {
          key: 'organization',
          heading: t('columns.organization'),
          width: 'sm:w-1/3',
          cell: (row) => <OrganizationLink membership={row} />,
        },
        { key: 'role', heading: t('columns.role'), cell: (row) => <RoleAndPlan membership={row} /> },
        {
          key: 'since',
          heading: t('columns.since'),
          cell: ({ joinedAt, invitationExpiresAt }) => (
            <span className="text-soft">
              <MembershipState joinedAt={joinedAt} expiresAt={invitationExpiresAt} />
            </span>
          ),
        },
        {
          key: 'grants',
          heading: t('columns.grants'),
          isHeadingHidden: true,
          cell: (row) =>
            row.joinedAt !== null && <Disclosure membership={row} isOpen={isOpen(row)} onToggle={() => toggle(row)} />,
        },
      ]}
    />
  );
};

interface MembershipProps {
  readonly membership: Membership;
}

const OrganizationLink = ({ membership: { organizationId, organizationName } }: MembershipProps) => (
  <Link
    to="/admin/super/organizations/$organizationId"
    params={{ organizationId }}
    search={{}}
    className="text-link wrap-anywhere"
  >
    {organizationName}
  </Link>
);

const RoleAndPlan = ({ membership: { role, subscription } }: MembershipProps) => {
  const titleOf = useRoleTitle();
  const planWords = usePlanWords();
  return (
    <>
      {titleOf(role)}
      <span className="block text-soft">{planWords(subscription)}</span>
    </>
  );
};

interface DisclosureProps extends MembershipProps {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

const Disclosure = ({ membership, isOpen, onToggle }: DisclosureProps) => {
  const t = useTranslations('console.grants');
  return (
    <button
      type="button"
      aria-label={t('openFor', { organization: membership.organizationName })}
      aria-expanded={isOpen}
      aria-controls={isOpen ? detailsId(membership) : undefined}
      className="inline-flex min-h-11 items-center gap-1 rounded text-start sm:float-end sm:-my-1.5 sm:min-h-9"
      onClick={onToggle}
    >
      <span className="text-link">{t('open')}</span>
      <SignedInIcon
        name="down"
        className={`size-4.5 text-accent transition-transform ${isOpen ? '-scale-y-100' : ''}`}
      />
    </button>
  );
};
