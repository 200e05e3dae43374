/**
 * `POST /webhooks/stripe`: events of the payment provider, trusted only by their signature
 * (contract/organizations.md#payment-webhook). 200 for every verified one; any other status is retried for days.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps, Settings } from '../domain/access/deps.ts';
import { applyPaymentEvent, readPaymentEvent } from '../domain/billing/payment-events.ts';
import { type BodyBudget, readBodiesWithin } from '../http-kit/request-bodies.ts';
import { LogThrottle } from '../platform/observability/log-throttle.ts';
import { isSignatureHeader, type Verified } from '../platform/stripe.ts';
import { answerBadRequest } from './fallbacks.ts';

interface StripeWebhookDeps extends Deps<'application' | 'database' | 'logger'>, Settings<'defaultProduct'> {
  /** @throws DatabaseUnavailable */
  readonly verify: (body: Buffer, signature: string) => Promise<Verified>;
  /** Memory budget for unauthenticated bodies. */
  readonly bodies: BodyBudget;
}

/** Events of the provider take a few KB. */
const maxBytes = 256 * 1024;

/** The provider shows these texts to the operator next to the undelivered event. */
const reasons = {
  missing: 'The header Stripe-Signature is missing.',
  malformed: 'The header Stripe-Signature has no time with a signature of the scheme v1.',
  forged: 'The signature was not made with STRIPE_WEBHOOK_SECRET, or is for another body.',
  'too old': 'The signature is too old: it was made more than five minutes ago.',
  unreadable: 'The body is not a Stripe event.',
  'too long': 'The body is too long: an event has at most 256 KB.',
} as const;

export const mountStripeWebhook = async (app: FastifyInstance, deps: StripeWebhookDeps): Promise<void> => {
  const log = new LogThrottle();
  const refuse = ({ ip }: FastifyRequest, reply: FastifyReply, reason: keyof typeof reasons): FastifyReply => {
    log.note('billing', (refusals) =>
      deps.logger.info({ event: 'billing.event_refused', ip, refusals }, 'A payment event was refused'),
    );
    return answerBadRequest(reply, 400, reasons[reason]);
  };
  await app.register(async (scope) => {
    // The signature covers the raw bytes.
    readBodiesWithin(scope, { budget: deps.bodies, maxBytes, contentType: '*', as: 'bytes' });
    scope.setErrorHandler<FastifyError>((error, _request, reply) => {
      // Other errors go to the error handler of the whole service.
      if (error.statusCode !== 413) throw error;
      return answerBadRequest(reply, 413, reasons['too long']);
    });
    scope.addHook('onRequest', (request, reply, done) => {
      if (isSignatureHeader(request.headers['stripe-signature'])) return done();
      const isMissing = (request.headers['stripe-signature'] ?? '') === '';
      refuse(request, reply.header('connection', 'close'), isMissing ? 'missing' : 'malformed');
    });
    scope.post('/webhooks/stripe', async (request, reply) => {
      const { body, headers } = request;
      const signature = headers['stripe-signature'];
      if (!Buffer.isBuffer(body) || typeof signature !== 'string') return refuse(request, reply, 'unreadable');
      const verified = await deps.verify(body, signature);
      if (verified.is !== 'signed') return refuse(request, reply, verified.is);
      const event = readPaymentEvent(verified.json);
      if (event === null) return refuse(request, reply, 'unreadable');
      await applyPaymentEvent(deps, event);
      return reply.header('cache-control', 'no-store').send({ received: true });
    });
  });
};
