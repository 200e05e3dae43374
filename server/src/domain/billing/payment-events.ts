/**
 * Owns: the subscription of each organization: the ledger of payment events, checkout.
 * Promises: Payment events lead to the same subscription in any order and any number.
 *
 * Payment events: reads an event of the payment provider (Stripe) and applies it to subscriptions
 * (contract/organizations.md#ledger-of-events). Only fields in use are required: versions of the API differ.
 */
import { z } from 'zod';
import { isId } from '../../kernel/ids.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Deps, Settings } from '../access/deps.ts';
import { lockOrganization } from '../organizations/organizations-store.ts';
import type { Application } from '../scopes/application.ts';
import type { SubscriptionStatus } from '../scopes/scopes.ts';
import { computeSubscription, insertPaymentEvent, listOrganizationsOfCustomer, lockCustomer } from './billing-store.ts';

type PaymentDeps = Deps<'application' | 'database' | 'logger'> & Settings<'defaultProduct'>;

/**
 * Stores an event, of a known type or not, and recomputes the subscriptions concerned; a repeated one changes nothing.
 * @param event from a body whose signature was verified
 */
export const applyPaymentEvent = async (deps: PaymentDeps, event: PaymentEvent): Promise<void> => {
  const { application, database, logger } = deps;
  const read = readFacts(application, event);
  const facts = read === 'unreadable' ? null : read;
  const isNew = await database.transaction((transaction) => takeIn(deps, transaction, event, facts));
  const { id: paymentEventId, type } = event;
  const line = { paymentEventId, type, isNew, organizationId: facts?.organizationId ?? null };
  if (read === 'unreadable')
    logger.warn({ event: 'billing.event_unreadable', ...line }, 'A payment event could not be read');
  else if (facts?.kind === 'subscription' && facts.product === null && isInUse(facts)) {
    const { subscriptionId } = facts;
    logger.warn(
      { event: 'billing.price_unreadable', subscriptionId, ...line },
      'The price of a plan could not be read',
    );
  } else logger.info({ event: 'billing.event', ...line }, 'A payment event was received');
};

const takeIn = async (
  deps: PaymentDeps,
  transaction: Transaction,
  event: PaymentEvent,
  facts: PaymentFacts | null,
): Promise<boolean> => {
  if (facts !== null) await transaction.execute(lockCustomer, [facts.customer]);
  const isNew = (await insert(transaction, event, facts)) > 0;
  if (isNew && facts !== null) await computeFor(deps, transaction, facts.customer);
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

/** Locks each organization before its state is read: events of its other customers wait, and see this one. */
const computeFor = async (deps: PaymentDeps, transaction: Transaction, customer: string): Promise<void> => {
  for (const { id } of await transaction.many(listOrganizationsOfCustomer, [customer])) {
    await transaction.maybeOne(lockOrganization, [id]);
    await transaction.execute(computeSubscription, [id, productAfterEnd(deps)]);
  }
};

/** The product of an organization whose subscription has ended; null: none. */
export const productAfterEnd = ({
  application,
  settings,
}: Deps<'application'> & Settings<'defaultProduct'>): string | null =>
  application.endedSubscription === 'DEFAULT_PRODUCT' ? settings.defaultProduct : null;

// Reading of events. Every field that is not needed may have any value.

/** The fields that every event has. */
interface PaymentEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: Date;
  /** The subject of the event, not parsed. */
  readonly subject: unknown;
}

interface CheckoutFacts {
  readonly kind: 'checkout';
  readonly customer: string;
  readonly organizationId: string;
}

interface SubscriptionFacts {
  readonly kind: 'subscription';
  readonly customer: string;
  readonly subscriptionId: string;
  /** Null when the organization is that of the customer. */
  readonly organizationId: string | null;
  readonly status: Exclude<SubscriptionStatus, 'NONE'>;
  /** Null when neither a price nor the metadata names a product of the application. */
  readonly product: string | null;
  readonly currentPeriodEndsAt: Date | null;
  /** Whether no later state can follow. */
  readonly isFinal: boolean;
  /** Progress of the subscription; orders events within one second. 0: its first payment was never made. */
  readonly lifecycle: number;
}

type PaymentFacts = CheckoutFacts | SubscriptionFacts;

const maxTextLength = 500;
const lastSecond = 253_402_300_799;

/** PostgreSQL cannot store NUL. */
const text = z
  .string()
  .min(1)
  .max(maxTextLength)
  .refine((value) => !value.includes('\u0000'));
const instant = z
  .int()
  .min(0)
  .max(lastSecond)
  .transform((seconds) => new Date(seconds * 1000));

/** Events of API v2 give their time as text. */
const eventTime = z.union([instant, z.iso.datetime({ offset: true }).transform((time) => new Date(time))]);

