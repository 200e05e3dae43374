/** The organization switcher in the header: active organization, other memberships, and a link to create one. */
import { Menu } from '@base-ui/react/menu';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useRoleTitle } from '../components/application.tsx';
import { Spinner } from '../components/button.tsx';
import { MenuPopup, MenuRadioItem, MenuSeparator, menuItemClass } from '../components/overlays/menu.tsx';
import { SignedInIcon } from '../components/signed-in-icon.tsx';
import { useMemberships, usePerson } from '../session/session-context.tsx';

interface OrganizationSwitcherProps {
  readonly busy: boolean;
  readonly onOpen: () => void;
  readonly onSwitch: (organizationId: string) => void;
}

export const OrganizationSwitcher = ({ busy, onOpen, onSwitch }: OrganizationSwitcherProps) => {
  const t = useTranslations('switcher');
  const { currentMembership } = usePerson();
  return (
    <Menu.Root onOpenChange={(isOpen) => isOpen && !busy && onOpen()}>
      <Menu.Trigger
        aria-busy={busy || undefined}
        className="flex min-h-11 max-w-full min-w-0 items-center gap-2 rounded-control border border-edge/45 bg-surface px-3 text-start text-[0.9375rem] font-semibold transition-colors duration-150 select-none hover:border-edge data-popup-open:border-edge"
      >
        <span className="sr-only">{t('label')}</span>
        <span dir="auto" className="min-w-0 truncate">
          {currentMembership?.organization.name ?? t('none')}
        </span>
        {busy ? <Spinner /> : <SignedInIcon name="chevrons" className="size-4.5 text-soft" />}
      </Menu.Trigger>
      <MenuPopup>
        <Memberships onSwitch={onSwitch} />
        <Menu.LinkItem closeOnClick className={menuItemClass} render={<Link to="/organizations/new" />}>
          <SignedInIcon name="plus" className="size-5 text-soft" />
          {t('create')}
        </Menu.LinkItem>
      </MenuPopup>
    </Menu.Root>
  );
};

const Memberships = ({ onSwitch }: Pick<OrganizationSwitcherProps, 'onSwitch'>) => {
  const t = useTranslations('switcher');
  const titleOf = useRoleTitle();
  const { currentMembership } = usePerson();
  const memberships = useMemberships();
  if (memberships.length === 0) return null;
  return (
    <>
      <Menu.RadioGroup
        value={currentMembership?.organization.id ?? ''}
        onValueChange={onSwitch}
        aria-label={t('yours')}
      >
        {memberships.map(({ id, role, organization }) => (
          <MenuRadioItem key={id} value={organization.id}>
            <span className="block font-medium wrap-anywhere">
              <bdi>{organization.name}</bdi>
            </span>
            <span className="block text-sm text-soft">{titleOf(role)}</span>
          </MenuRadioItem>
        ))}
      </Menu.RadioGroup>
      <MenuSeparator />
    </>
  );
};
