/** The table of members and invitations: name, role, since or until when, and the menu of actions. */
import { Menu } from '@base-ui/react/menu';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useRoleDescription } from '../../access/role-description.ts';
import { applicationQuery, useAssignableRoles } from '../../access/roles.ts';
import { useRoleTitle } from '../../components/application.tsx';
import { Badge } from '../../components/badge.tsx';
import { formatDate, Instant } from '../../components/dates.tsx';
import { MenuPopup, MenuRadioItem, menuItemClass } from '../../components/overlays/menu.tsx';
import { SignedInIcon } from '../../components/signed-in-icon.tsx';
import type { Role } from '../../generated/graphql.ts';
import { DataTable } from '../../lists/data-table.tsx';
import { useSession } from '../../session/session-context.tsx';
import {
  displayName,
  isInvited,
  type Member,
  type MemberAction,
  type MemberPermissions,
  type Membership,
  permissionsFor,
} from './members.ts';

interface MemberTableProps {
  readonly members: readonly Member[];
  readonly membership: Membership;
  readonly busy: boolean;
  readonly onAction: (action: MemberAction) => void;
}

export const MemberTable = ({ members, membership, busy, onAction }: MemberTableProps) => {
  const t = useTranslations('members');
  const assignable = useAssignableRoles(membership.role);
  const permissionsOf = (member: Member): MemberPermissions => permissionsFor(member, membership, assignable);
  return (
    <DataTable
      label={t('list')}
      rows={members}
      keyOf={({ id }) => id}
      busy={busy}
      columns={[
        {
          key: 'person',
          heading: t('columns.person'),
          width: 'sm:w-[40%]',
          cell: (member) => <MemberName member={member} isSelf={member.id === membership.id} />,
        },
        {
          key: 'role',
          heading: t('columns.role'),
          width: 'sm:w-48',
          cell: (member) => (
            <RoleMenu member={member} roles={permissionsOf(member).role ? assignable : undefined} onAction={onAction} />
          ),
        },
        {
          key: 'since',
          heading: t('columns.since'),
          cell: (member) => (
            <span className="text-sm text-soft">
              <MemberSince member={member} />
            </span>
          ),
        },
        {
          key: 'actions',
          heading: t('columns.actions'),
          isHeadingHidden: true,
          width: 'sm:w-20',
          cell: (member) => <ActionMenu member={member} permissions={permissionsOf(member)} onAction={onAction} />,
        },
      ]}
    />
  );
};

const MemberName = ({ member, isSelf }: { readonly member: Member; readonly isSelf: boolean }) => {
  const t = useTranslations('members');
  const isExpired = member.invitation?.status === 'EXPIRED';
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
        <bdi className="min-w-0 wrap-anywhere">{displayName(member)}</bdi>
        {isSelf && <Badge variant="accent">{t('you')}</Badge>}
        {isInvited(member) && (
          <Badge variant={isExpired ? 'caution' : 'plain'}>{isExpired ? t('expired') : t('invited')}</Badge>
        )}
      </p>
      {member.name !== null && <p className="wrap-anywhere text-soft">{member.email}</p>}
    </>
  );
};

const MemberSince = ({ member: { joinedAt, invitation } }: { readonly member: Member }) => {
  const t = useTranslations('members');
  const expiresAt = invitation?.expiresAt ?? null;
  if (joinedAt !== null) {
    return <Instant at={joinedAt}>{t('joined', { date: formatDate(joinedAt, { dateStyle: 'medium' }) })}</Instant>;
  }
  if (expiresAt === null) return null;
  const isExpired = invitation?.status === 'EXPIRED';
  const date = formatDate(expiresAt, { dateStyle: 'medium', timeStyle: 'short' });
  return <Instant at={expiresAt}>{isExpired ? t('expiredOn', { date }) : t('openUntil', { date })}</Instant>;
};

interface RoleMenuProps {
  readonly member: Member;
  readonly onAction: (action: MemberAction) => void;
  /** Those to choose from; undefined when the role cannot be changed. */
  readonly roles: readonly Role[] | undefined;
}

const RoleMenu = ({ member, roles, onAction }: RoleMenuProps) => {
  const t = useTranslations('members');
  const titleOf = useRoleTitle();
  if (roles === undefined) return <span className="text-[0.9375rem] text-soft sm:px-3">{titleOf(member.role)}</span>;
  const assign = (role: Role) => role !== member.role && onAction({ kind: 'role', member, role });
  return (
    <Menu.Root>
      <Menu.Trigger className="flex min-h-11 items-center gap-2 rounded-control border border-edge/45 px-3 text-start text-[0.9375rem] wrap-break-word hover:border-edge data-popup-open:border-edge">
        <span className="sr-only">{t('roleOf', { person: displayName(member) })}</span>
        {titleOf(member.role)}
        <SignedInIcon name="chevrons" className="size-4.5 text-soft" />
      </Menu.Trigger>
      <MenuPopup align="end">
        <Menu.RadioGroup value={member.role} onValueChange={assign}>
          <RoleItems roles={roles} />
        </Menu.RadioGroup>
      </MenuPopup>
    </Menu.Root>
  );
};

/** Each role with what it permits, in words. */
const RoleItems = ({ roles }: { readonly roles: readonly Role[] }) => {
  const titleOf = useRoleTitle();
  const { data: application } = useQuery(applicationQuery(useSession()));
  const describe = useRoleDescription(application ?? { roles: [], scopes: [] });
  return roles.map((role) => (
    <MenuRadioItem key={role} value={role} description={application === undefined ? undefined : describe(role)}>
      {titleOf(role)}
    </MenuRadioItem>
  ));
};

interface ActionMenuProps {
  readonly member: Member;
  readonly permissions: MemberPermissions;
  readonly onAction: (action: MemberAction) => void;
}

const ActionMenu = ({ member, permissions, onAction }: ActionMenuProps) => {
  const t = useTranslations('members');
  const actions = useTranslations('memberActions');
  const kinds = permittedActions(permissions);
  if (kinds.length === 0) return <span aria-hidden="true" className="block sm:size-11" />;
  return (
    <Menu.Root>
      <Menu.Trigger
        aria-label={t('actionsFor', { person: displayName(member) })}
        className="grid size-11 place-items-center rounded-control text-soft hover:bg-canvas hover:text-ink data-popup-open:bg-canvas"
      >
        <SignedInIcon name="dots" />
      </Menu.Trigger>
      <MenuPopup align="end">
        {kinds.map((kind) => (
          <Menu.Item
            key={kind}
            className={`${menuItemClass} ${kind === 'resend' ? '' : 'text-danger'}`}
            onClick={() => onAction({ kind, member })}
          >
            {actions(kind)}
          </Menu.Item>
        ))}
      </MenuPopup>
    </Menu.Root>
  );
};

const permittedActions = ({ invitation, remove, leave }: MemberPermissions) => [
  ...(invitation ? (['resend', 'withdraw'] as const) : []),
  ...(remove ? (['remove'] as const) : []),
  ...(leave ? (['leave'] as const) : []),
];
