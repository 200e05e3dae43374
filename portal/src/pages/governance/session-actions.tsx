/** Revoking a session or all sessions of a person: the request, the confirmation that names them, and the result. */
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { RevokeSessionDocument, RevokeUserSessionsDocument } from '../../generated/graphql.ts';
import type { Session } from '../../session/session.ts';
import { useSession } from '../../session/session-context.tsx';
import { type ActiveSession, allActiveSessions, useSessionNames } from './active-sessions.ts';
import {
  type Receipt,
  RevocationProblem,
  RevocationReceipt,
  type Revoking,
  useRevoking,
} from './revocation-result.tsx';

export interface Deed {
  /** Ends the one session, with both of its tokens, or every session of its person. */
  readonly kind: 'session' | 'everywhere';
  readonly target: ActiveSession;
}

/** Who asks, and by which session. */
export interface Self {
  readonly userId: string;
  readonly family: string | undefined;
}

export const isOwnEnd = ({ kind, target }: Deed, self: Self): boolean =>
  kind === 'session' ? target.sessionFamilyId === self.family : target.userId === self.userId;

/** Does it. When the person's own session ends with it, the portal is left as by signing out. */
const perform = async (session: Session, deed: Deed, self: Self): Promise<Receipt | undefined> => {
  if (!isOwnEnd(deed, self)) return send(session, deed);
  await session.leaveBy(() => send(session, deed), deed.kind === 'session' ? 'signed-out' : 'signed-out-everywhere');
  return undefined;
};

const send = async (session: Session, { kind, target }: Deed): Promise<Receipt> => {
  if (kind === 'session') {
    return (await session.request(RevokeSessionDocument, { credentialId: target.id })).revokeSession;
  }
  return (await session.request(RevokeUserSessionsDocument, { userId: target.userId })).revokeUserSessions;
};

type Deeds = Revoking<Deed>;

export const useDeeds = (self: Self): Deeds => {
  const session = useSession();
  return useRevoking({ revoke: (deed: Deed) => perform(session, deed, self), stale: allActiveSessions });
};

export const DeedReceipt = ({ deeds }: { readonly deeds: Deeds }) => {
  const t = useTranslations('governance');
  return (
    <RevocationReceipt
      revoking={deeds}
      words={({ receipt, target: { target } }) =>
        t('receipt', { count: receipt.revokedCredentials, email: target.userEmail })
      }
    />
  );
};

interface DeedDialogProps {
  readonly deeds: Deeds;
  readonly self: Self;
}

export const DeedDialog = ({ deeds, self }: DeedDialogProps) => {
  const t = useTranslations('governance.confirm');
  const wordsFor = useSessionNames();
  const { asked, error, busy, news, confirm, close } = deeds;
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
      problem={error !== undefined && <RevocationProblem error={error} />}
      focusAfter={news}
      onConfirm={confirm}
      onClose={close}
    />
  );
};
