/** Sign-up and sign-in reveal to an outsider neither by answers nor by mails whether an account exists. */
import { beforeAll, describe, expect, it } from 'vitest';
import { range } from '../support/checks/concurrency.ts';
import {
  type Answer,
  goodPassword,
  newAddress,
  operations,
  post,
  register,
  registerByMail,
  signUp,
} from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

let verified: string;
let unverified: string;
const service = serviceFixture();
beforeAll(async () => {
  verified = await register(service);
  unverified = newAddress();
  await signUp(service, unverified);
});

/** Addresses of one length, so that no size depends on it. */
const unknown = (): string => newAddress();

const callers: Readonly<Record<string, () => Record<string, string>>> = {
  'an opaque client': () => ({}),
  'the portal': () => ({ origin: service.url }),
  'a foreign page': () => ({ origin: 'https://evil.example' }),
  'a client that takes any JSON': () => ({ accept: 'application/json' }),
};

/** Headers that differ with every request. */
const passing = new Set(['date', 'x-correlation-id']);

/** The part of an answer that an outsider sees; only the date and the request id may differ. */
const seen = ({ status, text, headers }: Answer) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => !passing.has(name)).map(sealedAlike),
});

/** The sealed cookie of a sign-up has a new nonce each time: an outsider sees only its length. */
const sealedAlike = ([name, value]: [string, string]): string[] => [
  name,
  value.replace(/(?<=^pending_sign_ups=)[\w-]+/, (sealed) => `${sealed.length} characters`),
];

const wrongPassword = 'Wrong.horse7';

const trySignIn = (email: string, password = wrongPassword, headers: Record<string, string> = {}): Promise<Answer> =>
  post(service.url, operations.signIn, { input: { email, password } }, headers);

const trySignUp = (email: string, headers: Record<string, string> = {}): Promise<Answer> =>
  post(service.url, operations.signUp, { input: { email, name: 'A Stranger', password: goodPassword } }, headers);

describe.each(Object.entries(callers))('%s', (_caller, headers) => {
  it('answers a sign-in alike for every address', async () => {
    const answers = [
      await trySignIn(unknown(), wrongPassword, headers()),
      await trySignIn(unverified, wrongPassword, headers()),
      await trySignIn(verified, wrongPassword, headers()),
      await trySignIn(verified.toUpperCase(), wrongPassword, headers()),
      await trySignIn(verified, '', headers()),
      await trySignIn(unknown(), '', headers()),
      await trySignIn('no address', 'x'.repeat(1000), headers()),
      await trySignIn('', '🐎'.repeat(40), headers()),
    ].map(seen);
    expect(answers[0]?.text).toContain('INVALID_CREDENTIALS');
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  // Contract: accounts#browser-of-the-sign-up — The signed cookie of a sign-up is the same for every address
  it('answers a sign-up alike for every address', async () => {
    const answers = [
      await trySignUp(unknown(), headers()),
      await trySignUp(unverified, headers()),
      await trySignUp(verified, headers()),
      await trySignUp(` ${verified.toUpperCase()} `, headers()),
    ].map(seen);
    expect(answers[0]?.text).toBe('{"data":{"signUpWithPassword":{"success":true,"verificationRequired":true}}}');
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  // Contract: accounts#one-mail-an-hour — resendVerification: the same answer for every address
  it('answers a request for another verification mail alike for every address', async () => {
    const answers = [];
    for (const email of [unknown(), unverified, verified, ` ${verified.toUpperCase()} `]) {
      answers.push(seen(await post(service.url, operations.resendVerification, { email }, headers())));
    }
    expect(answers[0]?.text).toBe('{"data":{"resendVerification":{"success":true,"verificationRequired":true}}}');
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });
});

describe('An outsider', () => {
  it('learns that an address is unverified only with its password', async () => {
    expect((await trySignIn(unverified)).code).toBe('INVALID_CREDENTIALS');
    expect((await trySignIn(unverified, goodPassword)).code).toBe('EMAIL_NOT_VERIFIED');
  });

  it('learns nothing from a refused sign-up either', async () => {
    const refused = await Promise.all(
      [unknown(), unverified, verified].map((email) =>
        post(service.url, operations.signUp, { input: { email, name: 'A Stranger', password: 'weak' } }),
      ),
    );
    const answers = refused.map(seen);
    expect(answers[0]?.text).toContain('BAD_USER_INPUT');
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it('causes one mail an hour for every address, known or not', async () => {
    const [fresh, waiting, known] = [newAddress(), newAddress(), await registerByMail(service)];
    await signUp(service, waiting);
    await service.sql(`UPDATE users SET account_mail_sent_at = account_mail_sent_at - interval '2 hours'`);
    const addresses = [fresh, waiting, known];
    const before = await Promise.all(addresses.map(async (email) => (await service.mailsTo(email)).length));
    for (const email of addresses) for (const _time of range(3)) await trySignUp(email);
    const after = await Promise.all(addresses.map(async (email) => (await service.mailsTo(email)).length));
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([1, 1, 1]);
  });

  it('changes nothing for the owner of an address', async () => {
    const rows = () =>
      service.sql(`SELECT name, password_hash, email_validated_at FROM users WHERE email = $1`, [verified]);
    const before = await rows();
    await trySignUp(verified);
    expect(await rows()).toEqual(before);
  });
});
