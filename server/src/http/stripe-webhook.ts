/**
 * `POST /webhooks/stripe`: events of the payment provider, believed for their signature and nothing else (specification,
 * "Authentication" 12). 200 for every verified event; anything that is not 200 makes the provider try again for days.
 */
import type { FastifyInstance } from 'fastify';
import { applyPaymentEvent, type PaymentEventDeps } from '../domain/billing/apply-payment-event.ts';
import { readPaymentEvent } from '../domain/billing/payment-event.ts';
import { RefusalLog } from '../platform/refusal-log.ts';
import { answerBadRequest } from './fallbacks.ts';

export interface StripeWebhookDeps extends PaymentEventDeps {
  /** The JSON in a body that the provider signed lately, or null. @throws DatabaseUnavailable */
  readonly verify: (body: Buffer, signature: string) => Promise<unknown>;
}

const mostBytes = 1024 * 1024;

export const mountStripeWebhook = async (app: FastifyInstance, deps: StripeWebhookDeps): Promise<void> => {
  const log = new RefusalLog();
  await app.register(async (scope) => {
    // The signature is over the bytes as they came.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: mostBytes }, (_request, body, done) =>
      done(null, body),
    );
    scope.post('/webhooks/stripe', { bodyLimit: mostBytes }, async ({ body, headers, ip }, reply) => {
      const signature = headers['stripe-signature'];
      const isSigned = Buffer.isBuffer(body) && typeof signature === 'string';
      const event = isSigned ? readPaymentEvent(await deps.verify(body, signature)) : null;
      if (event === null) {
        log.note('billing', (refusals) =>
          deps.logger.info({ event: 'billing.event_refused', ip, refusals }, 'A payment event was refused'),
        );
        return answerBadRequest(reply);
      }
      await applyPaymentEvent(deps, event);
      return reply.header('cache-control', 'no-store').send({ received: true });
    });
  });
};
