/** The authorization server's endpoints with every invalid and some valid parameters: refusals store nothing. */
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { hashesOfTokens } from '../../src/domain/credentials/token.ts';
import { newId } from '../../src/kernel/ids.ts';
import { sha256 } from '../../src/kernel/secrets.ts';
import { seedSession } from '../support/actors/seeding.ts';
import {
  beginAuthorization,
  csrfTokenIn,
  organizationIn,
  PageBrowser,
  registerClient,
} from '../support/clients/authorization.ts';
import type { PageAnswer } from '../support/clients/cookie-jar.ts';
import {
  type CodeInHand,
  type Connection,
  challengeOf,
  clientTokensOf,
  connect,
  loopbackUri,
  newCode,
  newVerifier,
  redeem,
  redemptionOf,
  refreshOf,
} from '../support/clients/oauth.ts';
import { everythingStored } from '../support/database/stored-rows.ts';
import { fixture } from '../support/fixture.ts';
import {
  expectCleanLog,
  expectOften,
  expectValidAnswer,
  hostileJson,
  hostileText,
  mutated,
  sendOnWire,
  tries,
  type WireAnswer,
  type WireRequest,
  wireAnswerOf,
} from '../support/random/fuzz.ts';
import { startFuzzWorld } from '../support/random/fuzz-world.ts';
import { anyForm, isValidForm, type Spoil, spoilOne } from '../support/random/hostile-requests.ts';

let connection: Connection;
/** Others present the belongings of this person as theirs. */
let neighbour: Connection;
/** It is never redeemed. */
let neighboursCode: CodeInHand;
const verifier = newVerifier();

const granted = ['mcp:whoami', 'users:view'];

/** What a client can ask for: a resource, with scopes of it. */
const resources = ['/mcp', '/mcp/organization'] as const;
type Resource = (typeof resources)[number];
const scopesOf = { '/mcp': granted, '/mcp/organization': ['MEMBERS_VIEW', 'MEMBERS_INVITE'] } as const;
const other = { '/mcp': '/mcp/organization', '/mcp/organization': '/mcp' } as const;

/** A grant of the person for a resource; that of an organization is bound to their membership. */
const grantFor = (resource: Resource) => {
  const { userId, organizationId, memberId: membershipId } = connection.person;
  const scopes = scopesOf[resource];
  const bound = { audience: 'mcp_organization', organizationId, membershipId };
  return { clientId: connection.clientId, userId, scopes, ...(resource === '/mcp' ? {} : bound) };
};

const world = fixture(startFuzzWorld);
const service = fixture(() => world.service);
beforeAll(async () => {
  const person = world.superAdmin;
  connection = await connect(service, granted, { person });
  neighbour = await connect(service, granted, { person });
  neighboursCode = await newCode(service, { clientId: neighbour.clientId, userId: person.userId });
});

const secrets = (): readonly string[] => [
  ...world.credentials,
  ...[connection, neighbour].flatMap(({ tokens }) => [tokens.accessToken, tokens.refreshToken]),
  neighboursCode.code,
  verifier,
];

const form = { 'content-type': 'application/x-www-form-urlencoded' };

/**
 * A refusal is any answer but a success; the page of a refused authorization has status 400, or the error is sent back.
 */
const isRefused = (status: number, location: unknown): boolean => status >= 400 || /[?&]error=/.test(String(location));

const expectRefusalsToStoreNothing = async (
  requests: () => fc.Arbitrary<WireRequest>,
  count: number,
): Promise<void> => {
  let refusals = 0;
  let stored = await everythingStored(service);
  await fc.assert(
    fc.asyncProperty(requests(), async (asked) => {
      const answer = await sendOnWire(service.url, asked);
      const isRefusal = isRefused(answer.status, answer.headers['location']);
      // Also when this attempt fails: later, smaller ones are compared with its rows.
      const before = stored;
      const after = await everythingStored(service);
      stored = after;
      refusals += isRefusal ? 1 : 0;
      // A success issues new tokens; a refusal contains none.
      expectValidAnswer(answer, isRefusal ? secrets() : []);
      if (isRefusal) expect(after).toEqual(before);
    }),
    tries(count),
  );
  expectOften(refusals, count / 20);
  expectCleanLog(service.logs, secrets());
};

