/** What people and clients see of the application over HTTP and in mails: its name, colour, logo and support link. */
import { describe, expect, it } from 'vitest';
import { invite } from '../support/actors/invitations.ts';
import { newOwner } from '../support/actors/tenants.ts';
import { newAddress } from '../support/clients/clients.ts';
import { askLikeFetch } from '../support/clients/plain-http.ts';
import { serviceFixture, testLogo } from '../support/gatehouse/gatehouse.ts';

const name = 'Acme <Notes> & Co';
const shownName = 'Acme &lt;Notes&gt; &amp; Co';
const service = serviceFixture({}, 'none', {
  application: {
    name,
    roles: { ADMIN: { title: 'Editor-in-chief', scopes: [] } },
    brand: { color: '#5b2ee5', logo: './logo.svg', support: 'mailto:help@acme.example' },
  },
});
const plain = serviceFixture();

const unknownClient = '/auth/mcp/authorize?client_id=none';
const get = (path: string, { url } = service) => askLikeFetch(`${url}${path}`);

describe('A mail', () => {
  // Contract: application#brand-of-an-application — name, brand.color and brand.support in mails
  it('names the application, has its colours, and ends with the way to support', async () => {
    const owner = await newOwner(service);
    const email = newAddress();
    expect((await invite(service, owner.tokens, email)).code).toBeNull();
    const [mail] = await service.mailsTo(email);
    expect(mail?.html).toContain(`color:#5b2ee5">${shownName}</p>`);
    expect(mail?.html).toMatch(/Support: <a class="link" dir="ltr" href="mailto:help@acme\.example"/);
    expect(mail?.html).not.toMatch(/Gatehouse|#0f6b58|#5fcaaa/);
    expect(mail?.text).toMatch(/\n\nSupport:\nhelp@acme\.example$/);
  });

  // Contract: application#replaced-texts — A mail names a role by the application's title of it
  it.each([
    ['ADMIN', 'with the role “Editor-in-chief”.'],
    ['MEMBER', 'as a member.'],
  ] as const)('names the role %s by its title where the application gives it one: %s', async (role, words) => {
    const owner = await newOwner(service);
    const email = newAddress();
    expect((await invite(service, owner.tokens, email, role)).code).toBeNull();
    const [mail] = await service.mailsTo(email);
    expect(mail?.text).toContain(words);
    expect(mail?.text).not.toContain('administrator');
  });

  it('is the same as before without a definition', async () => {
    const owner = await newOwner(plain);
    const email = newAddress();
    expect((await invite(plain, owner.tokens, email)).code).toBeNull();
    const [mail] = await plain.mailsTo(email);
    expect(mail?.html).toContain('color:#0f6b58">Gatehouse</p>');
    expect(`${mail?.html} ${mail?.text}`).not.toContain('Support');
  });
});

describe('A page of the authorization server', () => {
  // Contract: application#brand-of-an-application — name, brand.logo and brand.color on pages that the server renders
  it('names the application, shows its logo, and loads its colours and nothing else', async () => {
    const page = await get(unknownClient);
    const html = await page.text();
    expect(html).toContain(`· ${shownName}</title>`);
    expect(html).toContain(`<img src="${service.url}/brand/logo-${testLogo.fingerprint}" alt="${shownName}">`);
    expect(html).not.toContain('Gatehouse');
    const [, theme = ''] = /<link rel="stylesheet" href="([^"]*\/brand\/[^"]*)">/.exec(html) ?? [];
    expect(page.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'self' ${theme}; img-src data: ${service.url}/brand/logo-${testLogo.fingerprint}; base-uri 'none'; frame-ancestors 'none'`,
    );
    const stylesheet = await askLikeFetch(theme);
    expect([stylesheet.status, stylesheet.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    expect(stylesheet.headers.get('cache-control')).toContain('immutable');
    expect(await stylesheet.text()).toContain('--accent:#5b2ee5;');
  });

  it('has the name and mark of the service without a definition', async () => {
    const html = await (await get(unknownClient, plain)).text();
    expect(html).toContain('· Gatehouse</title>');
    expect(html).toContain('<span>Gatehouse</span>');
    expect(html).not.toContain('/brand/');
  });
});

describe('The files of the brand', () => {
  it('are the logo and the stylesheet, each at its own path only', async () => {
    const logo = await get(`/brand/logo-${testLogo.fingerprint}`);
    expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(logo.headers.get('content-security-policy')).toContain('sandbox');
    expect((await get('/brand/theme-0000000000000000.css')).status).toBe(404);
    expect((await get('/brand/logo-0000')).status).toBe(404);
    expect((await get(`/brand/logo-${testLogo.fingerprint}`, plain)).status).toBe(404);
  });
});

describe('Platform MCP', () => {
  // Contract: application#brand-of-an-application — The resource's name for people contains the application's
  it('has the name of the application in its metadata', async () => {
    const metadata = await (await get('/.well-known/oauth-protected-resource')).text();
    expect(JSON.parse(metadata)).toMatchObject({ resource_name: `${name} Platform MCP` });
  });
});
