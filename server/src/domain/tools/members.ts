/** A person of an organization, or one invited to it, as tools answer them: GraphQL's Member. */
import { z } from 'zod';
import { invitationStatuses, type MemberRow } from '../organizations/members-store.ts';
import { roles } from '../scopes/scopes.ts';
import { instant } from './facts.ts';

export const member = z.object({
  id: z.string().describe('Id of the membership or invitation; invitation_reset and invitation_cancel take it.'),
  userId: z.string().describe('Id of the person.'),
  email: z.string().describe('Their e-mail address.'),
  name: z.string().nullable().describe('Their name; null until they have joined.'),
  role: z.enum(roles).describe('Their role in the organization.'),
  invitation: z
    .object({
      status: z.enum(invitationStatuses).describe('OPEN can be accepted, EXPIRED can be sent again.'),
      expiresAt: instant.nullable().describe('Until when it can be accepted.'),
      acceptedAt: instant.nullable().describe('When it was accepted.'),
    })
    .nullable()
    .describe('null for who joined without an invitation.'),
  joinedAt: instant.nullable().describe('When they joined; null while they are only invited.'),
});

type MemberFacts = z.output<typeof member>;

export const factsOfMember = ({
  invitationStatus: status,
  invitationExpiresAt: expiresAt,
  invitationAcceptedAt: acceptedAt,
  ...row
}: MemberRow): MemberFacts => ({
  ...row,
  invitation: status === null ? null : { status, expiresAt, acceptedAt },
});
