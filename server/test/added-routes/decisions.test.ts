/**
 * One table of requests, sent to GraphQL, to the example's routes on Fastify and on Express, to `/auth/identity`, to a
 * back end that uses `@gatehouse/node`, and to the example in its own process: all of them decide alike
 * (contract/requests.md#identity-of-an-added-route; contract/application.md#identity-of-a-request).
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { expire } from '../support/actors/credentials.ts';
import { seedSession } from '../support/actors/seeding.ts';
import { newMember, newOwner, runAs, setActive, type Tenant } from '../support/actors/tenants.ts';
import { operations, post } from '../support/clients/clients.ts';
import {
  type Decision,
  type EntryPoint,
  entryPointsOf,
  exampleRoutes,
  type HeaderLines,
  type Method,
  openBackEnd,
  openElsewhere,
} from '../support/clients/entry-points.ts';
import { newMcpClient } from '../support/clients/mcp.ts';
import { connectToOrganization } from '../support/clients/organization-mcp.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const portalOrigin = 'https://app.example.com';
const foreign = 'https://evil.example';

let entryPoints: readonly EntryPoint[];
let person: Tenant;
let other: Tenant;
const spent = { expired: '', revoked: '', mcp: '', ofClient: '', refresh: '' };

/** An access token of the person after a change to its row. */
const spentToken = async (happen: (token: string) => Promise<unknown>): Promise<string> => {
  const { accessToken } = await seedSession(service.database, person.userId);
  await happen(accessToken);
  return accessToken;
};

const service = serviceFixture({ FRONTEND_URL: portalOrigin }, 'none', exampleRoutes);
const elsewhere = fixture(() => openElsewhere(service));
const backEnd = fixture(() => openBackEnd(service));
beforeAll(async () => {
  entryPoints = [...entryPointsOf(service), backEnd.entryPoint, elsewhere.entryPoint];
  person = await newOwner(service);
  other = await newOwner(service);
  spent.expired = await spentToken((token) => expire(service, token));
  spent.revoked = await spentToken((accessToken) =>
    runAs(service, { tokens: { accessToken, refreshToken: '' } }, operations.signOut),
  );
  spent.mcp = (await newMcpClient(service)).tokens.accessToken;
  // As with an audience of clients among those of GraphQL, which no configuration can have.
  spent.ofClient = (await connectToOrganization(service, person, { audience: 'portal' })).tokens.accessToken;
  spent.refresh = (await seedSession(service.database, person.userId)).refreshToken;
});

const mine = (): string => person.tokens.accessToken;
const authorization = (value: string): HeaderLines[number] => ['authorization', value];
const asBearer = (token: string): HeaderLines[number] => authorization(`Bearer ${token}`);
const cookie = (value: string): HeaderLines[number] => ['cookie', value];
const asCookie = (token: string): HeaderLines[number] => cookie(`auth_access=${token}`);
const from = (origin: string): HeaderLines[number] => ['origin', origin];
const referred = (referer: string): HeaderLines[number] => ['referer', referer];

/** The decision of every entry point, by name, so that a failure says which one differs. */
const decideAll = async (method: Method, lines: HeaderLines): Promise<Record<string, Decision>> =>
  Object.fromEntries(
    await Promise.all(
      entryPoints.map(async (entryPoint) => [entryPoint.name, await entryPoint.ask(method, lines)] as const),
    ),
  );

const everywhere = (decision: unknown): Record<string, unknown> =>
  Object.fromEntries(entryPoints.map(({ name }) => [name, decision]));

const refusedWith = (code: string, status: number) => ({ code, status, who: null });
const unauthenticated = refusedWith('UNAUTHENTICATED', 401);
const expired = refusedWith('ACCESS_EXPIRED', 401);
const originRefused = refusedWith('ORIGIN_REFUSED', 403);

type Case = readonly [title: string, lines: () => HeaderLines, who: () => string];
type RefusedCase = readonly [title: string, lines: () => HeaderLines, decision: Decision];

