/**
 * "demo Stripe": a payment provider for a development instance without one. It takes no money, listens on loopback
 * only, and tells this instance of each purchase as Stripe does, by a signed event.
 */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Config } from '../../config/config.ts';
import { isLoopback } from '../../kernel/network.ts';
import { randomSecret } from '../../kernel/secrets.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { answerPage, answerStyles, answerText, closed, listenOnLoopback, readForm } from './frame.ts';
import { managePage, overPage, payPage } from './stripe-pages.ts';

export interface DemoStripe {
  readonly settings: { readonly apiBase: string; readonly secretKey: string; readonly webhookSecret: string };
  /** Idempotent. */
  close(): Promise<void>;
}

/** A page at which a person buys or cancels; its address is answered once. */
type Visit =
  | {
      readonly kind: 'pay';
      readonly price: string;
      readonly product: string;
      readonly organizationId: string;
      readonly done: string;
      readonly cancelled: string;
    }
  | { readonly kind: 'manage'; readonly customer: string; readonly back: string };

interface Parts {
  readonly settings: DemoStripe['settings'];
  /** BASE_URL of the service, which receives the events. */
  readonly baseUrl: string;
  readonly visits: Map<string, Visit>;
  readonly logger: Logger;
}

/** Null with a configured payment provider, on a host other than loopback, or when the port is taken. */
export const startDemoStripe = async (config: Config, logger: Logger): Promise<DemoStripe | null> => {
  const { stripe, baseUrl, port } = config;
  if (stripe.secretKey !== undefined || stripe.webhookSecret !== undefined || !isLoopback(new URL(baseUrl).hostname))
    return null;
  const server = createServer();
  const wanted = demoStripePort(port);
  const opened = await listenOnLoopback(server, wanted, (code) => warnOfPort(logger, wanted, code));
  if (opened === null) return null;
  const settings = {
    apiBase: `http://127.0.0.1:${opened}`,
    secretKey: `sk_demo_${randomSecret()}`,
    webhookSecret: `whsec_demo_${randomSecret()}`,
  };
  answerWith(server, { settings, baseUrl, visits: new Map(), logger });
  server.unref();
  return { settings, close: () => closed(server) };
};

/**
 * Follows PORT, beside that of the demo Google, which is 10,000 away.
 * @internal The services of tests use it.
 */
export const demoStripePort = (port: number): number => (port <= 45_535 ? port + 20_000 : port - 20_000);

const warnOfPort = (logger: Logger, port: number, code: string): void =>
  logger.warn(
    { event: 'demo_stripe.off', port, code },
    `The demo Stripe did not start: its port ${port} cannot be opened (${code}). Set PORT to another number`,
  );

const answerWith = (server: Server, parts: Parts): void => {
  const { host } = new URL(parts.settings.apiBase);
  server.on('request', (request, response) => {
    response.setHeader('x-content-type-options', 'nosniff');
    // Protects against DNS rebinding, as in the demo Google.
    if (request.headers.host !== host) return answerText(response, 421, `This is ${parts.settings.apiBase}.`);
    answer(parts, request, response).catch((error: unknown) => {
      parts.logger.warn({ event: 'demo_stripe.failed', err: error }, 'The demo Stripe failed');
      if (response.headersSent) response.destroy();
      else answerText(response, 500, 'The demo Stripe failed.');
    });
  });
};

const answer = async (parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { pathname, searchParams } = new URL(request.url ?? '/', parts.settings.apiBase);
  if (pathname === '/pages.css') return answerStyles(response);
  const visit = parts.visits.get(pathname);
  if (visit !== undefined) return answerVisit(parts, pathname, visit, request, response);
  if (!pathname.startsWith('/v1/')) return answerPage(response, 404, overPage);
  if (request.headers.authorization !== `Bearer ${parts.settings.secretKey}`)
    return answerText(response, 401, 'Wrong key.');
  return answerApi(parts, pathname, searchParams, request, response);
};

