/** `POST /auth/introspect` (RFC 7662): who may ask, what is active, and when a decision changes. */
import { describe, expect, it } from 'vitest';
import { readDefinition } from '../../src/domain/scopes/application-definition.ts';
import { rateLimits } from '../../src/platform/rate-limit/rate-limit-table.ts';
import { listClients } from '../support/actors/connected-clients.ts';
import { alter, credentialIdOf, expire } from '../support/actors/credentials.ts';
import { seedSession } from '../support/actors/seeding.ts';
import { newMember, newOwner, newSuperAdmin, runAs, setActive, type Tenant } from '../support/actors/tenants.ts';
import { operations } from '../support/clients/clients.ts';
import { type HeaderLines, type Reply, sendLines } from '../support/clients/entry-points.ts';
import { connectToOrganization } from '../support/clients/organization-mcp.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { notes, resourceUrl } from './notes.ts';
import { startSilentEndpoints } from './silent-storage.ts';

const secret = 'a secret of the notes: 32 bytes or more and as it stands';
const newerSecret = `${secret} (newer)`;
const otherSecret = 'a secret of the other resource: 32 bytes or more';
const secrets = { RESOURCE_SECRET_NOTES: `${newerSecret},${secret}`, RESOURCE_SECRET_OTHER: otherSecret };

const service = serviceFixture(secrets, 'none', { application: notes });
const owner = fixture(() => newOwner(service));

const basic = (name: string, password: string): HeaderLines[number] => [
  'authorization',
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
];
const asNotes = basic('notes', secret);
const form: HeaderLines[number] = ['content-type', 'application/x-www-form-urlencoded'];
const json: HeaderLines[number] = ['content-type', 'application/json'];

const send = (body: string, lines: HeaderLines, url = service.url): Promise<Reply> =>
  sendLines(`${url}/auth/introspect`, 'POST', lines, body);

const inForm = (token: string): string => `token=${encodeURIComponent(token)}`;

const introspect = async (token: string, as = asNotes): Promise<unknown> => {
  const { status, body } = await send(inForm(token), [as, form]);
  expect(status).toBe(200);
  return JSON.parse(body);
};

/** Issues access tokens for the resource, as its clients have them. */
const forResource = async (person: Tenant, url = resourceUrl): Promise<string> => {
  const granted = `scopes = '{notes:read,notes:write,users:view}'`;
  await alter(service, person.tokens.accessToken, `audience = '${url}', ${granted}`);
  return person.tokens.accessToken;
};

const inactive = { active: false };

describe('An active token', () => {
  // Contract: credentials#answer-for-a-token — A token whose audience is the resource's URL is active, with its claims
  it('has the claims of RFC 7662 and those of the membership', async () => {
    const editor = await newMember(service, owner.organizationId, 'EDITOR');
    const before = Math.floor(Date.now() / 1000);
    const token = await forResource(editor);
    const { exp, iat, ...claims } = (await introspect(token)) as { readonly exp: number; readonly iat: number };
    expect(claims).toEqual({
      active: true,
      sub: editor.userId,
      username: editor.email,
      scope: 'notes:read notes:write',
      aud: resourceUrl,
      token_type: 'Bearer',
      organization_id: owner.organizationId,
      membership_id: editor.memberId,
      role: 'EDITOR',
      actor_kind: 'PERSON',
    });
    expect(exp - iat).toBe(900);
    expect(Math.abs(iat - before)).toBeLessThan(120);
  });

  // Contract: credentials#answer-for-a-token — scope is what was granted, is held now, and is of the resource
  it('has the scopes that were granted, are held now and belong to the resource', async () => {
    const editor = await newMember(service, owner.organizationId, 'EDITOR');
    const token = await forResource(editor);
    await alter(service, token, "scopes = '{notes:write,MEMBERS_VIEW}'");
    expect(await introspect(token)).toMatchObject({ active: true, scope: 'notes:write' });
    await service.sql("UPDATE organization_members SET role = 'MEMBER' WHERE id = $1", [editor.memberId]);
    expect(await introspect(token)).toMatchObject({ active: true, scope: '', role: 'MEMBER' });
    await setActive(service, editor.userId, null);
    expect(await introspect(token)).not.toHaveProperty('organization_id');
  });

  it('has no scope that was not granted, also where nothing was', async () => {
    const token = await forResource(await newOwner(service));
    await alter(service, token, "scopes = '{}'");
    expect(await introspect(token)).toMatchObject({ active: true, scope: '' });
  });

  it('has no platform scope of a super admin', async () => {
    const admin = await newSuperAdmin(service);
    expect(await introspect(await forResource(admin))).toMatchObject({ scope: 'notes:read notes:write' });
  });

  it('is answered to each of the two secrets while they rotate', async () => {
    const token = await forResource(await newOwner(service));
    for (const each of [secret, newerSecret]) {
      expect(await introspect(token, basic('notes', each))).toMatchObject({ active: true });
    }
  });

  it('of a client counts as a use, which the list of connected clients shows, and leaves no address', async () => {
    const person = await newOwner(service);
    const { tokens } = await connectToOrganization(service, person, { audience: resourceUrl, scopes: ['notes:read'] });
    const seen = async () => {
      await service.flush();
      const ip = await service.sql.value('SELECT last_seen_ip FROM credentials WHERE id = $1', [
        await credentialIdOf(service, tokens.accessToken),
      ]);
      const { nodes } = await listClients(service, person);
      return { ip, used: nodes.map(({ lastUsedAt }) => lastUsedAt !== null) };
    };
    expect(await seen()).toEqual({ ip: null, used: [false] });
    expect(await introspect(tokens.accessToken)).toMatchObject({ active: true });
    expect(await seen()).toEqual({ ip: null, used: [true] });
  });

  // Contract: credentials#answer-for-a-token — A revoked token is inactive on the very next call
  it('is inactive on the very next call after its person signed out everywhere', async () => {
    const person = await newOwner(service);
    const token = await forResource(person);
    expect(await introspect(token)).toMatchObject({ active: true });
    const tokens = await seedSession(service.database, person.userId);
    await runAs(service, { tokens }, operations.signOutEverywhere);
    expect(await introspect(token)).toEqual(inactive);
  });
});

