/**
 * Consent to a client's access to one organization, or to a resource of the application: the page, the choice, the
 * answer.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { notes, resourceUrl } from '../back-ends/notes.ts';
import { ageAuthentication } from '../support/actors/credentials.ts';
import { addTo, newMember, newOwner, newSuperAdmin, setActive, type Tenant } from '../support/actors/tenants.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import {
  answerIn,
  authorizationQuery,
  beginAuthorization,
  csrfTokenIn,
  organizationIn,
  PageBrowser,
  redirectUri,
  registerClient,
} from '../support/clients/authorization.ts';
import type { PageAnswer } from '../support/clients/cookie-jar.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture({}, 'none', { application: notes });
let clientId: string;
beforeAll(async () => {
  clientId = await registerClient(service);
});

const organizationUrl = (): string => `${service.config.baseUrl}/mcp/organization`;

type Query = Parameters<typeof authorizationQuery>[1];

const signedIn = (person: Pick<Tenant, 'tokens'>): PageBrowser => {
  const browser = new PageBrowser(service);
  browser.keep({ name: 'auth_access', value: person.tokens.accessToken, path: '/' });
  browser.keep({ name: 'auth_refresh', value: person.tokens.refreshToken, path: '/' });
  return browser;
};

/** A person at the page of a request for an organization. */
const ask = async (person: Tenant, query: Query = {}) => {
  const browser = signedIn(person);
  const path = await beginAuthorization(browser, clientId, { resource: organizationUrl(), ...query });
  const page = await browser.get(path);
  return { browser, path, page };
};

const decide = async (
  { browser, path, page }: Awaited<ReturnType<typeof ask>>,
  change: Readonly<Record<string, string>> = {},
): Promise<PageAnswer> =>
  browser.post(path, {
    decision: 'approve',
    csrf_token: csrfTokenIn(page),
    organization_id: organizationIn(page) ?? '',
    ...change,
  });

interface StoredCode {
  readonly audience: string;
  readonly organizationId: string | null;
  readonly membershipId: string | null;
  readonly scopes: readonly string[];
}

const codesOf = ({ userId }: Pick<Tenant, 'userId'>): Promise<StoredCode[]> =>
  service.sql<StoredCode>(
    `SELECT audience, organization_id AS "organizationId", membership_id AS "membershipId", scopes
     FROM oauth_codes WHERE user_id = $1`,
    [userId],
  );

const expectCode = (answer: PageAnswer): void => {
  expect(answer.status).toBe(303);
  expect(Object.keys(answerIn(answer.location)).sort()).toEqual(['code', 'iss', 'state']);
};

/** The client is told, and gets no code. */
const expectRefusal = async (person: Tenant, answer: PageAnswer, error: string): Promise<void> => {
  expect(answer.location?.startsWith(`${redirectUri}?`), answer.text).toBe(true);
  expect(answerIn(answer.location)['error']).toBe(error);
  expect(await codesOf(person)).toEqual([]);
};

const setPolicy = (organizationId: string, policy: string): Promise<unknown> =>
  service.sql(`UPDATE organizations SET ${policy} WHERE id = $1`, [organizationId]);

