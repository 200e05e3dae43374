/** The devices on which the account is signed in, and signing out one of them or all. */
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import { useFormatter, useNow, useTranslations } from 'use-intl';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { formatDate, Instant, sinceWhen } from '../../components/dates.tsx';
import { Notice, RefusalNotice, RetryNotice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { SignedInIcon, type SignedInIconName } from '../../components/signed-in-icon.tsx';
import { FetchDevicesDocument, type FetchDevicesQuery, RevokeDeviceDocument } from '../../generated/graphql.ts';
import type { Session } from '../../session/session.ts';
import { useSession } from '../../session/session-context.tsx';
import { type DeviceKind, nameDevice, useDeviceLabel } from './device-label.ts';

export const Devices = () => {
  const t = useTranslations('devices');
  const session = useSession();
  const devices = useQuery(devicesQuery(session));
  const [chosen, setChosen] = useState<Device>();
  const [isLeavingEverywhere, setLeavingEverywhere] = useState(false);
  const [endedLabel, setEndedLabel] = useState<string>();
  const endedNotice = useRef<HTMLDivElement>(null);
  const choose = (device: Device) => {
    setEndedLabel(undefined);
    setChosen(device);
  };
  return (
    <Section
      title={t('title')}
      lead={t('lead')}
      foot={
        <>
          <p className="text-soft">{t('unsure')}</p>
          <Button look="danger-quiet" onClick={() => setLeavingEverywhere(true)}>
            {t('everywhere')}
          </Button>
        </>
      }
    >
      {endedLabel !== undefined && (
        // The button that had the focus has gone with its device, so the news of it takes the focus over.
        <div ref={endedNotice} tabIndex={-1} className="p-3 outline-none">
          <Notice tone="done">
            <p>{t('ended', { device: endedLabel })}</p>
          </Notice>
        </div>
      )}
      {devices.isError && (
        <div className="p-3">
          <RetryNotice error={devices.error} onRetry={() => void devices.refetch()} />
        </div>
      )}
      {devices.isPending && <DevicesSkeleton />}
      {devices.data !== undefined && (
        <ul className="divide-y divide-line">
          {devices.data.map((device) => (
            <DeviceRow key={device.sessionFamilyId} device={device} onEnd={() => choose(device)} />
          ))}
        </ul>
      )}
      <EndOne device={chosen} onClose={() => setChosen(undefined)} onEnded={setEndedLabel} endedNotice={endedNotice} />
      <EndAll open={isLeavingEverywhere} onClose={() => setLeavingEverywhere(false)} />
    </Section>
  );
};

const DevicesSkeleton = () => {
  const common = useTranslations('common');
  return (
    <div role="status" className="late flex items-center gap-4 px-5 py-5 sm:px-6">
      <span className="sr-only">{common('loading')}</span>
      <span className="size-10 rounded-full bg-line" />
      <span className="flex-1 space-y-2">
        <span className="block h-3.5 w-40 max-w-full rounded bg-line" />
        <span className="block h-3 w-64 max-w-full rounded bg-line" />
      </span>
    </div>
  );
};

interface EndOneProps {
  readonly device: Device | undefined;
  readonly onClose: () => void;
  readonly onEnded: (label: string) => void;
  readonly endedNotice: RefObject<HTMLElement | null>;
}

const EndOne = ({ device, onClose, onEnded, endedNotice }: EndOneProps) => {
  const t = useTranslations('devices');
  const session = useSession();
  const queries = useQueryClient();
  const labelOf = useDeviceLabel();
  const ending = useMutation({
    mutationFn: async ({ sessionFamilyId, isCurrent }: Device) => {
      if (isCurrent) await session.signOut();
      else await session.request(RevokeDeviceDocument, { sessionFamilyId });
    },
    onSuccess: (_, ended) => {
      if (ended.isCurrent) return;
      onClose();
      onEnded(labelOf(ended));
      return queries.invalidateQueries(devicesQuery(session));
    },
  });
  const close = () => {
    ending.reset();
    onClose();
  };
  // The words stay while the dialog fades out.
  const [shown, setShown] = useState(device);
  if (device !== undefined && device !== shown) setShown(device);
  return (
    <ConfirmDialog
      open={device !== undefined}
      title={t('confirmOne.title', { device: shown === undefined ? '' : labelOf(shown) })}
      text={t('confirmOne.text')}
      submit={t('confirmOne.submit')}
      busy={ending.isPending}
      problem={ending.isError && <RefusalNotice error={ending.error} />}
      focusAfter={endedNotice}
      onConfirm={() => device !== undefined && ending.mutate(device)}
      onClose={close}
    />
  );
};

const EndAll = ({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) => {
  const t = useTranslations('devices');
  const session = useSession();
  const ending = useMutation({ mutationFn: session.signOutEverywhere });
  const close = () => {
    ending.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title={t('confirmEverywhere.title')}
      text={t('confirmEverywhere.text')}
      submit={t('confirmEverywhere.submit')}
      busy={ending.isPending}
      problem={ending.isError && <RefusalNotice error={ending.error} />}
      onConfirm={() => ending.mutate()}
      onClose={close}
    />
  );
};

const kindIcons: Readonly<Record<DeviceKind, SignedInIconName>> = {
  computer: 'laptop',
  phone: 'phone',
  program: 'terminal',
  unknown: 'laptop',
};

/** The audience of sessions that a browser began at the portal; others belong to programs. */
const portalAudience = 'portal';
const mcpAudience = 'mcp';

interface DeviceRowProps {
  readonly device: Device;
  readonly onEnd: () => void;
}

const DeviceRow = ({ device, onEnd }: DeviceRowProps) => {
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

type Device = FetchDevicesQuery['mySessions'][number];

const devicesQuery = (session: Session) =>
  queryOptions({
    queryKey: ['devices'],
    queryFn: async () => {
      const { mySessions } = await session.request(FetchDevicesDocument, {});
      return onePerFamily(mySessions);
    },
  });

/** A device is a session family; the one in use comes first, the others stay newest first. */
const onePerFamily = (sessions: readonly Device[]): Device[] => {
  const devices = new Map<string, Device>();
  for (const session of sessions) {
    const known = devices.get(session.sessionFamilyId);
    if (known === undefined || session.isCurrent) devices.set(session.sessionFamilyId, session);
  }
  return [...devices.values()].sort((left, right) => Number(right.isCurrent) - Number(left.isCurrent));
};