describe('Everything else', () => {
  // Contract: credentials#answer-for-a-token — Every other token is exactly { "active": false }
  it('is exactly { "active": false }', async () => {
    const [expired, revoked, other, portal] = await Promise.all([
      newOwner(service),
      newOwner(service),
      newOwner(service),
      newOwner(service),
    ]);
    await forResource(expired);
    await expire(service, expired.tokens.accessToken);
    await forResource(other, 'https://other.acme.example');
    await runAs(service, revoked, operations.signOut);
    const tokens = [
      expired.tokens.accessToken,
      revoked.tokens.accessToken,
      other.tokens.accessToken,
      portal.tokens.accessToken,
      portal.tokens.refreshToken,
      'x',
      'gate_a_'.padEnd(56, 'x'),
      resourceUrl,
    ];
    for (const token of tokens) expect(await introspect(token)).toEqual(inactive);
    expect(await introspect(other.tokens.accessToken, basic('other', otherSecret))).toMatchObject({ active: true });
  });
});

describe('A list of tokens', () => {
  const askList = (tokens: unknown): Promise<Reply> => send(JSON.stringify({ tokens }), [asNotes, json]);

  // Contract: credentials#introspection-request — Up to 100 tokens are answered as an array in order
  it('is answered in order, of up to 100', async () => {
    const people = await Promise.all(Array.from({ length: 50 }, () => newOwner(service)));
    const tokens = await Promise.all(people.map((person) => forResource(person)));
    const asked = tokens.flatMap((token) => ['x', token]);
    const { status, body } = await askList(asked);
    expect(status).toBe(200);
    const answers = JSON.parse(body) as { readonly active: boolean; readonly sub?: string }[];
    expect(answers.map(({ sub }) => sub ?? null)).toEqual(people.flatMap(({ userId }) => [null, userId]));
    expect(JSON.parse((await askList([])).body)).toEqual([]);
    expect(JSON.parse((await askList([tokens[0], tokens[0]])).body)).toMatchObject([
      { active: true },
      { active: true },
    ]);
  });

  it('is refused with 101', async () => {
    const { status, body } = await askList(Array(101).fill('x'));
    expect([status, JSON.parse(body)]).toEqual([400, expect.objectContaining({ error: 'invalid_request' })]);
  });
});

