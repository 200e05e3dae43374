/** Tokens of machines at back ends: /auth/identity, introspection, and routes in the service's own process. */
import { describe, expect, it } from 'vitest';
import type { AddedParts } from '../../src/gatehouse.d.ts';
import { alter } from '../support/actors/credentials.ts';
import {
  type Machine,
  newPersonalToken,
  newServiceToken,
  type ServiceMachine,
} from '../support/actors/machines/machines.ts';
import { newMember, newOwner, type Tenant } from '../support/actors/tenants.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { expectUnused } from '../support/checks/unused-tokens.ts';
import { type HeaderLines, type Reply, sendLines } from '../support/clients/entry-points.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const notesUrl = 'https://notes.acme.example/mcp';
const secret = 'a secret of the notes: 32 bytes or more and as it stands';
const parts: AddedParts = {
  application: {
    scopes: { 'notes:read': 'Read notes', 'notes:write': 'Write notes' },
    roles: { ADMIN: { scopes: ['notes:read', 'notes:write'] }, MEMBER: { scopes: ['notes:read'] } },
    resources: {
      notes: { url: notesUrl, scopes: ['notes:read', 'notes:write'], machineTokens: true },
      closed: { url: 'https://closed.acme.example', scopes: ['notes:read'] },
    },
  },
  routes: {
    '/who': (http, identity) => {
      http.get('/people', (request) => identity.resolveActor(request));
      http.get('/all', (request) => identity.resolveActor(request, { machines: true }));
    },
  },
};
const settings = { RESOURCE_SECRET_NOTES: secret, RESOURCE_SECRET_CLOSED: `${secret} (closed)`, TRUST_PROXY: '1' };
const service = serviceFixture(settings, 'none', parts);
const owner = fixture(() => newOwner(service));
const admin = fixture(() => newMember(service, owner.organizationId, 'ADMIN'));

const given = ['MEMBERS_VIEW', 'notes:write'];
const personal = fixture(() => newPersonalToken(service, admin, { scopes: given }));
const account: ServiceMachine = fixture(() => newServiceToken(service, owner, { scopes: given }));

/** Tokens of one test, which were never used. */
const newMachine = {
  personal: ({ scopes = given } = {}) => newPersonalToken(service, admin, { scopes }),
  service: ({ scopes = given } = {}) => newServiceToken(service, owner, { scopes }),
};
const kinds = ['personal', 'service'] as const;

const get = (path: string, { token }: Pick<Machine, 'token'>, more: HeaderLines = []): Promise<Reply> =>
  sendLines(`${service.url}${path}`, 'GET', [['authorization', `Bearer ${token}`], ...more]);

const bodyOf = ({ body }: Reply): unknown => JSON.parse(body);

const codeOf = (reply: Reply): unknown =>
  (bodyOf(reply) as { readonly error?: { readonly code: string } }).error?.code ?? null;

const authHeadersOf = ({ headers }: Reply): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('x-auth-')));

const someText: unknown = expect.any(String);

/** Does the work while the organization accepts its tokens from a network of examples and from this host alone. */
const inOwnNetworks = async (work: () => Promise<void>): Promise<void> => {
  const set = (networks: string): Promise<unknown> =>
    service.sql('UPDATE organizations SET token_networks = $2 WHERE id = $1', [owner.organizationId, networks]);
  await set('{192.0.2.0/24,127.0.0.0/8}');
  try {
    await work();
  } finally {
    await set('{}');
  }
};

/** Whether a token was used, and from where. */
const placesOf = async ({ credentialId, tokenId }: Machine) => {
  await service.flush();
  const [row] = await service.sql(
    `SELECT last_seen_at IS NOT NULL AS used, last_seen_ip AS ip,
       ARRAY(SELECT network FROM machine_token_networks WHERE token_id = $2) AS networks
     FROM credentials WHERE id = $1`,
    [credentialId, tokenId],
  );
  return row;
};

