/**
 * `POST /webhooks/stripe`: events of the payment provider, believed for their signature and nothing else (specification,
 * "Authentication" 12). 200 for every verified event; anything that is not 200 makes the provider try again for days.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { applyPaymentEvent, type PaymentEventDeps } from '../domain/billing/apply-payment-event.ts';
import { readPaymentEvent } from '../domain/billing/payment-event.ts';
import { RefusalLog } from '../platform/refusal-log.ts';
import { isSignatureHeader } from '../platform/stripe.ts';
import { type BodyBudget, readBodiesWithin } from '../web/request-bodies.ts';
import { answerBadRequest } from './fallbacks.ts';

export interface StripeWebhookDeps extends PaymentEventDeps {
  /** The JSON in a body that the provider signed lately, or null. @throws DatabaseUnavailable */
  readonly verify: (body: Buffer, signature: string) => Promise<unknown>;
  /** What bodies of callers may take together before anyone knows who they are. */
  readonly bodies: BodyBudget;
}

/** Events of the provider have a few KB. */
const mostBytes = 256 * 1024;

export const mountStripeWebhook = async (app: FastifyInstance, deps: StripeWebhookDeps): Promise<void> => {
  const log = new RefusalLog();
  const refuse = ({ ip }: FastifyRequest, reply: FastifyReply): FastifyReply => {
    log.note('billing', (refusals) =>
      deps.logger.info({ event: 'billing.event_refused', ip, refusals }, 'A payment event was refused'),
    );
    return answerBadRequest(reply);
  };
  await app.register(async (scope) => {
    // The signature is over the bytes as they came.
    readBodiesWithin(scope, { budget: deps.bodies, mostBytes, contentType: '*', as: 'bytes' });
    scope.addHook('onRequest', (request, reply, done) => {
      if (isSignatureHeader(request.headers['stripe-signature'])) return done();
      refuse(request, reply.header('connection', 'close'));
    });
    scope.post('/webhooks/stripe', async (request, reply) => {
      const { body, headers } = request;
      const signature = headers['stripe-signature'];
      const isSigned = Buffer.isBuffer(body) && typeof signature === 'string';
      const event = isSigned ? readPaymentEvent(await deps.verify(body, signature)) : null;
      if (event === null) return refuse(request, reply);
      await applyPaymentEvent(deps, event);
      return reply.header('cache-control', 'no-store').send({ received: true });
    });
  });
};
