/** Revoking a session or all sessions of a person: the request, the confirmation that names them, and the result. */
import { useTranslations } from 'use-intl';
import { ConfirmDialog, useLastValue } from '../../components/confirm-dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { RevokeSessionDocument, RevokeUserSessionsDocument } from '../../generated/graphql.ts';
import type { Session } from '../../session/session.ts';
import { useSession } from '../../session/session-context.tsx';
import {
  type Revocation,
  RevocationNotice,
  RevocationProblem,
  type RevocationResult,
  useRevocation,
} from '../console/revocation.tsx';
import { type ActiveSession, allActiveSessions, useSessionNames } from './active-sessions.ts';

export interface SessionAction {
  /** `session`: one session with both credentials. `everywhere`: every session of the person. */
  readonly kind: 'session' | 'everywhere';
  readonly target: ActiveSession;
}

/** The signed-in person and their session family. */
export interface Self {
  readonly userId: string;
  readonly family: string | undefined;
}

export const endsOwnSession = ({ kind, target }: SessionAction, self: Self): boolean =>
  kind === 'session' ? target.sessionFamilyId === self.family : target.userId === self.userId;

/** Sends the request. When the person's own session ends with it, the portal treats it as a sign-out. */
const performAction = async (
  session: Session,
  action: SessionAction,
  self: Self,
): Promise<RevocationResult | undefined> => {
  if (!endsOwnSession(action, self)) return send(session, action);
  await session.end(() => send(session, action), action.kind === 'session' ? 'signedOut' : 'signedOutEverywhere');
  return undefined;
};

const send = async (session: Session, { kind, target }: SessionAction): Promise<RevocationResult> => {
  if (kind === 'session') {
    return (await session.request(RevokeSessionDocument, { credentialId: target.id })).revokeSession;
  }
  return (await session.request(RevokeUserSessionsDocument, { userId: target.userId })).revokeUserSessions;
};

type SessionActions = Revocation<SessionAction>;

export const useSessionActions = (self: Self): SessionActions => {
  const session = useSession();
  return useRevocation({
    revoke: (action: SessionAction) => performAction(session, action, self),
    invalidates: allActiveSessions,
  });
};

export const ActionResult = ({ actions }: { readonly actions: SessionActions }) => {
  const t = useTranslations('governance');
  return (
    <RevocationNotice
      revocation={actions}
      message={({ result, target: { target } }) =>
        t('result', { count: result.revokedCredentials, email: target.userEmail })
      }
    />
  );
};

interface ActionDialogProps {
  readonly actions: SessionActions;
  readonly self: Self;
}

export const ActionDialog = ({ actions, self }: ActionDialogProps) => {
  const t = useTranslations('governance.confirm');
  const namesFor = useSessionNames();
  const { confirming, error, busy, resultRef, confirm, close } = actions;
  const shown = useLastValue(confirming);
  if (shown === undefined) return null;
  const names = namesFor(shown.target);
  return (
    <ConfirmDialog
      open={confirming !== undefined}
      title={t(`${shown.kind}.title`, names)}
      text={t(`${shown.kind}.text`, names)}
      submit={t(`${shown.kind}.submit`)}
      warning={
        endsOwnSession(shown, self) && (
          <Notice tone="warning">
            <p>{t(`${shown.kind}.own`)}</p>
          </Notice>
        )
      }
      busy={busy}
      problem={error !== undefined && <RevocationProblem error={error} />}
      focusAfter={resultRef}
      onConfirm={confirm}
      onClose={close}
    />
  );
};
