/** Limits of sites: strangers with many networks of an IPv6 /48 or an IPv4 /24 cause no more rows than the site may. */
import { describe, expect, it } from 'vitest';
import { type RateLimit, rateLimits } from '../../src/platform/rate-limit/rate-limit-table.ts';
import { passkeySettings } from '../support/actors/passkeys.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { goodPassword, newAddress, operations, post, type Variables } from '../support/clients/clients.ts';
import { askLikeFetch } from '../support/clients/plain-http.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { providerSettings } from '../support/servers/external.ts';

const service = serviceFixture({
  ...providerSettings,
  ...passkeySettings,
  RATE_LIMITS_ENABLED: 'true',
  TRUST_PROXY: '1',
});

/** @returns the code of the refusal, if any */
type Act = (ip: string) => Promise<string | null>;

const mutation =
  (query: string, variables: Variables = {}, headers: Readonly<Record<string, string>> = {}): Act =>
  async (ip) =>
    (await post(service.url, query, variables, { origin: service.portalUrl, 'x-forwarded-for': ip, ...headers })).code;

const signUp: Act = (ip) =>
  mutation(operations.signUp, { input: { email: newAddress(), name: 'A Person', password: goodPassword } })(ip);

const redirectToProvider: Act = async (ip) => {
  const { headers } = await askLikeFetch(`${service.url}/auth/google`, { headers: { 'x-forwarded-for': ip } });
  return /error=([A-Z_]+)/.exec(headers.get('location') ?? '')?.[1] ?? null;
};

const newSession = async (): Promise<string> => {
  const { headers } = await askLikeFetch(`${service.url}/auth/google`);
  return headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
};

/** The cookie of a browser that has a session already. */
let known: Promise<string> | null = null;

const decideAgain: Act = async (ip) => {
  known ??= newSession();
  return mutation(operations.recordConsent, { analytics: true }, { cookie: await known })(ip);
};

const limited: readonly (readonly [what: string, limit: RateLimit, act: Act])[] = [
  ['Sign-ups', rateLimits.signUpOfSite, signUp],
  ['Challenges of passkeys', rateLimits.passkeyOptionsOfSite, mutation(operations.signInWithPasskeyOptions)],
  ['Redirects to the provider', rateLimits.externalSignInOfSite, redirectToProvider],
  [
    'Exchanges',
    rateLimits.externalExchangeOfSite,
    mutation(operations.exchangeAuthTokens, {}, { cookie: `auth_exchange=${'x'.repeat(43)}` }),
  ],
  ['First decisions', rateLimits.visitorSessionOfSite, mutation(operations.recordConsent, { analytics: true })],
  ['Further decisions', rateLimits.visitorDecisionOfSite, decideAgain],
];

/** As if all permits of a limit, and those of ten minutes more, had been consumed by each of its subjects. */
const useUp = async ({ name, burst, perHour }: RateLimit): Promise<void> => {
  const rows = await service.sql(
    `UPDATE rate_limits SET due_at = now() + $1 * interval '1 second' WHERE key LIKE $2 RETURNING key`,
    [(burst * 3600) / perHour + 600, `${name}:%`],
  );
  expect(rows).toHaveLength(2);
};

describe.each(limited)('%s', (_what, limit, act) => {
  // Contract: requests#networks-and-sites — Rows that strangers cause are counted for a /48 and a /24
  it('are counted for 48 bits of IPv6 and 24 of IPv4, and refused ones store nothing', async () => {
    await service.sql('DELETE FROM rate_limits');
    for (const ip of ['2001:db8:1:2::1', '192.0.2.7']) expect(await act(ip)).not.toBe('RATE_LIMITED');
    await useUp(limit);
    for (const ip of ['2001:db8:1:ffff::1', '192.0.2.255']) {
      expect(await expectNothingStored(service, () => act(ip))).toBe('RATE_LIMITED');
    }
    for (const ip of ['2001:db8:2:2::1', '192.0.3.7']) expect(await act(ip)).not.toBe('RATE_LIMITED');
  });
});

describe('The limit of a site', () => {
  it('is never below that of a network, which all sites have one of', () => {
    for (const [, { name, perHour, burst }] of limited) {
      const ofNetwork: RateLimit | undefined = Object.values(rateLimits).find((each) => `${each.name}_site` === name);
      expect(perHour).toBeGreaterThan(ofNetwork?.perHour ?? Number.NaN);
      expect(burst).toBeGreaterThan(ofNetwork?.burst ?? Number.NaN);
    }
  });
});
