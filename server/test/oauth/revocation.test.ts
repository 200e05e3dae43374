/** Revocation by a client (RFC 7009): it ends the client's own tokens, and reveals nothing about others. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { expire, me } from '../support/actors/credentials.ts';
import { newOwner } from '../support/actors/tenants.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import {
  clientTokensOf,
  connect,
  expectErrorAnswer,
  expectOAuthRefusal,
  familiesOfClient,
  newClient,
  type OAuthAnswer,
  postForm,
  postText,
  refreshAs,
} from '../support/clients/oauth.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

const revoke = (clientId: string, token: string, more: Record<string, string> = {}): Promise<OAuthAnswer> =>
  postForm(service, 'revoke', { client_id: clientId, token, ...more });

const expectEmpty = (answer: OAuthAnswer): void => {
  expect([answer.status, answer.text]).toEqual([200, '']);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
};

const expectIgnored = async (act: () => Promise<OAuthAnswer>): Promise<void> =>
  expectEmpty(await expectNothingStored(service, act));

const reasons = async (clientId: string): Promise<(string | null)[]> =>
  (await familiesOfClient(service, clientId)).map(({ reason }) => reason);

describe('A client that revokes a token', () => {
  // Contract: platform-mcp#token-revocation — POST /auth/mcp/revoke, RFC 7009
  it.each([
    ['the access token', 'accessToken', {}],
    ['the refresh token', 'refreshToken', {}],
    ['the refresh token under a wrong hint', 'refreshToken', { token_type_hint: 'access_token' }],
    ['the access token under an invalid hint', 'accessToken', { token_type_hint: 'saml' }],
  ] as const)('ends the family by %s', async (_what, which, hint) => {
    const connection = await connect(service);
    expectEmpty(await revoke(connection.clientId, connection.tokens[which], hint));
    expect(await reasons(connection.clientId)).toEqual(['revoked_by_client', 'revoked_by_client']);
    await expectOAuthRefusal(service, 'invalid_grant', () => refreshAs(service, connection));
  });

  it('ends no other family, of the client or of the person', async () => {
    const connection = await connect(service);
    const other = await connect(service, undefined, connection);
    await revoke(connection.clientId, connection.tokens.refreshToken);
    expect((await refreshAs(service, other)).status).toBe(200);
    expect((await me(service, connection.person.tokens.accessToken)).code).toBeNull();
  });

  it('ends the current pair of the family', async () => {
    const connection = await connect(service);
    const tokens = clientTokensOf(await refreshAs(service, connection));
    await revoke(connection.clientId, tokens.accessToken);
    await expectOAuthRefusal(service, 'invalid_grant', () => refreshAs(service, { ...connection, tokens }));
  });

  it('logs it only by ids', async () => {
    const connection = await connect(service);
    await revoke(connection.clientId, connection.tokens.refreshToken);
    const [line = ''] = service.logs.filter((text) => text.includes('oauth.token.revoked')).slice(-1);
    expect(JSON.parse(line)).toMatchObject({ clientId: connection.clientId, revoked: 2 });
    expect(line).not.toContain('gate_');
  });
});

describe('An unknown token is answered 200, with nothing changed:', () => {
  it.each([
    ['unknown', `gate_a_${'x'.repeat(49)}`],
    ['malformed', 'no token'],
    ['with NUL', '\u0000'],
    ['long', 'x'.repeat(50_000)],
  ])('%s', async (_what, token) => {
    const clientId = await newClient(service);
    await expectIgnored(() => revoke(clientId, token));
  });

  it('of another client', async () => {
    const connection = await connect(service);
    const clientId = await newClient(service);
    await expectIgnored(() => revoke(clientId, connection.tokens.accessToken));
    await expectIgnored(() => revoke(clientId, connection.tokens.refreshToken));
    expect((await refreshAs(service, connection)).status).toBe(200);
  });

  it('of the portal', async () => {
    const { tokens } = await newOwner(service);
    const clientId = await newClient(service);
    await expectIgnored(() => revoke(clientId, tokens.refreshToken));
    expect((await me(service, tokens.accessToken)).code).toBeNull();
  });

  // Contract: platform-mcp#token-revocation — Unknown, foreign and expired tokens: 200, nothing changed
  it('expired, rotated and revoked', async () => {
    const connection = await connect(service);
    await expire(service, connection.tokens.accessToken);
    await expectIgnored(() => revoke(connection.clientId, connection.tokens.accessToken));
    const tokens = clientTokensOf(await refreshAs(service, connection));
    await expectIgnored(() => revoke(connection.clientId, connection.tokens.refreshToken));
    await revoke(connection.clientId, tokens.refreshToken);
    await expectIgnored(() => revoke(connection.clientId, tokens.refreshToken));
  });
});

describe('A revocation is refused', () => {
  it('as invalid_request without a token, without a client, and with two of either', async () => {
    const { clientId, tokens } = await connect(service);
    const token = tokens.accessToken;
    const twice = (name: string): [string, string][] => [
      ['client_id', clientId],
      ['token', token],
      [name, 'x'],
    ];
    for (const form of [
      { client_id: clientId },
      { client_id: clientId, token: '' },
      { token },
      twice('token'),
      twice('client_id'),
    ]) {
      await expectOAuthRefusal(service, 'invalid_request', () => postForm(service, 'revoke', form));
    }
  });

  it('as invalid_client for a client that is unknown, revoked or tries to authenticate', async () => {
    const { clientId, tokens } = await connect(service);
    const token = tokens.accessToken;
    const basic = { authorization: `Basic ${Buffer.from(`${clientId}:`).toString('base64')}` };
    await expectOAuthRefusal(service, 'invalid_client', () => revoke(newId(), token));
    await expectOAuthRefusal(service, 'invalid_client', () =>
      revoke(clientId, token, { client_secret: 'proof-of-nothing' }),
    );
    await expectOAuthRefusal(service, 'invalid_client', () =>
      postForm(service, 'revoke', { client_id: clientId, token }, basic),
    );
    await service.sql('UPDATE oauth_clients SET revoked_at = now() WHERE id = $1', [clientId]);
    await expectOAuthRefusal(service, 'invalid_client', () => revoke(clientId, token));
  });

  it('as invalid_request for any other type, and over 100 KiB', async () => {
    const { clientId, tokens } = await connect(service);
    const body = JSON.stringify({ client_id: clientId, token: tokens.accessToken });
    await expectOAuthRefusal(service, 'invalid_request', () => postText(service, 'revoke', body, 'application/json'));
    const answer = await expectNothingStored(service, () => revoke(clientId, 'x'.repeat(100 * 1024)));
    expectErrorAnswer(answer, 413, 'invalid_request');
  });
});
