/**
 * What stands below every operation on invitations that are not accepted: their refusals, their mail, and the two
 * changes that any authority may make, the tenant's or the platform's.
 */
import { Refusal } from '../../kernel/errors.ts';
import { sha256 } from '../../kernel/secrets.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { MailQueue } from '../../platform/mail/outbox.ts';
import { type InvitationLetter, invitationMail } from './invitation-mail.ts';
import { newInvitationToken } from './invitation-token.ts';
import { deleteInvitation, type ReissuedRow, renewInvitation } from './invitations-store.ts';

export interface InvitationMailDeps {
  readonly mail: MailQueue;
  readonly settings: { readonly frontendUrl: string };
}

export const invitationNotOpen = (): Refusal =>
  new Refusal('INVITATION_NOT_OPEN', 'This invitation is no longer open.');

/** Queues the mail in the transaction that made or renewed the invitation. */
export const sendInvitation = (
  { mail, settings }: InvitationMailDeps,
  transaction: Transaction,
  letter: InvitationLetter,
  token: string,
): Promise<void> => mail.enqueue(transaction, invitationMail(settings.frontendUrl, letter, token));

/**
 * Gives an invitation a fresh token and seven more days, and mails the link; the old link is dead. The caller has made
 * sure of the authority.
 * @param inviterName whom the mail names; null for whoever runs the service
 * @throws Refusal INVITATION_NOT_OPEN when it was accepted or is gone
 */
export const reissueInvitation = async (
  deps: InvitationMailDeps,
  transaction: Transaction,
  memberId: string,
  inviterName: string | null,
): Promise<ReissuedRow> => {
  const token = newInvitationToken();
  const renewed = await transaction.maybeOne(renewInvitation, [memberId, sha256(token)]);
  if (renewed === null) throw invitationNotOpen();
  await sendInvitation(deps, transaction, { ...renewed, inviterName }, token);
  return renewed;
};

/**
 * Deletes an invitation; its link is unknown from then on. The caller has made sure of the authority.
 * @throws Refusal INVITATION_NOT_OPEN when it was accepted or is gone
 */
export const withdrawInvitation = async (transaction: Transaction, memberId: string): Promise<void> => {
  if ((await transaction.maybeOne(deleteInvitation, [memberId])) === null) throw invitationNotOpen();
};
