/** The menu of what can be done with a session: one for all rows, at the button that opened it. */
import { Menu } from '@base-ui/react/menu';
import { useCallback, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { MenuPopup, menuItemClass } from '../../../components/overlays/menu.tsx';
import { isMachine, isServiceAccount, type SessionRow, type SessionView } from './sessions.ts';

/** @param button of the row: the menu opens at it and gives the focus back to it */
export type OpenSessionMenu = (row: SessionRow, button: HTMLElement) => void;

export const useSessionMenu = () => {
  const [row, setRow] = useState<SessionRow>();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLElement>(null);
  const open = useCallback<OpenSessionMenu>((next, at) => {
    button.current = at;
    setRow(next);
    setOpen(true);
  }, []);
  return { row, isOpen, button, open, setOpen };
};

interface SessionMenuProps {
  readonly menu: ReturnType<typeof useSessionMenu>;
  readonly canRevoke: boolean;
  readonly onFilter: (changed: SessionView) => void;
  readonly onEndOne: (row: SessionRow) => void;
  readonly onEverywhere: (row: SessionRow) => void;
}

export const SessionMenu = ({ menu, ...actions }: SessionMenuProps) => {
  const { row, isOpen, button, setOpen } = menu;
  const chosen = useRef<() => void>(undefined);
  // After the menu has given the focus back, so that the dialog of an action takes it, and gives it back to the row.
  const actOnceClosed = (isOpenNow: boolean): void => {
    if (isOpenNow) return;
    const act = chosen.current;
    chosen.current = undefined;
    act?.();
  };
  const choose = (act: () => void): void => {
    chosen.current = act;
  };
  return (
    <Menu.Root open={isOpen} onOpenChange={setOpen} onOpenChangeComplete={actOnceClosed}>
      <MenuPopup align="end" anchor={button}>
        {row !== undefined && <Items row={row} choose={choose} {...actions} />}
      </MenuPopup>
    </Menu.Root>
  );
};

interface ItemsProps extends Omit<SessionMenuProps, 'menu'> {
  readonly row: SessionRow;
  /** Acts once the menu has closed. */
  readonly choose: (act: () => void) => void;
}

const Items = ({ row, choose, canRevoke, onFilter, onEndOne, onEverywhere }: ItemsProps) => {
  const t = useTranslations('sessions.actions');
  const { userId, organizationId, issueIp } = row;
  return (
    <>
      {canRevoke && (
        <>
          <Menu.Item className={`${menuItemClass} text-danger`} onClick={() => choose(() => onEndOne(row))}>
            {t(isMachine(row) ? 'endToken' : 'end')}
          </Menu.Item>
          {!isServiceAccount(row) && (
            <Menu.Item className={`${menuItemClass} text-danger`} onClick={() => choose(() => onEverywhere(row))}>
              {t('everywhere')}
            </Menu.Item>
          )}
        </>
      )}
      <Menu.Item className={menuItemClass} onClick={() => choose(() => onFilter({ user: userId }))}>
        {t(isServiceAccount(row) ? 'onlyAccount' : 'onlyPerson')}
      </Menu.Item>
      {organizationId !== null && (
        <Menu.Item className={menuItemClass} onClick={() => choose(() => onFilter({ organization: organizationId }))}>
          {t('onlyOrganization')}
        </Menu.Item>
      )}
      {issueIp !== null && (
        <Menu.Item className={menuItemClass} onClick={() => choose(() => onFilter({ network: issueIp }))}>
          {t('onlyNetwork', { address: issueIp })}
        </Menu.Item>
      )}
    </>
  );
};