describe('The authorization server', () => {
  // Contract: requests#any-input-is-answered — Random registrations
  it('answers any registration', () =>
    expectRefusalsToStoreNothing(() => {
      const metadata = fc.record(
        {
          client_name: fc.oneof(fc.constant('A client'), hostileJson),
          redirect_uris: fc.oneof(
            fc.array(fc.oneof(fc.constant(loopbackUri), mutated(loopbackUri), hostileText), { maxLength: 4 }),
            hostileJson,
          ),
          grant_types: fc.oneof(fc.constant(['authorization_code', 'refresh_token']), hostileJson),
          scope: fc.oneof(fc.constant('mcp:whoami'), hostileJson),
          token_endpoint_auth_method: fc.oneof(fc.constant('none'), hostileJson),
          jwks_uri: fc.constant('http://169.254.169.254/latest/meta-data'),
          logo_uri: hostileJson,
        },
        { requiredKeys: [] },
      );
      return fc.oneof({ weight: 8, arbitrary: metadata }, { weight: 1, arbitrary: hostileJson }).map((value) => ({
        method: 'POST',
        path: '/auth/mcp/register',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(value),
      }));
    }, 200));

  // Contract: requests#any-input-is-answered — Random authorizations
  it('answers any authorization request', () =>
    expectRefusalsToStoreNothing(
      () =>
        fc
          .constantFrom(...resources)
          .chain((resource) =>
            anyForm({
              client_id: connection.clientId,
              redirect_uri: loopbackUri,
              response_type: 'code',
              code_challenge: challengeOf(verifier),
              code_challenge_method: 'S256',
              scope: scopesOf[resource].join(' '),
              state: 'a state',
              resource: `${service.url}${resource}`,
            }),
          )
          .map((query) => ({ method: 'GET', path: `/auth/mcp/authorize?${query}`, headers: {}, body: null })),
      250,
    ));

  // Contract: requests#any-input-is-answered — Random exchanges of codes
  it('refuses every exchange of a code that was never issued', () =>
    expectRefusalsToStoreNothing(
      () =>
        fc
          .constantFrom(...resources)
          .chain((resource) =>
            anyForm({
              grant_type: 'authorization_code',
              code: 'A'.repeat(43),
              client_id: connection.clientId,
              redirect_uri: loopbackUri,
              code_verifier: verifier,
              resource: `${service.url}${resource}`,
            }),
          )
          .map((body) => ({ method: 'POST', path: '/auth/mcp/token', headers: form, body })),
      250,
    ));

  // Contract: requests#any-input-is-answered — Random refreshes and revocations of clients
  it('answers any refresh without a live token, and any revocation', () =>
    expectRefusalsToStoreNothing(
      () =>
        fc.oneof(
          anyForm({
            grant_type: 'refresh_token',
            // An access token is not one.
            refresh_token: connection.tokens.accessToken,
            client_id: connection.clientId,
            scope: 'mcp:whoami',
          }).map((body) => ({ method: 'POST', path: '/auth/mcp/token', headers: form, body })),
          anyForm({
            token: 'gate_r_unknown',
            token_type_hint: 'refresh_token',
            client_id: connection.clientId,
          }).map((body) => ({
            method: 'POST',
            path: '/auth/mcp/revoke',
            headers: form,
            body,
          })),
        ),
      250,
    ));
});

type Form = Readonly<Record<string, string>>;

const postTo = (path: string, body: string): Promise<WireAnswer> =>
  sendOnWire(service.url, { method: 'POST', path: `/auth/mcp/${path}`, headers: form, body });

/** Deletes everything that was issued, or each comparison takes longer than the one before. */
const forgetGrants = async (): Promise<void> => {
  await service.sql('DELETE FROM oauth_codes WHERE code_hash <> $1', [sha256(neighboursCode.code)]);
  await service.sql('DELETE FROM credentials WHERE client_id = $1 AND token_hash <> ALL ($2::bytea[])', [
    connection.clientId,
    hashesOfTokens([connection.tokens.accessToken, connection.tokens.refreshToken]),
  ]);
};

interface LiveGrant {
  readonly path: string;
  /** A new one each time, with all parameters valid. */
  readonly right: () => Promise<Form>;
  /** A success without exactly these is a vulnerability. */
  readonly decisive: readonly string[];
  readonly spoil: fc.Arbitrary<Spoil>;
  readonly count: number;
}

