/**
 * `/auth/identity`: its answer, its parameters and its refusals. added-routes/ compares its decisions with GraphQL's.
 */
import { METHODS } from 'node:http';
import { describe, expect, it } from 'vitest';
import { readDefinition } from '../../src/domain/scopes/application-definition.ts';
import { alter, credentialIdOf, expire, familyOf } from '../support/actors/credentials.ts';
import { newMember, newOwner, newSuperAdmin, runAs, setActive, type Tenant } from '../support/actors/tenants.ts';
import { operations } from '../support/clients/clients.ts';
import { type HeaderLines, type Reply, sendLines } from '../support/clients/entry-points.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { appOrigin, notes } from './notes.ts';
import { startSilentEndpoints } from './silent-storage.ts';

const portalOrigin = 'https://id.acme.example';
const service = serviceFixture({ FRONTEND_URL: portalOrigin, TRUST_PROXY: '1' }, 'none', { application: notes });
const direct = serviceFixture({ FRONTEND_URL: portalOrigin }, 'none', { application: notes });
const owner = fixture(() => newOwner(service));

const ask = (query = '', lines: HeaderLines = [], { url } = service): Promise<Reply> =>
  sendLines(`${url}/auth/identity${query}`, 'GET', lines);

const bearerOf = ({ tokens }: Pick<Tenant, 'tokens'>): HeaderLines[number] => [
  'authorization',
  `Bearer ${tokens.accessToken}`,
];
const cookieOf = ({ tokens }: Pick<Tenant, 'tokens'>): HeaderLines[number] => [
  'cookie',
  `auth_access=${tokens.accessToken}`,
];

interface Body {
  readonly error?: { readonly code: string; readonly missingScopes?: readonly string[]; readonly fields?: object };
}

const bodyOf = ({ body }: Reply): Body => JSON.parse(body) as Body;

const decisionOf = (reply: Reply): string => (reply.status === 200 ? 'passes' : (bodyOf(reply).error?.code ?? ''));

const authHeadersOf = ({ headers }: Reply): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('x-auth-')));

const someInstant: unknown = expect.stringMatching(/Z$/);
const someText: unknown = expect.any(String);

const emptyHeaders = {
  'x-auth-user-id': '',
  'x-auth-actor-kind': '',
  'x-auth-actor-id': '',
  'x-auth-organization-id': '',
  'x-auth-role': '',
  'x-auth-scopes': '',
};