describe('The page', () => {
  // Contract: organization-mcp#consent-of-a-member — The page shows the account, the organization, the redirect target
  //   and each scope in words
  it('names the account, the organization, the receiver and each scope in words', async () => {
    const owner = await newOwner(service);
    const { page } = await ask(owner, { scope: 'MEMBERS_VIEW notes:write' });
    expect(page.status).toBe(200);
    const name = await service.sql.value<string>('SELECT name FROM organizations WHERE id = $1', [
      owner.organizationId,
    ]);
    expect(page.text).toContain(
      `<h1>Allow <bdi>Test Client</bdi> to act for you in <bdi>${name?.replace("'", '&#39;')}</bdi>?</h1>`,
    );
    expect(page.text).toContain(`<p class="strong"><bdi>${owner.email}</bdi></p>`);
    expect(page.text).toContain('An app on this computer');
    expect(page.text).toContain(`<code>${redirectUri}</code>`);
    expect(page.text).toContain('See who belongs to the organization</span> <span class="name">MEMBERS_VIEW</span>');
    expect(page.text).toContain('Write and delete notes</bdi></span> <span class="name">notes:write</span>');
    expect(page.text).toContain(`<a href="${service.config.frontendUrl}/account/clients">your connected clients</a>`);
    expect(page.text).not.toContain('It also asks for these');
  });

  it.each([
    ['the endpoint by its name', () => organizationUrl(), 'Acme Notes MCP'],
    ['a resource of the application by its host', () => resourceUrl, 'notes.acme.example'],
    ['another resource by another host', () => 'https://other.acme.example', 'other.acme.example'],
  ])('says what the access is to: %s', async (_what, resource, name) => {
    const { page } = await ask(await newOwner(service), { resource: resource() });
    const section = /<section aria-labelledby="resource">(.*?)<\/section>/s.exec(page.text)?.[1];
    expect(section?.replaceAll('\n', '')).toBe(
      `<h2 id="resource">Access to</h2><p class="strong"><bdi>${name}</bdi></p><p><code>${resource()}</code></p>`,
    );
  });

  it('says so as well where the client cannot be let in', async () => {
    const owner = await newOwner(service);
    const other = await newOwner(service);
    await addTo(service, owner.userId, other.organizationId);
    await setPolicy(owner.organizationId, `mcp_clients = 'NONE'`);
    const { page } = await ask(owner, { resource: resourceUrl });
    expect(page.text).not.toContain('value="approve"');
    expect(page.text).toContain(`<code>${resourceUrl}</code>`);
    expect(await codesOf(owner)).toEqual([]);
  });

  // Contract: organization-mcp#consent-of-a-member — The page shows the scopes that are asked for and not held, with
  //   the reason
  it('says which scopes are missing, and why', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    const { page } = await ask(member, { scope: 'notes:read notes:write MEMBERS_INVITE' });
    expect(page.text.match(/<span class="name">[^<]+/g)).toEqual([
      '<span class="name">notes:read',
      '<span class="name">notes:write',
      '<span class="name">MEMBERS_INVITE',
    ]);
    expect(page.text.match(/Your role here, <bdi>Member<\/bdi>, does not grant this\./g)).toHaveLength(2);
  });

  it('offers the other organizations of the person, and chooses the active one', async () => {
    const owner = await newOwner(service);
    const other = await newOwner(service);
    const otherMember = await addTo(service, owner.userId, other.organizationId);
    const asked = await ask(owner);
    expect(organizationIn(asked.page)).toBe(owner.organizationId);
    const link = `${asked.path}?organization_id=${other.organizationId}`;
    expect(asked.page.text).toContain(`<a href="${link}">`);
    const page = await asked.browser.get(link);
    expect(organizationIn(page)).toBe(other.organizationId);
    expectCode(await decide({ ...asked, page }));
    expect(await codesOf(owner)).toMatchObject([{ organizationId: other.organizationId, membershipId: otherMember }]);
  });

  it('shows none but the own organizations, whatever the address names', async () => {
    const owner = await newOwner(service);
    const stranger = await newOwner(service);
    const { browser, path } = await ask(owner);
    const page = await browser.get(`${path}?organization_id=${stranger.organizationId}`);
    expect(organizationIn(page)).toBe(owner.organizationId);
    expect(page.text).not.toContain(stranger.organizationId);
  });

  // Contract: organization-mcp#consent-of-a-member — A member consents without a recent sign-in
  it('needs no recent sign-in', async () => {
    const owner = await newOwner(service);
    await ageAuthentication(service, owner.tokens.accessToken, '2 days');
    expectCode(await decide(await ask(owner)));
  });
});

