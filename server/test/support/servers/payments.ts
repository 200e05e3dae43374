import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Stripe } from 'stripe';
import type { Service } from '../gatehouse/gatehouse.ts';
import { listen } from './listen.ts';

export const webhookSecret = 'whsec_canary_of_the_webhook';
export const secretKey = 'sk_test_canary_of_the_key';

/** 2026-01-01T00:00:00Z, in the provider's seconds. */
export const someTime = 1_767_225_600;

/** Between its two attempts the library waits half a second, which is not under test. */
export const retryAtOnce = (): void => {
  Stripe.prototype.getInitialNetworkRetryDelay = () => 0;
};

let counter = 0;
/** A new id in the provider's format; ids come in no order. */
export const newProviderId = (prefix: string): string => {
  counter += 1;
  return `${prefix}_${Math.random().toString(36).slice(2, 10)}_${counter}`;
};

export interface EventBody {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly data: { readonly object: object };
}

/** A completed checkout of an organization. */
export const checkoutCompleted = (customer: string, organizationId: string, created = someTime): EventBody => ({
  id: newProviderId('evt'),
  type: 'checkout.session.completed',
  created,
  data: {
    object: { id: newProviderId('cs'), object: 'checkout.session', customer, client_reference_id: organizationId },
  },
});

export interface SubscriptionChange {
  readonly type?: 'created' | 'updated' | 'deleted' | (string & {});
  readonly id?: string;
  readonly customer: string;
  readonly status: string;
  readonly created?: number;
  readonly organizationId?: string;
  readonly product?: string | null;
  readonly periodEnd?: number;
}

/** A subscription event in the format of today's API. */
export const subscriptionEvent = ({
  type = 'updated',
  id = 'sub',
  customer,
  status,
  created = someTime,
  organizationId,
  product = 'free',
  periodEnd = someTime + 2_592_000,
}: SubscriptionChange): EventBody => ({
  id: newProviderId('evt'),
  type: `customer.subscription.${type}`,
  created,
  data: {
    object: {
      id,
      object: 'subscription',
      customer,
      status,
      metadata: organizationId === undefined ? {} : { organizationId },
      items: { data: [{ current_period_end: periodEnd, price: { id: 'price_1', lookup_key: product } }] },
    },
  },
});

export interface Signing {
  readonly secret?: string;
  readonly age?: number;
}

/** The header with which the provider would send this body. */
export const signatureOf = (payload: string, { secret = webhookSecret, age = 0 }: Signing = {}): string =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(Date.now() / 1000) - age });

export const postToWebhook = (
  service: Pick<Service, 'url'>,
  body: string | Buffer,
  headers: Readonly<Record<string, string>>,
): Promise<Response> =>
  fetch(`${service.url}/webhooks/stripe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });

export const deliver = async (service: Pick<Service, 'url'>, event: object): Promise<number> => {
  const body = JSON.stringify(event);
  const response = await postToWebhook(service, body, { 'stripe-signature': signatureOf(body) });
  await response.body?.cancel();
  return response.status;
};

/** The stored subscription of an organization. */
export interface StoredSubscription {
  readonly status: string;
  readonly product: string | null;
  readonly endsAt: Date | null;
}

export const subscriptionOf = async (
  { sql }: Pick<Service, 'sql'>,
  organizationId: string,
): Promise<StoredSubscription | null> => {
  const [row] = await sql<StoredSubscription>(
    'SELECT status, product, current_period_ends_at AS "endsAt" FROM subscriptions WHERE organization_id = $1',
    [organizationId],
  );
  return row ?? null;
};

/** A request as it reached the fake API. */
interface ProviderRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly authorization: string | undefined;
}

export interface ProviderAnswer {
  readonly status?: number;
  readonly body: string;
}

export interface FakeStripe {
  readonly url: string;
  readonly requests: ProviderRequest[];
  /** Answers by path; null never answers. */
  readonly answers: Map<string, ProviderAnswer | null>;
  /** Drops the requests, and answers correctly again. */
  reset(): void;
  close(): Promise<void>;
}

export const pricesPath = '/v1/prices';
export const checkoutPath = '/v1/checkout/sessions';
export const portalPath = '/v1/billing_portal/sessions';

const usualAnswers: readonly (readonly [string, ProviderAnswer])[] = [
  [pricesPath, { body: JSON.stringify({ object: 'list', has_more: false, data: [{ id: 'price_of_free' }] }) }],
  [checkoutPath, { body: JSON.stringify({ id: 'cs_1', url: 'https://checkout.stripe.example/c/pay/cs_1' }) }],
  [portalPath, { body: JSON.stringify({ id: 'bps_1', url: 'https://billing.stripe.example/p/session/1' }) }],
];

/** Starts a fake of the provider's API, which answers correctly until a test changes it. */
export const startFakeStripe = async (): Promise<FakeStripe> => {
  retryAtOnce();
  const requests: ProviderRequest[] = [];
  const answers = new Map<string, ProviderAnswer | null>(usualAnswers);
  const reset = (): void => {
    requests.length = 0;
    for (const [path, answer] of usualAnswers) answers.set(path, answer);
  };
  const server = createServer((request, response) => {
    const answerTo = (body: string): void => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
      requests.push({
        method: request.method ?? '',
        path: pathname,
        query: searchParams,
        form: new URLSearchParams(body),
        authorization: request.headers.authorization,
      });
      const answer = answers.get(pathname);
      if (answer === null) return;
      response.writeHead(answer?.status ?? (answer === undefined ? 404 : 200), { 'content-type': 'application/json' });
      response.end(answer?.body ?? '{}');
    };
    text(request).then(answerTo, () => response.destroy());
  });
  const { url, close } = await listen(server);
  return { url, requests, answers, reset, close };
};
