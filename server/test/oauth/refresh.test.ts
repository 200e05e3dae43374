/** Refresh at the token endpoint (RFC 6749, section 6): without an access token, with equal or narrower scopes. */
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/kernel/secrets.ts';
import { ageRotation, expire } from '../support/actors/credentials.ts';
import { newOwner } from '../support/actors/tenants.ts';
import { expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import { operations, post } from '../support/clients/clients.ts';
import {
  clientTokensOf,
  connect,
  expectErrorAnswer,
  expectOAuthRefusal,
  familiesOfClient,
  newClient,
  postForm,
  refreshAs,
  refreshOf,
} from '../support/clients/oauth.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

const scopes = ['mcp:whoami', 'sessions:view', 'users:view'];

const scopesOfToken = (token: string): Promise<readonly string[] | undefined> =>
  service.sql.value<string[]>('SELECT scopes FROM credentials WHERE token_hash = $1', [sha256(token)]);

describe('A refresh of a client', () => {
  // Contract: platform-mcp#refresh-of-a-client — Refresh at the token endpoint needs no access token
  it('returns a new pair with all granted scopes, and revokes the old one', async () => {
    const connection = await connect(service, scopes);
    const answer = await refreshAs(service, connection);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ token_type: 'Bearer', expires_in: 900, scope: scopes.join(' ') });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const rows = await familiesOfClient(service, connection.clientId);
    expect(rows.map(({ reason }) => reason)).toEqual(['rotated', 'rotated', null, null]);
    expect(new Set(rows.map(({ family }) => family)).size).toBe(1);
    expect(rows.every(({ audience, method }) => audience === 'mcp' && method === 'mcp_oauth')).toBe(true);
  });

  // Contract: platform-mcp#scopes-at-a-refresh — A refresh can narrow scopes
  it('narrows the access token on request, and the next one has all scopes again', async () => {
    const connection = await connect(service, scopes);
    const narrow = await refreshAs(service, connection, { scope: 'users:view mcp:whoami users:view' });
    expect(narrow.body['scope']).toBe('users:view mcp:whoami');
    const tokens = clientTokensOf(narrow);
    expect(await scopesOfToken(tokens.accessToken)).toEqual(['users:view', 'mcp:whoami']);
    const whole = await refreshAs(service, { ...connection, tokens });
    expect(whole.body['scope']).toBe(scopes.join(' '));
  });

  it.each(['', ' ', 'openid', 'openid offline_access'])('treats the scope %j as missing', async (scope) => {
    const answer = await refreshAs(service, await connect(service, scopes), { scope });
    expect(answer.body['scope']).toBe(scopes.join(' '));
  });

  it('leaves out scopes that this server does not know', async () => {
    const answer = await refreshAs(service, await connect(service, scopes), { scope: 'openid mcp:whoami' });
    expect(answer.body['scope']).toBe('mcp:whoami');
  });

  // Contract: platform-mcp#scopes-at-a-refresh — A refresh never widens scopes
  it.each([
    ['more than was granted', 'mcp:whoami sessions:revoke'],
    ['a scope of an organization', 'MEMBERS_INVITE'],
    ['an invalid name', 'mcp:whoami "x"'],
    ['a name with NUL', 'mcp:whoami\u0000'],
    ['a non-ASCII name', 'schön'],
  ])('never widens: %s is invalid_scope, and the token remains valid', async (_what, scope) => {
    const connection = await connect(service, scopes);
    await expectOAuthRefusal(service, 'invalid_scope', () => refreshAs(service, connection, { scope }));
    expect((await refreshAs(service, connection)).status).toBe(200);
  });

  it('accepts the resource of this server, and no other', async () => {
    const connection = await connect(service, scopes);
    const foreign = { resource: 'https://evil.example' };
    await expectOAuthRefusal(service, 'invalid_target', () => refreshAs(service, connection, foreign));
    expect((await refreshAs(service, connection, { resource: `${service.url}/mcp` })).status).toBe(200);
  });

  it('keeps the expiry of the family, and reports the lifetime of the last access token', async () => {
    const connection = await connect(service, scopes);
    await service.sql(
      `UPDATE credentials SET family_expires_at = now() + interval '100 seconds',
         expires_at = least(expires_at, now() + interval '100 seconds') WHERE client_id = $1`,
      [connection.clientId],
    );
    const { expires_in: seconds } = (await refreshAs(service, connection)).body;
    expect(Number(seconds)).toBeGreaterThan(60);
    expect(Number(seconds)).toBeLessThanOrEqual(100);
  });
});

describe('A replayed refresh token', () => {
  // Contract: platform-mcp#refresh-of-a-client — Refresh of MCP tokens: the same 10-second rule as for a session
  it('within ten seconds is invalid_grant and changes nothing', async () => {
    const connection = await connect(service, scopes);
    const used = clientTokensOf(await refreshAs(service, connection));
    const tokens = clientTokensOf(await refreshAs(service, { ...connection, tokens: used }));
    await expectOAuthRefusal(service, 'invalid_grant', () => refreshAs(service, connection));
    expect((await refreshAs(service, { ...connection, tokens })).status).toBe(200);
  });

  // Contract: platform-mcp#refresh-of-a-client — Refresh of MCP tokens: a later replay revokes the family
  it('later is treated as stolen: the family ends, and it is logged', async () => {
    const connection = await connect(service, scopes);
    const tokens = clientTokensOf(await refreshAs(service, connection));
    await ageRotation(service, connection.tokens, 61);
    expectErrorAnswer(await refreshAs(service, connection), 400, 'invalid_grant');
    const rows = await familiesOfClient(service, connection.clientId);
    expect(rows.map(({ reason }) => reason)).toEqual(['rotated', 'rotated', 'refresh_reuse', 'refresh_reuse']);
    expect(
      service.logs.some((line) => line.includes('auth.refresh.reuse') && line.includes(rows[0]?.family ?? '?')),
    ).toBe(true);
    await expectOAuthRefusal(service, 'invalid_grant', () => refreshAs(service, { ...connection, tokens }));
  });

  it('later, by another client, revokes nothing', async () => {
    const connection = await connect(service, scopes);
    await refreshAs(service, connection);
    await ageRotation(service, connection.tokens, 61);
    const clientId = await newClient(service);
    await expectOAuthRefusal(service, 'invalid_grant', () => refreshAs(service, { ...connection, clientId }));
  });
});

