/** Operation invitation: what the holder of a link sees before deciding (contract, `InvitationPreview`). */
import { type Keyring, sha256 } from '../../kernel/secrets.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Actor } from '../access/actor.ts';
import type { InvitationStatus } from '../organizations/members-store.ts';
import type { Role } from '../scopes/scopes.ts';
import { isWellFormedInvitationToken, vTokenOf } from './invitation-token.ts';
import { findPreview } from './invitations-store.ts';

/** Never the invited address: whoever holds the link may be somebody else. */
export interface InvitationPreview {
  readonly organizationName: string;
  readonly role: Role;
  readonly status: InvitationStatus;
  /** Null once accepted. */
  readonly expiresAt: Date | null;
  /** Only of an open invitation, to a person who must complete a profile. */
  readonly vToken: string | null;
  /** Whether it is to the signed-in person; null when nobody is. */
  readonly isYours: boolean | null;
}

export interface PreviewDeps {
  readonly database: Database;
  readonly keyring: Keyring;
}

/**
 * @param token raw, from the link
 * @returns null for a token that is unknown, malformed, replaced or cancelled
 */
export const previewInvitation = async (
  { database, keyring }: PreviewDeps,
  actor: Actor | null,
  token: string,
): Promise<InvitationPreview | null> => {
  const row = isWellFormedInvitationToken(token) ? await database.maybeOne(findPreview, [sha256(token)]) : null;
  if (row === null) return null;
  const { organizationName, role, status, expiresAt } = row;
  const vToken = status === 'OPEN' && row.mustComplete ? vTokenOf(keyring, token) : null;
  const isYours = actor === null ? null : row.userId === actor.user.id;
  return { organizationName, role, status, expiresAt, vToken, isYours };
};
