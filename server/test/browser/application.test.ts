/** The portal of an application that an adopter defined: its name and colours, its roles, its products and seats. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { addMember, type Invited, inviteByMail } from '../support/actors/invitations.ts';
import { createSuperAdminAccount } from '../support/actors/super-admins.ts';
import { getTenant } from '../support/actors/tenants.ts';
import { findings, overflowAt360 } from '../support/browser/accessibility.ts';
import {
  button,
  field,
  fillSignIn,
  heading,
  isSignInPage,
  openStage,
  type Stage,
  signInPerson,
} from '../support/browser/browser.ts';
import { chromiumPath } from '../support/browser/chromium.ts';
import { authorizationQuery, registerClient } from '../support/clients/authorization.ts';
import { goodPassword, newAddress, register, signIn, type Tokens } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { testLogo } from '../support/gatehouse/gatehouse.ts';

const name = 'Acme Notes for Distributed Research and Writing Teams';

const application = {
  name,
  scopes: { 'notes:read': 'Read notes', 'notes:write': 'Write and delete notes' },
  roles: {
    ADMIN: { scopes: ['notes:read', 'notes:write'] },
    MEMBER: { scopes: ['notes:read'] },
    EDITOR: { title: 'Editor', scopes: ['MEMBERS_VIEW', 'notes:read', 'notes:write'] },
    RECRUITER: { title: 'Recruiter', scopes: ['MEMBERS_VIEW', 'MEMBERS_INVITE', 'notes:read'] },
  },
  products: {
    starter: { title: 'For beginners', scopes: ['notes:read'], members: 3 },
    team: { title: 'For teams', scopes: '*' as const },
  },
  brand: {
    color: '#5b2ee5',
    support: 'mailto:help@acme.example',
    terms: 'https://acme.example/terms',
    privacy: 'https://acme.example/privacy',
  },
};

const environment = { DEFAULT_PRODUCT: 'starter' };

/** The background of a button, as the browser computes it. */
const colorOf = (page: Page, label: string): Promise<string> =>
  button(page, label).evaluate((element) => getComputedStyle(element).backgroundColor);

interface Owner {
  readonly email: string;
  readonly tokens: Tokens;
}

const newOwner = async ({ service }: Stage): Promise<Owner> => {
  const email = await register(service);
  return { email, tokens: await signIn(service, email) };
};

const openInviteForm = async (page: Page): Promise<void> => {
  await page.goto('/members');
  await button(page, 'Invite a member').click();
  await field(page, 'E-mail address').waitFor();
};

const roleNames = (page: Page): Promise<string[]> =>
  page.getByRole('group', { name: 'Role' }).locator('label span span:first-child').allTextContents();

