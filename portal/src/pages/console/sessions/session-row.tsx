/** The cells of one session, and the button that opens the menu of what can be done with it. */
import { Link } from '@tanstack/react-router';
import { memo, useLayoutEffect, useMemo, useRef } from 'react';
import { useFormatter, useNow, useTranslations } from 'use-intl';
import { Badge } from '../../../components/badge.tsx';
import { Instant } from '../../../components/dates.tsx';
import { useTimeAgo } from '../../../components/detail-list.tsx';
import { useDeviceLabel } from '../../../components/device-label.ts';
import { SignedInIcon } from '../../../components/signed-in-icon.tsx';
import type { ActiveRow } from './active-row.ts';
import type { Selection } from './selection.ts';
import type { OpenSessionMenu } from './session-menu.tsx';
import { isServiceAccount, type SessionRow, useAudienceName, useMethodName, useOwnerName } from './sessions.ts';

/**
 * The words of all rows. The table asks for them once: a translator and a clock for each cell would cost more than the
 * cells.
 */
export const useRowWords = () => {
  const t = useTranslations('sessions');
  const format = useFormatter();
  const now = useNow({ updateInterval: 60_000 });
  const timeAgo = useTimeAgo();
  const audienceName = useAudienceName();
  const methodName = useMethodName();
  const deviceLabel = useDeviceLabel();
  const ownerName = useOwnerName();
  return useMemo(
    () => ({ t, format, now, timeAgo, audienceName, methodName, deviceLabel, ownerName }),
    [t, format, now, timeAgo, audienceName, methodName, deviceLabel, ownerName],
  );
};

type RowWords = ReturnType<typeof useRowWords>;

interface SessionRowProps extends Pick<Selection, 'toggle' | 'activate' | 'takeFocus'> {
  readonly row: SessionRow;
  readonly index: number;
  readonly canRevoke: boolean;
  readonly isChosen: boolean;
  /** Undefined for a row that the keys do not act on. */
  readonly active: ActiveRow | undefined;
  readonly words: RowWords;
  readonly isMenuOpen: boolean;
  readonly onMenu: OpenSessionMenu;
}

const cellClass = 'block min-w-0 py-0.5 align-top wrap-anywhere lg:table-cell lg:px-2 lg:py-2.5';

/** Rendered again only when its own row, choice or focus changes: a key moves one row of forty. */
export const SessionRowCells = memo((props: SessionRowProps) => {
  const { row, canRevoke, words } = props;
  const device = row.tokenName ?? words.deviceLabel(row);
  return (
    <>
      {canRevoke && (
        <td className={`row-span-5 lg:ps-6 ${cellClass}`}>
          <ChoiceBox {...props} device={device} />
        </td>
      )}
      <td className={`col-start-2 ${cellClass}`}>
        <Owner row={row} words={words} />
      </td>
      <td className={`col-start-2 ${cellClass}`}>
        <Device row={row} words={words} device={device} />
      </td>
      <td className={`col-start-2 ${cellClass}`}>
        <Moment words={words} at={row.firstIssuedAt} address={row.issueIp} label="issued" />
      </td>
      <td className={`col-start-2 ${cellClass}`}>
        <Moment words={words} at={row.lastSeenAt} address={row.lastSeenIp} label="seen" />
      </td>
      <td className={`col-start-2 ${cellClass}`}>
        <Moment words={words} at={row.expiresAt} address={null} label="expires" />
      </td>
      <td className={`col-start-3 row-span-5 row-start-1 ${cellClass}`}>
        <MenuButton {...props} device={device} />
      </td>
    </>
  );
});

interface NamedRowProps extends SessionRowProps {
  readonly device: string;
}

/** The row that the keys act on has the focus at its box. */
const ChoiceBox = (props: NamedRowProps) => {
  const { row, index, isChosen, active, toggle, activate, takeFocus, device, words } = props;
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (active !== undefined && takeFocus()) box.current?.focus({ preventScroll: true });
  }, [active, takeFocus]);
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label={words.t('choose', { email: words.ownerName(row), device })}
      checked={isChosen}
      className="mt-0.5 size-4.5 accent-accent"
      onFocus={() => active !== undefined || activate(row.sessionFamilyId, index)}
      onChange={({ currentTarget }) => {
        toggle(row.sessionFamilyId);
        // Preact would leave the box as it was set, also when no more can be chosen.
        currentTarget.checked = isChosen;
      }}
    />
  );
};

const Owner = ({ row, words: { t, ownerName } }: Pick<SessionRowProps, 'row' | 'words'>) => (
  <>
    <span className="flex flex-wrap items-center gap-x-2">
      {isServiceAccount(row) ? (
        <span className="min-w-0 truncate">{ownerName(row)}</span>
      ) : (
        <Link
          to="/admin/super/people/$userId"
          params={{ userId: row.userId }}
          className="text-link min-w-0 truncate"
          title={row.userEmail}
        >
          {row.userEmail}
        </Link>
      )}
      {row.isCurrent && <Badge variant="accent">{t('you')}</Badge>}
    </span>
    <span className="block truncate text-soft" title={row.organizationName ?? undefined}>
      {row.organizationName ?? t('noOrganization')}
    </span>
  </>
);

type DeviceProps = Pick<NamedRowProps, 'row' | 'device' | 'words'>;

const Device = ({ row, device, words: { audienceName, methodName } }: DeviceProps) => (
  <>
    <span className="block truncate" title={row.issueUserAgent ?? undefined}>
      {device}
    </span>
    <span className="block text-soft">
      {audienceName(row.audience)} · {methodName(row.authMethod)}
    </span>
  </>
);

interface MomentProps {
  readonly words: RowWords;
  readonly at: string | null;
  readonly address: string | null;
  readonly label: 'issued' | 'seen' | 'expires';
}

/** On a narrow screen the heading stands before the time. */
const Moment = ({ words: { t, format, now, timeAgo }, at, address, label }: MomentProps) => {
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

/** The menu itself is one for the whole table. */
const MenuButton = ({ row, device, words: { t, ownerName }, isMenuOpen, onMenu }: NamedRowProps) => (
  <button
    type="button"
    aria-haspopup="menu"
    aria-expanded={isMenuOpen}
    aria-label={t('actionsFor', { email: ownerName(row), device })}
    className="grid size-9 place-items-center rounded-control text-soft hover:bg-canvas hover:text-ink aria-expanded:bg-canvas"
    onClick={(event) => onMenu(row, event.currentTarget)}
  >
    <SignedInIcon name="dots" />
  </button>
);