describe('The answer', () => {
  // Contract: organization-mcp#granted-scopes-of-an-organization — Without scope, all that the person holds in the
  //   organization are granted
  it('binds the code to the membership, with all scopes that the person holds where the client names none', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId, 'EDITOR');
    expectCode(await decide(await ask(member)));
    expect(await codesOf(member)).toEqual([
      {
        audience: 'mcp_organization',
        organizationId: owner.organizationId,
        membershipId: member.memberId,
        scopes: ['MEMBERS_VIEW', 'notes:read', 'notes:write'],
      },
    ]);
  });

  // Contract: organization-mcp#granted-scopes-of-an-organization — Scopes of the resource alone are granted
  it('for a resource of the application grants scopes of the resource alone', async () => {
    const owner = await newOwner(service);
    expectCode(await decide(await ask(owner, { resource: resourceUrl })));
    expect(await codesOf(owner)).toMatchObject([{ audience: resourceUrl, scopes: ['notes:read', 'notes:write'] }]);
  });

  // Contract: organization-mcp#granted-scopes-of-an-organization — Platform scopes are never granted, not to a super
  //   admin either
  it('grants no platform scope, not to a super admin either', async () => {
    const admin = await newSuperAdmin(service);
    expectCode(await decide(await ask(admin, { scope: 'MEMBERS_VIEW users:view sessions:revoke' })));
    expect(await codesOf(admin)).toMatchObject([{ audience: 'mcp_organization', scopes: ['MEMBERS_VIEW'] }]);
    const all = await newSuperAdmin(service);
    expectCode(await decide(await ask(all)));
    const [code] = await codesOf(all);
    expect(code?.scopes.filter((scope) => /^(mcp|sessions|users|organizations|invitations):/.test(scope))).toEqual([]);
  });

  it('of a person who refuses is access_denied', async () => {
    const owner = await newOwner(service);
    await expectRefusal(owner, await decide(await ask(owner), { decision: 'deny' }), 'access_denied');
  });

  it("with another organization's id in the form is access_denied", async () => {
    const owner = await newOwner(service);
    const stranger = await newOwner(service);
    const answer = await decide(await ask(owner), { organization_id: stranger.organizationId });
    await expectRefusal(owner, answer, 'access_denied');
  });

  it('with no id in the form is access_denied', async () => {
    const owner = await newOwner(service);
    await expectRefusal(owner, await decide(await ask(owner), { organization_id: '' }), 'access_denied');
  });

  it.each(["' OR true", 'ü', '{}', '00000000000000000000000000000000'])(
    'with %j for an id is refused on a page, and the question stays open',
    async (given) => {
      const owner = await newOwner(service);
      const asked = await ask(owner);
      const answer = await expectNothingStored(service, () => decide(asked, { organization_id: given }));
      expect(answer).toMatchObject({ status: 400, location: null });
      expect(await codesOf(owner)).toEqual([]);
      expectCode(await decide(asked));
    },
  );

  it('grants only what the page showed, in another organization too', async () => {
    const owner = await newOwner(service);
    const other = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    await addTo(service, member.userId, other.organizationId, 'OWNER');
    await setActive(service, member.userId, member.memberId);
    const asked = await ask(member, { scope: 'notes:read notes:write' });
    expectCode(await decide(asked, { organization_id: other.organizationId }));
    expect(await codesOf(member)).toMatchObject([{ organizationId: other.organizationId, scopes: ['notes:read'] }]);
  });
});