describe.skipIf(chromiumPath === null)('The portal of an application', () => {
  const stage = fixture(() => openStage({ application, environment }));

  // Contract: portal#look-of-the-application — The application's name and links, before any query
  it('has its name in title, header and first picture, and its links below', async () => {
    const visitor = await stage.newVisitor();
    const html = await (await visitor.context.request.get('/signin')).text();
    expect(html).toContain(`aria-label="${name}"`);
    expect(html).toContain(`<noscript>${name} needs JavaScript`);
    expect(html).not.toContain('Gatehouse');
    await visitor.page.goto('/signin');
    await isSignInPage(visitor.page);
    await expect.poll(() => visitor.page.title()).toBe(`Sign in · ${name}`);
    await visitor.page.getByRole('link', { name, exact: true }).waitFor();
    const links = visitor.page.getByRole('contentinfo').getByRole('link');
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
      'mailto:help@acme.example',
      'https://acme.example/terms',
      'https://acme.example/privacy',
    ]);
    expect(await findings(visitor.page)).toEqual([]);
    expect(await overflowAt360(visitor.page)).toBe(0);
  });

  // Contract: portal#look-of-the-application — The application's colour, light and dark
  it('has its colour on the primary button in the light scheme, and a readable form of it in the dark one', async () => {
    const { page } = await stage.newVisitor({ colorScheme: 'light' });
    await page.goto('/signin');
    await isSignInPage(page);
    expect(await colorOf(page, 'Sign in')).toBe('rgb(91, 46, 229)');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => colorOf(page, 'Sign in')).toBe('rgb(150, 121, 238)');
  });

  it('is named on the consent page, in its colour', async () => {
    const email = await createSuperAdminAccount(stage.service);
    const clientId = await registerClient(stage.service, 'Test Client', ['http://127.0.0.1/callback']);
    const { page } = await stage.newVisitor({ colorScheme: 'light' });
    const query = authorizationQuery(clientId, { redirect_uri: 'http://127.0.0.1:9/callback', state: 'any' });
    await page.goto(`/auth/mcp/authorize?${query}`);
    await fillSignIn(page, email);
    await heading(page, 'Allow Test Client to act for you?').waitFor();
    await page.getByRole('banner').getByText(name).waitFor();
    await expect.poll(() => page.title()).toBe(`Allow access? · ${name}`);
    expect(await colorOf(page, 'Allow')).toBe('rgb(91, 46, 229)');
    expect(await findings(page)).toEqual([]);
  });

  // Contract: portal#look-of-the-application — Defined roles are offered by the rule of "Who may give", and shown by
  //   their titles
  it('offers its roles in the invitation form, and shows the title on the page of the invitation', async () => {
    const owner = await newOwner(stage);
    const { page } = await signInPerson(stage, owner.email);
    const guest = newAddress();
    await openInviteForm(page);
    expect(await roleNames(page)).toEqual(['Member', 'Editor', 'Recruiter', 'Administrator', 'Owner']);
    const editor = page.getByRole('radio', { name: /^Editor/ });
    await page.getByText('See who belongs to the organization · Read notes · Write and delete notes').waitFor();
    await editor.check();
    await field(page, 'E-mail address').fill(guest);
    expect(await findings(page)).toEqual([]);
    await button(page, 'Send invitation').click();
    await page.getByText('The invitation is on its way').waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: guest })
      .getByRole('button', { name: /Editor/ })
      .waitFor();

    const { page: other } = await stage.newVisitor();
    await other.goto('/dev/mailbox');
    await other.getByRole('article').filter({ hasText: guest }).getByRole('link', { name: '/invitation/' }).click();
    await other.getByText('You are invited to join with the role Editor.').waitFor();
    expect(await findings(other)).toEqual([]);
    await field(other, 'Name').fill('Test Person');
    await field(other, 'Password').fill(goodPassword);
    await button(other, 'Create account and join').click();
    await heading(other, 'Hello, Test Person').waitFor();
    await other.getByRole('definition').filter({ hasText: 'Editor' }).waitFor();
  });

  it('offers a member only the roles whose scopes they hold', async () => {
    const owner = await newOwner(stage);
    const recruiter = await addMember(stage.service, owner.tokens, 'RECRUITER');
    const { page } = await signInPerson(stage, recruiter.email, {
      at: { path: '/', title: 'Hello, Invited Person' },
    });
    await openInviteForm(page);
    expect(await roleNames(page)).toEqual(['Member', 'Recruiter']);
    const own = page.getByRole('row').filter({ hasText: recruiter.email });
    await own.getByText('Recruiter').waitFor();
    const ofOwner = page.getByRole('row').filter({ hasText: owner.email });
    await ofOwner.getByText('Owner').waitFor();
    expect(await ofOwner.getByRole('button').count()).toBe(0);
  });

  // Contract: portal#plan-and-checkout — Titles, seats and defined scopes of products
  it('shows titles and seats of its products, and its scopes in words', async () => {
    const { email } = await newOwner(stage);
    const { page } = await signInPerson(stage, email);
    await page.goto('/plan');
    const current = page.getByRole('region', { name: 'Current plan' });
    await current.getByText('For beginners').waitFor();
    await current.getByText('3 members').waitFor();
    const products = page.getByRole('region', { name: 'What each plan includes' });
    expect(await products.getByText('Write and delete notes').count()).toBe(1);
    expect(await products.getByText('Read notes').count()).toBe(2);
    await products.getByText('For teams').waitFor();
    const write = page.getByRole('region', { name: 'What you may do' }).getByRole('listitem');
    await write.filter({ hasText: 'Write and delete notes' }).getByText('The plan does not include it.').waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await overflowAt360(page)).toBe(0);
  });
});

