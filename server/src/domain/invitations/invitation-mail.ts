/**
 * The mail of an invitation. Its reader may never have heard of the organization, nor of this service; its names were
 * typed by strangers.
 */
import type { MailContent } from '../../platform/mail/message.ts';
import type { Role } from '../scopes/scopes.ts';

export interface InvitationLetter {
  readonly email: string;
  readonly organizationName: string;
  readonly role: Role;
  /** Null when the invitation comes from whoever runs the service. */
  readonly inviterName: string | null;
}

const roleInWords: Readonly<Record<Role, string>> = {
  OWNER: 'an owner',
  ADMIN: 'an administrator',
  MEMBER: 'a member',
};

export const invitationSubject = (organizationName: string): string => `Invitation to join “${organizationName}”`;

/** @param token raw: it lives in the mail only */
export const invitationMail = (frontendUrl: string, letter: InvitationLetter, token: string): MailContent => ({
  to: letter.email,
  subject: invitationSubject(letter.organizationName),
  greeting: 'Hello,',
  paragraphs: [
    invitationSentence(letter),
    'The link shows you the invitation. Nothing happens before you accept it, within the next 7 days.',
  ],
  action: { label: 'See the invitation', url: `${frontendUrl}/invitation/${token}` },
  remark: `This invitation is for ${letter.email}. Do not pass the mail on: whoever has the link could join in your place. If you do not know who invites you, ignore this mail.`,
});

const invitationSentence = ({ organizationName, role, inviterName }: InvitationLetter): string => {
  const offer = `to join “${organizationName}” as ${roleInWords[role]}.`;
  return inviterName === null ? `You are invited ${offer}` : `${inviterName} invites you ${offer}`;
};
