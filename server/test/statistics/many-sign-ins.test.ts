/** Many concurrent sign-ins: some are asked to retry, nothing fails, and no other user is affected. */
import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import { me } from '../support/actors/credentials.ts';
import { range, tally } from '../support/checks/concurrency.ts';
import {
  type Answer,
  Browser,
  goodPassword,
  newAddress,
  operations,
  post,
  register,
  registerAndSignIn,
} from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture({ RATE_LIMITS_ENABLED: 'true', TRUST_PROXY: '1', SALT_ROUNDS: '10' });

/** Running and waiting hashes of unknown clients: three quarters of the queue (docs/limits.md). */
const room = availableParallelism() * 25;
/** Waiting hashes of one network. */
const ofOneNetwork = availableParallelism() * 8;

const ipOf = (index: number): string => `198.18.${100 + Math.floor(index / 250)}.${(index % 250) + 1}`;

const guessFrom = (ip: string): Promise<Answer> =>
  post(
    service.url,
    operations.signIn,
    { input: { email: newAddress(), password: 'Wrong.horse7' } },
    { 'x-forwarded-for': ip },
  );

const tryFrom = (index: number): Promise<Answer> => guessFrom(ipOf(index));

// Contract: requests#queue-of-password-hashes — 100 concurrent sign-ins: 429, and no other caller is affected
it('Many sign-ins at once are accepted up to the length of the hashing queue; the rest is asked to retry, and keeps its permits', async () => {
  const { tokens } = await registerAndSignIn(service);
  const attempts = Promise.all(range(room + 60).map(tryFrom));
  const beside = [];
  for (const _time of range(20)) beside.push(await me(service, tokens.accessToken));
  const answers = await attempts;
  expect(beside.map(({ code }) => code)).toEqual(range(20).map(() => null));
  const reported = tally(answers.map(({ code, status }) => `${status} ${code}`));
  expect(Object.keys(reported).sort()).toEqual(['401 INVALID_CREDENTIALS', '429 RATE_LIMITED']);
  expect(reported['401 INVALID_CREDENTIALS']).toBeGreaterThanOrEqual(room);
  expect(reported['429 RATE_LIMITED']).toBeGreaterThan(0);
  const refused = answers.filter(({ code }) => code === 'RATE_LIMITED');
  for (const { headers, extensions } of refused) {
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('retry-after')).toBe(String(extensions['retryAfterSeconds']));
  }
  const [row] = await service.sql<{ taken: number }>(
    "SELECT count(*)::integer AS taken FROM rate_limits WHERE key LIKE 'sign_in_account:%' AND due_at > now()",
  );
  expect(row?.taken).toBe(reported['401 INVALID_CREDENTIALS']);
  expect((await tryFrom(0)).code).toBe('INVALID_CREDENTIALS');
});

// Contract: requests#queue-of-password-hashes — A wave of sign-ups uses up no permits of mailboxes
it('Many sign-ups at once that are asked to retry keep the permits of their mailboxes', async () => {
  const signUpFrom = (index: number): Promise<Answer> =>
    post(
      service.url,
      operations.signUp,
      { input: { email: newAddress(), name: 'Somebody', password: goodPassword } },
      { 'x-forwarded-for': ipOf(index) },
    );
  await service.sql("DELETE FROM rate_limits WHERE key LIKE 'sign_up_mailbox:%'");
  const answers = await Promise.all(range(room + 60).map(signUpFrom));
  const reported = tally(answers.map(({ code }) => code ?? 'OK'));
  expect(Object.keys(reported).sort()).toEqual(['OK', 'RATE_LIMITED']);
  const [row] = await service.sql<{ taken: number }>(
    "SELECT count(*)::integer AS taken FROM rate_limits WHERE key LIKE 'sign_up_mailbox:%' AND due_at > now()",
  );
  expect(row?.taken).toBe(reported['OK']);
});

// Contract: requests#queue-of-password-hashes — Guesses from one network fill the queue of hashes for no other network
it('A flood of guesses from one network excludes neither clients of another network, nor a recognized browser of its own', async () => {
  const flooding = '198.18.99.1';
  const [neighbor, browser] = [await register(service), new Browser(service)];
  const signIn = () =>
    browser.run(
      operations.signIn,
      { input: { email: neighbor, password: goodPassword } },
      { 'x-forwarded-for': flooding },
    );
  expect((await signIn()).code).toBeNull();
  await browser.run(operations.signOut);
  const outsider = await register(service);
  const flood = range(ofOneNetwork + 120).map(() => guessFrom(flooding));
  await Promise.any(flood.map(async (guess) => expect((await guess).code).toBe('RATE_LIMITED')));
  const beside = await Promise.all([
    signIn(),
    post(
      service.url,
      operations.signIn,
      { input: { email: outsider, password: goodPassword } },
      { 'x-forwarded-for': '198.18.99.2' },
    ),
  ]);
  expect(beside.map(({ code }) => code)).toEqual([null, null]);
  const reported = tally((await Promise.all(flood)).map(({ code }) => code ?? 'OK'));
  expect(Object.keys(reported).sort()).toEqual(['INVALID_CREDENTIALS', 'RATE_LIMITED']);
});