describe('A person who cannot connect the client', () => {
  // Contract: organization-mcp#consent-of-a-member — A person without an organization may use another account, or the
  //   client receives access_denied
  it('belongs to no organization: may use another account, or the client gets access_denied', async () => {
    const owner = await newOwner(service);
    const asked = await ask(owner);
    await service.sql('DELETE FROM organization_members WHERE user_id = $1', [owner.userId]);
    const page = await asked.browser.get(asked.path);
    expect(page.status).toBe(200);
    expect(page.text).toContain('the account that is signed in here belongs to none');
    const answer = await asked.browser.post(asked.path, { decision: 'approve', csrf_token: csrfTokenIn(page) });
    await expectRefusal(owner, answer, 'access_denied');
  });

  it('was removed between page and answer: access_denied', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    const asked = await ask(member);
    await service.sql('DELETE FROM organization_members WHERE id = $1', [member.memberId]);
    await expectRefusal(member, await decide(asked), 'access_denied');
  });

  // Contract: organization-mcp#granted-scopes-of-an-organization — Where no scope is left, the client receives
  //   invalid_scope
  it('holds none of the scopes: invalid_scope', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    await service.sql('DELETE FROM organization_members WHERE user_id = $1 AND id <> $2', [
      member.userId,
      member.memberId,
    ]);
    const { page } = await ask(member, { scope: 'MEMBERS_INVITE' });
    expect(page.status).toBe(302);
    await expectRefusal(member, page, 'invalid_scope');
  });

  it('is told on the page while another organization can be chosen', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    const asked = await ask(member, { scope: 'MEMBERS_INVITE' });
    expect(asked.page.text).toContain('You hold none of the scopes in');
    expect(asked.page.text).not.toContain('value="approve"');
    await expectRefusal(member, await decide(asked), 'invalid_scope');
  });

  // Contract: organization-mcp#granted-scopes-of-an-organization — Where the organization demands a second factor, the
  //   session needs one
  it('is sent to authenticate where the organization takes a second factor; the request stays open', async () => {
    const owner = await newOwner(service);
    await service.sql('UPDATE organizations SET require_second_factor = true WHERE id = $1', [owner.organizationId]);
    const { page, path, browser } = await ask(owner);
    expect(page).toMatchObject({
      status: 302,
      location: `${service.config.frontendUrl}/reauthenticate?redirect=${path}&secondFactor=true`,
    });
    await expectNothingStored(service, () => browser.get(path));
    expect(await codesOf(owner)).toEqual([]);
  });

  it('may choose another organization before the second factor; a choice is kept on the way', async () => {
    const owner = await newOwner(service);
    const other = await newOwner(service);
    await addTo(service, owner.userId, other.organizationId);
    await service.sql('UPDATE organizations SET require_second_factor = true WHERE id = $1', [owner.organizationId]);
    const { page, path, browser } = await ask(owner);
    expect(organizationIn(page)).toBe(owner.organizationId);
    expect(page.text).toContain('requires a second factor');
    expect(page.text).not.toContain('value="approve"');
    const chosen = `${path}?organization_id=${owner.organizationId}`;
    expect(page.text).toContain(`<a href="${chosen}">Confirm with one</a>`);
    const returning = `redirect=${encodeURIComponent(chosen)}&secondFactor=true`;
    expect(await browser.get(chosen)).toMatchObject({
      status: 302,
      location: `${service.config.frontendUrl}/reauthenticate?${returning}`,
    });
  });
});

describe('A client whose redirect URI was taken away meanwhile', () => {
  it('gets no code', async () => {
    const owner = await newOwner(service);
    const id = await registerClient(service);
    const browser = signedIn(owner);
    const path = await beginAuthorization(browser, id, { resource: organizationUrl() });
    const page = await browser.get(path);
    await service.sql("UPDATE oauth_clients SET redirect_uris = '{http://127.0.0.1/other}' WHERE id = $1", [id]);
    const answer = await expectNothingStored(service, () => decide({ browser, path, page }));
    expect(answer).toMatchObject({ status: 410, location: null });
    expect(await codesOf(owner)).toEqual([]);
  });
});

describe('The policy of the organization', () => {
  const listed = (client: string, host: string): string =>
    `mcp_clients = 'LISTED', mcp_client_ids = '{${client}}', mcp_redirect_hosts = '{${host}}'`;

  it.each([
    ['no clients', () => `mcp_clients = 'NONE'`],
    ['other clients and hosts', () => listed('another', 'client.example')],
    ['a host with another beginning', () => listed('', 'evil.127.0.0.1')],
  ])('that lets in %s refuses at consent', async (_what, policy) => {
    const owner = await newOwner(service);
    await setPolicy(owner.organizationId, policy());
    const { page } = await ask(owner);
    await expectRefusal(owner, page, 'access_denied');
  });

  it.each([
    ['the id of the client', () => listed(clientId, '')],
    ['the host of its redirect URI', () => listed('', '127.0.0.1')],
  ])('that lists %s lets it in', async (_what, policy) => {
    const owner = await newOwner(service);
    await setPolicy(owner.organizationId, policy());
    expectCode(await decide(await ask(owner)));
  });

  it('is read again at the answer', async () => {
    const owner = await newOwner(service);
    const asked = await ask(owner);
    await setPolicy(owner.organizationId, `mcp_clients = 'NONE'`);
    await expectRefusal(owner, await decide(asked), 'access_denied');
  });

  it('is told on the page while another organization can be chosen', async () => {
    const owner = await newOwner(service);
    const other = await newOwner(service);
    await addTo(service, owner.userId, other.organizationId);
    await setPolicy(owner.organizationId, `mcp_clients = 'NONE'`);
    const asked = await ask(owner);
    expect(asked.page.text).toContain('does not let this client in');
    expect(asked.page.text).not.toContain('value="approve"');
    const page = await asked.browser.get(`${asked.path}?organization_id=${other.organizationId}`);
    expectCode(await decide({ ...asked, page }));
  });
});

