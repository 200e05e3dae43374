/** Ends a client: asks first, naming it and how many tokens end with it, then shows the receipt. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { RefusalNotice } from '../../components/refusal-notice.tsx';
import { RevokeMcpClientDocument } from '../../generated/graphql.ts';
import { heedRefusal } from '../../session/heed-refusal.ts';
import { hasCode } from '../../session/refusal.ts';
import { useSession } from '../../session/session-context.tsx';
import { allOfMcp, type McpClient, ownClientsQuery } from './queries.ts';

interface Done {
  readonly client: string;
  readonly revokedCredentials: number;
  readonly revokedAt: string;
}

export interface Revocation {
  /** Waits for the person's word. */
  readonly asked: McpClient | undefined;
  readonly done: Done | undefined;
  readonly error: unknown;
  readonly busy: boolean;
  /** Takes the focus when what had it is gone. */
  readonly news: RefObject<HTMLDivElement | null>;
  readonly begin: (client: McpClient) => void;
  readonly confirm: () => void;
  readonly close: () => void;
}

export const useRevocation = (): Revocation => {
  const session = useSession();
  const queries = useQueryClient();
  const news = useRef<HTMLDivElement>(null);
  const [asked, setAsked] = useState<McpClient>();
  const [done, setDone] = useState<Done>();
  const revoking = useMutation({
    mutationFn: async (client: McpClient) =>
      (await session.request(RevokeMcpClientDocument, { clientId: client.id })).revokeMcpClient,
    onSuccess: (receipt, client) => {
      setAsked(undefined);
      setDone({ ...receipt, client: client.name });
      void queries.invalidateQueries(allOfMcp);
    },
    onError: async (error) => {
      await heedRefusal(session, error);
      void queries.invalidateQueries(allOfMcp);
    },
  });
  return {
    asked,
    done,
    error: revoking.isError ? revoking.error : undefined,
    busy: revoking.isPending,
    news,
    begin: (client) => {
      if (revoking.isPending) return;
      revoking.reset();
      setDone(undefined);
      setAsked(client);
    },
    confirm: () => asked !== undefined && revoking.mutate(asked),
    close: () => {
      if (revoking.isPending) return;
      revoking.reset();
      setAsked(undefined);
    },
  };
};

export const RevocationReceipt = ({ revocation: { done, news } }: { readonly revocation: Revocation }) => {
  const t = useTranslations('mcp.clients');
  const format = useFormatter();
  return (
    <div role="status">
      {done !== undefined && (
        <div ref={news} tabIndex={-1} className="p-3 outline-none">
          <Notice tone="done">
            <p className="wrap-anywhere">
              {t('receipt', { count: done.revokedCredentials, client: done.client })}{' '}
              {t('receiptAt', {
                instant: format.dateTime(new Date(done.revokedAt), { dateStyle: 'medium', timeStyle: 'long' }),
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
  const t = useTranslations('mcp.clients.notAllowed');
  if (!hasCode(error, 'FORBIDDEN')) return <RefusalNotice error={error} />;
  return (
    <Notice tone="problem" title={t('title')}>
      <p>{t('text')}</p>
    </Notice>
  );
};

export const RevocationDialog = ({ revocation }: { readonly revocation: Revocation }) => {
  const t = useTranslations('mcp.clients.confirm');
  const { asked, error, busy, news, confirm, close } = revocation;
  // The words stay while the dialog fades out.
  const [shown, setShown] = useState(asked);
  if (asked !== undefined && asked !== shown) setShown(asked);
  const own = useQuery({ ...ownClientsQuery(useSession()), enabled: shown !== undefined });
  if (shown === undefined) return null;
  return (
    <ConfirmDialog
      open={asked !== undefined}
      title={t('title', { client: shown.name })}
      text={t('text', { count: shown.activeCredentials })}
      submit={t('submit')}
      warning={
        own.data?.includes(shown.name) === true && (
          <Notice tone="caution">
            <p>{t('own')}</p>
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