// The API: as much of it as the service uses (`platform/stripe.ts`).

const answerApi = async (
  parts: Parts,
  path: string,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  if (path === '/v1/prices') {
    // Every plan has a price, whose id contains its look-up key.
    const key = query.get('lookup_keys[0]') ?? '';
    return answerJson(response, { object: 'list', has_more: false, data: [{ id: `price_${key}` }] });
  }
  const form = (await readForm(request)) ?? new URLSearchParams();
  const visit = visitIn(path, (name) => form.get(name) ?? '');
  if (visit === null) return answerText(response, 404, 'Unknown.');
  const id = randomSecret();
  parts.visits.set(`/${id}`, visit);
  return answerJson(response, { id, url: `${parts.settings.apiBase}/${id}` });
};

const visitIn = (path: string, field: (name: string) => string): Visit | null => {
  if (path === '/v1/billing_portal/sessions')
    return { kind: 'manage', customer: field('customer'), back: field('return_url') };
  if (path !== '/v1/checkout/sessions') return null;
  return {
    kind: 'pay',
    price: field('line_items[0][price]').replace(/^price_/, ''),
    product: field('subscription_data[metadata][product]'),
    organizationId: field('client_reference_id'),
    done: field('success_url'),
    cancelled: field('cancel_url'),
  };
};

const answerJson = (response: ServerResponse, body: object): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

// The pages, and what their buttons do.

const answerVisit = async (
  parts: Parts,
  path: string,
  visit: Visit,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  if (request.method !== 'POST') {
    return answerPage(response, 200, visit.kind === 'pay' ? payPage(visit.price) : managePage());
  }
  const isYes = (await readForm(request))?.get('answer') === 'yes';
  parts.visits.delete(path);
  if (isYes) for (const event of eventsOf(visit)) await deliver(parts, event);
  const target = visit.kind === 'manage' ? visit.back : isYes ? visit.done : visit.cancelled;
  response.writeHead(303, { location: target }).end();
};

interface EventBody {
  readonly type: string;
  readonly object: Readonly<Record<string, unknown>>;
}

/**
 * A customer has one subscription, of the same name, and a new purchase makes another one: the page that cancels needs
 * no memory, and works after a restart.
 */
const eventsOf = (visit: Visit): readonly EventBody[] => {
  if (visit.kind === 'manage') {
    const { customer } = visit;
    const object = {
      id: customer.replace(/^cus/, 'sub'),
      object: 'subscription',
      customer,
      status: 'canceled',
      metadata: {},
    };
    return [{ type: 'customer.subscription.deleted', object: { ...object, items: { data: [] } } }];
  }
  const { price, product, organizationId } = visit;
  const name = randomSecret().slice(0, 16);
  const customer = `cus_${name}`;
  const subscription = {
    id: `sub_${name}`,
    object: 'subscription',
    customer,
    status: 'active',
    metadata: { organizationId, product },
    items: {
      data: [{ current_period_end: now() + secondsOfMonth, price: { id: `price_${price}`, lookup_key: price } }],
    },
  };
  const session = { id: `cs_${name}`, object: 'checkout.session', customer, client_reference_id: organizationId };
  return [
    { type: 'checkout.session.completed', object: session },
    { type: 'customer.subscription.created', object: subscription },
  ];
};

const secondsOfMonth = 30 * 24 * 60 * 60;

const now = (): number => Math.floor(Date.now() / 1000);

/** @throws Error when the service does not take the event */
const deliver = async ({ settings, baseUrl }: Parts, { type, object }: EventBody): Promise<void> => {
  const created = now();
  const body = JSON.stringify({ id: `evt_${randomSecret()}`, object: 'event', type, created, data: { object } });
  const signature = createHmac('sha256', settings.webhookSecret).update(`${created}.${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${created},v1=${signature}` };
  const { status } = await fetch(`${baseUrl}/webhooks/stripe`, { method: 'POST', headers, body });
  if (status !== 200) throw new Error(`The service answered an event with ${status}`);
};
