/** A callback that its browser opens again while the first one waits for the provider, and pages loaded in advance. */
import { describe, expect, it } from 'vitest';
import { finishOnce } from '../../src/domain/external-sign-in/callback-outcome.ts';
import { sha256 } from '../../src/kernel/secrets.ts';
import type { HelperSessions } from '../../src/platform/helper-sessions.ts';
import { inParallel, range } from '../support/checks/concurrency.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { operations } from '../support/clients/clients.ts';
import { ProviderBrowser } from '../support/clients/provider-browser.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { userOf } from '../support/servers/external.ts';
import { startHostileIssuer } from '../support/servers/hostile-issuer.ts';

const provider = fixture(startHostileIssuer);
const service = serviceFixture(() => provider.environment());

const arrive = async (query = '') => {
  const browser = new ProviderBrowser();
  const { location } = await browser.get(`${service.portalUrl}/auth/google${query}`);
  return { browser, callback: provider.authorize(location ?? 'none:') };
};

/** Holds the answers of the token endpoint; resolves `asked` with the first request. */
const holdTokens = () => {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  provider.behave({
    beforeToken: async () => {
      asked.resolve();
      await released.promise;
    },
  });
  return { asked: asked.promise, release: () => released.resolve() };
};

const tokenRequests = (): number => provider.asked.filter((path) => path === '/token').length;

describe('A callback opened again in its browser', () => {
  it('while the first one waits for the provider ends in the same session', async () => {
    const { browser, callback } = await arrive('?redirect=%2Fmembers');
    const before = tokenRequests();
    const held = holdTokens();
    const first = browser.get(callback);
    await held.asked;
    const others = inParallel(range(3), 3, () => browser.get(callback));
    held.release();
    const answers = [await first, ...(await others)];
    expect(answers.map(({ location }) => location)).toEqual(
      answers.map(() => `${service.portalUrl}/signin?oauth_exchange=1&redirect=%2Fmembers`),
    );
    expect(tokenRequests()).toBe(before + 1);
    const email = `${provider.subject}@example.com`;
    expect(userOf(await browser.run(service, operations.exchangeAuthTokens))).toMatchObject({ email });
  });

  // Without a service in between, the second callback waits for certain before the first one goes on.
  describe('by itself', () => {
    const key = { sessionId: 'session', state: 'state' };
    const attempt = JSON.stringify({ nonce: 'n', codeVerifier: 'v', link: null });
    const outcome = { location: 'https://app.example.com/', exchange: null };

    /** An attempt that has begun; `waited` resolves when a second callback has read that the first one waits. */
    const begin = () => {
      const entries = new Map([[`external:${sha256(key.state).toString('hex')}`, attempt]]);
      const waited = Promise.withResolvers<void>();
      const helperSessions: HelperSessions = {
        read: async (_sessionId, name) => {
          const text = entries.get(name) ?? null;
          if (text === 'pending') waited.resolve();
          return text;
        },
        write: async (_sessionId, name, value) => {
          entries.set(name, value);
        },
        keep: async (_sessionId, name, value) => {
          entries.set(name, entries.get(name) ?? value);
          return entries.get(name) ?? value;
        },
        take: async (_sessionId, name) => {
          const text = entries.get(name) ?? null;
          entries.delete(name);
          return text;
        },
      };
      return { helperSessions, waited: waited.promise };
    };

    it('gets what the first one ends with, and asks nothing of the provider', async () => {
      const deps = begin();
      const ran: string[] = [];
      const run = (name: string, end: () => Promise<void>) =>
        finishOnce(deps, key, async () => {
          ran.push(name);
          await end();
          return outcome;
        });
      let second: Promise<unknown> = Promise.resolve();
      const first = run('first', async () => {
        second = run('second', async () => undefined);
        await deps.waited;
      });
      expect(await Promise.all([first, first.then(() => second)])).toEqual([outcome, outcome]);
      expect(ran).toEqual(['first']);
    });

    it('says that the attempt is over when the first one is refused', async () => {
      const deps = begin();
      let second: Promise<unknown> = Promise.resolve();
      const first = finishOnce(deps, key, async () => {
        second = finishOnce(deps, key, async () => outcome);
        second.catch(() => undefined);
        await deps.waited;
        throw new Error('refused');
      });
      await expect(first).rejects.toThrow('refused');
      await expect(second).rejects.toMatchObject({ code: 'ATTEMPT_OVER' });
    });

    it('ends as it did where the store is gone by then', async () => {
      const { helperSessions } = begin();
      const gone = (): Promise<never> => Promise.reject(new Error('the store is gone'));
      expect(await finishOnce({ helperSessions: { ...helperSessions, write: gone } }, key, async () => outcome)).toBe(
        outcome,
      );
      const other = begin().helperSessions;
      let isOver = false;
      const take: HelperSessions['take'] = (...entry) => (isOver ? gone() : other.take(...entry));
      const refused = finishOnce({ helperSessions: { ...other, take } }, key, async () => {
        isOver = true;
        throw new Error('refused');
      });
      await expect(refused).rejects.toThrow('refused');
    });
  });
});

describe('A page that a browser loads in advance', () => {
  const announced: readonly (readonly [string, string])[] = [
    ['sec-purpose', 'prefetch'],
    ['sec-purpose', 'prefetch;prerender'],
    ['sec-purpose', 'prefetch;anonymous-client-ip'],
    ['purpose', 'prefetch'],
    ['x-purpose', 'preview'],
    ['x-moz', 'prefetch'],
  ];

  it.each(announced)('with %s: %s uses nothing up, at the callback, and works when it is opened', async (...header) => {
    provider.behave();
    const { browser, callback } = await arrive();
    const before = tokenRequests();
    const answer = await expectNothingStored(service, () => browser.get(callback, Object.fromEntries([header])));
    expect([answer.status, answer.setCookies, answer.headers.get('cache-control')]).toEqual([503, [], 'no-store']);
    expect(tokenRequests()).toBe(before);
    expect((await browser.get(callback)).location).toBe(`${service.portalUrl}/signin?oauth_exchange=1`);
  });

  const paths = [
    '/',
    '/verify/token',
    '/auth/google',
    '/auth/google/callback?state=x',
    '/auth/google/prepare-link',
    `/auth/google/link/${'0'.repeat(8)}-0000-7000-8000-000000000000`,
    '/auth/mcp/authorize?client_id=x',
    `/auth/mcp/continue/${'0'.repeat(8)}-0000-7000-8000-000000000000`,
  ];
  it.each(paths)('is refused without a cookie: %s', async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const headers = { 'sec-purpose': 'prefetch', accept: 'text/html' };
      const answer = await expectNothingStored(service, () =>
        fetch(`${service.url}${path}`, { method, headers, redirect: 'manual' }),
      );
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([503, []]);
    }
  });

  it('of the application is not refused at /auth/identity, which its proxy asks', async () => {
    const headers = { 'sec-purpose': 'prefetch' };
    expect((await fetch(`${service.url}/auth/identity`, { headers })).status).toBe(401);
  });
});
