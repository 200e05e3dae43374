/** The devices on which the account is signed in, and signing out one of them or all. */
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Badge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { formatDate, Instant } from '../../../components/dates.tsx';
import { useTimeAgo } from '../../../components/detail-list.tsx';
import { type DeviceKind, parseUserAgent, useDeviceLabel } from '../../../components/device-label.ts';
import { Notice, RefusalNotice } from '../../../components/notice.tsx';
import { ConfirmDialog, useLastValue } from '../../../components/overlays/confirm-dialog.tsx';
import { SignedInIcon, type SignedInIconName } from '../../../components/signed-in-icon.tsx';
import { FetchDevicesDocument, type FetchDevicesQuery, RevokeDeviceDocument } from '../../../generated/graphql.ts';
import { WholeList } from '../../../lists/whole-list.tsx';
import type { Session } from '../../../session/session.ts';
import { useSession } from '../../../session/session-context.tsx';
import { signOutEverywhere } from '../../../session/sign-out.ts';
import { useHasMachineTokens } from '../../../tokens/has-machine-tokens.ts';

export const Devices = () => {
  const t = useTranslations('devices');
  const session = useSession();
  const devices = useQuery(devicesQuery(session));
  const [chosen, setChosen] = useState<Device>();
  const [isConfirmingAll, setConfirmingAll] = useState(false);
  const [signedOutLabel, setSignedOutLabel] = useState<string>();
  const resultNotice = useRef<HTMLDivElement>(null);
  const choose = (device: Device) => {
    setSignedOutLabel(undefined);
    setChosen(device);
  };
  return (
    <>
      <WholeList
        title={t('title')}
        lead={t('lead')}
        query={devices}
        rows={devices.data}
        loading={<DevicesSkeleton />}
        footer={
          <>
            <p className="text-soft">{t('unsure')}</p>
            <Button variant="danger-secondary" onClick={() => setConfirmingAll(true)}>
              {t('everywhere')}
            </Button>
          </>
        }
        result={
          signedOutLabel !== undefined && (
            // The focused button is unmounted with its device, so the result receives the focus.
            <div ref={resultNotice} tabIndex={-1} className="p-3 outline-none">
              <Notice tone="success">
                <p>{t('ended', { device: signedOutLabel })}</p>
              </Notice>
            </div>
          )
        }
      >
        {(device) => <DeviceRow key={device.sessionFamilyId} device={device} onSignOut={() => choose(device)} />}
      </WholeList>
      <SignOutDeviceDialog
        device={chosen}
        onClose={() => setChosen(undefined)}
        onSignedOut={setSignedOutLabel}
        resultNotice={resultNotice}
      />
      <SignOutEverywhereDialog open={isConfirmingAll} onClose={() => setConfirmingAll(false)} />
    </>
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

interface SignOutDeviceDialogProps {
  readonly device: Device | undefined;
  readonly onClose: () => void;
  readonly onSignedOut: (label: string) => void;
  readonly resultNotice: RefObject<HTMLElement | null>;
}

const SignOutDeviceDialog = ({ device, onClose, onSignedOut, resultNotice }: SignOutDeviceDialogProps) => {
  const t = useTranslations('devices');
  const session = useSession();
  const queries = useQueryClient();
  const labelOf = useDeviceLabel();
  const signOut = useMutation({
    mutationFn: async ({ sessionFamilyId, isCurrent }: Device) => {
      if (isCurrent) await session.signOut();
      else await session.request(RevokeDeviceDocument, { sessionFamilyId });
    },
    onSuccess: (_, signedOut) => {
      if (signedOut.isCurrent) return;
      onClose();
      onSignedOut(labelOf(signedOut));
      return queries.invalidateQueries(devicesQuery(session));
    },
  });
  const close = () => {
    signOut.reset();
    onClose();
  };
  const shown = useLastValue(device);
  return (
    <ConfirmDialog
      open={device !== undefined}
      title={t('confirmOne.title', { device: shown === undefined ? '' : labelOf(shown) })}
      text={t('confirmOne.text')}
      submit={t('confirmOne.submit')}
      busy={signOut.isPending}
      problem={signOut.isError && <RefusalNotice error={signOut.error} />}
      focusAfter={resultNotice}
      onConfirm={() => device !== undefined && signOut.mutate(device)}
      onClose={close}
    />
  );
};

const SignOutEverywhereDialog = ({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) => {
  const t = useTranslations('devices');
  const session = useSession();
  const signOut = useMutation({ mutationFn: () => signOutEverywhere(session) });
  const close = () => {
    signOut.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title={t('confirmEverywhere.title')}
      text={t(useHasMachineTokens() ? 'confirmEverywhere.textWithTokens' : 'confirmEverywhere.text')}
      submit={t('confirmEverywhere.submit')}
      busy={signOut.isPending}
      problem={signOut.isError && <RefusalNotice error={signOut.error} />}
      onConfirm={() => signOut.mutate()}
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

/** Audiences of sessions started in the portal, and of API clients; every other one is an MCP client's. */
const portalAudience = 'portal';
const apiAudience = 'api';

interface DeviceRowProps {
  readonly device: Device;
  readonly onSignOut: () => void;
}

const DeviceRow = ({ device, onSignOut }: DeviceRowProps) => {
  const t = useTranslations('devices');
  const label = useDeviceLabel()(device);
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-4 gap-y-3 px-5 py-4 sm:flex sm:items-center sm:px-6">
      <span className="grid size-10 place-items-center rounded-full bg-canvas text-soft">
        <SignedInIcon name={kindIcons[parseUserAgent(device.issueUserAgent).kind]} />
      </span>
      <div className="min-w-0 flex-1 space-y-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
          <span className="min-w-0 wrap-anywhere">{label}</span>
          {device.isCurrent && <Badge variant="accent">{t('thisDevice')}</Badge>}
          {device.audience !== portalAudience && (
            <Badge>{t(device.audience === apiAudience ? 'apiClient' : 'mcpClient')}</Badge>
          )}
        </p>
        <DeviceDetails device={device} />
      </div>
      <Button
        variant="secondary"
        className="col-start-2 justify-self-start sm:justify-self-auto"
        aria-label={device.isCurrent ? t('signOutThis') : t('signOutOther', { device: label })}
        onClick={onSignOut}
      >
        {t('signOut')}
      </Button>
    </li>
  );
};

const DeviceDetails = ({ device }: { readonly device: Device }) => {
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
  const timeAgo = useTimeAgo();
  const seen = device.lastSeenAt;
  // lastSeenAt is written with a delay and may not include the current request.
  if (device.isCurrent) return <span>{t('inUse')}</span>;
  if (seen === null) return <span>{t('neverSeen')}</span>;
  return <Instant at={seen}>{t('lastSeen', { when: timeAgo(seen) })}</Instant>;
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

/** One device per session family: the current one first, the others newest first. */
const onePerFamily = (sessions: readonly Device[]): Device[] => {
  const devices = new Map<string, Device>();
  for (const session of sessions) {
    const known = devices.get(session.sessionFamilyId);
    if (known === undefined || session.isCurrent) devices.set(session.sessionFamilyId, session);
  }
  return [...devices.values()].sort((left, right) => Number(right.isCurrent) - Number(left.isCurrent));
};
