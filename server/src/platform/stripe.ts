/**
 * Owns access to Stripe: verifies webhook signatures, and calls the API for prices, checkouts and customer portals. The
 * only module with Stripe's library, loaded only when payments are configured.
 */
import type Stripe from 'stripe';
import { z } from 'zod';
import { orNull, parseJson } from '../kernel/attempts.ts';
import { Refusal } from '../kernel/errors.ts';
import { currentCorrelationId } from './observability/context.ts';
import type { Logger } from './observability/logger.ts';

const secondsOfTolerance = 300;
/** The library treats a tolerance of 0 as unlimited. */
const anyAge = 0;

/** Two signatures while a secret is rotated, rarely a few more. */
const maxSignatureHeaderLength = 2048;
const signedInstant = /^t=\d{1,15}$/;
const signatureOfScheme = /^v1=[\da-f]{64}$/;

/**
 * Whether a header has a timestamp and a signature of the scheme, beside other entries. Its age is checked later, by
 * the database's time: a forger can write any timestamp.
 */
export const isSignatureHeader = (header: string | string[] | undefined): boolean => {
  if (typeof header !== 'string' || header.length > maxSignatureHeaderLength) return false;
  const elements = header.split(',');
  const has = (shape: RegExp): boolean => elements.some((element) => shape.test(element));
  return has(signedInstant) && has(signatureOfScheme);
};

/** Result of verifying a body: its JSON, if any, when the secret signed it at most five minutes ago. */
export type Verified = { readonly is: 'signed'; readonly json: unknown } | { readonly is: 'forged' | 'too old' };

/**
 * @param now the database's time, read only for valid signatures, because forgeries are unlimited in number
 * @returns a function that rejects as `now` does
 */
export const createStripeVerifier = async (
  secret: string,
  now: () => Promise<Date>,
): Promise<(body: Buffer, signature: string) => Promise<Verified>> => {
  const { signature: signatures } = (await import('stripe')).default.webhooks;
  if (signatures === null) throw new Error('The library of Stripe cannot check signatures');
  // Not `constructEvent`, which throws for v2 events, so that they would be redelivered for days.
  const isSigned = (body: Buffer, signature: string, tolerance: number, receivedAt: number): boolean =>
    // The error quotes the body.
    orNull(() => signatures.verifyHeader(body, signature, secret, tolerance, undefined, receivedAt)) === true;
  return async (body, signature) => {
    if (!isSigned(body, signature, anyAge, 0)) return { is: 'forged' };
    if (!isSigned(body, signature, secondsOfTolerance, (await now()).getTime())) return { is: 'too old' };
    return { is: 'signed', json: parseJson(body.toString('utf8')) ?? null };
  };
};

interface StripeApiOptions {
  readonly secretKey: string;
  /** Origin of the API. */
  readonly apiBase: string;
  readonly logger: Logger;
  /** Timeout of each of two attempts. Default 10 s. */
  readonly timeoutMilliseconds?: number;
}

/** Parameters of a checkout. */
interface StripeCheckoutRequest {
  readonly price: string;
  readonly product: string;
  readonly organizationId: string;
  /** The existing customer; else the email address to prefill. */
  readonly payer: { readonly customer: string } | { readonly email: string };
  readonly successUrl: string;
  readonly cancelUrl: string;
}

/** The API; each call throws Refusal UNAVAILABLE when Stripe does not answer, or answers unexpectedly. */
interface StripeApi {
  /** The id of the active price with this lookup key, or null. */
  findPrice(lookupKey: string): Promise<string | null>;
  /** The address of a checkout for a subscription. */
  openCheckout(request: StripeCheckoutRequest): Promise<string>;
  /** The address of the customer portal. */
  openPortal(request: { readonly customer: string; readonly returnUrl: string }): Promise<string>;
}

export const createStripeApi = async (options: StripeApiOptions): Promise<StripeApi> => {
  const stripe = await connect(options);
  const call = callStripe(options.logger);
  const session = z.object({ url: z.url({ protocol: allowedProtocol(options.apiBase) }) });
  const prices = z.object({ data: z.array(z.object({ id: z.string() })) });
  return {
    findPrice: async (lookupKey) => {
      const request = { lookup_keys: [lookupKey], active: true, limit: 1 };
      const { data } = await call('prices.list', prices, () => stripe.prices.list(request));
      return data[0]?.id ?? null;
    },
    openCheckout: async (request) => {
      const parameters = checkoutParameters(request);
      const { url } = await call('checkout.create', session, () => stripe.checkout.sessions.create(parameters));
      return url;
    },
    openPortal: async ({ customer, returnUrl }) => {
      const parameters = { customer, return_url: returnUrl };
      const { url } = await call('portal.create', session, () => stripe.billingPortal.sessions.create(parameters));
      return url;
    },
  };
};

/** Protocols that a browser may be sent to: plain http only when Stripe is replaced by a stand-in over http. */
const allowedProtocol = (apiBase: string): RegExp => (apiBase.startsWith('http:') ? /^https?$/ : /^https$/);

const connect = async ({ secretKey, apiBase, timeoutMilliseconds = 10_000 }: StripeApiOptions): Promise<Stripe> => {
  const { default: Client } = await import('stripe');
  const { protocol, hostname, port } = new URL(apiBase);
  return new Client(secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
    timeout: timeoutMilliseconds,
    maxNetworkRetries: 1,
    telemetry: false,
    httpClient: Client.createFetchHttpClient(fetchObject),
  });
};

/**
 * Fetches a JSON object and follows no redirects. The library (23.1.0) never settles when the answer is JSON of another
 * kind; its other client waits as long as bytes trickle in.
 */
const fetchObject: typeof fetch = async (address, options) => {
  const response = await fetch(address, { ...options, redirect: 'error' });
  const { status, headers } = response;
  const text = await response.text();
  const { success } = z.record(z.string(), z.unknown()).safeParse(JSON.parse(text));
  if (!success) throw new TypeError('The answer is no object');
  return new Response(text, { status, headers });
};

const checkoutParameters = ({
  organizationId,
  product,
  ...request
}: StripeCheckoutRequest): Stripe.Checkout.SessionCreateParams => ({
  mode: 'subscription',
  line_items: [{ price: request.price, quantity: 1 }],
  client_reference_id: organizationId,
  subscription_data: { metadata: { organizationId, product } },
  ...('customer' in request.payer ? { customer: request.payer.customer } : { customer_email: request.payer.email }),
  success_url: request.successUrl,
  cancel_url: request.cancelUrl,
});

/** Fields of a failure that contain no secrets: the message for a rejected key quotes the key. */
const failure = z.object({
  type: z.string().optional().catch(undefined),
  code: z.string().optional().catch(undefined),
  statusCode: z.number().optional().catch(undefined),
  requestId: z.string().optional().catch(undefined),
});

const callStripe =
  (logger: Logger) =>
  async <Answer>(call: string, shape: z.ZodType<Answer>, work: () => Promise<unknown>): Promise<Answer> => {
    try {
      return shape.parse(await work());
    } catch (error) {
      const correlationId = currentCorrelationId();
      const facts = error instanceof z.ZodError ? { type: 'unexpected answer' } : failure.safeParse(error).data;
      logger.error({ event: 'billing.provider_failed', call, correlationId, ...facts }, 'A request to Stripe failed');
      throw new Refusal('UNAVAILABLE', 'The payment provider cannot be reached at the moment. Try again later.', {
        correlationId,
      });
    }
  };
