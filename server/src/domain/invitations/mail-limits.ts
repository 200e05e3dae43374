/**
 * How many invitation mails a person may cause and an address may get. Anybody can found an organization and write two
 * names into a mail to anybody: without limits that is a way to pester strangers.
 */
import type { Transaction } from '../../platform/database/database.ts';
import type { RateLimit, RateLimits } from '../../platform/rate-limits.ts';

/** Whoever invites: the same for an address that is known and one that is not. */
const toAddress: RateLimit = { name: 'invitation-to', perHour: 6, burst: 20 };
/** Room for who brings a whole company along. */
const fromPerson: RateLimit = { name: 'invitation-from', perHour: 200, burst: 1000 };

/**
 * Takes the turn of one mail, in the transaction that queues it: a refused invitation takes none.
 * @throws Refusal RATE_LIMITED
 */
export const takeMailTurn = async (
  limits: RateLimits,
  transaction: Transaction,
  inviterId: string,
  email: string,
): Promise<void> => {
  await limits.take(transaction, fromPerson, inviterId);
  await limits.take(transaction, toAddress, email);
};
