/** The devices on which the account is signed in, and the ways to end one of them or all. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { RefusalNotice } from '../../components/refusal-notice.tsx';
import { RetryNotice } from '../../components/retry-notice.tsx';
import { Section } from '../../components/section.tsx';
import { RevokeDeviceDocument } from '../../generated/graphql.ts';
import { useSession } from '../../session/session-context.tsx';
import { DeviceRow, useDeviceLabel } from './device-row.tsx';
import { type Device, devicesQuery } from './devices-query.ts';

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
