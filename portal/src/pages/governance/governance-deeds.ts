/** What a super admin can do about a row of the governance page, and whether it hits the session they are using. */
import { RevokeSessionDocument, RevokeUserSessionsDocument } from '../../generated/graphql.ts';
import type { Session } from '../../session/session.ts';
import type { ActiveSession } from './governance-query.ts';
import type { Receipt } from './revoking.tsx';

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
export const perform = async (session: Session, deed: Deed, self: Self): Promise<Receipt | undefined> => {
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
