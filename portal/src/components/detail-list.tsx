/** Names with values, and relative times. */
import { type ReactNode, useCallback } from 'react';
import { useFormatter, useNow, useTranslations } from 'use-intl';
import { Instant } from './dates.tsx';

export const DetailList = ({ children }: { readonly children: ReactNode }) => (
  <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-sm text-soft tabular-nums">{children}</dl>
);

export const Detail = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd className="wrap-anywhere">{children}</dd>
  </>
);

/** The time since an instant in the past, an ISO 8601 string. */
export const useTimeAgo = (): ((at: string) => string) => {
  const t = useTranslations('devices');
  const format = useFormatter();
  const now = useNow({ updateInterval: 60_000 });
  return useCallback(
    (at: string) => (now.getTime() - Date.parse(at) < 90_000 ? t('justNow') : format.relativeTime(new Date(at), now)),
    [t, format, now],
  );
};

/** Relative time, with the instant in the title. */
export const RelativeTime = ({ at }: { readonly at: string }) => <Instant at={at}>{useTimeAgo()(at)}</Instant>;
