/** The columns that members and invitations of an organization share: person, role, and since or until when. */
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useRoleTitle } from '../../../components/application.tsx';
import type { Column } from '../../../lists/data-table.tsx';
import { MembershipState } from '../details.tsx';
import type { ConsoleMember } from './organizations.ts';

export const useMemberColumns = (): readonly Column<ConsoleMember>[] => {
  const t = useTranslations('console.organization.columns');
  const titleOf = useRoleTitle();
  return [
    {
      key: 'person',
      heading: t('person'),
      width: 'sm:w-2/5',
      cell: ({ userId, email, name }) => (
        <>
          <Link
            to="/admin/super/people/$userId"
            params={{ userId }}
            search={{}}
            className="text-link min-w-0 wrap-anywhere"
          >
            {email}
          </Link>
          {name !== null && <span className="block text-soft">{name}</span>}
        </>
      ),
    },
    { key: 'role', heading: t('role'), cell: ({ role }) => titleOf(role) },
    {
      key: 'since',
      heading: t('since'),
      cell: ({ joinedAt, invitation }) => (
        <span className="text-soft">
          <MembershipState joinedAt={joinedAt} expiresAt={invitation?.expiresAt ?? null} />
        </span>
      ),
    },
  ];
};