describe('/auth/identity', () => {
  // Contract: application#machines-at-the-identity-endpoint — /auth/identity: FORBIDDEN without machine=allowed
  it('refuses a machine unless it is asked to accept one', async () => {
    for (const machine of [personal, account]) {
      for (const query of ['', '?signin=true', '?scope=notes:write']) {
        const browser: HeaderLines = [['accept', 'text/html']];
        const reply = await expectNothingStored(service, () => get(`/auth/identity${query}`, machine, browser));
        expect([reply.status, codeOf(reply)]).toEqual([403, 'FORBIDDEN']);
        expect(Object.values(authHeadersOf(reply)).join('')).toBe('');
        expect(reply.headers['www-authenticate']).toBeUndefined();
      }
    }
  });

  it('answers who acts by a personal token', async () => {
    const reply = await get('/auth/identity?machine=allowed&membership=required&scope=notes:write', personal);
    expect(reply.status).toBe(200);
    const { userId: id, email, memberId, organizationId } = admin;
    expect(bodyOf(reply)).toEqual({
      actor: { kind: 'PERSONAL_TOKEN', id, name: 'Test Person', email },
      user: { id, email, name: 'Test Person', emailValidatedAt: someText, isSuperAdmin: false },
      membership: { id: memberId, role: 'ADMIN', organization: { id: organizationId, name: someText } },
      scopes: given,
      credential: {
        id: personal.credentialId,
        kind: 'machine',
        audience: 'api',
        authMethod: 'personal_token',
        sessionFamilyId: personal.tokenId,
        expiresAt: someText,
      },
    });
    expect(authHeadersOf(reply)).toEqual({
      'x-auth-user-id': id,
      'x-auth-actor-kind': 'PERSONAL_TOKEN',
      'x-auth-actor-id': id,
      'x-auth-organization-id': organizationId,
      'x-auth-role': 'ADMIN',
      'x-auth-scopes': given.join(' '),
    });
  });

  it('answers who acts by the token of a service account, which is no user', async () => {
    const reply = await get('/auth/identity?machine=allowed&membership=required', account);
    const { accountId: id } = account;
    expect(bodyOf(reply)).toMatchObject({
      actor: { kind: 'SERVICE_ACCOUNT', id, name: 'Importer', email: null },
      user: null,
      membership: { id: null, role: null, organization: { id: owner.organizationId } },
      scopes: given,
      credential: { kind: 'machine', authMethod: 'service_token' },
    });
    expect(authHeadersOf(reply)).toEqual({
      'x-auth-user-id': '',
      'x-auth-actor-kind': 'SERVICE_ACCOUNT',
      'x-auth-actor-id': id,
      'x-auth-organization-id': owner.organizationId,
      'x-auth-role': '',
      'x-auth-scopes': given.join(' '),
    });
  });

  // Contract: machine-credentials#machines-at-back-ends — /auth/identity refuses scopes that a machine lacks, and
  //   unknown ones
  it.each(kinds)('(%s) refuses scopes that a machine lacks, unknown ones, and those of super admins', async (kind) => {
    const machine = await newMachine[kind]({ scopes: [...given, 'users:view', 'notes:none'] });
    for (const [scope, status, code] of [
      ['notes:read', 403, 'FORBIDDEN'],
      ['users:view', 403, 'FORBIDDEN'],
      ['notes:none', 400, 'BAD_USER_INPUT'],
      ['*', 400, 'BAD_USER_INPUT'],
    ] as const) {
      const reply = await expectNothingStored(service, () =>
        get(`/auth/identity?machine=allowed&scope=notes:write&scope=${scope}`, machine),
      );
      expect([scope, reply.status, codeOf(reply)]).toEqual([scope, status, code]);
      expect(Object.values(authHeadersOf(reply)).join('')).toBe('');
    }
    expect(bodyOf(await get('/auth/identity?machine=allowed', machine))).toMatchObject({ scopes: given });
  });

  // Contract: application#machines-at-the-identity-endpoint — /auth/identity refuses the token of a machine in a cookie
  it.each(kinds)('(%s) refuses its token in a cookie', async (kind) => {
    const machine = await newMachine[kind]();
    const cookie: HeaderLines = [['cookie', `auth_access=${machine.token}`]];
    const url = `${service.url}/auth/identity?machine=allowed&method=GET`;
    const reply = await expectUnused(service, machine, () => sendLines(url, 'GET', cookie));
    expect([reply.status, codeOf(reply)]).toEqual([401, 'UNAUTHENTICATED']);
    expect(Object.values(authHeadersOf(reply)).join('')).toBe('');
    expect((await get('/auth/identity?machine=allowed', machine)).status).toBe(200);
  });

  const forwardedFor = (address: string): HeaderLines => [['x-forwarded-for', address]];
  const ofProxy = (address: string): HeaderLines => [['x-forwarded-uri', '/notes'], ...forwardedFor(address)];

  /** A question in which an address of the networks of the organization is, or none. */
  type Question = readonly [title: string, query: string, lines: HeaderLines];

  // Contract: machine-credentials#allowed-networks — /auth/identity refuses machines from other networks than the
  //   organization's
  it.each<Question>([
    ['a proxy', '', forwardedFor('198.51.100.7')],
    ['a proxy that names the original request', '&method=GET', ofProxy('198.51.100.7')],
    ['a back end', '&client_ip=198.51.100.7', []],
  ])('refuses a client of another network, as %s names it', async (_title, query, lines) => {
    await expectRefusedInOwnNetworks(query, lines);
  });

  // Contract: application#address-of-the-client — /auth/identity of an unnamed client: FORBIDDEN where there are
  //   networks
  it.each<Question>([
    ['that names no client, itself in a network', '', []],
    ['that knows no address, itself in a network', '&client_ip=unknown', []],
    ['that asks through a proxy, itself in a network', '&method=GET', forwardedFor('192.0.2.7')],
    ['that knows no address and asks through a proxy', '&client_ip=unknown', ofProxy('192.0.2.7')],
    ['that TRUST_PROXY does not name, whatever it says', '&client_ip=192.0.2.7', forwardedFor('192.0.2.8')],
    ['whose proxy names no address', '', forwardedFor('unknown')],
  ])('refuses the client of a back end %s', async (_title, query, lines) => {
    await expectRefusedInOwnNetworks(query, lines);
  });

  const expectRefusedInOwnNetworks = async (query: string, lines: HeaderLines): Promise<void> => {
    for (const kind of kinds) {
      const machine = await newMachine[kind]();
      const asked = (): Promise<Reply> => get(`/auth/identity?machine=allowed${query}`, machine, lines);
      await inOwnNetworks(async () => {
        const reply = await expectUnused(service, machine, asked);
        expect([reply.status, codeOf(reply)]).toEqual([403, 'FORBIDDEN']);
        expect(Object.values(authHeadersOf(reply)).join('')).toBe('');
      });
      expect((await asked()).status).toBe(200);
    }
  };

  // Contract: application#address-of-the-client — A use at a back end counts with the address of the client, where it
  //   is named
  it.each<readonly [...Question, ip: string | null, network: string | null]>([
    ['a proxy', '', forwardedFor('192.0.2.7'), '192.0.2.7', '192.0.2.0/24'],
    ['a proxy that names the method', '&method=GET', ofProxy('192.0.2.8'), '192.0.2.8', '192.0.2.0/24'],
    ['a back end', '&client_ip=192.0.2.9', [], '192.0.2.9', '192.0.2.0/24'],
    ['a back end, mapped into IPv6', '&client_ip=::ffff:192.0.2.9', [], '192.0.2.9', '192.0.2.0/24'],
    ['no client', '', [], null, null],
    ['a back end that asks through a proxy', '&method=GET', forwardedFor('192.0.2.7'), null, null],
    ['a back end that TRUST_PROXY does not name', '&client_ip=192.0.2.7', forwardedFor('192.0.2.8'), null, null],
  ])('notes the client as %s names it', async (_title, query, lines, ip, network) => {
    const machine = await newMachine.personal();
    const asked = (): Promise<Reply> => get(`/auth/identity?machine=allowed${query}`, machine, lines);
    if (ip === null) expect((await asked()).status).toBe(200);
    else await inOwnNetworks(async () => expect((await asked()).status).toBe(200));
    expect(await placesOf(machine)).toEqual({ used: true, ip, networks: network === null ? [] : [network] });
  });

  it.each([
    ['no address', '?client_ip=somewhere'],
    ['an empty one', '?client_ip='],
    ['two of them', '?client_ip=192.0.2.7&client_ip=192.0.2.8'],
  ])('refuses %s as the address of the client', async (_title, query) => {
    const machine = await newMachine.personal();
    const reply = await expectUnused(service, machine, () => get(`/auth/identity${query}&machine=allowed`, machine));
    expect([reply.status, codeOf(reply)]).toEqual([400, 'BAD_USER_INPUT']);
  });
});

