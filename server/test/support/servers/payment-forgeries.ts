/** Forged requests to the payment webhook, and how a valid one is signed. */
import { signatureOf } from './payments.ts';

export interface Forgery {
  readonly body: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export const signed = (body: string): Forgery => ({ body, headers: { 'stripe-signature': signatureOf(body) } });

/** By their fault: requests to the webhook made from the body of a harmful event. */
export const forgeries: Readonly<Record<string, (body: string) => Forgery>> = {
  'no signature': (body) => ({ body, headers: {} }),
  'an empty signature': (body) => ({ body, headers: { 'stripe-signature': '' } }),
  'an invalid signature': (body) => ({ body, headers: { 'stripe-signature': 'canary' } }),
  'a signature of another secret': (body) => ({
    body,
    headers: { 'stripe-signature': signatureOf(body, { secret: 'whsec_of_somebody_else' }) },
  }),
  'a forged signature with a fresh time': (body) => ({
    body,
    headers: { 'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}` },
  }),
  'the right signature under the scheme of tests': (body) => ({
    body,
    headers: { 'stripe-signature': signatureOf(body).replace('v1=', 'v0=') },
  }),
  'a signature of six minutes ago': (body) => ({
    body,
    headers: { 'stripe-signature': signatureOf(body, { age: 360 }) },
  }),
  'an old signature under a new time': (body) => ({
    body,
    headers: {
      'stripe-signature': signatureOf(body, { age: 360 }).replace(/^t=\d+/, `t=${Math.floor(Date.now() / 1000)}`),
    },
  }),
  'a changed body': (body) => ({ ...signed(body), body: body.replace('canceled', 'unpaid') }),
  'a body with one more space': (body) => ({ ...signed(body), body: `${body} ` }),
  'no body': () => ({ ...signed(''), body: '' }),
  'a body that is not JSON': () => signed('canary'),
  'a body that is a list': (body) => signed(`[${body}]`),
  'an event without an id': (body) => signed(body.replace('"id":"evt', '"no":"evt')),
  'an event without a type': (body) => signed(body.replace('"type"', '"kind"')),
  'an event without a time': (body) => signed(body.replace('"created"', '"made"')),
  'an event with NUL in its id': (body) => signed(body.replace('"id":"evt', '"id":"\\u0000evt')),
};

/** The answer of the webhook. */
export const messages = {
  missing: 'The header Stripe-Signature is missing.',
  malformed: 'The header Stripe-Signature has no time with a signature of the scheme v1.',
  forged: 'The signature was not made with STRIPE_WEBHOOK_SECRET, or is for another body.',
  tooOld: 'The signature is too old: it was made more than five minutes ago.',
  unreadable: 'The body is not a Stripe event.',
  tooLong: 'The body is too long: an event has at most 256 KB.',
};

/** @param name of one of the forgeries */
export const messageFor = (name: string): string => {
  if (name === 'no signature' || name === 'an empty signature') return messages.missing;
  if (name === 'an invalid signature' || name.endsWith('under the scheme of tests')) return messages.malformed;
  if (name === 'a signature of six minutes ago') return messages.tooOld;
  return /^(no body|a body that is |an event )/.test(name) ? messages.unreadable : messages.forged;
};
