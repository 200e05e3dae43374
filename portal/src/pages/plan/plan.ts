/** The plan as data: its query, the permitted changes, and the redirect to the payment provider. */
import { queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import {
  CreateBillingPortalSessionDocument,
  CreateCheckoutSessionDocument,
  FetchPlanDocument,
  type FetchPlanQuery,
} from '../../generated/graphql.ts';
import { usePageRestore } from '../../page-restore.ts';
import type { Session } from '../../session/session.ts';
import { useSession } from '../../session/session-context.tsx';

type Plan = FetchPlanQuery;
export type PlanMembership = NonNullable<Plan['me']['currentMembership']>;
export type Subscription = PlanMembership['organization']['subscription'];
export type Product = Plan['products'][number];

const planKey = 'plan';

/** @param organizationId of the active one, so that no plan is shown as that of another */
export const planQuery = (session: Session, organizationId: string | undefined) =>
  queryOptions({
    queryKey: [planKey, organizationId],
    queryFn: () => session.request(FetchPlanDocument, {}),
  });

interface PlanChanges {
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

/** What is looked for at the payment provider: a product to subscribe to, or what is subscribed to already. */
export type BillingErrand = { readonly subscribeTo: string } | 'manage';

export interface Billing extends PlanChanges {
  /** Whom the plan can be changed by: the person, an owner, or only whoever runs the service. */
  readonly who: 'person' | 'owner' | 'operator';
  /** The person comes from paying, and the provider may not have told of it yet: nothing is offered a second time. */
  readonly hasJustPaid: boolean;
  readonly leaving: UseMutationResult<void, Error, BillingErrand>;
}

export const useBilling = (membership: PlanMembership, products: readonly Product[], hasJustPaid: boolean): Billing => {
  const { hasBilling } = useRouter().options.context;
  const leaving = useLeaving();
  const none = { canManage: false, offered: [], hasJustPaid, leaving };
  if (!hasBilling) return { ...none, who: 'operator' };
  if (membership.role !== 'OWNER') return { ...none, who: 'owner' };
  const { canManage, offered } = planChanges(membership.organization.subscription, products);
  return { ...none, who: 'person', canManage, offered: hasJustPaid ? [] : offered };
};

const useLeaving = () => {
  const session = useSession();
  const queries = useQueryClient();
  const leaving = useMutation({
    mutationFn: async (errand: BillingErrand) => window.location.assign(await addressFor(session, errand)),
    // The plan may have changed since it was shown: that is the usual reason for a refusal.
    onError: () => void queries.invalidateQueries({ queryKey: [planKey] }),
  });
  usePageRestore(leaving.reset);
  return leaving;
};

const addressFor = async (session: Session, errand: BillingErrand): Promise<string> => {
  if (errand === 'manage') {
    const { createBillingPortalSession } = await session.request(CreateBillingPortalSessionDocument, {});
    return createBillingPortalSession.url;
  }
  const { createCheckoutSession } = await session.request(CreateCheckoutSessionDocument, {
    product: errand.subscribeTo,
  });
  return createCheckoutSession.url;
};

/** Whether this way is being taken, also while the browser is on its way there. */
export const isUnderWay = ({ leaving }: Billing, isThis: (errand: BillingErrand) => boolean): boolean =>
  (leaving.isPending || leaving.isSuccess) && isThis(leaving.variables);

/** Whether the last attempt was to take this way, and failed. */
export const hasFailed = ({ leaving }: Billing, isThis: (errand: BillingErrand) => boolean): boolean =>
  leaving.isError && isThis(leaving.variables);
