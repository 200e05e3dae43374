/** One row of the member list: who it is, since when or until when, their role, and what may be done. */
import { Menu } from '@base-ui/react/menu';
import { useTranslations } from 'use-intl';
import { Badge } from '../../components/badge.tsx';
import { formatDate, Instant } from '../../components/dates.tsx';
import { MenuBox, MenuChoice, menuItemClass } from '../../components/menu.tsx';
import { SignedInIcon } from '../../components/signed-in-icon.tsx';
import type { Role } from '../../generated/graphql.ts';
import {
  type Deed,
  isInvited,
  type Member,
  type Membership,
  nameOf,
  type Rights,
  rightsOver,
  rolesToGive,
} from './members.ts';

interface MemberRowProps {
  readonly member: Member;
  readonly membership: Membership;
  readonly onDeed: (deed: Deed) => void;
}

export const MemberRow = ({ member, membership, onDeed }: MemberRowProps) => {
  const rights = rightsOver(member, membership);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4 sm:flex-nowrap sm:px-6">
      <div className="min-w-0 basis-full sm:flex-1">
        <Who member={member} isOwnRow={member.id === membership.id} />
      </div>
      <div className="flex w-full items-center justify-between gap-2 sm:w-auto sm:justify-end">
        <div>
          <RoleOf member={member} membership={membership} mayChange={rights.role} onDeed={onDeed} />
        </div>
        <div>
          <Actions member={member} rights={rights} onDeed={onDeed} />
        </div>
      </div>
    </li>
  );
};

const Who = ({ member, isOwnRow }: { readonly member: Member; readonly isOwnRow: boolean }) => {
  const t = useTranslations('members');
  const isExpired = member.invitation?.status === 'EXPIRED';
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
        <span className="min-w-0 wrap-anywhere">{nameOf(member)}</span>
        {isOwnRow && <Badge look="accent">{t('you')}</Badge>}
        {isInvited(member) && (
          <Badge look={isExpired ? 'caution' : 'plain'}>{isExpired ? t('expired') : t('invited')}</Badge>
        )}
      </p>
      {member.name !== null && <p className="wrap-anywhere text-soft">{member.email}</p>}
      <p className="text-sm text-soft">
        <Since member={member} />
      </p>
    </>
  );
};

const Since = ({ member: { joinedAt, invitation } }: { readonly member: Member }) => {
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

interface RoleOfProps extends MemberRowProps {
  readonly mayChange: boolean;
}

const RoleOf = ({ member, membership, mayChange, onDeed }: RoleOfProps) => {
  const t = useTranslations('members');
  const names = useTranslations('roles');
  if (!mayChange) return <span className="text-[0.9375rem] text-soft sm:px-3">{names(member.role)}</span>;
  const give = (role: Role) => role !== member.role && onDeed({ kind: 'role', member, role });
  return (
    <Menu.Root>
      <Menu.Trigger className="flex min-h-11 items-center gap-2 rounded-control border border-edge/45 px-3 text-[0.9375rem] hover:border-edge data-popup-open:border-edge">
        <span className="sr-only">{t('roleOf', { person: nameOf(member) })}</span>
        {names(member.role)}
        <SignedInIcon name="chevrons" className="size-4.5 text-soft" />
      </Menu.Trigger>
      <MenuBox align="end">
        <Menu.RadioGroup value={member.role} onValueChange={give}>
          {rolesToGive(membership).map((role) => (
            <MenuChoice key={role} value={role}>
              {names(role)}
            </MenuChoice>
          ))}
        </Menu.RadioGroup>
      </MenuBox>
    </Menu.Root>
  );
};

interface ActionsProps {
  readonly member: Member;
  readonly rights: Rights;
  readonly onDeed: (deed: Deed) => void;
}

const Actions = ({ member, rights, onDeed }: ActionsProps) => {
  const t = useTranslations('members');
  const deeds = useTranslations('memberDeeds');
  const kinds = deedsWithin(rights);
  if (kinds.length === 0) return <span aria-hidden="true" className="block sm:size-11" />;
  return (
    <Menu.Root>
      <Menu.Trigger
        aria-label={t('actionsFor', { person: nameOf(member) })}
        className="grid size-11 place-items-center rounded-control text-soft hover:bg-canvas hover:text-ink data-popup-open:bg-canvas"
      >
        <SignedInIcon name="dots" />
      </Menu.Trigger>
      <MenuBox align="end">
        {kinds.map((kind) => (
          <Menu.Item
            key={kind}
            className={`${menuItemClass} ${kind === 'resend' ? '' : 'text-danger'}`}
            onClick={() => onDeed({ kind, member })}
          >
            {deeds(kind)}
          </Menu.Item>
        ))}
      </MenuBox>
    </Menu.Root>
  );
};

const deedsWithin = ({ invitation, remove, leave }: Rights) => [
  ...(invitation ? (['resend', 'withdraw'] as const) : []),
  ...(remove ? (['remove'] as const) : []),
  ...(leave ? (['leave'] as const) : []),
];
