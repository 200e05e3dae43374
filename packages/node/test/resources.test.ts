/** `introspect` and `protectMcp`, and the examples of the README, over a real service. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createIdentity, isRefusal } from '@gatehouse/node';
import { describe, expect, it } from 'vitest';
import { newMember, newOwner, type Tenant } from '../../../server/test/support/actors/tenants.ts';
import { fixture } from '../../../server/test/support/fixture.ts';
import { serviceFixture } from '../../../server/test/support/gatehouse/gatehouse.ts';
import { freePort, listen } from '../../../server/test/support/servers/listen.ts';
import { notesOnExpress } from '../examples/express.ts';
import { noteReader } from '../examples/fetch.ts';
import { notesOverMcp } from '../examples/mcp-server.ts';
import { application, appOrigin, portalOrigin, resourceSecret, resourceUrl } from './application.ts';
import { tokenForResource } from './resource-token.ts';

const settings = { FRONTEND_URL: portalOrigin, RESOURCE_SECRET_NOTES: resourceSecret };
const service = serviceFixture(settings, 'none', { application });
const owner = fixture(() => newOwner(service));
const resource = { name: 'notes', secret: resourceSecret };
const identity = fixture(() =>
  createIdentity({ baseUrl: service.url, frontends: [portalOrigin, appOrigin], resource }),
);

const forResource = (person: Tenant, scopes: string): Promise<string> => tokenForResource(service, person, scopes);

describe('introspect', () => {
  it('answers one token, and a list in order', async () => {
    const token = await forResource(await newOwner(service), 'notes:read');
    const active = { active: true, scope: 'notes:read', aud: resourceUrl };
    expect(await identity.introspect(token)).toMatchObject(active);
    expect(await identity.introspect('x')).toEqual({ active: false });
    expect(await identity.introspect(['x', token])).toMatchObject([{ active: false }, active]);
  });

  it('does not say inactive where nothing is known', async () => {
    const nowhere = createIdentity({ baseUrl: `http://127.0.0.1:${await freePort()}`, resource });
    await expect(nowhere.introspect('x')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const wrong = createIdentity({ baseUrl: service.url, resource: { ...resource, secret: 'x' } });
    await expect(wrong.introspect('x')).rejects.toThrow('does not accept the name or the secret of the resource notes');
    await expect(wrong.introspect('x')).rejects.not.toSatisfy(isRefusal);
    await expect(createIdentity({ baseUrl: service.url }).introspect('x')).rejects.toThrow('option resource');
    await expect(identity.introspect(Array(101).fill('x'))).rejects.toThrow(TypeError);
  });
});

describe('protectMcp', () => {
  const protection = fixture(() =>
    identity.protectMcp({ resource: resourceUrl, scopes: ['notes:read', 'notes:write'] }),
  );
  const metadataUrl = 'https://notes.acme.example/.well-known/oauth-protected-resource/mcp';
  const withToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

  it('has the metadata of the resource at its well-known path', () => {
    expect(protection.metadataPath).toBe(new URL(metadataUrl).pathname);
    expect(protection.metadata).toEqual({
      resource: resourceUrl,
      authorization_servers: [service.url],
      scopes_supported: ['notes:read', 'notes:write'],
      bearer_methods_supported: ['header'],
    });
    const atRoot = identity.protectMcp({ resource: 'https://notes.acme.example/', scopes: [] });
    expect(atRoot.metadataPath).toBe('/.well-known/oauth-protected-resource');
  });

  it('gives access in the form of the MCP SDK', async () => {
    const person = await newOwner(service);
    const token = await forResource(person, 'notes:read');
    const access = await protection.authenticate(withToken(token));
    const { userId: sub, organizationId: organization_id } = person;
    const introspection: unknown = expect.objectContaining({ sub, organization_id, role: 'OWNER' });
    const someNumber: unknown = expect.any(Number);
    expect(access.clientId).not.toBe('');
    expect(access).toEqual({
      token,
      clientId: access.extra.introspection.client_id,
      scopes: ['notes:read'],
      expiresAt: someNumber,
      resource: new URL(resourceUrl),
      extra: { introspection },
    });
  });

  it('challenges a request without an active token', async () => {
    const hint = `scope="notes:read notes:write", resource_metadata="${metadataUrl}"`;
    await expect(protection.authenticate({ headers: {} })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      status: 401,
      headers: { 'www-authenticate': `Bearer ${hint}` },
    });
    await expect(protection.authenticate(withToken(owner.tokens.accessToken))).rejects.toMatchObject({
      status: 401,
      headers: { 'www-authenticate': `Bearer error="invalid_token", ${hint}` },
    });
    const elsewhere = identity.protectMcp({ resource: 'https://elsewhere.acme.example/', scopes: [] });
    const token = await forResource(await newOwner(service), 'notes:read');
    await expect(elsewhere.authenticate(withToken(token))).rejects.toMatchObject({ status: 401 });
  });

  it('asks for more scopes with 403 and those that are granted', async () => {
    const access = await protection.authenticate(withToken(await forResource(await newOwner(service), 'notes:read')));
    protection.requireScopes(access, 'notes:read');
    expect(() => protection.requireScopes(access, 'notes:write')).toThrow(
      expect.objectContaining({
        status: 403,
        details: { missingScopes: ['notes:write'] },
        headers: {
          'www-authenticate': `Bearer error="insufficient_scope", scope="notes:read notes:write", resource_metadata="${metadataUrl}"`,
        },
      }),
    );
  });

  it('names no scopes in a challenge that proxies would not let through', async () => {
    const many = Array.from({ length: 200 }, (_, index) => `notes:${'x'.repeat(20)}:${index}`);
    const wide = identity.protectMcp({ resource: resourceUrl, scopes: many });
    const short = { 'www-authenticate': `Bearer resource_metadata="${metadataUrl}"` };
    await expect(wide.authenticate({ headers: {} })).rejects.toMatchObject({ status: 401, headers: short });
    expect(() => wide.requireScopes({ scopes: many }, 'notes:write')).toThrow(
      expect.objectContaining({
        status: 403,
        details: { missingScopes: ['notes:write'] },
        headers: { 'www-authenticate': `Bearer error="insufficient_scope", resource_metadata="${metadataUrl}"` },
      }),
    );
  });
});

describe('The README', () => {
  const textAt = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

  it.each(['express', 'fetch', 'mcp-server'])('has the example %s, which runs here', (name) => {
    expect(textAt('README.md')).toContain(`\`\`\`ts\n${textAt(`examples/${name}.ts`)}\`\`\``);
  });

  it('serves notes on Express', async () => {
    const member = await newMember(service, owner.organizationId, 'MEMBER');
    const { url, close } = await listen(createServer(notesOnExpress(identity)));
    const ask = (method: string, token: string | null, headers: Record<string, string> = {}) =>
      fetch(`${url}/notes`, {
        method,
        redirect: 'manual',
        headers: { ...headers, ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
        body: method === 'POST' ? 'Hello' : null,
      });
    const text = { 'content-type': 'text/plain' };
    expect((await ask('POST', member.tokens.accessToken, text)).status).toBe(403);
    expect((await ask('POST', owner.tokens.accessToken, text)).status).toBe(201);
    expect(await (await ask('GET', member.tokens.accessToken)).json()).toEqual(['Hello']);
    const refused = await ask('GET', null);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    const sent = await ask('GET', null, { accept: 'text/html' });
    expect([sent.status, sent.headers.get('location')]).toEqual([302, `${portalOrigin}/signin`]);
    await close();
  });

  it('answers a request of the Fetch API', async () => {
    const read = noteReader(identity);
    const headers = { authorization: `Bearer ${owner.tokens.accessToken}` };
    expect(await (await read(new Request(appOrigin, { headers }))).json()).toEqual({
      reader: { kind: 'PERSON', id: owner.userId, name: 'Test Person', email: owner.email },
    });
    expect((await read(new Request(appOrigin))).status).toBe(401);
  });

  it('protects an MCP server', async () => {
    const listener = notesOverMcp(identity, resourceUrl, async ({ auth }, response) => {
      response.end(auth?.scopes.join(' '));
    });
    const { url, close } = await listen(createServer(listener));
    const metadata = await fetch(`${url}/.well-known/oauth-protected-resource/mcp`);
    expect(await metadata.json()).toMatchObject({ resource: resourceUrl });
    const refused = await fetch(`${url}/mcp`);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('resource_metadata='),
    ]);
    const token = await forResource(await newOwner(service), 'notes:read');
    const served = await fetch(`${url}/mcp`, { headers: { authorization: `Bearer ${token}` } });
    expect(await served.text()).toBe('notes:read');
    await close();
  });
});
