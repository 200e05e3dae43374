/** The token endpoint: an authorization code becomes a pair, once, for the client that can prove its request. */
import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  discoveryRequest,
  dynamicClientRegistrationRequest,
  generateRandomCodeVerifier,
  None,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  processDynamicClientRegistrationResponse,
  processRefreshTokenResponse,
  processResourceDiscoveryResponse,
  processRevocationResponse,
  refreshTokenGrantRequest,
  resourceDiscoveryRequest,
  revocationRequest,
  validateAuthResponse,
} from 'oauth4webapi';
import { beforeAll, describe, expect, it } from 'vitest';
import { consumeCode, insertCode } from '../../src/domain/oauth/authorizations-store.ts';
import { platformScopes } from '../../src/domain/scopes/scopes.ts';
import { newId } from '../../src/kernel/ids.ts';
import { sha256 } from '../../src/kernel/secrets.ts';
import { newSuperAdmin } from '../support/actors/tenants.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import {
  type CodeInHand,
  challengeOf,
  clientTokensOf,
  expectErrorAnswer,
  expectOAuthRefusal,
  familiesOfClient,
  loopbackUri,
  newClient,
  newCode,
  newVerifier,
  postForm,
  postText,
  redeem,
  redemptionOf,
} from '../support/clients/oauth.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

let clientId: string;
const service = serviceFixture();
const person = fixture(() => newSuperAdmin(service));
beforeAll(async () => {
  clientId = await newClient(service);
});

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);

const codeFor = (change: { readonly clientId?: string; readonly userId?: string; readonly scopes?: string[] } = {}) =>
  newCode(service, { clientId, userId: person.userId, ...change });

const alterCode = (code: CodeInHand, change: string): Promise<unknown> =>
  service.sql(`UPDATE oauth_codes SET ${change} WHERE code_hash = $1`, [sha256(code.code)]);