const envelope = z.object({
  id: text,
  type: text,
  created: eventTime,
  data: z.object({ object: z.unknown() }).catch({ object: undefined }),
});

/** The event in a verified body, or null when it has no id, type or time. */
export const readPaymentEvent = (body: unknown): PaymentEvent | null => {
  const { success, data } = envelope.safeParse(body);
  return success ? { id: data.id, type: data.type, createdAt: data.created, subject: data.data.object } : null;
};

/** A reference, which the provider sends as an id or as the whole object. */
const reference = z.union([text, z.object({ id: text }).transform(({ id }) => id)]);
const optionalText = text.nullable().catch(null);
const optionalInstant = instant.nullable().catch(null);
const idOfOrganization = z.string().refine(isId).nullable().catch(null);

const checkout = z.object({ customer: reference.nullable().catch(null), client_reference_id: idOfOrganization });

/** The provider's statuses: the status shown for each, and its progress. */
const statuses = {
  incomplete: { status: 'CANCELED', lifecycle: 0, isFinal: false },
  trialing: { status: 'TRIALING', lifecycle: 1, isFinal: false },
  active: { status: 'ACTIVE', lifecycle: 2, isFinal: false },
  past_due: { status: 'PAST_DUE', lifecycle: 2, isFinal: false },
  unpaid: { status: 'CANCELED', lifecycle: 2, isFinal: false },
  paused: { status: 'CANCELED', lifecycle: 2, isFinal: false },
  canceled: { status: 'CANCELED', lifecycle: 2, isFinal: true },
  incomplete_expired: { status: 'CANCELED', lifecycle: 0, isFinal: true },
} as const;

type ProviderStatus = keyof typeof statuses;

const isInUse = ({ lifecycle, isFinal }: Pick<SubscriptionFacts, 'lifecycle' | 'isFinal'>): boolean =>
  lifecycle > 0 && !isFinal;

const item = z
  .object({
    current_period_end: optionalInstant.optional(),
    price: z.object({ lookup_key: optionalText.optional() }).catch({ lookup_key: null }),
  })
  .catch({ price: { lookup_key: null } });

const subscription = z.object({
  id: text,
  customer: reference,
  status: z.custom<ProviderStatus>((status) => typeof status === 'string' && Object.hasOwn(statuses, status)),
  metadata: z
    .object({ organizationId: idOfOrganization.optional(), product: optionalText.optional() })
    .catch({ organizationId: null, product: null }),
  // Here until the provider moved it to the items.
  current_period_end: optionalInstant.optional(),
  items: z.object({ data: z.array(item) }).catch({ data: [] }),
});

/** @returns null for events that describe no subscription; `unreadable` for those that lack a required member */
const readFacts = (application: Application, { type, subject }: PaymentEvent): PaymentFacts | 'unreadable' | null => {
  if (type === 'checkout.session.completed') return readCheckout(subject);
  return type.startsWith('customer.subscription.') ? readSubscription(application, type, subject) : null;
};

/** The columns of a checkout; null for one that names no organization of this service or no customer. */
const readCheckout = (subject: unknown): CheckoutFacts | 'unreadable' | null => {
  const { success, data } = checkout.safeParse(subject);
  if (!success) return 'unreadable';
  const { customer, client_reference_id: organizationId } = data;
  if (customer === null || organizationId === null) return null;
  return { kind: 'checkout', customer, organizationId };
};

const readSubscription = (
  application: Application,
  type: string,
  subject: unknown,
): SubscriptionFacts | 'unreadable' => {
  const { success, data } = subscription.safeParse(subject);
  if (!success) return 'unreadable';
  const items = data.items.data.map((each) => ({
    ...each,
    product: productOfPrice(application, each.price.lookup_key),
  }));
  // Add-ons have prices of their own, in any place.
  const plan = items.find(({ product }) => product !== null);
  return {
    kind: 'subscription',
    customer: data.customer,
    subscriptionId: data.id,
    organizationId: data.metadata.organizationId ?? null,
    product: plan?.product ?? application.findProduct(data.metadata.product ?? null)?.name ?? null,
    currentPeriodEndsAt: (plan ?? items[0])?.current_period_end ?? data.current_period_end ?? null,
    ...(type === 'customer.subscription.deleted' ? endOf(data.status) : statuses[data.status]),
  };
};

/** A deleted subscription has ended, whatever its last status. */
const endOf = (status: ProviderStatus): Pick<SubscriptionFacts, 'status' | 'lifecycle' | 'isFinal'> =>
  statuses[status].lifecycle === 0 ? statuses.incomplete_expired : statuses.canceled;

const productOfPrice = ({ products }: Application, priceKey: string | null | undefined): string | null =>
  products.find((product) => product.priceKey === priceKey)?.name ?? null;