describe.skipIf(chromiumPath === null)('The last seat', () => {
  const stage = fixture(() => openStage({ application, environment }));
  let owner: Owner;
  let guest: string;
  let offered: Invited;

  /** Of three seats, the owner and an open invitation take one each; the third is a recruiter's. */
  beforeAll(async () => {
    owner = await newOwner(stage);
    guest = await register(stage.service);
    offered = await inviteByMail(stage.service, owner.tokens, guest);
  });

  const membersOf = async (email: string): Promise<number | undefined> =>
    stage.service.sql.value<number>('SELECT count(*)::integer FROM organization_members WHERE organization_id = $1', [
      (await getTenant(stage.service, email)).organizationId,
    ]);

  // Contract: portal#plan-and-checkout — SEATS_EXHAUSTED says who can make room
  it('refuses an invitation after it, and says what an owner and what another member can do', async () => {
    const recruiter = await addMember(stage.service, owner.tokens, 'RECRUITER');
    const before = await membersOf(owner.email);
    const { page } = await signInPerson(stage, owner.email);
    await openInviteForm(page);
    await field(page, 'E-mail address').fill(newAddress());
    await button(page, 'Send invitation').click();
    const refusal = page.getByRole('alert');
    await refusal.getByText('No seat is free').waitFor();
    expect(await refusal.getByText('Reference').count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    await refusal.getByRole('link', { name: 'See the plan' }).click();
    await heading(page, 'Plan').waitFor();

    const { page: other } = await signInPerson(stage, recruiter.email, {
      at: { path: '/', title: 'Hello, Invited Person' },
    });
    await openInviteForm(other);
    await field(other, 'E-mail address').fill(newAddress());
    await button(other, 'Send invitation').click();
    await other
      .getByRole('alert')
      .getByText(/^Ask an owner of .* for a larger plan\.$/)
      .waitFor();
    expect(await membersOf(owner.email)).toBe(before);
  });

  it('keeps an invitation open that cannot be accepted, and says so', async () => {
    const { organizationId } = await getTenant(stage.service, owner.email);
    await stage.service.sql("UPDATE subscriptions SET product = 'team' WHERE organization_id = $1", [organizationId]);
    await addMember(stage.service, owner.tokens);
    await addMember(stage.service, owner.tokens);
    await stage.service.sql("UPDATE subscriptions SET product = 'starter' WHERE organization_id = $1", [
      organizationId,
    ]);
    const { page } = await signInPerson(stage, guest);
    await page.goto(`/invitation/${offered.token}`);
    await button(page, 'Accept the invitation').click();
    const refusal = page.getByRole('alert');
    await refusal.getByText('No seat is free').waitFor();
    await refusal.getByText('The invitation stays open', { exact: false }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(
      await stage.service.sql.value('SELECT joined_at FROM organization_members WHERE id = $1', [offered.memberId]),
    ).toBeNull();
  });
});

describe.skipIf(chromiumPath === null)('A logo, with the portal at an origin of its own', () => {
  const stage = fixture(() =>
    openStage({ portal: 'two origins', application: { name, brand: { logo: './logo.svg', color: '#5b2ee5' } } }),
  );

  // Contract: portal#look-of-the-application — The logo is an image named after the application; the policy allows it
  //   at the service's origin
  it('is shown as an image whose text is the name, and the colour applies', async () => {
    const { page } = await stage.newVisitor({ colorScheme: 'light' });
    await page.goto('/signin');
    await isSignInPage(page);
    const logo = page.getByRole('img', { name, exact: true });
    expect(await logo.getAttribute('src')).toBe(`${stage.service.url}/brand/logo-${testLogo.fingerprint}`);
    await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    expect(await colorOf(page, 'Sign in')).toBe('rgb(91, 46, 229)');
    expect(await findings(page)).toEqual([]);
    expect(await overflowAt360(page)).toBe(0);
  });
});
