/** Ends a client: asks first, naming it and how many tokens end with it, then shows the receipt. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { RevokeMcpClientDocument } from '../../generated/graphql.ts';
import { useSession } from '../../session/session-context.tsx';
import { RevocationProblem, RevocationReceipt, type Revoking, useRevoking } from '../governance/revoking.tsx';
import { allOfMcp, type McpClient, ownClientsQuery } from './queries.ts';

type ClientRevoking = Revoking<McpClient>;

export const useClientRevoking = (): ClientRevoking => {
  const session = useSession();
  return useRevoking({
    revoke: async ({ id }: McpClient) =>
      (await session.request(RevokeMcpClientDocument, { clientId: id })).revokeMcpClient,
    stale: allOfMcp,
  });
};

export const ClientRevocation = ({ revoking }: { readonly revoking: ClientRevoking }) => {
  const t = useTranslations('mcp.clients');
  return (
    <>
      <RevocationReceipt
        revoking={revoking}
        words={({ receipt, target }) => t('receipt', { count: receipt.revokedCredentials, client: target.name })}
      />
      <RevocationDialog revoking={revoking} />
    </>
  );
};

const RevocationDialog = ({ revoking }: { readonly revoking: ClientRevoking }) => {
  const t = useTranslations('mcp.clients.confirm');
  const { asked, error, busy, news, confirm, close } = revoking;
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
      problem={error !== undefined && <RevocationProblem error={error} />}
      focusAfter={news}
      onConfirm={confirm}
      onClose={close}
    />
  );
};
