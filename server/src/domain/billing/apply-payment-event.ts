/** Operation: take in one event of the payment provider. Contract: "Payment webhook". */
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { lockOrganization } from '../organizations/organizations-store.ts';
import { type PaymentEvent, type PaymentFacts, readFacts } from './payment-event.ts';
import {
  computeSubscription,
  insertPaymentEvent,
  listOrganizationsOfCustomer,
  lockCustomer,
} from './payment-events-store.ts';

export interface PaymentEventDeps {
  readonly database: Database;
  readonly logger: Logger;
}

/**
 * Keeps the event, known or not, and computes anew what the organizations concerned pay for. An event that was taken in
 * before changes nothing.
 * @param event of a body whose signature was verified
 */
export const applyPaymentEvent = async ({ database, logger }: PaymentEventDeps, event: PaymentEvent): Promise<void> => {
  const read = readFacts(event);
  const facts = read === 'unreadable' ? null : read;
  const isNew = await database.transaction((transaction) => takeIn(transaction, event, facts));
  const { id, type } = event;
  const line = {
    paymentEventId: id,
    type,
    isNew,
    organizationId: facts?.organizationId ?? null,
  };
  if (read === 'unreadable')
    logger.warn({ event: 'billing.event_unreadable', ...line }, 'A payment event is unreadable');
  else logger.info({ event: 'billing.event', ...line }, 'A payment event was taken in');
};

const takeIn = async (transaction: Transaction, event: PaymentEvent, facts: PaymentFacts | null): Promise<boolean> => {
  if (facts !== null) await transaction.execute(lockCustomer, [facts.customer]);
  const isNew = (await insert(transaction, event, facts)) > 0;
  if (isNew && facts !== null) await computeFor(transaction, facts.customer);
  return isNew;
};

const insert = (transaction: Transaction, event: PaymentEvent, facts: PaymentFacts | null): Promise<number> => {
  const state = facts?.kind === 'subscription' ? facts : null;
  return transaction.execute(insertPaymentEvent, [
    event.id,
    event.type,
    event.createdAt,
    facts?.customer ?? null,
    facts?.organizationId ?? null,
    state?.subscriptionId ?? null,
    state?.status ?? null,
    state?.product ?? null,
    state?.currentPeriodEndsAt ?? null,
    state?.isFinal ?? null,
    state?.lifecycle ?? null,
  ]);
};

/** Each organization is locked before its state is read: events of its other customers wait, and see this one. */
const computeFor = async (transaction: Transaction, customer: string): Promise<void> => {
  for (const { id } of await transaction.many(listOrganizationsOfCustomer, [customer])) {
    await transaction.maybeOne(lockOrganization, [id]);
    await transaction.execute(computeSubscription, [id]);
  }
};
