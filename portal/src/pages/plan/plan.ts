/** The plan as data: its query, the permitted changes, and the redirect to the payment provider. */
import { queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { isPaidFor } from '../../components/paid-for.ts';
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
export type Scope = Plan['application']['scopes'][number];

const planKey = 'plan';

/** @param organizationId the active one; part of the key, so that no other organization's plan is shown */
export const planQuery = (session: Session, organizationId: string | undefined) =>
  queryOptions({
    queryKey: [planKey, organizationId],
    queryFn: () => session.request(FetchPlanDocument, {}),
  });

interface PlanChanges {
  /** Whether the payment provider knows this organization. */
  readonly canManage: boolean;
  /** Names of the products offered for subscription. */
  readonly offered: readonly string[];
}

/**
 * Changes that an owner can make. A subscription at the payment provider always has a period; a plan without one was
 * granted by this service and cannot be managed there.
 * @internal A test covers the cases that no request reaches.
 */
export const planChanges = (subscription: Subscription, products: readonly Pick<Product, 'name'>[]): PlanChanges => {
  const { status, product, currentPeriodEndsAt } = subscription;
  const names = products.map(({ name }) => name);
  const isPaid = currentPeriodEndsAt !== null;
  if (status === 'NONE') return { canManage: false, offered: names };
  if (status === 'CANCELED') return { canManage: isPaid, offered: names };
  return { canManage: isPaid, offered: isPaid ? [] : names.filter((name) => name !== product) };
};

/** Why a scope is not granted, in short; the server's reasons have the details. */
export const denialReason = (
  scope: string,
  subscription: Subscription,
  products: readonly Pick<Product, 'name' | 'scopes'>[],
): 'notActive' | 'notIncluded' | 'role' => {
  if (!isPaidFor(subscription.status)) return 'notActive';
  const product = products.find(({ name }) => name === subscription.product);
  return product?.scopes.includes(scope) === true ? 'role' : 'notIncluded';
};

/** Target at the payment provider: checkout of a product, or the billing portal. */
export type BillingTarget = { readonly subscribeTo: string } | 'manage';

export interface Billing extends PlanChanges {
  /** Who can change the plan: this person, an owner, or the operator alone. */
  readonly changeableBy: 'person' | 'owner' | 'operator';
  /** Whether the person returns from checkout. The webhook may not have arrived yet, so no product is offered again. */
  readonly hasJustPaid: boolean;
  readonly redirect: UseMutationResult<void, Error, BillingTarget>;
}

export const useBilling = (membership: PlanMembership, products: readonly Product[], hasJustPaid: boolean): Billing => {
  const { hasBilling } = useRouter().options.context;
  const redirect = useProviderRedirect();
  const none = { canManage: false, offered: [], hasJustPaid, redirect };
  if (!hasBilling) return { ...none, changeableBy: 'operator' };
  if (membership.role !== 'OWNER') return { ...none, changeableBy: 'owner' };
  const { canManage, offered } = planChanges(membership.organization.subscription, products);
  return { ...none, changeableBy: 'person', canManage, offered: hasJustPaid ? [] : offered };
};

const useProviderRedirect = () => {
  const session = useSession();
  const queries = useQueryClient();
  const redirect = useMutation({
    mutationFn: async (target: BillingTarget) => window.location.assign(await urlFor(session, target)),
    // A stale plan is the usual reason for a refusal.
    onError: () => void queries.invalidateQueries({ queryKey: [planKey] }),
  });
  usePageRestore(redirect.reset);
  return redirect;
};

const urlFor = async (session: Session, target: BillingTarget): Promise<string> => {
  if (target === 'manage') {
    const { createBillingPortalSession } = await session.request(CreateBillingPortalSessionDocument, {});
    return createBillingPortalSession.url;
  }
  const { createCheckoutSession } = await session.request(CreateCheckoutSessionDocument, {
    product: target.subscribeTo,
  });
  return createCheckoutSession.url;
};

/** Whether a redirect to this target is pending. */
export const isRedirecting = ({ redirect }: Billing, isTarget: (target: BillingTarget) => boolean): boolean =>
  (redirect.isPending || redirect.isSuccess) && isTarget(redirect.variables);

/** Whether the last redirect to this target failed. */
export const hasFailed = ({ redirect }: Billing, isTarget: (target: BillingTarget) => boolean): boolean =>
  redirect.isError && isTarget(redirect.variables);
