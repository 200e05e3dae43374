/** Metrics of users and clients: each action once, under labels of closed lists. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { ageRotation, me, refresh } from '../support/actors/credentials.ts';
import { addOneTimeCodes, challengeIn, complete, freshCode } from '../support/actors/one-time-codes.ts';
import { newPasskeyPerson, passkeySettings, signInWithPasskey } from '../support/actors/passkeys.ts';
import { addTo, newOwner, runAs } from '../support/actors/tenants.ts';
import { range } from '../support/checks/concurrency.ts';
import {
  Browser,
  goodPassword,
  operations,
  post,
  register,
  registerAndSignIn,
  signIn,
  tokensOf,
} from '../support/clients/clients.ts';
import { callTool, newMcpClient } from '../support/clients/mcp.ts';
import { connect, postForm, refreshAs } from '../support/clients/oauth.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { growth, scrape } from '../support/gatehouse/metrics.ts';

const service = serviceFixture(passkeySettings);

const operationsTotal = 'gatehouse_graphql_operations_total';
const signInsTotal = 'gatehouse_sign_ins_total';
const refreshesTotal = 'gatehouse_refreshes_total';
const begunTotal = 'gatehouse_sessions_begun_total';
const revocationsTotal = 'gatehouse_revocations_total';
const revokedTotal = 'gatehouse_revoked_credentials_total';

describe('GraphQL operations', () => {
  // Contract: incidents#contents-of-metrics — Metrics: operations by outcome
  it('count by field of the schema and outcome, each alias by itself', async () => {
    const { tokens } = await newOwner(service);
    const grew = await growth(service, async () => {
      await runAs(service, { tokens }, '{ a: me { id } b: me { id } mySessions { id } }');
      await post(service.url, '{ me { id } }');
    });
    expect(grew(operationsTotal, { operation: 'me', outcome: 'OK' })).toBe(2);
    expect(grew(operationsTotal, { operation: 'mySessions', outcome: 'OK' })).toBe(1);
    expect(grew(operationsTotal, { operation: 'me', outcome: 'UNAUTHENTICATED' })).toBe(1);
    expect(grew(operationsTotal)).toBe(4);
    expect(grew('gatehouse_graphql_operation_duration_seconds_count', { operation: 'several' })).toBe(1);
    expect(grew('gatehouse_graphql_operation_duration_seconds_count', { operation: 'me' })).toBe(1);
  });

  // Contract: incidents#contents-of-metrics — Metrics: operations refused before a field ran
  it('count a refusal before any field ran for the requested fields', async () => {
    const { tokens } = await newOwner(service);
    const grew = await growth(service, () =>
      post(
        service.url,
        operations.signOut,
        {},
        { cookie: `auth_access=${tokens.accessToken}`, origin: 'https://foreign.example' },
      ),
    );
    expect(grew(operationsTotal, { operation: 'signOut', outcome: 'ORIGIN_REFUSED' })).toBe(1);
    expect(grew(operationsTotal)).toBe(1);
    expect(grew(revocationsTotal)).toBe(0);
  });

  // Contract: incidents#contents-of-metrics — Metrics: unknown operations
  it('count unknown operations as unknown, whatever their names', async () => {
    const grew = await growth(service, async () => {
      await post(service.url, '{ fieldOfAStranger }');
      await post(service.url, 'query NameOfAStranger { me {');
      await post(
        service.url,
        `{ ${range(20)
          .map((index) => `alias${index}: me { id }`)
          .join(' ')} }`,
      );
      await fetch(`${service.url}/graphql`, { method: 'POST', body: 'me', headers: { 'content-type': 'text/plain' } });
    });
    expect(grew(operationsTotal, { operation: 'unknown', outcome: 'BAD_USER_INPUT' })).toBe(3);
    expect(grew(operationsTotal, { operation: 'unknown', outcome: 'OPERATION_TOO_COSTLY' })).toBe(1);
    expect(grew(operationsTotal)).toBe(4);
  });
});

describe('Sign-ins, refreshes and sessions', () => {
  // Contract: incidents#contents-of-metrics — Metrics: sign-ins, and sessions that began
  it('count by method and outcome, and a session only where one began', async () => {
    const email = await register(service);
    const grew = await growth(service, async () => {
      await signIn(service, email);
      await post(service.url, operations.signIn, { input: { email, password: 'Wrong.horse7' } });
      await new Browser(service).run(operations.signIn, { input: { email, password: goodPassword } });
    });
    expect(grew(signInsTotal, { method: 'password', outcome: 'OK' })).toBe(2);
    expect(grew(signInsTotal, { method: 'password', outcome: 'INVALID_CREDENTIALS' })).toBe(1);
    expect(grew(begunTotal, { method: 'password', audience: 'api' })).toBe(1);
    expect(grew(begunTotal, { method: 'password', audience: 'portal' })).toBe(1);
    expect(grew(begunTotal)).toBe(2);
  });

  // Contract: incidents#contents-of-metrics — Metrics: sign-ins by passkey, and the second step of one with a code
  it('count a passkey, and a second factor after the password that asks for it', async () => {
    const { authenticator } = await newPasskeyPerson(service);
    const { email, tokens } = await registerAndSignIn(service);
    const { secret } = await addOneTimeCodes(service, tokens);
    const code = await freshCode(service, secret);
    const grew = await growth(service, async () => {
      await signInWithPasskey(service, authenticator);
      const asked = await post(service.url, operations.signIn, { input: { email, password: goodPassword } });
      await complete(service, challengeIn(asked), code);
    });
    expect(grew(signInsTotal, { method: 'passkey', outcome: 'OK' })).toBe(1);
    expect(grew(signInsTotal, { method: 'password', outcome: 'SECOND_FACTOR_REQUIRED' })).toBe(1);
    expect(grew(signInsTotal, { method: 'second_factor', outcome: 'OK' })).toBe(1);
    expect(grew(signInsTotal)).toBe(3);
    expect(grew(begunTotal)).toBe(2);
  });

  // Contract: incidents#contents-of-metrics — Metrics: refreshes by outcome
  it('distinguish a superseded refresh from a refusal, and both from a theft', async () => {
    const { tokens } = await newOwner(service);
    const grew = await growth(service, async () => {
      await refresh(service, tokens);
      await refresh(service, tokens);
      await ageRotation(service, tokens, 60);
      await refresh(service, tokens);
    });
    expect(grew(refreshesTotal, { surface: 'graphql', outcome: 'OK' })).toBe(1);
    expect(grew(refreshesTotal, { surface: 'graphql', outcome: 'REFRESH_SUPERSEDED' })).toBe(1);
    expect(grew(refreshesTotal, { surface: 'graphql', outcome: 'REFRESH_REFUSED' })).toBe(1);
    expect(grew(revocationsTotal, { reason: 'refresh_reuse' })).toBe(1);
    expect(grew(begunTotal)).toBe(0);
  });

  // Contract: incidents#contents-of-metrics — Metrics: revocations by reason
  it('count a revocation that ended a session, by its reason, with the ended sessions', async () => {
    const { tokens } = await newOwner(service);
    const grew = await growth(service, async () => {
      await runAs(service, { tokens }, operations.signOut);
      await runAs(service, { tokens }, operations.signOut);
    });
    expect(grew(revocationsTotal, { reason: 'signed_out' })).toBe(1);
    expect(grew(revokedTotal, { reason: 'signed_out' })).toBe(2);
    expect(grew(revocationsTotal)).toBe(1);
  });

  it('do not count a switch of the organization as a new session', async () => {
    const person = await newOwner(service);
    const { organizationId: id } = await newOwner(service);
    await addTo(service, person.userId, id, 'MEMBER');
    const grew = await growth(service, () => runAs(service, person, operations.switchOrganization, { id }));
    expect(grew(begunTotal)).toBe(0);
    expect(grew(revocationsTotal, { reason: 'switched_organization' })).toBe(1);
  });

  // Contract: incidents#contents-of-metrics — Metrics: only durable revocations
  it('count no revocation of a dry run, nor a refused one', async () => {
    const client = await newMcpClient(service);
    const person = await newOwner(service);
    const grew = await growth(service, async () => {
      await callTool(service, client, 'sessions_revoke_user', { userId: person.userId, dryRun: true });
      await runAs(service, person, operations.revokeMySession, { family: newId() });
    });
    expect(grew('mcp_tools_call_total', { tool: 'sessions_revoke_user', outcome: 'success' })).toBe(1);
    expect(grew(operationsTotal, { operation: 'revokeMySession', outcome: 'NOT_FOUND' })).toBe(1);
    expect(grew(revocationsTotal)).toBe(0);
    expect((await me(service, person.tokens.accessToken)).code).toBeNull();
  });
});

// Contract: incidents#contents-of-metrics — Metrics: token requests by grant and outcome
it('The token endpoint is counted by grant and outcome, and an invalid grant as unknown', async () => {
  const grew = await growth(service, async () => {
    const connection = await connect(service);
    await refreshAs(service, connection);
    await refreshAs(service, connection);
    await refreshAs(service, { ...connection, clientId: newId() });
    await postForm(service, 'token', { grant_type: 'grant_of_a_stranger', client_id: connection.clientId });
    await fetch(`${service.url}/auth/mcp/token`, { method: 'OPTIONS' });
  });
  const requests = 'gatehouse_oauth_token_requests_total';
  expect(grew(requests, { grant: 'authorization_code', outcome: 'OK' })).toBe(1);
  expect(grew(requests, { grant: 'refresh_token', outcome: 'OK' })).toBe(1);
  expect(grew(requests, { grant: 'refresh_token', outcome: 'invalid_grant' })).toBe(1);
  expect(grew(requests, { grant: 'refresh_token', outcome: 'invalid_client' })).toBe(1);
  expect(grew(requests, { grant: 'unknown', outcome: 'unsupported_grant_type' })).toBe(1);
  expect(grew(requests)).toBe(5);
  expect(grew(refreshesTotal, { surface: 'oauth', outcome: 'OK' })).toBe(1);
  expect(grew(begunTotal, { method: 'mcp_oauth', audience: 'mcp' })).toBe(1);
});

// Contract: incidents#contents-of-metrics — Metrics: the window of acceptance, cache hits
it('Authentication measures the time of the storage lookup before an acceptance, and counts cache hits', async () => {
  const { tokens, email } = await newOwner(service);
  const first = await growth(service, () => me(service, tokens.accessToken));
  expect(first('gatehouse_acceptance_window_seconds_count')).toBe(1);
  expect(first('gatehouse_actor_cache_lookups_total', { result: 'miss' })).toBe(1);
  expect(first('gatehouse_actor_cache_entries')).toBe(1);
  const again = await growth(service, () => me(service, tokens.accessToken));
  expect(again('gatehouse_acceptance_window_seconds_count')).toBe(1);
  expect(again('gatehouse_actor_cache_lookups_total', { result: 'hit' })).toBe(1);
  await service.sql('UPDATE users SET name = $2 WHERE email = $1', [email, 'Another Name']);
  const renamed = await growth(service, () => me(service, tokens.accessToken));
  expect(renamed('gatehouse_actor_cache_lookups_total', { result: 'stale' })).toBe(1);
  expect(renamed('gatehouse_actor_cache_lookups_total')).toBe(1);
});

describe('Every series', () => {
  // Contract: incidents#contents-of-metrics — Metrics: no unbounded label, nothing personal
  it('has labels of closed lists only, and no personal data', async () => {
    const email = await register(service);
    const tokens = tokensOf(await post(service.url, operations.signIn, { input: { email, password: goodPassword } }));
    const client = await newMcpClient(service);
    const asOutsider = async (word: string): Promise<void> => {
      await runAs(service, { tokens }, `query ${word} { ${word}: me { id } }`);
      await post(service.url, `{ ${word} }`);
      await fetch(`${service.url}/${word}?${word}=${word}`, { headers: { 'user-agent': word, origin: word } });
      await postForm(service, 'token', { grant_type: word, client_id: word, scope: word });
      await callTool(service, client, word);
      await post(service.url, operations.signIn, { input: { email: `${word}@example.org`, password: word } });
    };
    await asOutsider('stranger_zero');
    const before = await scrape(service);
    for (const index of range(5)) await asOutsider(`stranger_${'abcde'[index] ?? ''}`);
    const after = await scrape(service);
    expect(after.samples.length).toBe(before.samples.length);
    for (const secret of ['stranger_', email, tokens.accessToken, client.clientId, client.person.userId]) {
      expect(after.text).not.toContain(secret);
    }
  });

  it('of a histogram increases with its bounds up to the count', async () => {
    const { samples } = await scrape(service);
    const durations = samples.filter(
      ({ name, labels }) => name.startsWith('http_request_duration') && labels['route'] === '/graphql',
    );
    const buckets = durations.filter(({ name }) => name.endsWith('_bucket'));
    const values = buckets.map(({ value }) => value);
    expect(buckets.length).toBeGreaterThan(10);
    expect(values).toEqual([...values].sort((left, right) => left - right));
    expect(buckets.at(-1)?.labels['le']).toBe('+Inf');
    expect(durations.find(({ name }) => name.endsWith('_count'))?.value).toBe(values.at(-1));
  });
});
