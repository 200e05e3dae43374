/** A reauthentication at the provider: the identity counts only when the person authenticated since its begin. */
import { expect, it } from 'vitest';
import { type Attempt, identifyPerson } from '../../src/domain/external-sign-in/attempt.ts';
import { Refusal } from '../../src/kernel/errors.ts';
import type { IdentityProvider } from '../../src/platform/oidc/identity-provider.ts';
import { newIdentity } from '../support/servers/external.ts';

const begunAt = Date.parse('2026-11-30T12:00:00Z') / 1000;

/** What comes of a callback: the instant of the identity, or the reason of its refusal. */
const outcomeOf = async (authenticatedSince: number | null, authenticatedAt: number | null): Promise<unknown> => {
  const provider: IdentityProvider = {
    displayName: 'Example ID',
    authorizationUrl: async () => 'https://provider.example/authorize',
    identify: async () => newIdentity({ authenticatedAt }),
  };
  const attempt: Attempt = { state: 's', nonce: 'n', codeVerifier: 'v', link: null, authenticatedSince };
  const answer = { query: 'code=c', redirectUri: 'http://localhost:4000/auth/google/callback' };
  try {
    return (await identifyPerson({ provider }, attempt, answer)).authenticatedAt;
  } catch (error) {
    if (error instanceof Refusal) return `${error.code}: ${error.detail}`;
    throw error;
  }
};

// Contract: account#reauthentication-at-the-provider — an auth_time that is missing, or older than the request by more
//   than the clocks may differ, is refused
it.each([
  ['after its begin', begunAt + 5, begunAt + 5],
  ['30 seconds before, as clocks may differ', begunAt - 30, begunAt - 30],
  ['31 seconds before', begunAt - 31, 'PROVIDER_REFUSED: auth_time_too_old'],
  ['an hour before', begunAt - 3600, 'PROVIDER_REFUSED: auth_time_too_old'],
  ['at no instant that the provider tells', null, 'PROVIDER_REFUSED: auth_time_missing'],
])('A reauthentication takes an identity that was authenticated %s, or refuses it', async (_when, at, outcome) => {
  expect(await outcomeOf(begunAt, at)).toBe(outcome);
});

it('A sign-in takes an identity of any instant, or of none', async () => {
  expect([await outcomeOf(null, begunAt - 3600), await outcomeOf(null, null)]).toEqual([begunAt - 3600, null]);
});
