/** Invalid requests to the demo provider: it answers below 500, reveals no secret, and keeps running. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoProvider, startDemoProvider } from '../../src/cli/demo/demo-provider.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import type { ProviderAttempt } from '../../src/platform/oidc/identity-provider.ts';
import { createOpenIdProvider } from '../../src/platform/oidc/openid-provider.ts';
import { ProviderBrowser } from '../support/clients/provider-browser.ts';
import { configOf, portWithFreeCompanion } from '../support/gatehouse/development.ts';
import type { MountedRoute } from '../support/gatehouse/mounted-routes.ts';
import {
  expectCleanLog,
  expectKinds,
  expectOften,
  expectValidAnswer,
  sendOnWire,
  tries,
  wireAnswerOf,
} from '../support/random/fuzz.ts';
import { anyForm, anyRequest, spoilOne } from '../support/random/hostile-requests.ts';

/** Its own pages, and those that its library has or could have. */
const routes: readonly MountedRoute[] = [
  ...['/', '/pages.css', '/who/:uid', '/auth', '/auth/:uid', '/me', '/jwks', '/.well-known/openid-configuration'].map(
    (url) => ({ method: 'GET', url }),
  ),
  ...['/who/:uid', '/token', '/auth', '/me', '/token/introspection', '/token/revocation', '/request', '/reg'].map(
    (url) => ({ method: 'POST', url }),
  ),
];

const attempt: ProviderAttempt = {
  state: 'state-of-the-test-which-is-long-enough-00000',
  nonce: 'nonce-of-the-test-which-is-long-enough-00000',
  codeVerifier: 'verifier-of-the-test-which-is-long-enough-0',
};

let demo: DemoProvider;
let host: string;
let redirectUri: string;
const logs: string[] = [];

beforeAll(async () => {
  const config = configOf({ PORT: String(await portWithFreeCompanion()) });
  const logger = createLogger('trace', { write: (line: string) => void logs.push(line) });
  const started = await startDemoProvider(config, logger);
  if (started === null) throw new Error('There is no demo provider');
  demo = started;
  host = new URL(demo.client.issuer).host;
  redirectUri = `${config.frontendUrl}/auth/google/callback`;
});
afterAll(() => demo.close());

const authorizationUrl = async (): Promise<URL> =>
  new URL(
    await createOpenIdProvider({ ...demo.client, now: async () => new Date() }).authorizationUrl(
      attempt,
      redirectUri,
      'sign_in',
    ),
  );

/** A browser, and the URL of the account question. */
const asked = async (): Promise<{ readonly browser: ProviderBrowser; readonly question: string }> => {
  const browser = new ProviderBrowser();
  const { location } = await browser.get((await authorizationUrl()).href);
  return { browser, question: new URL(location ?? '', demo.client.issuer).href };
};

const expectNothingFailed = (): void => {
  expectCleanLog(logs, [demo.client.clientSecret]);
  expect(logs.filter((line) => line.includes('"demo_provider.failed"'))).toEqual([]);
};

describe('The demo provider', () => {
  // Contract: requests#any-input-is-answered — The demo provider of development
  it('answers every request', async () => {
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(anyRequest(routes, [demo.client.clientId]), fc.boolean(), async (request, isOurs) => {
        const headers = isOurs ? { ...request.headers, host } : request.headers;
        const answer = await sendOnWire(demo.client.issuer, { ...request, headers });
        statuses.add(answer.status);
        expectValidAnswer(answer, [demo.client.clientSecret]);
      }),
      tries(300),
    );
    expectKinds(statuses.size, 3);
    expectNothingFailed();
  });

  // Contract: requests#one-invalid-parameter — Requests to it with one parameter wrong
  it('redirects to no other address, and asks for no consent when the request could end at another', async () => {
    const seen = { asked: 0, sentBack: 0, refused: 0 };
    const { search } = await authorizationUrl();
    const right = Object.fromEntries(new URLSearchParams(search));
    const bound = ['client_id', 'redirect_uri', 'response_type', 'scope', 'code_challenge', 'code_challenge_method'];
    const unspoiled = fc.constant((query: Readonly<Record<string, string>>) => String(new URLSearchParams(query)));
    const spoiledOrRight = fc.oneof({ weight: 4, arbitrary: spoilOne(bound) }, { weight: 1, arbitrary: unspoiled });
    await fc.assert(
      fc.asyncProperty(spoiledOrRight, async (spoil) => {
        const query = spoil(right);
        const response = await fetch(`${demo.client.issuer}/auth?${query}`, { redirect: 'manual' });
        const { status, headers } = response;
        expectValidAnswer(wireAnswerOf({ status, headers, text: await response.text() }), [demo.client.clientSecret]);
        const location = headers.get('location');
        if (location === null) {
          seen.refused += 1;
          expect(status).toBe(400);
          return;
        }
        // As a browser would read it, also with two leading slashes.
        const to = new URL(location, demo.client.issuer);
        expect(to.searchParams.has('code')).toBe(false);
        if (to.origin !== demo.client.issuer) {
          seen.sentBack += 1;
          expect(to.href.startsWith(`${redirectUri}?`)).toBe(true);
          expect(to.searchParams.has('error')).toBe(true);
          return;
        }
        seen.asked += 1;
        expect(to.pathname).toMatch(/^\/who\//);
        const given = new URLSearchParams(query);
        expect(given.getAll('client_id')).toEqual([demo.client.clientId]);
        // A missing one defaults to the registered one, and an empty one is missing (RFC 6749, section 3.1).
        const named = given.getAll('redirect_uri').filter((address) => address !== '');
        expect(named.filter((address) => address !== redirectUri)).toEqual([]);
        expect(given.getAll('code_challenge_method')).toEqual(['S256']);
      }),
      tries(200),
    );
    for (const count of Object.values(seen)) expectOften(count, 5);
    expectNothingFailed();
  });

  // Contract: requests#any-input-is-answered — Answers to its consent page
  it('accepts any answer to its consent page, and reports the outcome to the service or the browser', async () => {
    let done = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          anyForm({ who: 'typed', name: 'Another Person', email: 'else@example.com', verified: 'on' }),
          anyForm({ who: '1' }),
        ),
        async (form) => {
          const { browser, question } = await asked();
          const answer = await browser.submit(question, form);
          expectValidAnswer(wireAnswerOf(answer), [demo.client.clientSecret]);
          if (answer.location === null) return;
          const callback = await browser.follow(answer.location, ({ href }) => href.startsWith(`${redirectUri}?`));
          if (typeof callback !== 'string') throw new Error(`Not sent back: ${callback.answer.status}`);
          const { searchParams } = new URL(callback);
          expect(searchParams.get('state')).toBe(attempt.state);
          expect(searchParams.has('code')).not.toBe(searchParams.has('error'));
          done += 1;
        },
      ),
      tries(60),
    );
    expectOften(done, 20);
    expectNothingFailed();
  });
});
