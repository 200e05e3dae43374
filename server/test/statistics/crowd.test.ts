/** Many people who sign in at the same moment: some are told to wait, nothing fails, and nobody else notices. */
import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
import { type Service, startService } from '../support/gatehouse/gatehouse.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ RATE_LIMITS_ENABLED: 'true', TRUST_PROXY: '1', SALT_ROUNDS: '10' });
});
afterAll(() => service.close());

/** What runs and waits at once, of strangers: three quarters of the queue (docs/limits.md). */
const room = availableParallelism() * 25;
/** What waits at once of one network. */
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

describe('A crowd of sign-ins', () => {
  // Specification: Limits — 100 sign-ins at once: 429, and no other caller notices
  it('is let in as far as the queue of hashes goes; the rest is told to come back, and keeps its turns', async () => {
    const { tokens } = await registerAndSignIn(service);
    const crowd = Promise.all(range(room + 60).map(tryFrom));
    const beside = [];
    for (const _time of range(20)) beside.push(await me(service, tokens.accessToken));
    const answers = await crowd;
    expect(beside.map(({ code }) => code)).toEqual(range(20).map(() => null));
    const told = tally(answers.map(({ code, status }) => `${status} ${code}`));
    expect(Object.keys(told).sort()).toEqual(['401 INVALID_CREDENTIALS', '429 RATE_LIMITED']);
    // Fewer on a machine that is so busy that the last of them would wait for too long.
    expect(told['401 INVALID_CREDENTIALS']).toBeGreaterThanOrEqual(room / 3);
    expect(told['429 RATE_LIMITED']).toBeGreaterThan(0);
    const refused = answers.filter(({ code }) => code === 'RATE_LIMITED');
    for (const { headers, extensions } of refused) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(headers.get('retry-after')).toBe(String(extensions['retryAfterSeconds']));
    }
    const [row] = await service.sql<{ taken: number }>(
      "SELECT count(*)::integer AS taken FROM rate_limits WHERE key LIKE 'sign_in_account:%' AND due_at > now()",
    );
    expect(row?.taken).toBe(told['401 INVALID_CREDENTIALS']);
    expect((await tryFrom(0)).code).toBe('INVALID_CREDENTIALS');
  });
});

describe('A crowd of sign-ups', () => {
  // Specification: Limits — A crowd of sign-ups uses up no permits of mailboxes
  it('that is told to come back keeps the turns of its mailboxes', async () => {
    const signUpFrom = (index: number): Promise<Answer> =>
      post(
        service.url,
        operations.signUp,
        { input: { email: newAddress(), name: 'Somebody', password: goodPassword } },
        { 'x-forwarded-for': ipOf(index) },
      );
    await service.sql("DELETE FROM rate_limits WHERE key LIKE 'sign_up_mailbox:%'");
    const answers = await Promise.all(range(room + 60).map(signUpFrom));
    const told = tally(answers.map(({ code }) => code ?? 'OK'));
    expect(Object.keys(told).sort()).toEqual(['OK', 'RATE_LIMITED']);
    const [row] = await service.sql<{ taken: number }>(
      "SELECT count(*)::integer AS taken FROM rate_limits WHERE key LIKE 'sign_up_mailbox:%' AND due_at > now()",
    );
    expect(row?.taken).toBe(told['OK']);
  });
});

describe('A flood of guesses from one network', () => {
  // Specification: Limits — A flood of one network fills the queue of hashes for no other network
  it('keeps out neither whoever comes from another one, nor a browser of its own that is known', async () => {
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
    const stranger = await register(service);
    const flood = range(ofOneNetwork + 120).map(() => guessFrom(flooding));
    await Promise.any(flood.map(async (guess) => expect((await guess).code).toBe('RATE_LIMITED')));
    const beside = await Promise.all([
      signIn(),
      post(
        service.url,
        operations.signIn,
        { input: { email: stranger, password: goodPassword } },
        { 'x-forwarded-for': '198.18.99.2' },
      ),
    ]);
    expect(beside.map(({ code }) => code)).toEqual([null, null]);
    const told = tally((await Promise.all(flood)).map(({ code }) => code ?? 'OK'));
    expect(Object.keys(told).sort()).toEqual(['INVALID_CREDENTIALS', 'RATE_LIMITED']);
  });
});
