/** One device in the list: what it seems to be, where it was seen, and its end. */
import { useFormatter, useNow, useTranslations } from 'use-intl';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Instant } from '../../components/instant.tsx';
import { SignedInIcon, type SignedInIconName } from '../../components/signed-in-icon.tsx';
import { formatDate } from '../../dates.ts';
import { type DeviceKind, nameDevice } from './device-name.ts';
import type { Device } from './devices-query.ts';

const kindIcons: Readonly<Record<DeviceKind, SignedInIconName>> = {
  computer: 'laptop',
  phone: 'phone',
  program: 'terminal',
  unknown: 'laptop',
};

/** The audience of sessions that a browser began at the portal; others belong to programs. */
const portalAudience = 'portal';
const mcpAudience = 'mcp';

/** An MCP client has registered a name; others are known by what they call themselves. */
export const useDeviceLabel = (): ((device: Pick<Device, 'issueUserAgent' | 'clientName'>) => string) => {
  const t = useTranslations('devices.names');
  return (device) => {
    if (device.clientName !== null) return device.clientName;
    const { program, system } = nameDevice(device.issueUserAgent);
    if (program !== undefined && system !== undefined) return t('browserOnSystem', { browser: program, system });
    return program ?? system ?? t('unknown');
  };
};

interface DeviceRowProps {
  readonly device: Device;
  readonly onEnd: () => void;
}

export const DeviceRow = ({ device, onEnd }: DeviceRowProps) => {
  const t = useTranslations('devices');
  const label = useDeviceLabel()(device);
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-4 gap-y-3 px-5 py-4 sm:flex sm:items-center sm:px-6">
      <span className="grid size-10 place-items-center rounded-full bg-canvas text-soft">
        <SignedInIcon name={kindIcons[nameDevice(device.issueUserAgent).kind]} />
      </span>
      <div className="min-w-0 flex-1 space-y-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
          <span className="min-w-0 break-words">{label}</span>
          {device.isCurrent && <Badge look="accent">{t('thisDevice')}</Badge>}
          {device.audience !== portalAudience && (
            <Badge>{t(device.audience === mcpAudience ? 'mcpClient' : 'apiClient')}</Badge>
          )}
        </p>
        <DeviceFacts device={device} />
      </div>
      <Button
        look="quiet"
        className="col-start-2 justify-self-start sm:justify-self-auto"
        aria-label={device.isCurrent ? t('signOutThis') : t('signOutOther', { device: label })}
        onClick={onEnd}
      >
        {t('signOut')}
      </Button>
    </li>
  );
};

const DeviceFacts = ({ device }: { readonly device: Device }) => {
  const t = useTranslations('devices');
  const issued = formatDate(device.issuedAt, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-0.5 text-sm text-soft">
      <span className="tabular-nums">{device.lastSeenIp ?? device.issueIp ?? t('addressUnknown')}</span>
      <Instant at={device.issuedAt}>{t('signedIn', { date: issued })}</Instant>
      <LastSeen device={device} />
    </p>
  );
};

const LastSeen = ({ device }: { readonly device: Device }) => {
  const t = useTranslations('devices');
  const format = useFormatter();
  const now = useNow({ updateInterval: 60_000 });
  const seen = device.lastSeenAt;
  // Sightings are written a little later, so the server may not know yet of the one that is under way.
  if (device.isCurrent) return <span>{t('inUse')}</span>;
  if (seen === null) return <span>{t('neverSeen')}</span>;
  return <Instant at={seen}>{t('lastSeen', { when: sinceWhen(new Date(seen), now, format, t('justNow')) })}</Instant>;
};

/** Sightings are written once a minute at most, so anything younger is simply now. */
export const sinceWhen = (seen: Date, now: Date, format: ReturnType<typeof useFormatter>, justNow: string): string =>
  now.getTime() - seen.getTime() < 90_000 ? justNow : format.relativeTime(seen, now);