describe('Redeeming a code', () => {
  // Contract: platform-mcp#token-endpoint — POST /auth/mcp/token: authorization code grant
  it('returns an uncacheable pair with its scopes, as in RFC 6749', async () => {
    const answer = await redeem(service, await codeFor({ scopes: ['sessions:view', 'mcp:whoami'] }));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      access_token: matching(/^gate_a_[\w-]{49}$/),
      token_type: 'Bearer',
      expires_in: 900,
      refresh_token: matching(/^gate_r_[\w-]{49}$/),
      scope: 'sessions:view mcp:whoami',
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('pragma')).toBe('no-cache');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  // Contract: platform-mcp#token-endpoint — A pair with audience mcp and auth_method mcp_oauth
  it('mints one pair with audience mcp, auth_method mcp_oauth, the client and the scopes', async () => {
    const own = await newClient(service);
    const { accessToken } = clientTokensOf(
      await redeem(service, await codeFor({ clientId: own, scopes: ['mcp:whoami'] })),
    );
    const rows = await familiesOfClient(service, own);
    expect(rows.map(({ family: _family, ...row }) => row)).toEqual(
      ['user_session', 'user_refresh'].map((kind) => ({
        kind,
        reason: null,
        scopes: ['mcp:whoami'],
        audience: 'mcp',
        method: 'mcp_oauth',
      })),
    );
    expect(new Set(rows.map(({ family }) => family)).size).toBe(1);
    const [row] = await service.sql<{ hash: Buffer }>(
      "SELECT token_hash AS hash FROM credentials WHERE client_id = $1 AND kind = 'user_session'",
      [own],
    );
    expect(row?.hash).toEqual(sha256(accessToken));
  });

  it('records that the client completed an authorization', async () => {
    const own = await newClient(service);
    const isNoted = () =>
      service.sql.value<boolean>('SELECT last_authorized_at IS NOT NULL AS noted FROM oauth_clients WHERE id = $1', [
        own,
      ]);
    const code = await codeFor({ clientId: own });
    await postForm(service, 'token', { ...redemptionOf(code), code_verifier: newVerifier() });
    expect(await isNoted()).toBe(false);
    await redeem(service, code);
    expect(await isNoted()).toBe(true);
  });

  // Contract: platform-mcp#resource-parameter — resource absent, BASE_URL, BASE_URL/, BASE_URL/mcp, BASE_URL/mcp/: this
  //   server
  it.each([
    ['nothing', []],
    ['an empty one', ['']],
    ['the origin', ['{base}']],
    ['the origin with a slash', ['{base}/']],
    ['the endpoint', ['{base}/mcp']],
    ['the endpoint with a slash', ['{base}/mcp/']],
    ['both', ['{base}', '{base}/mcp']],
  ])('accepts %s as the resource', async (_what, resources) => {
    const values = resources.map((resource) => ['resource', resource.replace('{base}', service.url)] as const);
    const form = [...Object.entries(redemptionOf(await codeFor())), ...values];
    expect((await postForm(service, 'token', form)).status).toBe(200);
  });

  it.each([
    ['left out', []],
    ['empty', [['redirect_uri', '']]],
  ] as const)('needs no redirect URI, because PKCE binds the code: %s', async (_what, given) => {
    const { redirect_uri: _leftOut, ...form } = redemptionOf(await codeFor());
    const ofOtherClient = { ...form, client_id: await newClient(service) };
    const wrong = [ofOtherClient, { ...form, code_verifier: newVerifier() }];
    for (const changed of wrong) {
      await expectOAuthRefusal(service, 'invalid_grant', () =>
        postForm(service, 'token', [...Object.entries(changed), ...given]),
      );
    }
    expect((await postForm(service, 'token', [...Object.entries(form), ...given])).status).toBe(200);
  });

  it('takes no second redirect URI', async () => {
    const form = redemptionOf(await codeFor());
    const twice = [...Object.entries(form), ['redirect_uri', loopbackUri] as const];
    await expectOAuthRefusal(service, 'invalid_request', () => postForm(service, 'token', twice));
  });

  it.each([
    ['http://127.0.0.1:7000', 'http://127.0.0.1:7000/'],
    ['http://[::1]/', 'http://[::1]'],
    ['http://localhost:7000/?a=/', 'http://localhost:7000?a=/'],
  ])('takes %s and %s as one redirect URI', async (redirectUri, spelling) => {
    const code = await newCode(service, { clientId, userId: person.userId, redirectUri });
    const form = { ...redemptionOf(code), redirect_uri: spelling };
    expect((await postForm(service, 'token', form)).status).toBe(200);
  });

  // Contract: platform-mcp#resource-parameter — Any other resource is invalid_target
  it.each([
    'https://evil.example/mcp',
    '{base}/mcp/other',
    '{base}/mcp?x=1',
    '{base}/MCP',
    '{base}.evil.example',
    'mcp',
    '*',
  ])('refuses the resource %s as invalid_target, and the code remains valid', async (resource) => {
    const code = await codeFor();
    const form = { ...redemptionOf(code), resource: resource.replace('{base}', service.url) };
    const answer = await expectNothingStored(service, () => postForm(service, 'token', form));
    // The answer names this server, which may contain the wrong name.
    expectErrorAnswer({ ...answer, sent: [] }, 400, 'invalid_target');
    expect((await redeem(service, code)).status).toBe(200);
  });

  it('refuses a foreign resource next to the right one', async () => {
    const code = await codeFor();
    const resources = [`${service.url}/mcp`, 'https://evil.example'].map((resource) => ['resource', resource] as const);
    const form = [...Object.entries(redemptionOf(code)), ...resources];
    const answer = await expectNothingStored(service, () => postForm(service, 'token', form));
    expectErrorAnswer({ ...answer, sent: [] }, 400, 'invalid_target');
  });

  it('ignores unknown parameters and those in the query', async () => {
    const form = { ...redemptionOf(await codeFor()), audience: 'portal', scope: 'everything', username: 'x' };
    const answer = await postForm(service, 'token?code=other&client_id=other', form);
    expect(answer.body['scope']).toBe(platformScopes.join(' '));
  });
});

describe('A redemption is refused as invalid_grant, with nothing changed and the code still valid,', () => {
  it.each<[string, (code: CodeInHand) => Record<string, string> | Promise<Record<string, string>>]>([
    ['with an unknown code', () => ({ code: newVerifier() })],
    ['with a code in another case', ({ code }) => ({ code: code.toUpperCase() })],
    ['with a code that contains NUL', ({ code }) => ({ code: `${code}\u0000` })],
    ['with another verifier', () => ({ code_verifier: newVerifier() })],
    ['with the challenge as verifier', ({ verifier }) => ({ code_verifier: challengeOf(verifier) })],
    ['by another client', async () => ({ client_id: await newClient(service) })],
    ['with another redirect URI', () => ({ redirect_uri: 'http://127.0.0.1:43117/other' })],
    ['with another port than requested', () => ({ redirect_uri: 'http://127.0.0.1:43118/callback' })],
    ['with a slash after the path', ({ redirectUri }) => ({ redirect_uri: `${redirectUri}/` })],
    ['with a redirect URI that contains NUL', ({ redirectUri }) => ({ redirect_uri: `${redirectUri}\u0000` })],
  ])('%s', async (_what, change) => {
    const code = await codeFor();
    const changed = await change(code);
    await expectOAuthRefusal(service, 'invalid_grant', () =>
      postForm(service, 'token', { ...redemptionOf(code), ...changed }),
    );
    expect((await redeem(service, code)).status).toBe(200);
  });

  // Contract: platform-mcp#authorization-code — A code lives 60 seconds
  it('after a minute', async () => {
    const code = await codeFor();
    const life = await service.sql.value<number>(
      'SELECT extract(epoch FROM expires_at - created_at)::integer AS life FROM oauth_codes WHERE code_hash = $1',
      [sha256(code.code)],
    );
    expect(life).toBe(60);
    await alterCode(code, 'expires_at = now()');
    await expectOAuthRefusal(service, 'invalid_grant', () => redeem(service, code));
  });

  it.each([
    ['has signed out everywhere', 'credentials_revision = credentials_revision + 1'],
    ['is no longer a super admin', "is_super_admin = false, platform_scopes = '{}'"],
    ['holds none of the scopes they consented to', "platform_scopes = '{mcp:whoami}'"],
  ])('once the person %s', async (_what, change) => {
    const other = await newSuperAdmin(service);
    const code = await codeFor({ userId: other.userId, scopes: ['sessions:view'] });
    await service.sql(`UPDATE users SET ${change} WHERE id = $1`, [other.userId]);
    await expectOAuthRefusal(service, 'invalid_grant', () => redeem(service, code));
  });

  it('alike for every reason', async () => {
    const code = await codeFor();
    const used = await codeFor();
    await redeem(service, used);
    const answers = await Promise.all([
      postForm(service, 'token', { ...redemptionOf(code), code: 'unknown' }),
      postForm(service, 'token', { ...redemptionOf(code), code_verifier: newVerifier() }),
      redeem(service, used),
    ]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });
});

it.each([
  ['signed out everywhere', 'credentials_revision = credentials_revision + 1'],
  ['is no longer a super admin', 'is_super_admin = false'],
  ['holds none of the scopes any more', "platform_scopes = '{}'"],
])('The statement that consumes a code checks again itself that the person has not %s', async (_what, change) => {
  const other = await newSuperAdmin(service);
  const { code, verifier, ...of } = await codeFor({ userId: other.userId });
  await service.sql(`UPDATE users SET ${change} WHERE id = $1`, [other.userId]);
  const presented = [sha256(code), of.clientId, [of.redirectUri], challengeOf(verifier), ['mcp']] as const;
  const consumed = await expectNothingStored(service, () => service.database.maybeOne(consumeCode, [...presented]));
  expect(consumed).toBeNull();
});

describe('A replayed code', () => {
  const reasons = async (own: string): Promise<(string | null)[]> =>
    (await familiesOfClient(service, own)).map(({ reason }) => reason);

  // Contract: platform-mcp#replayed-code — Replay of a code revokes the issued tokens
  it('with its verifier revokes the issued tokens, also after their rotation, and is logged only by ids', async () => {
    const own = await newClient(service);
    const code = await codeFor({ clientId: own });
    const { refreshToken } = clientTokensOf(await redeem(service, code));
    const form = { grant_type: 'refresh_token', client_id: own, refresh_token: refreshToken };
    const fresh = clientTokensOf(await postForm(service, 'token', form));
    expectErrorAnswer(await redeem(service, code), 400, 'invalid_grant');
    expect(await reasons(own)).toEqual(['rotated', 'rotated', 'code_replayed', 'code_replayed']);
    const next = { ...form, refresh_token: fresh.refreshToken };
    await expectOAuthRefusal(service, 'invalid_grant', () => postForm(service, 'token', next));
    const [line = ''] = service.logs.filter((text) => text.includes('oauth.code.replay')).slice(-1);
    expect(JSON.parse(line)).toMatchObject({ clientId: own });
    expect(line).not.toContain(code.code);
    expect(line).not.toContain('gate_');
  });

  it('with its verifier also does so when it has expired', async () => {
    const own = await newClient(service);
    const code = await codeFor({ clientId: own });
    await redeem(service, code);
    await alterCode(code, "expires_at = now() - interval '29 days'");
    expectErrorAnswer(await redeem(service, code), 400, 'invalid_grant');
    expect(await reasons(own)).toEqual(['code_replayed', 'code_replayed']);
  });

  // Contract: platform-mcp#replayed-code — Replay of a code with an invalid verifier revokes nothing
  it.each<[string, () => Record<string, string> | Promise<Record<string, string>>]>([
    ['another verifier', () => ({ code_verifier: newVerifier() })],
    ['another redirect URI', () => ({ redirect_uri: 'http://localhost/callback' })],
    ['another client', async () => ({ client_id: await newClient(service) })],
  ])('with %s revokes nothing', async (_what, change) => {
    const own = await newClient(service);
    const code = await codeFor({ clientId: own });
    await redeem(service, code);
    const changed = await change();
    await expectOAuthRefusal(service, 'invalid_grant', () =>
      postForm(service, 'token', { ...redemptionOf(code), ...changed }),
    );
    expect(await reasons(own)).toEqual([null, null]);
  });

  it('a second time changes nothing', async () => {
    const code = await codeFor();
    await redeem(service, code);
    await redeem(service, code);
    await expectOAuthRefusal(service, 'invalid_grant', () => redeem(service, code));
  });
});

describe('A token request is refused', () => {
  const goodForm = async (): Promise<Record<string, string>> => redemptionOf(await codeFor());
  const without = (form: Record<string, string>, name: string): [string, string][] =>
    Object.entries(form).filter(([key]) => key !== name);

  it.each(['grant_type', 'code', 'client_id', 'code_verifier'])(
    'as invalid_request without %s, with an empty one, and with two',
    async (name) => {
      const form = await goodForm();
      for (const changed of [
        without(form, name),
        [...without(form, name), [name, ''] as const],
        [...Object.entries(form), [name, form[name] ?? ''] as const],
      ]) {
        await expectOAuthRefusal(service, 'invalid_request', () => postForm(service, 'token', changed));
      }
      expect((await postForm(service, 'token', form)).status).toBe(200);
    },
  );

  it.each([
    ['too short', 'a'.repeat(42)],
    ['too long', 'a'.repeat(129)],
    ['with an invalid character', `${'a'.repeat(42)}+`],
    ['with a space', `${'a'.repeat(42)} `],
    ['with a line break', `${'a'.repeat(43)}\n`],
  ])('as invalid_request with a verifier %s', async (_what, verifier) => {
    const form = { ...(await goodForm()), code_verifier: verifier };
    await expectOAuthRefusal(service, 'invalid_request', () => postForm(service, 'token', form));
  });

  it.each([
    'client_credentials',
    'password',
    'implicit',
    'AUTHORIZATION_CODE',
    'urn:ietf:params:oauth:grant-type:device_code',
    '__proto__',
  ])('as unsupported_grant_type for %s', async (grantType) => {
    const form = { ...(await goodForm()), grant_type: grantType };
    await expectOAuthRefusal(service, 'unsupported_grant_type', () => postForm(service, 'token', form));
  });

  it.each(['unknown', newId(), '\u0000', '{}', "' OR 1=1"])('as invalid_client for the client %j', async (other) => {
    const form = { ...(await goodForm()), client_id: other };
    const answer = await expectOAuthRefusal(service, 'invalid_client', () => postForm(service, 'token', form));
    expect(answer.headers.get('www-authenticate')).toBeNull();
  });

  it('as invalid_client for a revoked client', async () => {
    const own = await newClient(service);
    const code = await codeFor({ clientId: own });
    await service.sql('UPDATE oauth_clients SET revoked_at = now() WHERE id = $1', [own]);
    await expectOAuthRefusal(service, 'invalid_client', () => redeem(service, code));
  });

  it.each([
    ['a name and a password', () => `Basic ${Buffer.from(`${clientId}:secret`).toString('base64')}`],
    ['a name alone', () => `Basic ${Buffer.from(`${clientId}:`).toString('base64')}`],
    ['nothing', () => 'basic'],
  ])('as invalid_client with %s in the header, whose scheme is named', async (_what, authorization) => {
    const form = await goodForm();
    const headers = { authorization: authorization() };
    const answer = await expectOAuthRefusal(service, 'invalid_client', () => postForm(service, 'token', form, headers));
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
  });

  it.each(['client_secret', 'client_assertion'])('as invalid_client with a %s', async (name) => {
    const form = { ...(await goodForm()), [name]: 'a client assertion' };
    await expectOAuthRefusal(service, 'invalid_client', () => postForm(service, 'token', form));
  });

  // Contract: platform-mcp#token-endpoint — Form body only
  it.each([null, 'application/json', 'text/plain', 'multipart/form-data; boundary=x'])(
    'as invalid_request with the media type %s',
    async (type) => {
      const form = await goodForm();
      const body = type === 'application/json' ? JSON.stringify(form) : new URLSearchParams(form).toString();
      await expectOAuthRefusal(service, 'invalid_request', () => postText(service, 'token', body, type));
    },
  );

  it('as invalid_request when the body is empty or not UTF-8', async () => {
    const form = 'application/x-www-form-urlencoded';
    const good = new URLSearchParams(await goodForm()).toString();
    for (const body of ['', '&&&', '=', '%', good.replace('code=', 'code=%ff')]) {
      await expectOAuthRefusal(service, 'invalid_request', () => postText(service, 'token', body, form));
    }
  });

  it('as invalid_request unread over 100 KiB', async () => {
    const form = { ...(await goodForm()), padding: 'x'.repeat(100 * 1024) };
    const answer = await expectNothingStored(service, () => postForm(service, 'token', form));
    expectErrorAnswer(answer, 413, 'invalid_request');
  });

  it('when the method is not POST', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await fetch(`${service.url}/auth/mcp/token?grant_type=authorization_code`, { method })).status).toBe(404);
    }
  });
});

