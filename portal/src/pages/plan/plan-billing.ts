/** The ways to the payment provider: who may take which, and leaving for it with a full page load. */
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useCameBack } from '../../came-back.ts';
import { CreateBillingPortalSessionDocument, CreateCheckoutSessionDocument } from '../../generated/graphql.ts';
import type { Session } from '../../session/session.ts';
import { useSession } from '../../session/session-context.tsx';
import { type PlanChanges, type PlanMembership, type Product, planChanges, planKey } from './plan-query.ts';

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
  useCameBack(leaving.reset);
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
