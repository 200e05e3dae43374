/** The question before a connection is ended, and the request after it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { useTranslations } from 'use-intl';
import { RefusalNotice } from '../components/notice.tsx';
import { ConfirmDialog, useLastValue } from '../components/overlays/confirm-dialog.tsx';
import { EndConnectedClientDocument } from '../generated/graphql.ts';
import { refreshOnForbidden } from '../session/refresh-on-forbidden.ts';
import { useSession } from '../session/session-context.tsx';
import { allClients, type ConnectedClient } from './clients.ts';

interface EndDialogProps {
  /** Undefined while the question is not asked. */
  readonly client: ConnectedClient | undefined;
  readonly focusAfter: RefObject<HTMLElement | null>;
  readonly onEnded: (client: ConnectedClient) => void;
  readonly onClose: () => void;
}

export const EndDialog = ({ client, focusAfter, onEnded, onClose }: EndDialogProps) => {
  const t = useTranslations('clients.ending');
  const session = useSession();
  const queries = useQueryClient();
  const ending = useMutation({
    mutationFn: ({ id }: ConnectedClient) => session.request(EndConnectedClientDocument, { id }),
    onSuccess: async (_, ended) => {
      close();
      onEnded(ended);
      await queries.invalidateQueries(allClients);
    },
    onError: (error) => refreshOnForbidden(session, error),
  });
  const close = () => {
    ending.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={client !== undefined}
      title={t('title', { name: useLastValue(client)?.clientName ?? '' })}
      text={t('text')}
      submit={t('submit')}
      busy={ending.isPending}
      problem={ending.isError && <RefusalNotice error={ending.error} />}
      focusAfter={focusAfter}
      onConfirm={() => client !== undefined && ending.mutate(client)}
      onClose={close}
    />
  );
};