describe('A reading request', () => {
  // Contract: requests#identity-of-an-added-route — An Express-style route outside GraphQL resolves the access token
  //   from Bearer or auth_access in the same way
  it.each<Case>([
    ['a Bearer', () => [asBearer(mine())], () => person.userId],
    ['a Bearer in other case, with spaces', () => [authorization(`bEARER   ${mine()}  `)], () => person.userId],
    ['a Bearer from a foreign page', () => [asBearer(mine()), from(foreign)], () => person.userId],
    ['the cookie', () => [asCookie(mine())], () => person.userId],
    ['the cookie from a foreign page', () => [asCookie(mine()), from(foreign)], () => person.userId],
    ['the cookie among others', () => [cookie(`a=b; auth_access=${mine()}; auth_refresh=x`)], () => person.userId],
    ['both: the Bearer wins', () => [asBearer(mine()), asCookie(other.tokens.accessToken)], () => person.userId],
    ['both, with an expired cookie', () => [asBearer(mine()), asCookie(spent.revoked)], () => person.userId],
    ['the cookie with escapes', () => [cookie(`auth_access=${mine().replaceAll('_', '%5F')}`)], () => person.userId],
    ['the cookie with irregular spacing', () => [cookie(`;;  auth_access = ${mine()} ;`)], () => person.userId],
    ['the cookie behind a pair without a value', () => [cookie(`broken; auth_access=${mine()}`)], () => person.userId],
    [
      'the cookie after a name of Object.prototype',
      () => [cookie(`__proto__=x; auth_access=${mine()}`)],
      () => person.userId,
    ],
    ['two Bearers: the first counts', () => [asBearer(mine()), asBearer(spent.revoked)], () => person.userId],
    [
      '12 KB of other cookies',
      () => [cookie(`junk=${'x'.repeat(12_000)}; auth_access=${mine()}`)],
      () => person.userId,
    ],
  ])('passes with %s', async (_title, lines, who) => {
    expect(await decideAll('GET', lines())).toEqual(everywhere({ status: 200, code: null, who: who() }));
  });

  // Contract: credentials#access-credential-alone — a credential of a client is none of GraphQL, whatever audiences are
  //   accepted
  // Contract: requests#identity-of-an-added-route — Added route: every refusal of GraphQL is also one of the route
  // Contract: credentials#repeated-cookies — Two cookies of one auth_* name are no credential, in added routes
  it.each<RefusedCase>([
    ['nothing', () => [], unauthenticated],
    ['a malformed Bearer', () => [asBearer('x')], unauthenticated],
    ['a malformed Bearer and a good cookie', () => [asBearer('x'), asCookie(mine())], unauthenticated],
    ['a revoked Bearer and a good cookie', () => [asBearer(spent.revoked), asCookie(mine())], unauthenticated],
    ['an expired Bearer and a good cookie', () => [asBearer(spent.expired), asCookie(mine())], expired],
    ['an empty Authorization and a good cookie', () => [authorization(''), asCookie(mine())], unauthenticated],
    ['another scheme and a good cookie', () => [authorization('Basic eDp5'), asCookie(mine())], unauthenticated],
    ['two tokens in one Bearer', () => [authorization(`Bearer ${mine()} ${mine()}`)], unauthenticated],
    ['a bad Bearer before a good one', () => [asBearer('x'), asBearer(mine())], unauthenticated],
    ['a revoked Bearer', () => [asBearer(spent.revoked)], unauthenticated],
    ['a revoked cookie', () => [asCookie(spent.revoked)], unauthenticated],
    ['an expired Bearer', () => [asBearer(spent.expired)], expired],
    ['an expired cookie', () => [asCookie(spent.expired)], expired],
    ['a Bearer of the audience mcp', () => [asBearer(spent.mcp)], unauthenticated],
    ['a cookie of the audience mcp', () => [asCookie(spent.mcp)], unauthenticated],
    ['a Bearer of a client, of the audience portal', () => [asBearer(spent.ofClient)], unauthenticated],
    ['a cookie of a client, of the audience portal', () => [asCookie(spent.ofClient)], unauthenticated],
    ['a refresh token', () => [asBearer(spent.refresh)], unauthenticated],
    ['only the cookie auth_refresh', () => [cookie(`auth_refresh=${spent.refresh}`)], unauthenticated],
    ['an access token in another cookie', () => [cookie(`auth_exchange=${mine()}; access=${mine()}`)], unauthenticated],
    ['the cookie in capitals', () => [cookie(`AUTH_ACCESS=${mine()}`)], unauthenticated],
    ['the cookie in quotes', () => [cookie(`auth_access="${mine()}"`)], unauthenticated],
    ['an empty cookie', () => [cookie('auth_access=')], unauthenticated],
    ['a cookie without a value', () => [cookie('auth_access')], unauthenticated],
    ['a cookie with a wrong escape', () => [cookie(`auth_access=%E0%A4%A; x=${mine()}`)], unauthenticated],
    ['a bad cookie before a good one', () => [cookie(`auth_access=x; auth_access=${mine()}`)], unauthenticated],
    [
      'the cookies of two people',
      () => [cookie(`auth_access=${mine()}; auth_access=${other.tokens.accessToken}`)],
      unauthenticated,
    ],
    ['the same on two lines', () => [asCookie(mine()), asCookie(other.tokens.accessToken)], unauthenticated],
    ['a good cookie before a bad one', () => [cookie(`auth_access=${mine()}; auth_access=x`)], unauthenticated],
    ['a good cookie twice', () => [cookie(`auth_access=${mine()}; x=y; auth_access=${mine()}`)], unauthenticated],
    ['a good cookie before an empty one', () => [cookie(`auth_access=${mine()};auth_access =`)], unauthenticated],
    ['the cookie cut by a comma', () => [cookie(`auth_access=${mine()},x`)], unauthenticated],
  ])('is refused with %s', async (_title, lines, decision) => {
    expect(await decideAll('GET', lines())).toEqual(everywhere(decision));
  });

  // Contract: requests#identity-of-an-added-route — The helper session is no identity there either
  it('is refused with the cookie of the helper session alone', async () => {
    const visit = await post(
      service.url,
      'mutation { recordConsent(analytics: true) { analyticsConsent } }',
      {},
      {
        origin: portalOrigin,
      },
    );
    const [line = ''] = visit.setCookies;
    expect(line).toMatch(/^helper_session=/);
    expect(await decideAll('GET', [cookie(line.split(';', 1)[0] ?? '')])).toEqual(everywhere(unauthenticated));
  });
});

