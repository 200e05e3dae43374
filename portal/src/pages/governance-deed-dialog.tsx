/** Ends what a row of the governance page stands for: asks first, naming whom it hits, then shows the receipt. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { RefusalNotice } from '../components/refusal-notice.tsx';
import { heedRefusal } from '../session/heed-refusal.ts';
import { hasCode } from '../session/refusal.ts';
import { useSession } from '../session/session-context.tsx';
import { type Deed, isOwnEnd, perform, type Receipt, type Self } from './governance-deeds.ts';
import { allActiveSessions } from './governance-query.ts';
import { useCredentialWords } from './governance-words.ts';

interface Done {
  readonly receipt: Receipt;
  readonly email: string;
}

export interface Deeds {
  readonly self: Self;
  /** Waits for the person's word. */
  readonly asked: Deed | undefined;
  readonly done: Done | undefined;
  readonly error: unknown;
  readonly busy: boolean;
  /** Takes the focus when what had it is gone. */
  readonly news: RefObject<HTMLDivElement | null>;
  readonly begin: (deed: Deed) => void;
  readonly confirm: () => void;
  readonly close: () => void;
}

export const useDeeds = (self: Self): Deeds => {
  const session = useSession();
  const queries = useQueryClient();
  const news = useRef<HTMLDivElement>(null);
  const [asked, setAsked] = useState<Deed>();
  const [done, setDone] = useState<Done>();
  const doing = useMutation({
    mutationFn: (deed: Deed) => perform(session, deed, self),
    onSuccess: (receipt, { target }) => {
      setAsked(undefined);
      // Without one, the person's own session has ended, and there is nothing left to show.
      if (receipt === undefined) return;
      setDone({ receipt, email: target.userEmail });
      void queries.invalidateQueries(allActiveSessions);
    },
    onError: async (error) => {
      await heedRefusal(session, error);
      void queries.invalidateQueries(allActiveSessions);
    },
  });
  return {
    self,
    asked,
    done,
    error: doing.isError ? doing.error : undefined,
    busy: doing.isPending,
    news,
    begin: (deed) => {
      if (doing.isPending) return;
      doing.reset();
      setDone(undefined);
      setAsked(deed);
    },
    confirm: () => asked !== undefined && doing.mutate(asked),
    close: () => {
      if (doing.isPending) return;
      doing.reset();
      setAsked(undefined);
    },
  };
};

export const DeedReceipt = ({ deeds: { done, news } }: { readonly deeds: Deeds }) => {
  const t = useTranslations('governance');
  const format = useFormatter();
  return (
    <div role="status">
      {done !== undefined && (
        <div ref={news} tabIndex={-1} className="p-3 outline-none">
          <Notice tone="done">
            <p className="wrap-anywhere">
              {t('receipt', { count: done.receipt.revokedCredentials, email: done.email })}{' '}
              {t('receiptAt', {
                instant: format.dateTime(new Date(done.receipt.revokedAt), { dateStyle: 'medium', timeStyle: 'long' }),
              })}
            </p>
          </Notice>
        </div>
      )}
    </div>
  );
};

/** The usual words for what is not allowed speak of roles and plans, which count for nothing here. */
const Problem = ({ error }: { readonly error: unknown }) => {
  const t = useTranslations('governance.notAllowed');
  if (!hasCode(error, 'FORBIDDEN')) return <RefusalNotice error={error} />;
  return (
    <Notice tone="problem" title={t('title')}>
      <p>{t('text')}</p>
    </Notice>
  );
};

export const DeedDialog = ({ deeds }: { readonly deeds: Deeds }) => {
  const t = useTranslations('governance.confirm');
  const wordsFor = useCredentialWords();
  const { self, asked, error, busy, news, confirm, close } = deeds;
  // The words stay while the dialog fades out.
  const [shown, setShown] = useState(asked);
  if (asked !== undefined && asked !== shown) setShown(asked);
  if (shown === undefined) return null;
  const words = wordsFor(shown.target);
  return (
    <ConfirmDialog
      open={asked !== undefined}
      title={t(`${shown.kind}.title`, words)}
      text={t(`${shown.kind}.text`, words)}
      submit={t(`${shown.kind}.submit`)}
      warning={
        isOwnEnd(shown, self) && (
          <Notice tone="caution">
            <p>{t(`${shown.kind}.own`)}</p>
          </Notice>
        )
      }
      busy={busy}
      problem={error !== undefined && <Problem error={error} />}
      focusAfter={news}
      onConfirm={confirm}
      onClose={close}
    />
  );
};