describe('The answer', () => {
  // Contract: application#answer-of-the-identity-endpoint — /auth/identity answers actor, user, membership, scopes and
  //   credential
  it('has the actor, the user, the membership, the scopes and the credential', async () => {
    const editor = await newMember(service, owner.organizationId, 'EDITOR');
    const reply = await ask('', [bearerOf(editor)]);
    expect(reply.status).toBe(200);
    const { accessToken } = editor.tokens;
    expect(JSON.parse(reply.body)).toEqual({
      actor: { kind: 'PERSON', id: editor.userId, name: 'Test Person', email: editor.email },
      user: {
        id: editor.userId,
        email: editor.email,
        name: 'Test Person',
        emailValidatedAt: someInstant,
        isSuperAdmin: false,
      },
      membership: {
        id: editor.memberId,
        role: 'EDITOR',
        organization: { id: owner.organizationId, name: someText },
      },
      scopes: ['MEMBERS_VIEW', 'notes:read', 'notes:write'],
      credential: {
        id: await credentialIdOf(service, accessToken),
        kind: 'user_session',
        audience: 'api',
        authMethod: 'password',
        sessionFamilyId: await familyOf(service, accessToken),
        expiresAt: someInstant,
      },
    });
  });

  // Contract: application#identity-headers — X-Auth-* headers are on every answer, empty where there is nothing
  it('has the same in headers, which no cache keeps and no other origin reads', async () => {
    const editor = await newMember(service, owner.organizationId, 'EDITOR');
    const reply = await ask('', [bearerOf(editor), ['origin', portalOrigin]]);
    expect(authHeadersOf(reply)).toEqual({
      'x-auth-user-id': editor.userId,
      'x-auth-actor-kind': 'PERSON',
      'x-auth-actor-id': editor.userId,
      'x-auth-organization-id': owner.organizationId,
      'x-auth-role': 'EDITOR',
      'x-auth-scopes': 'MEMBERS_VIEW notes:read notes:write',
    });
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('has no membership, and empty headers for it, where there is none', async () => {
    const person = await newOwner(service);
    await setActive(service, person.userId, null);
    const reply = await ask('', [bearerOf(person)]);
    expect(JSON.parse(reply.body)).toMatchObject({ membership: null, scopes: [] });
    expect(authHeadersOf(reply)).toMatchObject({
      'x-auth-user-id': person.userId,
      'x-auth-organization-id': '',
      'x-auth-role': '',
      'x-auth-scopes': '',
    });
  });

  it('shows a role that the application no longer has as MEMBER without scopes', async () => {
    const member = await newMember(service, owner.organizationId, 'FORMER');
    const reply = await ask('', [bearerOf(member)]);
    expect(JSON.parse(reply.body)).toMatchObject({ membership: { role: 'MEMBER' }, scopes: [] });
    expect(authHeadersOf(reply)).toMatchObject({ 'x-auth-role': 'MEMBER', 'x-auth-scopes': '' });
  });

  it('has the platform scopes of a super admin', async () => {
    const admin = await newSuperAdmin(service, ['users:view']);
    const reply = await ask('?scope=users:view', [bearerOf(admin)]);
    expect(JSON.parse(reply.body)).toMatchObject({ user: { isSuperAdmin: true } });
    expect(reply.headers['x-auth-scopes']).toMatch(/(?:^| )users:view(?: |$)/);
  });

  // Contract: application#address-of-the-client — A question of a back end counts as a use, from the address that is
  //   named alone
  it('counts as a use of the session, and leaves its last address where no other is named', async () => {
    const seenOf = async ({ tokens }: Tenant) => {
      await service.flush();
      const [row] = await service.sql(
        'SELECT last_seen_at IS NOT NULL AS used, last_seen_ip AS ip FROM credentials WHERE id = $1',
        [await credentialIdOf(service, tokens.accessToken)],
      );
      return row;
    };
    const [fresh, known] = [await newOwner(service), await newOwner(service)];
    await alter(service, known.tokens.accessToken, `last_seen_ip = '192.0.2.7'`);
    expect(await seenOf(fresh)).toEqual({ used: false, ip: null });
    for (const person of [fresh, known]) {
      expect((await ask('', [bearerOf(person)])).status).toBe(200);
    }
    expect(await seenOf(fresh)).toEqual({ used: true, ip: null });
    expect(await seenOf(known)).toEqual({ used: true, ip: '192.0.2.7' });
    const [byProxy, byBackEnd] = [await newOwner(service), await newOwner(service)];
    await ask('', [bearerOf(byProxy), ['x-forwarded-for', '198.51.100.3']]);
    await ask('?client_ip=198.51.100.4', [bearerOf(byBackEnd)]);
    expect(await seenOf(byProxy)).toEqual({ used: true, ip: '198.51.100.3' });
    expect(await seenOf(byBackEnd)).toEqual({ used: true, ip: '198.51.100.4' });
  });

  // Contract: application#identity-of-a-request — A revocation and a changed role count with the next request
  it('changes with the very next request after another role and a sign-out', async () => {
    const editor = await newMember(service, owner.organizationId, 'EDITOR');
    const asked = () => ask('?scope=notes:write', [bearerOf(editor)]);
    expect(decisionOf(await asked())).toBe('passes');
    await service.sql("UPDATE organization_members SET role = 'MEMBER' WHERE id = $1", [editor.memberId]);
    expect(decisionOf(await asked())).toBe('FORBIDDEN');
    await runAs(service, editor, operations.signOut);
    expect(decisionOf(await asked())).toBe('UNAUTHENTICATED');
  });
});

describe('A request of any method', () => {
  // Contract: application#identity-of-a-request — Any method is answered, and the body is never read
  it.each(METHODS.filter((method) => method !== 'CONNECT'))('%s is answered', async (method) => {
    const reply = await sendLines(`${service.url}/auth/identity`, method, [bearerOf(owner)]);
    expect([reply.status, reply.headers['x-auth-user-id']]).toEqual([200, owner.userId]);
  });

  it('is answered whatever its body, which is not read', async () => {
    for (const type of ['application/json', 'no media type', 'multipart/form-data']) {
      const lines: HeaderLines = [bearerOf(owner), ['content-type', type]];
      const reply = await sendLines(`${service.url}/auth/identity`, 'POST', lines, `{${'x'.repeat(300_000)}`);
      expect(reply.status).toBe(200);
    }
  });
});

describe('A refusal', () => {
  // Contract: application#refusals-of-the-identity-endpoint — 401 UNAUTHENTICATED or ACCESS_EXPIRED with
  //   WWW-Authenticate: Bearer
  it('for want of a live token is a 401 with a challenge, and with empty headers', async () => {
    const person = await newOwner(service);
    const expired = await newOwner(service);
    await expire(service, expired.tokens.accessToken);
    await runAs(service, person, operations.signOut);
    for (const [lines, code] of [
      [[], 'UNAUTHENTICATED'],
      [[['authorization', 'Bearer x']], 'UNAUTHENTICATED'],
      [[bearerOf(person)], 'UNAUTHENTICATED'],
      [[bearerOf(expired)], 'ACCESS_EXPIRED'],
    ] as const) {
      const reply = await ask('', lines);
      expect(reply.status).toBe(401);
      expect(bodyOf(reply).error).toMatchObject({ code, message: someText });
      expect(reply.headers['www-authenticate']).toBe('Bearer');
      expect(reply.headers['cache-control']).toBe('no-store');
      expect(authHeadersOf(reply)).toEqual(emptyHeaders);
    }
  });

  it('of a token of another audience is UNAUTHENTICATED', async () => {
    const person = await newOwner(service);
    await alter(service, person.tokens.accessToken, "audience = 'https://notes.acme.example/mcp'");
    expect(decisionOf(await ask('', [bearerOf(person)]))).toBe('UNAUTHENTICATED');
  });

  // Contract: application#required-scopes-and-membership — scope asks for all of them: 403 FORBIDDEN with missingScopes
  it('names the scopes that are missing', async () => {
    const member = await newMember(service, owner.organizationId, 'MEMBER');
    const query = '?scope=notes:read&scope=notes:write&scope=BILLING_MANAGE&scope=users:view';
    const reply = await ask(query, [bearerOf(member)]);
    expect(reply.status).toBe(403);
    expect(bodyOf(reply).error).toMatchObject({
      code: 'FORBIDDEN',
      missingScopes: ['notes:write', 'BILLING_MANAGE', 'users:view'],
    });
    expect(authHeadersOf(reply)).toEqual(emptyHeaders);
    expect(reply.headers['www-authenticate']).toBeUndefined();
  });

  // Contract: application#required-scopes-and-membership — A membership, or an organization's scope, without one is
  //   MEMBERSHIP_REQUIRED
  it('is MEMBERSHIP_REQUIRED where a membership or a scope of an organization is asked for, and there is none', async () => {
    const admin = await newSuperAdmin(service, ['users:view']);
    await setActive(service, admin.userId, null);
    const decide = async (query: string) => decisionOf(await ask(query, [bearerOf(admin)]));
    expect(await decide('?membership=required')).toBe('MEMBERSHIP_REQUIRED');
    expect(await decide('?scope=notes:read')).toBe('MEMBERSHIP_REQUIRED');
    expect(await decide('?scope=users:view&scope=MEMBERS_VIEW')).toBe('MEMBERSHIP_REQUIRED');
    expect(await decide('?scope=users:view')).toBe('passes');
    expect(await decide('?scope=sessions:view')).toBe('FORBIDDEN');
    expect(decisionOf(await ask('?membership=required', [bearerOf(owner)]))).toBe('passes');
  });

  // Contract: application#unknown-parameters — An unknown scope, parameter or value is 400 BAD_USER_INPUT
  it.each([
    '?scope=notes:wirte',
    '?scope=',
    '?scope=notes:read,notes:write',
    '?scope=notes:read&scope=NOTES:WRITE',
    '?scope=MCP_CONTROL',
    '?scopes=notes:read',
    '?Scope=notes:read',
    '?scope[]=notes:read',
    '?membership=true',
    '?membership=required&membership=no',
    '?machine=true',
    '?machine=',
    '?signin=false',
    '?signin',
    '?method=',
    '?method=GET%20',
    '?method=GET&method=POST',
    '?toString=x',
    '?%ff=x',
    '?scope=%ff',
    '?x',
  ])('of %s is BAD_USER_INPUT, with a token and without', async (query) => {
    for (const lines of [[], [bearerOf(owner)]]) {
      const reply = await ask(query, lines);
      expect([reply.status, decisionOf(reply)]).toEqual([400, 'BAD_USER_INPUT']);
      expect(authHeadersOf(reply)).toEqual(emptyHeaders);
    }
  });

  it('leaves what it knows: the parameters without a slip pass', async () => {
    const query = '?scope=notes:read&membership=required&machine=allowed&method=GET&signin=true';
    expect(decisionOf(await ask(query, [bearerOf(owner)]))).toBe('passes');
  });

  describe('without storage', () => {
    const silent = fixture(() =>
      startSilentEndpoints(service, readDefinition(notes, { isHardened: false, taken: [], readLogo: () => null })),
    );

    // Contract: application#refusals-of-the-identity-endpoint — 503 UNAVAILABLE where storage does not answer, never a
    //   401
    it('is a 503, and no redirect to the sign-in page', async () => {
      const reply = await ask('?signin=true', [cookieOf(owner), ['accept', 'text/html'], ['origin', portalOrigin]], {
        ...service,
        url: silent.url,
      });
      expect([reply.status, decisionOf(reply)]).toEqual([503, 'UNAVAILABLE']);
      expect(authHeadersOf(reply)).toEqual(emptyHeaders);
    });
  });
});

describe('By cookie, the original method', () => {
  const forwarded = (method: string): HeaderLines[number] => ['x-forwarded-method', method];
  const original = (method: string): HeaderLines[number] => ['x-original-method', method];
  const upgrade: HeaderLines[number] = ['upgrade', 'websocket'];

  // Contract: application#method-of-the-original-request — By cookie, the method of the original request counts
  it.each<readonly [title: string, query: string, lines: HeaderLines, own: string]>([
    ['GET by parameter', '?method=GET', [], 'GET'],
    ['HEAD by parameter', '?method=HEAD', [], 'GET'],
    ['OPTIONS by parameter', '?method=OPTIONS', [], 'POST'],
    ['GET by parameter, whatever the headers say', '?method=GET', [forwarded('POST')], 'GET'],
    ['GET by X-Forwarded-Method', '', [forwarded('GET')], 'GET'],
    ['GET by X-Original-Method', '', [original('GET')], 'POST'],
    ['GET by both', '', [forwarded('GET'), original('GET')], 'GET'],
    ['HEAD by its own', '', [], 'HEAD'],
    ['OPTIONS by its own', '', [], 'OPTIONS'],
  ])('%s passes without an Origin', async (_title, query, lines, own) => {
    const reply = await sendLines(`${service.url}/auth/identity${query}`, own, [cookieOf(owner), ...lines]);
    expect([reply.status, reply.headers['x-auth-user-id']]).toEqual([200, owner.userId]);
  });

  // Contract: application#method-of-the-original-request — A change, and what is not known, needs an allowed Origin:
  //   403 ORIGIN_REFUSED
  it.each<readonly [title: string, query: string, lines: HeaderLines, own: string]>([
    ['unknown, as of a GET', '', [], 'GET'],
    ['POST by its own', '', [], 'POST'],
    ['POST by parameter', '?method=POST', [], 'GET'],
    ['POST by parameter, whatever the headers say', '?method=POST', [forwarded('GET'), original('GET')], 'HEAD'],
    ['get in small letters', '?method=get', [], 'GET'],
    ['PURGE', '?method=PURGE', [], 'GET'],
    ['DELETE by X-Forwarded-Method', '', [forwarded('DELETE')], 'HEAD'],
    ['two that differ', '', [forwarded('GET'), original('POST')], 'GET'],
    ['two reading ones that differ', '', [forwarded('GET'), original('HEAD')], 'GET'],
    ['two lines', '', [forwarded('GET'), forwarded('GET')], 'GET'],
    ['empty', '', [forwarded('')], 'HEAD'],
    ['GET with an Upgrade', '?method=GET', [upgrade], 'GET'],
    ['GET with an Upgrade and a Connection', '?method=GET', [upgrade, ['connection', 'upgrade']], 'GET'],
  ])('%s needs an allowed Origin', async (_title, query, lines, own) => {
    const send = (more: HeaderLines) =>
      sendLines(`${service.url}/auth/identity${query}`, own, [cookieOf(owner), ...lines, ...more]);
    for (const origin of [[], [['origin', 'https://evil.example']], [['origin', 'null']]] as const) {
      const refused = await send(origin);
      expect([refused.status, authHeadersOf(refused)]).toEqual([403, emptyHeaders]);
      if (own !== 'HEAD') expect(decisionOf(refused)).toBe('ORIGIN_REFUSED');
    }
    expect((await send([['origin', portalOrigin]])).status).toBe(200);
    expect((await send([['referer', `${portalOrigin}/notes`]])).status).toBe(200);
  });

  it('is not believed from a client that is no trusted proxy', async () => {
    const person = await newOwner(direct);
    const url = `${direct.url}/auth/identity`;
    const lines = [cookieOf(person), forwarded('GET'), original('GET')];
    expect(decisionOf(await sendLines(url, 'GET', lines))).toBe('ORIGIN_REFUSED');
    expect(decisionOf(await sendLines(url, 'POST', lines))).toBe('ORIGIN_REFUSED');
    expect(decisionOf(await sendLines(`${url}?method=GET`, 'GET', lines))).toBe('passes');
  });

  it('does not matter for a Bearer', async () => {
    const lines = [bearerOf(owner), forwarded('POST'), upgrade];
    expect(decisionOf(await ask('?method=POST', lines))).toBe('passes');
  });
});

describe('A browser that navigates without a session', () => {
  const html: HeaderLines[number] = ['accept', 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'];
  const at = (scheme: string, host: string, path: string): HeaderLines => [
    ['x-forwarded-proto', scheme],
    ['x-forwarded-host', host],
    ['x-forwarded-uri', path],
  ];
  const here = at('https', new URL(appOrigin).host, '/notes/1?tab=all&x=%2F');
  const placeOf = async (lines: HeaderLines, query = '?signin=true&method=GET'): Promise<unknown> => {
    const reply = await ask(query, lines);
    return reply.status === 302 ? reply.headers.location : reply.status;
  };

  // Contract: application#redirect-to-the-sign-in-page — signin=true sends a browser that navigates to the sign-in
  //   page, and back
  it('is sent to the sign-in page of the portal, which leads back', async () => {
    const back = encodeURIComponent(`${appOrigin}/notes/1?tab=all&x=%2F`);
    expect(await placeOf([html, ...here])).toBe(`${portalOrigin}/signin?redirect=${back}`);
    expect(await placeOf([html, ...here], '?signin=true')).toBe(`${portalOrigin}/signin?redirect=${back}`);
    const expired = await newOwner(service);
    await expire(service, expired.tokens.accessToken);
    expect(await placeOf([html, ...here, cookieOf(expired)])).toBe(`${portalOrigin}/signin?redirect=${back}`);
    expect(authHeadersOf(await ask('?signin=true&method=GET', [html, ...here]))).toEqual(emptyHeaders);
  });

  it.each<readonly [title: string, lines: HeaderLines]>([
    ['a foreign host', at('https', 'evil.example', '/')],
    ['a foreign scheme', at('http', 'app.acme.example', '/')],
    ['a host with user info', at('https', 'evil.example@app.acme.example', '/')],
    ['a host with empty user info', at('https', '@app.acme.example', '/')],
    ['a host that goes on', at('https', 'app.acme.example.evil.example', '/')],
    ['another port', at('https', 'app.acme.example:8443', '/')],
    ['two hosts', at('https', 'app.acme.example, evil.example', '/')],
    ['a scheme of scripts', at('javascript', 'app.acme.example', '/')],
    ['a path without a slash', at('https', 'app.acme.example', '.evil.example/')],
    ['a backslash', at('https', 'app.acme.example', '/\\evil.example')],
    ['an encoded backslash', at('https', 'app.acme.example', '/%255cevil.example')],
    ['a control character', at('https', 'app.acme.example', '/%0aevil')],
    ['a URL that is too long', at('https', 'app.acme.example', `/${'x'.repeat(2048)}`)],
    ['no forwarded URL', []],
  ])('is led back nowhere by %s', async (_title, lines) => {
    expect(await placeOf([html, ...lines])).toBe(`${portalOrigin}/signin`);
  });

  it('is led back nowhere by a forwarded URL of a client that is no trusted proxy', async () => {
    const reply = await ask('?signin=true&method=GET', [html, ...here], direct);
    expect([reply.status, reply.headers.location]).toEqual([302, `${portalOrigin}/signin`]);
  });

  it.each<readonly [title: string, query: string, lines: HeaderLines]>([
    ['no signin=true', '?method=GET', [html, ...here]],
    ['a script', '?signin=true&method=GET', [['accept', '*/*'], ...here]],
    ['no Accept', '?signin=true&method=GET', here],
    ['another method', '?signin=true&method=POST', [html, ...here]],
    ['another forwarded method', '?signin=true', [html, ...here, ['x-forwarded-method', 'POST']]],
    ['a Bearer', '?signin=true&method=GET', [html, ...here, ['authorization', 'Bearer x']]],
  ])('gets the 401 with %s', async (_title, query, lines) => {
    expect(await placeOf(lines, query)).toBe(401);
  });

  it('gets the 403 where it is signed in and lacks a scope', async () => {
    const member = await newOwner(service);
    await service.sql("UPDATE organization_members SET role = 'MEMBER' WHERE id = $1", [member.memberId]);
    expect(await placeOf([html, ...here, cookieOf(member)], '?signin=true&method=GET&scope=notes:write')).toBe(403);
  });
});