describe('A route in the process of the service', () => {
  // Contract: machine-credentials#machines-at-back-ends — resolveActor takes machines only with { machines: true }
  it('gets a machine only where it accepts machines', async () => {
    for (const machine of [personal, account]) {
      const reply = await expectNothingStored(service, () => get('/who/people', machine));
      expect([reply.status, codeOf(reply)]).toEqual([403, 'FORBIDDEN']);
    }
    expect(bodyOf(await get('/who/all', personal))).toMatchObject({
      id: admin.userId,
      kind: 'PERSONAL_TOKEN',
      isSuperAdmin: false,
      currentMembership: { id: admin.memberId, role: 'ADMIN' },
      scopes: given,
    });
    expect(bodyOf(await get('/who/all', account))).toMatchObject({
      id: account.accountId,
      email: '',
      kind: 'SERVICE_ACCOUNT',
      actor: { id: account.accountId, email: null },
      currentMembership: { id: '', role: '', organization: { id: owner.organizationId } },
      scopes: given,
    });
  });

  it('refuses what the organization withholds', async () => {
    const waiting = await newPersonalToken(service, admin, { isPending: true });
    const reply = await expectNothingStored(service, () => get('/who/all', waiting));
    expect([reply.status, codeOf(reply)]).toEqual([403, 'FORBIDDEN']);
  });
});

