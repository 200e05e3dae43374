/** What the ends that only super admins bring share: a question first, then how many tokens ended and since when. */
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { formatDate, Instant } from '../../components/dates.tsx';
import { Notice, RefusalNotice } from '../../components/notice.tsx';
import { hasCode, refreshOnForbidden } from '../../session/refusal.ts';
import { useSession } from '../../session/session-context.tsx';

export interface Receipt {
  readonly revokedCredentials: number;
  readonly revokedAt: string;
}

interface Done<Target> {
  readonly target: Target;
  readonly receipt: Receipt;
}

export interface Revoking<Target> {
  /** Waits for the person's word. */
  readonly asked: Target | undefined;
  readonly done: Done<Target> | undefined;
  readonly error: unknown;
  readonly busy: boolean;
  /** Takes the focus when what had it is gone. */
  readonly news: RefObject<HTMLDivElement | null>;
  readonly begin: (target: Target) => void;
  readonly confirm: () => void;
  readonly close: () => void;
}

interface Way<Target> {
  /** Answers nothing when the person's own session has ended with it, and there is nothing left to show. */
  readonly revoke: (target: Target) => Promise<Receipt | undefined>;
  /** What is asked for anew afterwards, also when it was refused. */
  readonly stale: { readonly queryKey: QueryKey };
}

export const useRevoking = <Target,>({ revoke, stale }: Way<Target>): Revoking<Target> => {
  const session = useSession();
  const queries = useQueryClient();
  const news = useRef<HTMLDivElement>(null);
  const [asked, setAsked] = useState<Target>();
  const [done, setDone] = useState<Done<Target>>();
  const revoking = useMutation({
    mutationFn: revoke,
    onSuccess: (receipt, target) => {
      setAsked(undefined);
      if (receipt === undefined) return;
      setDone({ receipt, target });
      void queries.invalidateQueries(stale);
    },
    onError: async (error) => {
      await refreshOnForbidden(session, error);
      void queries.invalidateQueries(stale);
    },
  });
  return {
    asked,
    done,
    error: revoking.isError ? revoking.error : undefined,
    busy: revoking.isPending,
    news,
    begin: (target) => {
      if (revoking.isPending) return;
      revoking.reset();
      setDone(undefined);
      setAsked(() => target);
    },
    confirm: () => asked !== undefined && revoking.mutate(asked),
    close: () => {
      if (revoking.isPending) return;
      revoking.reset();
      setAsked(undefined);
    },
  };
};

interface RevocationReceiptProps<Target> {
  readonly revoking: Revoking<Target>;
  /** What has ended, in words. */
  readonly words: (done: Done<Target>) => string;
}

export const RevocationReceipt = <Target,>({ revoking: { done, news }, words }: RevocationReceiptProps<Target>) => {
  const t = useTranslations('governance');
  return (
    <div role="status">
      {done !== undefined && (
        <div ref={news} tabIndex={-1} className="p-3 outline-none">
          <Notice tone="done">
            <p className="wrap-anywhere">
              {words(done)}{' '}
              <Instant at={done.receipt.revokedAt}>
                {t('receiptAt', {
                  instant: formatDate(done.receipt.revokedAt, { dateStyle: 'medium', timeStyle: 'long' }),
                })}
              </Instant>
            </p>
          </Notice>
        </div>
      )}
    </div>
  );
};

/** The usual words for what is not allowed speak of roles and plans, which count for nothing here. */
export const RevocationProblem = ({ error }: { readonly error: unknown }) => {
  const t = useTranslations('governance.notAllowed');
  if (!hasCode(error, 'FORBIDDEN')) return <RefusalNotice error={error} />;
  return (
    <Notice tone="problem" title={t('title')}>
      <p>{t('text')}</p>
    </Notice>
  );
};
