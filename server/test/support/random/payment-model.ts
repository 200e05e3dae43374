/** Payment events that are generated the same in each run, and a model of the subscriptions that they lead to. */
import { range } from '../checks/concurrency.ts';
import { type EventBody, someTime } from '../servers/payments.ts';

const inUse = ['trialing', 'active', 'past_due', 'unpaid', 'paused'];
const statuses = ['incomplete', ...inUse, 'canceled', 'incomplete_expired'];

export const application = { products: { free: {}, basic: {}, pro: { stripe: 'pro_2026' } } } as const;

/** Look-up keys of the items and `product` of the metadata, and what they mean to this application. */
const prices: readonly {
  readonly keys: readonly (string | null)[];
  readonly product?: string;
  readonly means: string | null;
}[] = [
  { keys: ['pro_2026'], means: 'pro' },
  { keys: ['an_add_on', 'basic'], means: 'basic' },
  { keys: [null, 'pro_2026', 'basic'], product: 'free', means: 'pro' },
  { keys: ['pro'], product: 'basic', means: 'basic' },
  { keys: [null], product: 'pro_2026', means: null },
  { keys: ['moved'], means: null },
  { keys: [], means: null },
];

type Place = 'own' | 'other';

/** A generated event: a checkout of the customer, or a state of one of two subscriptions. */
export interface Told {
  readonly about: 'first' | 'second' | 'checkout';
  /** Decides between events that are equal otherwise. */
  readonly index: number;
  readonly second: number;
  readonly status: string;
  readonly isDeleted: boolean;
  readonly price: (typeof prices)[number];
  /** The organization that it names; null: that of the customer. */
  readonly names: Place | null;
  readonly period: number;
  /** Whether the customer is a whole object, and the end of the period that of the items. */
  readonly isNewFormat: boolean;
}

/** Numbers from 0 to below a limit, the same in each run (a linear congruential generator). */
const numbersFrom = (seed: number): ((below: number) => number) => {
  let state = (seed * 2_654_435_761) % 4_294_967_296;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((state / 4_294_967_296) * below);
  };
};

export const sequenceOf = (seed: number, length: number): readonly Told[] => {
  const number = numbersFrom(seed);
  const one = <Of>(first: Of, ...others: readonly Of[]): Of => others[number(others.length + 1)] ?? first;
  return range(length).map((index) => ({
    about: one('first', 'first', 'first', 'second', 'second', 'checkout'),
    index,
    second: number(3),
    status: one('incomplete', 'active', ...statuses),
    isDeleted: number(6) === 0,
    price: one({ keys: ['basic'], means: 'basic' }, ...prices),
    names: one<Place | null>('own', 'own', 'own', 'other', null, null),
    period: number(3),
    isNewFormat: number(2) === 0,
  }));
};

/** The subjects of one delivery of a sequence. */
export interface Cast {
  readonly id: string;
  readonly own: string;
  readonly other: string;
}

const endOf = ({ period }: Told): number => someTime + 1000 * (1 + period);

export const subscriptionIdOf = ({ id }: Cast, about: string): string => `sub_${about}_${id}`;

/** The event as the provider sends it. */
export const eventOf = (told: Told, cast: Cast): EventBody => {
  const customer = `cus_${cast.id}`;
  const envelope = { id: `evt_${cast.id}_${told.index}`, created: someTime + told.second };
  if (told.about === 'checkout') {
    const object = { object: 'checkout.session', customer, client_reference_id: cast[told.names ?? 'own'] };
    return { ...envelope, type: 'checkout.session.completed', data: { object } };
  }
  const { keys, product } = told.price;
  const end = { current_period_end: endOf(told) };
  const object = {
    id: subscriptionIdOf(cast, told.about),
    customer: told.isNewFormat ? { id: customer, object: 'customer' } : customer,
    status: told.status,
    metadata: { ...(told.names !== null && { organizationId: cast[told.names] }), ...(product && { product }) },
    ...(!told.isNewFormat && end),
    items: { data: keys.map((key) => ({ ...(told.isNewFormat && end), price: { lookup_key: key } })) },
  };
  return { ...envelope, type: `customer.subscription.${told.isDeleted ? 'deleted' : 'updated'}`, data: { object } };
};

