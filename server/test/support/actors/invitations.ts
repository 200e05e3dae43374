/** Invitations over HTTP: sent, read in the mail, previewed, accepted, completed with a profile. */
import {
  type Answer,
  bearer,
  goodPassword,
  newAddress,
  operations,
  post,
  signIn,
  type Tokens,
  tokensOf,
} from '../clients/clients.ts';
import type { Service } from '../gatehouse/gatehouse.ts';
import type { RoleName } from './tenants.ts';

export interface Invited {
  readonly memberId: string;
  /** Raw, from the link of the mail. */
  readonly token: string;
}

export const invite = (
  service: Pick<Service, 'url'>,
  inviter: Tokens,
  email: string,
  role: RoleName = 'MEMBER',
): Promise<Answer> => post(service.url, operations.inviteMember, { input: { email, role } }, bearer(inviter));

/** Invites an address to the inviter's active organization, and reads the link in its mailbox. */
export const inviteByMail = async (
  service: Service,
  inviter: Tokens,
  email: string,
  role: RoleName = 'MEMBER',
): Promise<Invited> => {
  const memberId = memberIdOf(await invite(service, inviter, email, role));
  return { memberId, token: await newestInvitationToken(service, email) };
};

/** The id in an answer that contains a Member. Throws when there is none. */
export const memberIdOf = (answer: Answer): string => {
  const [member] = Object.values(answer.data ?? {});
  if (typeof member === 'object' && member !== null && 'id' in member && typeof member.id === 'string') {
    return member.id;
  }
  throw new Error(`No member in ${answer.text}`);
};

export const newestInvitationToken = async (service: Service, email: string): Promise<string> => {
  for (const { text } of await service.mailsTo(email)) {
    const token = /\/invitation\/([0-9a-f-]{36})$/m.exec(text)?.[1];
    if (token !== undefined) return token;
  }
  throw new Error(`No invitation mail to ${email}`);
};

/** The fields of InvitationPreview; an absent one is null for an unknown token. */
export interface Preview {
  readonly organizationName: string;
  readonly role: RoleName;
  readonly status: 'OPEN' | 'ACCEPTED' | 'EXPIRED';
  readonly expiresAt: string | null;
  readonly vToken: string | null;
  readonly isYours: boolean | null;
}

export const preview = async (service: Pick<Service, 'url'>, token: string, as?: Tokens): Promise<Preview | null> => {
  const answer = await post(service.url, operations.invitation, { token }, as === undefined ? {} : bearer(as));
  if (answer.code !== null) throw new Error(`No preview: ${answer.text}`);
  const { data } = JSON.parse(answer.text) as { data: { invitation: Preview | null } };
  return data.invitation;
};

export const accept = (service: Pick<Service, 'url'>, person: Tokens, token: string): Promise<Answer> =>
  post(service.url, operations.acceptInvitation, { token }, bearer(person));

export interface ProfileChange {
  readonly vToken?: string;
  readonly name?: string;
  readonly password?: string;
}

/** The input of completeInvitedProfile, with the vToken of the preview; an empty one when there is none. */
export const profileInput = async (
  service: Pick<Service, 'url'>,
  token: string,
  change: ProfileChange = {},
): Promise<{ readonly input: Record<string, string> }> => {
  const vToken = (await preview(service, token))?.vToken ?? '';
  return { input: { invitationToken: token, vToken, name: 'Invited Person', password: goodPassword, ...change } };
};

export const submitProfile = async (service: Service, token: string, change: ProfileChange = {}): Promise<Answer> =>
  post(service.url, operations.completeInvitedProfile, await profileInput(service, token, change));

/** Completes the profile behind an invitation link, as an opaque client, and returns the pair. */
export const completeProfile = async (service: Service, token: string, change: ProfileChange = {}): Promise<Tokens> =>
  tokensOf(await submitProfile(service, token, change));

export interface AddedMember {
  readonly email: string;
  readonly tokens: Tokens;
  readonly memberId: string;
}

/** A new person who was invited by mail, completed a profile and signed in with the password. */
export const addMember = async (
  service: Service,
  owner: Tokens,
  role: RoleName = 'MEMBER',
  email = newAddress(),
): Promise<AddedMember> => {
  const { memberId, token } = await inviteByMail(service, owner, email, role);
  await completeProfile(service, token);
  return { email, tokens: await signIn(service, email), memberId };
};

export interface InvitationRow {
  readonly role: string;
  readonly hasToken: boolean;
  readonly days: number | null;
  readonly joined: boolean;
  readonly accepted: boolean;
  readonly isCurrent: boolean;
}

export const invitationRow = async (
  { sql }: Pick<Service, 'sql'>,
  memberId: string,
): Promise<InvitationRow | undefined> => {
  const [row] = await sql<InvitationRow>(
    `SELECT m.role, m.invitation_token_hash IS NOT NULL AS "hasToken",
       round(extract(epoch FROM m.invitation_expires_at - now()) / 86400)::integer AS days,
       m.joined_at IS NOT NULL AS joined, m.invitation_accepted_at IS NOT NULL AS accepted,
       u.current_membership IS NOT DISTINCT FROM m.id AS "isCurrent"
     FROM organization_members m JOIN users u ON u.id = m.user_id WHERE m.id = $1`,
    [memberId],
  );
  return row;
};

/** A new invitation, and an accepted one, of any role. */
export const openRow = { hasToken: true, days: 7, joined: false, accepted: false, isCurrent: false } as const;
export const acceptedRow = { hasToken: false, days: null, joined: true, accepted: true, isCurrent: true } as const;

/** Seven days pass for this invitation. */
export const expireInvitation = async ({ sql }: Pick<Service, 'sql'>, memberId: string): Promise<void> => {
  await sql(`UPDATE organization_members SET invitation_expires_at = now() - interval '1 second' WHERE id = $1`, [
    memberId,
  ]);
};