describe('A refresh is refused as invalid_grant, with nothing changed,', () => {
  it.each([
    ['unknown', `gate_r_${'x'.repeat(49)}`],
    ['malformed', 'gate_r_short'],
    ['with NUL', '\u0000\u0000\u0000\u0000'],
  ])('for a token that is %s', async (_what, refreshToken) => {
    const clientId = await newClient(service);
    await expectOAuthRefusal(service, 'invalid_grant', () =>
      postForm(service, 'token', refreshOf(clientId, refreshToken)),
    );
  });

  it('for the access token', async () => {
    const { clientId, tokens } = await connect(service, scopes);
    await expectOAuthRefusal(service, 'invalid_grant', () =>
      postForm(service, 'token', refreshOf(clientId, tokens.accessToken)),
    );
  });

  it('for the token of another client, which remains valid', async () => {
    const connection = await connect(service, scopes);
    const clientId = await newClient(service);
    await expectOAuthRefusal(service, 'invalid_grant', () => refreshAs(service, { ...connection, clientId }));
    expect((await refreshAs(service, connection)).status).toBe(200);
  });

  it("for a person's own token of the portal", async () => {
    const { tokens } = await newOwner(service);
    const clientId = await newClient(service);
    await expectOAuthRefusal(service, 'invalid_grant', () => refreshAs(service, { clientId, tokens }));
  });

  it('for an expired token', async () => {
    const connection = await connect(service, scopes);
    await expire(service, connection.tokens.refreshToken);
    await expectOAuthRefusal(service, 'invalid_grant', () => refreshAs(service, connection));
  });

  // Contract: platform-mcp#scopes-at-a-refresh — The super admin flag or the scopes are gone: the next refresh is
  //   refused
  it.each([
    ['is no longer a super admin', 'is_super_admin = false'],
    ['holds none of the scopes any more', "platform_scopes = '{sessions:revoke}'"],
    ['has signed out everywhere', 'credentials_revision = credentials_revision + 1'],
  ])('when the person %s', async (_what, change) => {
    const connection = await connect(service, scopes);
    const { userId } = connection.person;
    const setTo = (assignment: string) => service.sql(`UPDATE users SET ${assignment} WHERE id = $1`, [userId]);
    await setTo(change);
    await expectOAuthRefusal(service, 'invalid_grant', () => refreshAs(service, connection));
    await expectOAuthRefusal(service, 'invalid_grant', () => refreshAs(service, connection, { scope: 'mcp:whoami' }));
  });

  it('when the person holds none of the requested scopes any more; others can still be requested', async () => {
    const connection = await connect(service, scopes);
    await service.sql("UPDATE users SET platform_scopes = '{mcp:whoami}' WHERE id = $1", [connection.person.userId]);
    await expectOAuthRefusal(service, 'invalid_grant', () => refreshAs(service, connection, { scope: 'users:view' }));
    expect((await refreshAs(service, connection, { scope: 'mcp:whoami' })).status).toBe(200);
  });
});

describe('A refresh is refused', () => {
  it('as invalid_client for an unknown or revoked client', async () => {
    const connection = await connect(service, scopes);
    await expectOAuthRefusal(service, 'invalid_client', () =>
      refreshAs(service, { ...connection, clientId: 'unknown' }),
    );
    await service.sql('UPDATE oauth_clients SET revoked_at = now() WHERE id = $1', [connection.clientId]);
    await expectOAuthRefusal(service, 'invalid_client', () => refreshAs(service, connection));
  });

  it('as invalid_request without a token or with two', async () => {
    const { clientId, tokens } = await connect(service, scopes);
    const { refresh_token: _left, ...form } = refreshOf(clientId, tokens.refreshToken);
    const twice = [...Object.entries(refreshOf(clientId, tokens.refreshToken)), ['refresh_token', 'x'] as const];
    await expectOAuthRefusal(service, 'invalid_request', () => postForm(service, 'token', form));
    await expectOAuthRefusal(service, 'invalid_request', () => postForm(service, 'token', twice));
  });

  // Contract: platform-mcp#token-endpoint — MCP tokens cannot call GraphQL
  it("at GraphQL: a client's pair is not one of the portal", async () => {
    const { tokens } = await connect(service, scopes);
    await expectRefusal(service, 'REFRESH_REFUSED', () => post(service.url, operations.refresh, { ...tokens }));
    const headers = { authorization: `Bearer ${tokens.accessToken}` };
    const answer = await expectNothingStored(service, () => post(service.url, operations.me, {}, headers));
    expect(answer.code).toBe('UNAUTHENTICATED');
  });
});
