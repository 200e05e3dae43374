/** The plan of the active organization: how it is fetched, and which ways to the payment provider it leaves open. */
import { queryOptions } from '@tanstack/react-query';
import { FetchPlanDocument, type FetchPlanQuery } from '../../generated/graphql.ts';
import type { Session } from '../../session/session.ts';

export type Plan = FetchPlanQuery;
export type PlanMembership = NonNullable<Plan['me']['currentMembership']>;
export type Subscription = PlanMembership['organization']['subscription'];
export type Product = Plan['products'][number];

export const planKey = 'plan';

/** @param organizationId of the active one, so that no plan is shown as that of another */
export const planQuery = (session: Session, organizationId: string | undefined) =>
  queryOptions({
    queryKey: [planKey, organizationId],
    queryFn: () => session.request(FetchPlanDocument, {}),
  });

export interface PlanChanges {
  /** Whether the payment provider has a subscription to show: it knows this organization. */
  readonly canManage: boolean;
  /** Names of the products that can be subscribed to. */
  readonly offered: readonly string[];
}

/**
 * What an owner can do about the plan. A subscription of the payment provider always has a period; a plan without one
 * was given by this service, and nothing about it can be managed there.
 */
export const planChanges = (subscription: Subscription, products: readonly Product[]): PlanChanges => {
  const { status, product, currentPeriodEndsAt } = subscription;
  const names = products.map(({ name }) => name);
  const isPaid = currentPeriodEndsAt !== null;
  if (status === 'NONE') return { canManage: false, offered: names };
  if (status === 'CANCELED') return { canManage: isPaid, offered: names };
  return { canManage: isPaid, offered: isPaid ? [] : names.filter((name) => name !== product) };
};

/** Whether a subscription in this state grants what its product includes. */
const isRunning = ({ status }: Subscription): boolean => status === 'ACTIVE' || status === 'TRIALING';

/** What stands in the way of a scope that is not granted. The server's reasons say it at length. */
export const hindrance = (
  scope: string,
  subscription: Subscription,
  products: readonly Product[],
): 'notRunning' | 'notIncluded' | 'role' => {
  if (!isRunning(subscription)) return 'notRunning';
  const product = products.find(({ name }) => name === subscription.product);
  return product?.scopes.includes(scope) === true ? 'role' : 'notIncluded';
};