export interface Expected {
  readonly status: string;
  readonly product: string | null;
  readonly endsAt: Date | null;
  /** The subscription whose price cannot be read. */
  readonly unread: 'first' | 'second' | null;
}

const isWaiting = ({ status }: Told): boolean => status.startsWith('incomplete');
const isOver = ({ isDeleted, status }: Told): boolean =>
  isDeleted || status === 'canceled' || status === 'incomplete_expired';
const isGranting = (told: Told): boolean => !isOver(told) && ['trialing', 'active'].includes(told.status);
const shownStatus = (told: Told): string =>
  isGranting(told) || (!isOver(told) && told.status === 'past_due') ? told.status.toUpperCase() : 'CANCELED';
const hasPeriod = ({ isNewFormat, price }: Told): boolean => !isNewFormat || price.keys.length > 0;

/** Newest first: by numbers of which the first that differs decides. */
const byAge = (a: Told, b: Told): number => {
  const orderOf = (told: Told): readonly number[] => [
    told.second,
    isOver(told) ? 1 : 0,
    hasPeriod(told) ? 1 + told.period : 0,
    isWaiting(told) ? 0 : told.status === 'trialing' && !told.isDeleted ? 1 : 2,
    told.index,
  ];
  const [ofA, ofB] = [orderOf(a), orderOf(b)];
  const place = ofA.findIndex((number, at) => number !== ofB[at]);
  return (ofB[place] ?? 0) - (ofA[place] ?? 0);
};

/** What one of the organizations has, once these events were told. */
export const modelOf = (
  told: readonly Told[],
  place: Place,
  had: Expected,
  productAfterEnd: string | null,
): Expected => {
  const checkouts = told
    .filter(({ about }) => about === 'checkout')
    .toSorted((a, b) => b.second - a.second || b.index - a.index);
  const known = (['first', 'second'] as const).flatMap((about) => {
    const events = told.filter((event) => event.about === about).toSorted(byAge);
    const [newest] = events;
    const isHere = events.some(({ names }) =>
      names === null ? checkouts.some((each) => (each.names ?? 'own') === place) : names === place,
    );
    const wasInUse = events.some((event) => inUse.includes(event.status) && !isOver(event)) || !events.some(isWaiting);
    if (newest === undefined || !isHere || !wasInUse) return [];
    const ofCustomer = checkouts[0] === undefined ? undefined : (checkouts[0].names ?? 'own');
    const owner = newest.names ?? ofCustomer ?? events.find(({ names }) => names !== null)?.names;
    const product = events.find(({ price }) => price.means !== null)?.price.means ?? null;
    return [{ about, newest, product, hasEnded: isOver(newest) || owner !== place }];
  });
  const unread = known
    .filter(({ newest, hasEnded }) => !hasEnded && newest.price.means === null)
    .toSorted((a, b) => byAge(a.newest, b.newest))[0];
  const rank = ({ newest, hasEnded }: (typeof known)[number]): number => (hasEnded ? 0 : isGranting(newest) ? 2 : 1);
  const shown = known
    .filter(({ product }) => product !== null)
    .toSorted((a, b) => rank(b) - rank(a) || byAge(a.newest, b.newest))[0];
  const mark = { unread: unread?.about ?? null };
  if (shown === undefined) return { ...had, ...mark };
  const { newest, product, hasEnded } = shown;
  if (hasEnded && productAfterEnd !== null)
    return { status: 'ACTIVE', product: productAfterEnd, endsAt: null, ...mark };
  const endsAt = hasPeriod(newest) ? new Date(endOf(newest) * 1000) : null;
  return { status: hasEnded ? 'CANCELED' : shownStatus(newest), product, endsAt, ...mark };
};