describe('A request', () => {
  let browser: PageBrowser;
  beforeAll(async () => {
    browser = signedIn(await newOwner(service));
  });

  const begin = (query: Query): Promise<PageAnswer> =>
    browser.get(`/auth/mcp/authorize?${authorizationQuery(clientId, query)}`);

  // Contract: organization-mcp#resources-of-organizations — The endpoint, with or without a slash, and the exact URL of
  //   a resource decide the audience of a request
  it.each([
    ['the endpoint', () => organizationUrl(), 'mcp_organization'],
    ['the endpoint with a slash', () => `${organizationUrl()}/`, 'mcp_organization'],
    ['the endpoint twice', () => [organizationUrl(), `${organizationUrl()}/`], 'mcp_organization'],
    ['a resource of the application', () => resourceUrl, resourceUrl],
    ['Platform MCP', () => `${service.config.baseUrl}/mcp`, 'mcp'],
  ])('that names %s is for it', async (_what, resource, audience) => {
    const { location } = await begin({ resource: resource() });
    const id = location?.split('/').at(-1) ?? '';
    expect(await service.sql.value('SELECT audience FROM oauth_requests WHERE id = $1', [id])).toBe(audience);
  });

  // Contract: organization-mcp#resources-of-organizations — Any other form of a resource is invalid_target
  it.each([
    ['two servers', () => [organizationUrl(), `${service.config.baseUrl}/mcp`]],
    ['two resources', () => [resourceUrl, 'https://other.acme.example']],
    ['a path below the endpoint', () => `${organizationUrl()}/x`],
    ['the endpoint in capitals', () => `${service.config.baseUrl}/MCP/organization`],
    ['a resource with a slash more', () => `${resourceUrl}/`],
    ['the endpoint with a query', () => `${organizationUrl()}?a=b`],
  ])('that names %s is invalid_target', async (_what, resource) => {
    const { location } = await expectNothingStored(service, () => begin({ resource: resource() }));
    expect(answerIn(location)['error']).toBe('invalid_target');
  });

  it('for scopes of which the resource has none is invalid_scope', async () => {
    const foreign = await begin({ resource: resourceUrl, scope: 'MEMBERS_VIEW' });
    expect(answerIn(foreign.location)['error']).toBe('invalid_scope');
    const { location } = await begin({ resource: organizationUrl(), scope: 'users:view' });
    expect(answerIn(location)['error']).toBe('invalid_scope');
  });
});

describe('An application with as many scopes as it may have', () => {
  const names = Array.from({ length: 200 }, (_, at) => `area-${'x'.repeat(40)}:${'y'.repeat(10)}-z${at}`);
  const large = serviceFixture({}, 'none', {
    application: { scopes: Object.fromEntries(names.map((name) => [name, `Do ${name}`])) },
  });

  it('can be consented to as a whole', async () => {
    const owner = await newOwner(large);
    const browser = new PageBrowser(large);
    browser.keep({ name: 'auth_access', value: owner.tokens.accessToken, path: '/' });
    const resource = `${large.config.baseUrl}/mcp/organization`;
    const path = await beginAuthorization(browser, await registerClient(large), { resource });
    const page = await browser.get(path);
    expectCode(await decide({ browser, path, page }));
    expect(await large.sql.value('SELECT cardinality(scopes) FROM oauth_codes')).toBeGreaterThan(200);
  });
});