describe('Introspection', () => {
  const send = (body: string, type: string, name = 'notes', more: HeaderLines = []): Promise<Reply> => {
    const password = name === 'notes' ? secret : `${secret} (${name})`;
    const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
    const lines: HeaderLines = [['authorization', authorization], ['content-type', type], ...more];
    return sendLines(`${service.url}/auth/introspect`, 'POST', lines, body);
  };
  const form = 'application/x-www-form-urlencoded';
  const json = 'application/json';

  const introspect = async (
    { token }: Pick<Machine, 'token'>,
    name = 'notes',
    more: HeaderLines = [],
  ): Promise<unknown> => {
    const reply = await send(`token=${token}`, form, name, more);
    expect(reply.status).toBe(200);
    return bodyOf(reply);
  };
  const inactive = { active: false };
  const number: unknown = expect.any(Number);
  const claims = { active: true, scope: 'notes:write', aud: notesUrl, token_type: 'Bearer', exp: number, iat: number };

  const claimsOf = ({ organizationId }: Pick<Tenant, 'organizationId'>) => ({
    ...claims,
    organization_id: organizationId,
  });

  // Contract: credentials#answer-for-a-token — Introspection: a token of a machine is active where the resource says
  //   machineTokens
  it('has the claims of a machine, at a resource that takes machines', async () => {
    expect(await introspect(personal)).toEqual({
      ...claimsOf(owner),
      sub: admin.userId,
      username: admin.email,
      membership_id: admin.memberId,
      role: 'ADMIN',
      actor_kind: 'PERSONAL_TOKEN',
    });
    expect(await introspect(account)).toEqual({
      ...claimsOf(owner),
      sub: account.accountId,
      username: 'Importer',
      actor_kind: 'SERVICE_ACCOUNT',
    });
  });

  /** A token that is inactive answers nothing else, and the question is no use of it. */
  const expectInactive = async (machine: Machine, name = 'notes', more: HeaderLines = []): Promise<void> => {
    expect(await expectUnused(service, machine, () => introspect(machine, name, more))).toEqual(inactive);
  };

  it.each(kinds)('(%s) finds no machine at any other resource', async (kind) => {
    const machine = await newMachine[kind]();
    await expectInactive(machine, 'closed');
    expect(await introspect(machine)).toMatchObject({ active: true });
  });

  // Contract: machine-credentials#allowed-networks — Introspection of a token that is not accepted: inactive, and no
  //   use of it
  it.each(kinds)('(%s) finds nothing that is revoked or has expired', async (kind) => {
    for (const change of [
      "revoked_at = now(), revocation_reason = 'test'",
      "issued_at = now() - interval '2 days', expires_at = now()",
    ]) {
      const [fresh, known] = [await newMachine[kind](), await newMachine[kind]()];
      // The second one is also in the cache of the service.
      expect(await introspect(known)).toMatchObject({ active: true });
      for (const machine of [fresh, known]) await alter(service, machine.token, change);
      await expectInactive(fresh);
      expect(await expectNothingStored(service, () => introspect(known))).toEqual(inactive);
    }
  });

  it('finds nothing that waits for a decision, until it is approved', async () => {
    const waiting = await newPersonalToken(service, admin, { scopes: given, isPending: true });
    await expectInactive(waiting);
    await service.sql('UPDATE machine_tokens SET is_pending = false WHERE id = $1', [waiting.tokenId]);
    expect(await introspect(waiting)).toMatchObject({ active: true });
  });

  const named = async ({ token }: Machine, clientIp: string): Promise<unknown> => {
    const [one, list] = [
      await send(`token=${token}&client_ip=${clientIp}`, form),
      await send(JSON.stringify({ tokens: [token], client_ip: clientIp }), json),
    ].map(bodyOf);
    expect(list).toEqual([one]);
    return one;
  };

  // Contract: machine-credentials#allowed-networks — Introspection: networks are matched with client_ip; unnamed:
  //   inactive where there are any
  it.each(kinds)('(%s) finds nothing of a client of another network, or of one that is not named', async (kind) => {
    const machine = await newMachine[kind]();
    await inOwnNetworks(async () => {
      // The resource itself is in a network of the organization, also behind a proxy.
      await expectInactive(machine);
      await expectInactive(machine, 'notes', [['x-forwarded-for', '192.0.2.7']]);
      for (const address of ['198.51.100.7', 'unknown', '2001:db8::1']) {
        expect(await expectUnused(service, machine, () => named(machine, address))).toEqual(inactive);
      }
      expect(await named(machine, '192.0.2.7')).toMatchObject({ active: true });
    });
    expect(await placesOf(machine)).toEqual({ used: true, ip: '192.0.2.7', networks: ['192.0.2.0/24'] });
    expect(await introspect(machine)).toMatchObject({ active: true });
  });

  it.each([
    ['no address', 'client_ip=somewhere'],
    ['an empty one', 'client_ip='],
    ['two of them', 'client_ip=192.0.2.7&client_ip=192.0.2.8'],
  ])('refuses %s as the address of the client', async (_title, parameter) => {
    const machine = await newMachine.personal();
    const reply = await expectUnused(service, machine, () => send(`token=${machine.token}&${parameter}`, form));
    expect([reply.status, bodyOf(reply)]).toMatchObject([400, { error: 'invalid_request' }]);
  });

  it.each([7, null, ['192.0.2.7'], 'somewhere'])('refuses %j as the address of the client', async (clientIp) => {
    const machine = await newMachine.personal();
    const body = JSON.stringify({ tokens: [machine.token], client_ip: clientIp });
    const reply = await expectUnused(service, machine, () => send(body, json));
    expect([reply.status, bodyOf(reply)]).toMatchObject([400, { error: 'invalid_request' }]);
  });

  it.each(kinds)('(%s) shows neither unknown scopes nor those of super admins', async (kind) => {
    const machine = await newMachine[kind]({ scopes: ['notes:write', 'users:view', 'notes:none'] });
    expect(await introspect(machine)).toMatchObject({ active: true, scope: 'notes:write' });
  });
});