describe.each(['POST', 'DELETE'] as const)('A %s', (method) => {
  const passed = { code: null, who: null };

  // Contract: requests#cookies-at-an-added-route — A change by cookie passes with an Origin or Referer of a front end
  it.each<readonly [string, () => HeaderLines]>([
    ['a Bearer without an Origin', () => [asBearer(mine())]],
    ['a Bearer from a foreign page', () => [asBearer(mine()), from(foreign)]],
    ['a Bearer and a cookie from a foreign page', () => [asBearer(mine()), asCookie(mine()), from(foreign)]],
    ['the cookie from the portal', () => [asCookie(mine()), from(portalOrigin)]],
    ['the cookie from the service itself', () => [asCookie(mine()), from(service.url)]],
    ['the cookie with a Referer of the portal', () => [asCookie(mine()), referred(`${portalOrigin}/notes?x=1`)]],
  ])('passes with %s', async (_title, lines) => {
    const decisions = await decideAll(method, lines());
    for (const { status } of Object.values(decisions)) expect(status).toBeLessThan(300);
    expect(decisions).toMatchObject(everywhere(passed));
  });

  // Contract: requests#cookies-at-an-added-route — A change by cookie from no allowed page is ORIGIN_REFUSED at added
  //   routes
  it.each<RefusedCase>([
    ['nothing', () => [], unauthenticated],
    ['no credential, from the portal', () => [from(portalOrigin)], unauthenticated],
    ['a malformed Bearer and a good cookie', () => [asBearer('x'), asCookie(mine())], unauthenticated],
    ['a revoked cookie from the portal', () => [asCookie(spent.revoked), from(portalOrigin)], unauthenticated],
    ['an expired cookie from the portal', () => [asCookie(spent.expired), from(portalOrigin)], expired],
    ['a cookie of the audience mcp', () => [asCookie(spent.mcp), from(portalOrigin)], unauthenticated],
    ['the cookie without an Origin', () => [asCookie(mine())], originRefused],
    ['the cookie from a foreign page', () => [asCookie(mine()), from(foreign)], originRefused],
    ['the cookie with Origin null', () => [asCookie(mine()), from('null')], originRefused],
    ['the cookie with an empty Origin', () => [asCookie(mine()), from('')], originRefused],
    [
      'the cookie from a page below the portal',
      () => [asCookie(mine()), from(`${portalOrigin}.evil.example`)],
      originRefused,
    ],
    ['the cookie with two Origins', () => [asCookie(mine()), from(portalOrigin), from(foreign)], originRefused],
    [
      'the cookie from a foreign page that refers to the portal',
      () => [asCookie(mine()), from(foreign), referred(`${portalOrigin}/`)],
      originRefused,
    ],
    [
      'the cookie with a foreign Referer',
      () => [asCookie(mine()), referred(`${foreign}/${portalOrigin}`)],
      originRefused,
    ],
    ['the cookie with an invalid Referer', () => [asCookie(mine()), referred('app.example.com')], originRefused],
    ['an expired cookie from a foreign page', () => [asCookie(spent.expired), from(foreign)], originRefused],
  ])('is refused with %s', async (_title, lines, decision) => {
    expect(await decideAll(method, lines())).toEqual(everywhere(decision));
  });
});