/** OAuth 2.1 needs no redirect URI at the token endpoint; one that is sent must be right. */
const isLeftOut = (name: string, form: string): boolean =>
  name === 'redirect_uri' && new URLSearchParams(form).getAll(name).every((value) => value === '');

/** A refusal changes nothing: the valid request succeeds afterwards. */
const expectLiveRowsKept = async ({ path, right, decisive, spoil, count }: LiveGrant): Promise<void> => {
  let refusals = 0;
  await fc.assert(
    fc.asyncProperty(spoil, async (change) => {
      await forgetGrants();
      const good = await right();
      const body = change(good);
      const stored = await everythingStored(service);
      const answer = await postTo(path, body);
      const isRefusal = answer.status >= 400;
      expectValidAnswer(answer, [...secrets(), ...decisive.map((name) => good[name] ?? '').filter(isSecret)]);
      const needed = decisive.filter((name) => !isLeftOut(name, body));
      const asked = Object.fromEntries(needed.map((name) => [name, good[name] ?? '']));
      const after = await everythingStored(service);
      if (isRefusal || !isValidForm(body, asked)) expect(after).toEqual(stored);
      if (!isRefusal && path === 'token') expect(isValidForm(body, asked)).toBe(true);
      refusals += isRefusal ? 1 : 0;
      if (!isRefusal && isValidForm(body, asked)) return;
      const again = await postTo(path, new URLSearchParams(good).toString());
      expect([again.status, again.text]).toEqual([200, again.text]);
      expect(await everythingStored(service)).not.toEqual(stored);
    }),
    tries(count),
  );
  expectOften(refusals, count / 4);
  expectCleanLog(service.logs, secrets());
};

const isSecret = (text: string): boolean => text.length >= 40 && !text.startsWith('http');