describe('A malformed request', () => {
  // Contract: credentials#introspection-request — A malformed request is a 400
  it.each<readonly [title: string, body: string, lines: HeaderLines]>([
    ['no body', '', [form]],
    ['no token', 'x=y', [form]],
    ['an empty token', 'token=', [form]],
    ['two tokens', 'token=a&token=b', [form]],
    ['a token that is no UTF-8', 'token=%ff', [form]],
    ['no JSON', '{', [json]],
    ['another JSON', '[]', [json]],
    ['null', 'null', [json]],
    ['one token in JSON', '{"token":"x"}', [json]],
    ['a list of numbers', '{"tokens":[1]}', [json]],
    ['no list', '{"tokens":"x"}', [json]],
    ['another media type', 'token=x', [['content-type', 'text/plain']]],
    ['no media type', 'token=x', []],
    ['compressed JSON', '{"tokens":[]}', [json, ['content-encoding', 'gzip']]],
  ])('with %s is a 400', async (_title, body, lines) => {
    const reply = await send(body, [asNotes, ...lines]);
    expect([reply.status, JSON.parse(reply.body)]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_request' }),
    ]);
  });
});

describe('A caller', () => {
  const refused: readonly (readonly [title: string, lines: HeaderLines])[] = [
    ['no credentials', []],
    ['a wrong secret', [basic('notes', `${secret}x`)]],
    ['the secret of another resource', [basic('notes', otherSecret)]],
    ['an empty secret', [basic('notes', '')]],
    ['both secrets at once', [basic('notes', secrets.RESOURCE_SECRET_NOTES)]],
    ['an unknown name', [basic('unknown', secret)]],
    ['the name in capitals', [basic('NOTES', secret)]],
    ['a resource without a secret', [basic('silent', secret)]],
    ['the text that unknown names are compared with', [basic('silent', 'a resource without a secret may not ask')]],
    ['no colon', [['authorization', `Basic ${Buffer.from('notes').toString('base64')}`]]],
    ['a Bearer', [['authorization', `Bearer ${secret}`]]],
    ['no base64', [['authorization', 'Basic ///%%']]],
  ];

  // Contract: credentials#introspecting-caller — A wrong and an unknown caller are answered alike: 401 with
  //   WWW-Authenticate: Basic
  it('with a wrong name or secret is refused, each in the same words, before the body counts', async () => {
    const token = await forResource(await newOwner(service));
    const replies = [];
    for (const [, lines] of refused) {
      replies.push(await send(inForm(token), [...lines, form]));
      replies.push(await send('malformed', [...lines, json]));
    }
    for (const { status, headers, body } of replies) {
      expect([status, headers['www-authenticate'], headers['cache-control']]).toEqual([
        401,
        'Basic realm="gatehouse"',
        'no-store',
      ]);
      expect(body).toBe(replies[0]?.body);
    }
    expect(await introspect(token)).toMatchObject({ active: true });
  });

  it('of another origin reads nothing: the answer has no CORS headers', async () => {
    const { headers } = await send(inForm('x'), [asNotes, form, ['origin', service.portalUrl]]);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  describe('within limits', () => {
    const limited = serviceFixture({ ...secrets, RATE_LIMITS_ENABLED: 'true' }, 'none', { application: notes });

    // Contract: credentials#introspecting-caller — Wrong callers are rate-limited, and right ones are not
    it('is refused with 429 once its network has tried too many, while the right one is answered', async () => {
      const { name, burst, perHour } = rateLimits.introspectionRefused;
      const wrong = () => send(inForm('x'), [basic('unknown', secret), form], limited.url);
      const first = await wrong();
      expect(first.status).toBe(401);
      expect(first.headers['ratelimit']).toContain(`"${name}";r=${burst - 1};`);
      // As if the network had consumed more permits than there are at once.
      await limited.sql("UPDATE rate_limits SET due_at = now() + $1 * interval '1 second' WHERE key LIKE $2", [
        (burst + 1) * (3600 / perHour),
        `${name}:%`,
      ]);
      const last = await wrong();
      const retryAfter = Number(last.headers['retry-after']);
      expect(last.status).toBe(429);
      expect(retryAfter).toBeGreaterThan(0);
      const right = await send(inForm('x'), [asNotes, form], limited.url);
      expect([right.status, JSON.parse(right.body)]).toEqual([200, inactive]);
    });
  });

  describe('without storage', () => {
    const silent = fixture(() =>
      startSilentEndpoints(service, readDefinition(notes, { isHardened: false, taken: [], readLogo: () => null })),
    );

    // Contract: credentials#answer-for-a-token — 503 where storage does not answer: no token is inactive for that
    it('gets a 503', async () => {
      const { status, body } = await send(JSON.stringify({ tokens: ['x'] }), [asNotes, json], silent.url);
      expect([status, body]).toEqual([503, expect.not.stringContaining('active')]);
    });
  });
});