describe('A strict third-party client (oauth4webapi)', () => {
  // The library marks the symbol so that it stands out; loopback has no TLS.
  // oxlint-disable-next-line typescript/no-deprecated
  const insecure = { [allowInsecureRequests]: true };

  // Contract: platform-mcp#tested-clients — The answers satisfy a strict client
  it('accepts every answer from discovery to revocation', async () => {
    const resourceUrl = new URL(`${service.url}/mcp`);
    const resource = await processResourceDiscoveryResponse(
      resourceUrl,
      await resourceDiscoveryRequest(resourceUrl, insecure),
    );
    const issuer = new URL(resource.authorization_servers?.[0] ?? '');
    const server = await processDiscoveryResponse(
      issuer,
      await discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' }),
    );
    const metadata = { client_name: 'Strict', redirect_uris: [loopbackUri], token_endpoint_auth_method: 'none' };
    const client = await processDynamicClientRegistrationResponse(
      await dynamicClientRegistrationRequest(server, metadata, insecure),
    );
    const verifier = generateRandomCodeVerifier();
    const code = 'a code as consent would have made it';
    const scopes = ['mcp:whoami'];
    await service.database.execute(insertCode, [
      sha256(code),
      client.client_id,
      loopbackUri,
      challengeOf(verifier),
      person.userId,
      scopes,
      60,
      'mcp',
      null,
      null,
    ]);
    const callback = new URLSearchParams({ code, state: 'state', iss: service.url });
    const parameters = validateAuthResponse(server, client, callback, 'state');
    const tokens = await processAuthorizationCodeResponse(
      server,
      client,
      await authorizationCodeGrantRequest(server, client, None(), parameters, loopbackUri, verifier, insecure),
    );
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 900, scope: 'mcp:whoami' });
    const refreshed = await processRefreshTokenResponse(
      server,
      client,
      await refreshTokenGrantRequest(server, client, None(), tokens.refresh_token ?? '', insecure),
    );
    expect(refreshed.access_token).not.toBe(tokens.access_token);
    await processRevocationResponse(
      await revocationRequest(server, client, None(), refreshed.refresh_token ?? '', insecure),
    );
    const rows = await familiesOfClient(service, client.client_id);
    expect(rows.map(({ reason }) => reason)).toEqual(['rotated', 'rotated', 'revoked_by_client', 'revoked_by_client']);
  });

  it('receives a refusal in the form of its protocol', async () => {
    const issuer = new URL(service.url);
    const discovery = await discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' });
    const server = await processDiscoveryResponse(issuer, discovery);
    const client = { client_id: clientId };
    const response = await refreshTokenGrantRequest(server, client, None(), 'no token', insecure);
    await expect(processRefreshTokenResponse(server, client, response)).rejects.toMatchObject({
      error: 'invalid_grant',
      status: 400,
    });
  });
});
