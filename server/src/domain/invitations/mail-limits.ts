/**
 * How many invitation mails a person may cause and a mailbox may get. Anybody can found an organization and write two
 * names into a mail to anybody: without limits that is a way to pester strangers.
 */
import type { Transaction } from '../../platform/database/database.ts';
import { rateLimits } from '../../platform/rate-limit-table.ts';
import type { RateLimits } from '../../platform/rate-limits.ts';
import { mailboxOf } from '../users/text-rules.ts';

/**
 * Takes the turn of one mail, in the transaction that queues it: a refused invitation takes none.
 * @param email normalized
 * @throws Refusal RATE_LIMITED
 */
export const takeMailTurn = async (
  limits: RateLimits,
  transaction: Transaction,
  inviterId: string,
  email: string,
): Promise<void> => {
  await limits.takeIn(transaction, rateLimits.invitationFrom, inviterId);
  await limits.takeIn(transaction, rateLimits.invitationTo, mailboxOf(email));
};
