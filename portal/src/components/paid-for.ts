/** Whether a subscription is paid for, as the server decides it. */
import type { SubscriptionStatus } from '../generated/graphql.ts';

/** Whether the status grants the scopes of the product. */
export const isPaidFor = (status: SubscriptionStatus): boolean => status === 'ACTIVE' || status === 'TRIALING';
