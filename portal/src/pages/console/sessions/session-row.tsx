/** The cells of one session, and the menu of what can be done with it. */
import { Menu } from '@base-ui/react/menu';
import { Link } from '@tanstack/react-router';
import { memo, useEffect, useRef } from 'react';
import { useFormatter, useNow, useTranslations } from 'use-intl';
import { Badge } from '../../../components/badge.tsx';
import { Instant } from '../../../components/dates.tsx';
import { useTimeAgo } from '../../../components/detail-list.tsx';
import { MenuPopup, menuItemClass } from '../../../components/menu.tsx';
import { SignedInIcon } from '../../../components/signed-in-icon.tsx';
import { useDeviceLabel } from '../../account/devices/device-label.ts';
import type { Choice } from './choice.ts';
import { type SessionRow, type SessionView, useAudienceName, useMethodName } from './sessions.ts';

interface SessionRowProps extends Pick<Choice, 'toggle' | 'activate' | 'takeFocus'> {
  readonly row: SessionRow;
  readonly index: number;
  readonly canRevoke: boolean;
  readonly isChosen: boolean;
  readonly isActive: boolean;
  readonly onFilter: (changed: SessionView) => void;
  readonly onEndOne: (row: SessionRow) => void;
  readonly onEverywhere: (row: SessionRow) => void;
}

const cellClass = 'block min-w-0 py-0.5 align-top wrap-anywhere lg:table-cell lg:px-2 lg:py-2.5';

/** Rendered again only when its own row, choice or focus changes: a key moves one row of forty. */
export const SessionRowCells = memo((props: SessionRowProps) => {
  const { row, canRevoke } = props;
  const device = useDeviceLabel()(row);
  return (
    <>
      {canRevoke && (
        <td className={`row-span-5 lg:ps-6 ${cellClass}`}>
          <ChoiceBox {...props} device={device} />
        </td>
      )}
      <td className={`col-start-2 ${cellClass}`}>
        <Owner row={row} />
      </td>
      <td className={`col-start-2 ${cellClass}`}>
        <Device row={row} device={device} />
      </td>
      <td className={`col-start-2 ${cellClass}`}>
        <Moment at={row.firstIssuedAt} address={row.issueIp} label="issued" />
      </td>
      <td className={`col-start-2 ${cellClass}`}>
        <Moment at={row.lastSeenAt} address={row.lastSeenIp} label="seen" />
      </td>
      <td className={`col-start-2 ${cellClass}`}>
        <Moment at={row.expiresAt} address={null} label="expires" />
      </td>
      <td className={`col-start-3 row-span-5 row-start-1 ${cellClass}`}>
        <RowMenu {...props} device={device} />
      </td>
    </>
  );
});

interface NamedRowProps extends SessionRowProps {
  readonly device: string;
}

/** The row that the keys act on has the focus at its box. */
const ChoiceBox = ({ row, index, isChosen, isActive, toggle, activate, takeFocus, device }: NamedRowProps) => {
  const t = useTranslations('sessions');
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isActive && takeFocus()) box.current?.focus({ preventScroll: true });
  }, [isActive, takeFocus]);
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label={t('choose', { email: row.userEmail, device })}
      checked={isChosen}
      className="mt-0.5 size-4.5 accent-accent"
      onFocus={() => isActive || activate(row.sessionFamilyId, index)}
      onChange={() => toggle(row.sessionFamilyId)}
    />
  );
};

const Owner = ({ row }: { readonly row: SessionRow }) => {
  const t = useTranslations('sessions');
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2">
        <Link
          to="/admin/super/people/$userId"
          params={{ userId: row.userId }}
          className="text-link min-w-0 truncate"
          title={row.userEmail}
        >
          {row.userEmail}
        </Link>
        {row.isCurrent && <Badge variant="accent">{t('you')}</Badge>}
      </span>
      <span className="block truncate text-soft" title={row.organizationName ?? undefined}>
        {row.organizationName ?? t('noOrganization')}
      </span>
    </>
  );
};

const Device = ({ row, device }: { readonly row: SessionRow; readonly device: string }) => {
  const audienceName = useAudienceName();
  const methodName = useMethodName();
  return (
    <>
      <span className="block truncate" title={row.issueUserAgent ?? undefined}>
        {device}
      </span>
      <span className="block text-soft">
        {audienceName(row.audience)} · {methodName(row.authMethod)}
      </span>
    </>
  );
};

interface MomentProps {
  readonly at: string | null;
  readonly address: string | null;
  readonly label: 'issued' | 'seen' | 'expires';
}

/** On a narrow screen the heading stands before the time. */
const Moment = ({ at, address, label }: MomentProps) => {
  const t = useTranslations('sessions');
  const format = useFormatter();
  const now = useNow({ updateInterval: 60_000 });
  const timeAgo = useTimeAgo();
  const inWords = (instant: string): string =>
    label === 'expires' ? format.relativeTime(new Date(instant), now) : timeAgo(instant);
  return (
    <>
      <span className="text-soft lg:sr-only">{t(`columns.${label}`)} </span>
      <span className="tabular-nums">{at === null ? t('neverSeen') : <Instant at={at}>{inWords(at)}</Instant>}</span>
      {address !== null && (
        <bdi className="ms-2 text-soft lg:ms-0 lg:block" dir="ltr">
          {address}
        </bdi>
      )}
    </>
  );
};

const RowMenu = ({ row, device, canRevoke, onFilter, onEndOne, onEverywhere }: NamedRowProps) => {
  const t = useTranslations('sessions');
  const { organizationId, issueIp } = row;
  return (
    <Menu.Root>
      <Menu.Trigger
        aria-label={t('actionsFor', { email: row.userEmail, device })}
        className="grid size-9 place-items-center rounded-control text-soft hover:bg-canvas hover:text-ink data-popup-open:bg-canvas"
      >
        <SignedInIcon name="dots" />
      </Menu.Trigger>
      <MenuPopup align="end">
        {canRevoke && (
          <>
            <Menu.Item className={`${menuItemClass} text-danger`} onClick={() => onEndOne(row)}>
              {t('actions.end')}
            </Menu.Item>
            <Menu.Item className={`${menuItemClass} text-danger`} onClick={() => onEverywhere(row)}>
              {t('actions.everywhere')}
            </Menu.Item>
          </>
        )}
        <Menu.Item className={menuItemClass} onClick={() => onFilter({ user: row.userId })}>
          {t('actions.onlyPerson')}
        </Menu.Item>
        {organizationId !== null && (
          <Menu.Item className={menuItemClass} onClick={() => onFilter({ organization: organizationId })}>
            {t('actions.onlyOrganization')}
          </Menu.Item>
        )}
        {issueIp !== null && (
          <Menu.Item className={menuItemClass} onClick={() => onFilter({ network: issueIp })}>
            {t('actions.onlyNetwork', { address: issueIp })}
          </Menu.Item>
        )}
      </MenuPopup>
    </Menu.Root>
  );
};