describe('A request with one invalid parameter', () => {
  // Contract: requests#one-invalid-parameter — A live code with one invalid parameter
  it.each(resources)('redeems no code for %s, and does not invalidate it', (resource) =>
    expectLiveRowsKept({
      path: 'token',
      right: async () => {
        const code = await newCode(service, grantFor(resource));
        return { ...redemptionOf(code), resource: `${service.url}${resource}` };
      },
      decisive: ['grant_type', 'code', 'client_id', 'redirect_uri', 'code_verifier'],
      spoil: spoilOne(['grant_type', 'code', 'client_id', 'redirect_uri', 'code_verifier', 'resource'], {
        grant_type: ['refresh_token', 'password'],
        code: [neighboursCode.code],
        client_id: [neighbour.clientId],
        redirect_uri: [`${loopbackUri}/`, 'http://127.0.0.1:43118/callback', 'http://localhost:43117/callback'],
        code_verifier: [neighboursCode.verifier],
        resource: ['https://elsewhere.example/mcp', service.url, `${service.url}${other[resource]}`],
      }),
      count: 120,
    }),
  );

  // Contract: requests#one-invalid-parameter — A live refresh token with one invalid parameter
  it.each(resources)('refreshes no pair for %s, and does not invalidate it', (resource) =>
    expectLiveRowsKept({
      path: 'token',
      right: async () => {
        const { refreshToken } = clientTokensOf(await redeem(service, await newCode(service, grantFor(resource))));
        const [scope] = scopesOf[resource];
        return { ...refreshOf(connection.clientId, refreshToken), scope, resource: `${service.url}${resource}` };
      },
      decisive: ['grant_type', 'refresh_token', 'client_id'],
      spoil: spoilOne(['grant_type', 'refresh_token', 'client_id', 'scope', 'resource'], {
        grant_type: ['authorization_code'],
        refresh_token: [neighbour.tokens.refreshToken, connection.tokens.accessToken],
        client_id: [neighbour.clientId],
        scope: [scopesOf[resource].join(' '), 'sessions:revoke', 'MEMBERS_REMOVE', 'mcp:whoami sessions:revoke'],
        resource: ['https://elsewhere.example/mcp', `${service.url}${other[resource]}`],
      }),
      count: 120,
    }),
  );

  // Contract: requests#one-invalid-parameter — A revocation with one invalid parameter
  it('revokes nothing', () =>
    expectLiveRowsKept({
      path: 'revoke',
      right: async () => {
        const { person, clientId } = connection;
        const { tokens } = await connect(service, granted, { person, clientId });
        return { token: tokens.refreshToken, client_id: clientId, token_type_hint: 'refresh_token' };
      },
      decisive: ['token', 'client_id'],
      spoil: spoilOne(['token', 'client_id', 'token_type_hint'], {
        token: [neighbour.tokens.refreshToken, neighbour.tokens.accessToken],
        client_id: [neighbour.clientId],
        token_type_hint: ['access_token'],
      }),
      count: 80,
    }));

  /** Origins of an answer to the question, other than its own page. */
  const places = [
    'own page',
    'own page',
    'own page',
    'another origin',
    'no origin',
    'another browser',
    'signed out',
    'no form',
  ] as const;

  interface Asked {
    readonly path: string;
    readonly browser: PageBrowser;
    readonly right: Form;
  }

  const sendFrom = (place: (typeof places)[number], { path, browser }: Asked, body: string): Promise<PageAnswer> => {
    if (place === 'another origin') return browser.post(path, body, { origin: 'https://evil.example' });
    if (place === 'no origin') return browser.post(path, body, { origin: 'null' });
    if (place === 'no form') return browser.post(path, body, { 'content-type': 'text/plain' });
    if (place === 'another browser') browser.drop('mcp_request', path);
    if (place === 'signed out') browser.drop('auth_access', '/');
    return browser.post(path, body);
  };

  // Contract: requests#one-invalid-parameter — An answer to the consent question with one fault
  it.each(resources)('does not answer the consent question for %s, which remains open', async (resource) => {
    const clientId = await registerClient(service);
    const { accessToken } = await seedSession(service.database, world.superAdmin.userId);
    const ask = async (): Promise<Asked> => {
      const browser = new PageBrowser(service);
      browser.keep({ name: 'auth_access', value: accessToken, path: '/' });
      const path = await beginAuthorization(browser, clientId, { resource: `${service.url}${resource}` });
      const page = await browser.get(path);
      const chosen = organizationIn(page);
      const right = { csrf_token: csrfTokenIn(page), decision: 'approve' };
      return { path, browser, right: chosen === undefined ? right : { ...right, organization_id: chosen } };
    };
    const { right: another } = await ask();
    let refusals = 0;
    const isOfOrganization = 'organization_id' in another;
    expect(isOfOrganization).toBe(resource === '/mcp/organization');
    const spoil = spoilOne(['csrf_token', 'decision', ...(isOfOrganization ? ['organization_id'] : [])], {
      csrf_token: [another['csrf_token'] ?? ''],
      organization_id: [world.owner.organizationId, newId()],
      decision: ['deny', 'Approve', 'approve '],
    });
    await fc.assert(
      fc.asyncProperty(spoil, fc.constantFrom(...places), fc.boolean(), async (change, place, isSpoilt) => {
        await service.sql('DELETE FROM oauth_requests');
        const asked = await ask();
        const { right, path, browser } = asked;
        expect(right['csrf_token']).not.toBe(another['csrf_token']);
        const body = isSpoilt ? change(right) : new URLSearchParams(right).toString();
        const stored = await everythingStored(service);
        const cookie = browser.valueOf('mcp_request') ?? '';
        const answer = await sendFrom(place, asked, body);
        expectValidAnswer(wireAnswerOf(answer), [...secrets(), accessToken]);
        const to = new URL(answer.location ?? 'none:');
        if (to.searchParams.has('code')) {
          expect([place, isValidForm(body, right)]).toEqual(['own page', true]);
          return;
        }
        if (to.searchParams.has('error')) {
          // An organization that the person does not belong to is answered for them.
          const { organization_id: _chosen, ...question } = right;
          const isOther = isOfOrganization && isValidForm(body, question) && !isValidForm(body, right);
          const isAnswer = isOther || isValidForm(body, { ...right, decision: 'deny' });
          expect([place, isAnswer]).toEqual(['own page', true]);
          return;
        }
        refusals += 1;
        expect(await everythingStored(service)).toEqual(stored);
        browser.keep({ name: 'mcp_request', value: cookie, path });
        browser.keep({ name: 'auth_access', value: accessToken, path: '/' });
        const { location } = await browser.post(path, right);
        expect(new URL(location ?? 'none:').searchParams.has('code')).toBe(true);
      }),
      tries(120),
    );
    expectOften(refusals, 40);
    expectCleanLog(service.logs, [...secrets(), accessToken]);
  });
});