it('A refused request changes nothing at any entry point', async () => {
  await decideAll('POST', [asBearer(mine())]);
  const read = () => Promise.all(entryPoints.slice(1).map((entryPoint) => entryPoint.read([asBearer(mine())])));
  const before = await read();
  for (const method of ['POST', 'DELETE'] as const) {
    for (const lines of [
      [],
      [asCookie(mine()), from(foreign)],
      [asBearer('x'), asCookie(mine()), from(portalOrigin)],
    ]) {
      await decideAll(method, lines);
    }
  }
  expect(before).toEqual(Array(5).fill(expect.stringMatching(/Hello|Test Person/)));
  expect(await read()).toEqual(before);
});

// Contract: requests#changes-and-outages-at-an-added-route — Added route: what authorization depends on counts on the
//   very next request
it('A change to a person takes effect on the next request at every entry point: sign-out, another role, no membership', async () => {
  const { organizationId } = person;
  const member = await newMember(service, organizationId, 'OWNER');
  const lines = [asBearer(member.tokens.accessToken)];
  expect(await decideAll('DELETE', lines)).toMatchObject(everywhere({ code: null }));
  await service.sql("UPDATE organization_members SET role = 'MEMBER' WHERE id = $1", [member.memberId]);
  expect(await decideAll('DELETE', lines)).toEqual(everywhere(refusedWith('FORBIDDEN', 403)));
  await setActive(service, member.userId, null);
  expect(await decideAll('DELETE', lines)).toEqual(everywhere(refusedWith('MEMBERSHIP_REQUIRED', 403)));
  await runAs(service, member, operations.signOut);
  expect(await decideAll('DELETE', lines)).toEqual(everywhere(unauthenticated));
  expect(await decideAll('GET', lines)).toEqual(everywhere(unauthenticated));
});

it('Oversized headers are refused with 431 before a token is read', async () => {
  const lines = [cookie(`junk=${'x'.repeat(20_000)}; auth_access=${mine()}`)];
  for (const entryPoint of entryPoints.slice(0, 4)) {
    expect(await entryPoint.ask('GET', lines)).toMatchObject({ status: 431, who: null });
  }
});
