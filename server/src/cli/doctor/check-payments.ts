/** Doctor check of payments: the price of every running subscription names a product. */
import type { UnreadSubscription } from './doctor-store.ts';
import { type Finding, findingsOn } from './findings.ts';

const { warning } = findingsOn('payments');

/** @param unread a few of the organizations whose subscription names no product, and the number of all */
export const checkPayments = ([first, ...others]: readonly UnreadSubscription[]): Finding[] => {
  if (first === undefined) return [];
  const { organizationId, subscriptionId, total } = first;
  const names = [subscriptionId, ...others.map((other) => other.subscriptionId)].join(', ');
  return [
    warning(
      total === 1
        ? `The price of the subscription ${subscriptionId} names no product, so organization ${organizationId} keeps the plan that it had.`
        : `The prices of ${total} subscriptions name no product (${names}${total > others.length + 1 ? ', …' : ''}), so their organizations keep the plans that they had.`,
      "Set product in the subscription's metadata at Stripe to the name of a product (docs/operations.md, “Payments”).",
    ),
  ];
};
