/** Billing operations for owners. The contract always contains them; the served schema only with a payment provider. */
import {
  type BillingDeps,
  openBillingPortal,
  openCheckout,
  type BillingRedirect as Redirect,
} from '../../../domain/billing/checkout.ts';
import { builder } from '../../builder.ts';
import { countedServices, type GraphqlContext } from '../../context.ts';
import { guarded, operations } from '../../operations.ts';

const BillingRedirect = builder.objectRef<Redirect>('BillingRedirect').implement({
  fields: (t) => ({
    url: t.exposeString('url', { description: 'Where to send the browser: a page of the provider.' }),
  }),
});

const depsOf = (context: GraphqlContext): BillingDeps => {
  const { application, database, limits, settings, payments } = countedServices(context);
  if (payments === null) throw new Error('The schema has billing without a payment provider');
  return { application, database, limits, settings, payments };
};

builder.mutationFields((t) => ({
  createCheckoutSession: t.field({
    type: BillingRedirect,
    description: 'OWNER only. A checkout for a product; absent without STRIPE_SECRET_KEY.',
    args: { product: t.arg.string({ required: true }) },
    resolve: guarded(operations.createCheckoutSession, (actor, { product }, context) =>
      openCheckout(depsOf(context), actor, product),
    ),
  }),
  createBillingPortalSession: t.field({
    type: BillingRedirect,
    description: 'OWNER only. Invoices, payment method and cancellation; absent without STRIPE_SECRET_KEY.',
    resolve: guarded(operations.createBillingPortalSession, (actor, _args, context) =>
      openBillingPortal(depsOf(context), actor),
    ),
  }),
}));
