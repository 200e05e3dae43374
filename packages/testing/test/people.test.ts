/** People of a world: their role, organization, product, session and mails. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../src/index.ts';
import { notes } from './support/applications.ts';
import { ask, askAsBrowser, me, meOf } from './support/graphql.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ application: notes });
});
afterAll(() => world.close());

const members = `{ members { totalCount nodes { email role } } }`;

describe('person', () => {
  it('is by default the owner of an organization of their own, with a verified address and the default product', async () => {
    const person = await world.person();
    const found = await meOf(world, person);
    expect(found.emailValidatedAt).toMatch(/^\d{4}-/);
    expect(found).toMatchObject({
      id: person.id,
      email: person.email,
      currentMembership: {
        role: 'OWNER',
        organization: { id: person.organizationId, subscription: { status: 'ACTIVE', product: 'free' } },
      },
    });
    expect(found.currentMembership.scopes).toEqual(expect.arrayContaining(['MEMBERS_INVITE', 'notes:read']));
  });

  it('has a role and a product of the application, in an organization that has another owner', async () => {
    const editor = await world.person({ role: 'EDITOR', product: 'team' });
    const { currentMembership } = await meOf(world, editor);
    expect(currentMembership).toMatchObject({
      role: 'EDITOR',
      scopes: ['notes:read', 'notes:write'],
      organization: { subscription: { product: 'team' } },
    });
    const owner = await world.person({ role: 'OWNER', organization: editor.organizationId });
    const listed = await ask(world, members, {}, { authorization: await owner.bearer() });
    expect(listed.data).toMatchObject({ members: { totalCount: 3 } });
  });

  it('joins the organization of another person by its id, as a MEMBER', async () => {
    const owner = await world.person();
    const member = await world.person({ organization: owner.organizationId });
    expect(member.organizationId).toBe(owner.organizationId);
    const { currentMembership } = await meOf(world, member);
    expect(currentMembership.role).toBe('MEMBER');
  });

  it('shares an organization with everyone who names it, also at the same moment', async () => {
    const people = await Promise.all(
      ['OWNER', 'ADMIN', 'EDITOR'].map((role) => world.person({ role, organization: 'Acme', product: 'team' })),
    );
    const [first] = people;
    expect(people.map(({ organizationId }) => organizationId)).toEqual(people.map(() => first?.organizationId));
    const found = await Promise.all(people.map((person) => meOf(world, person)));
    expect(found.map(({ currentMembership: { role, organization } }) => [role, organization.name])).toEqual([
      ['OWNER', 'Acme'],
      ['ADMIN', 'Acme'],
      ['EDITOR', 'Acme'],
    ]);
  });

  it('has the address and name that a test gives', async () => {
    const person = await world.person({ email: 'Robin@Example.com', name: 'Robin' });
    expect(person.email).toBe('robin@example.com');
    const { currentMembership } = await meOf(world, person);
    expect(currentMembership.organization.name).toBe("Robin's organization");
  });

  it.each([
    ['an unknown role', { role: 'EDITR' }, 'The application has no role EDITR; it has OWNER, ADMIN, MEMBER, EDITOR.'],
    ['an unknown product', { product: 'gold' }, 'The application has no product gold; it has free, team.'],
    [
      'an unknown organization',
      { organization: '0199d7a0-0000-7000-8000-000000000000' },
      'There is no organization 0199d7a0-0000-7000-8000-000000000000.',
    ],
  ])('is refused with %s, and nothing is created', async (what, wish, message) => {
    const email = `${what.replaceAll(' ', '-')}@example.com`;
    await expect(world.person({ email, ...wish })).rejects.toThrow(message);
    expect(await world.person({ email })).toMatchObject({ email });
  });

  it('is refused an address that is none', async () => {
    await expect(world.person({ email: 'no-address' })).rejects.toThrow('This is not an e-mail address.');
  });

  it('is refused an address that has an account', async () => {
    const { email } = await world.person();
    await expect(world.person({ email })).rejects.toThrow(`The address ${email} has an account already.`);
  });

  it('is refused where the product has no seat left, and the organization stays as it is', async () => {
    const owner = await world.person();
    const { organizationId: organization } = owner;
    await world.person({ organization });
    await world.person({ organization });
    await expect(world.person({ organization })).rejects.toThrow("All 3 seats of the organization's plan are taken.");
    const listed = await ask(world, members, {}, { authorization: await owner.bearer() });
    expect(listed.data).toMatchObject({ members: { totalCount: 3 } });
  });
});

const invite = `mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { id } }`;
const signOut = 'mutation { signOut { success } }';
const signIn = `mutation ($input: SignInWithPasswordInput!) { signInWithPassword(input: $input) { user { id } } }`;
const signUp = `mutation ($input: SignUpWithPasswordInput!) { signUpWithPassword(input: $input) { success } }`;

describe('the session of a person', () => {
  it('is sent by cookies or as a Bearer token, and is one session', async () => {
    const person = await world.person();
    const cookie = await person.cookies();
    expect(await askAsBrowser(world, cookie, signOut)).toMatchObject({ code: null });
    expect(await ask(world, me, {}, { authorization: await person.bearer() })).toMatchObject({
      code: 'UNAUTHENTICATED',
    });
  });

  it('is held as by the portal: a change by cookie from another origin is refused', async () => {
    const person = await world.person();
    const headers = { cookie: await person.cookies(), origin: 'https://elsewhere.example' };
    expect(await ask(world, signOut, {}, headers)).toMatchObject({ code: 'ORIGIN_REFUSED' });
    expect(await meOf(world, person)).toMatchObject({ id: person.id });
  });

  it('ends with signOut, and another one begins with signIn', async () => {
    const person = await world.person();
    const [bearer, cookie] = [await person.bearer(), await person.cookies()];
    await person.signOut();
    await person.signOut();
    expect(await person.bearer()).toBe(bearer);
    expect(await ask(world, me, {}, { authorization: bearer })).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await askAsBrowser(world, cookie, me)).toMatchObject({ code: 'UNAUTHENTICATED' });
    await person.signIn();
    expect(await meOf(world, person)).toMatchObject({ id: person.id });
    expect(await person.bearer()).not.toBe(bearer);
    expect(await ask(world, me, {}, { authorization: bearer })).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('can be begun with the password, as by the sign-in page', async () => {
    const { id, email, password } = await world.person();
    const answer = await ask(world, signIn, { input: { email, password } });
    expect(answer.data).toEqual({ signInWithPassword: { user: { id } } });
    expect(await ask(world, signIn, { input: { email, password: `${password}x` } })).toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
  });
});

describe('mails', () => {
  it('are listed newest first, all or those to one address', async () => {
    const owner = await world.person({ name: 'Ada' });
    expect(await world.mails(owner.email)).toEqual([]);
    const before = await world.mails();
    const authorization = await owner.bearer();
    for (const email of ['first@example.com', 'second@example.com']) {
      const invited = await ask(world, invite, { input: { email, role: 'EDITOR' } }, { authorization });
      expect(invited.code).toBeNull();
    }
    const mails = await world.mails();
    expect(mails.slice(0, 2).map(({ to }) => to)).toEqual(['second@example.com', 'first@example.com']);
    expect(mails.slice(2)).toEqual(before);
    const [mail, ...others] = await world.mails('First@example.com');
    expect(others).toEqual([]);
    expect(mail?.subject).toContain("Ada's organization");
    expect(mail?.text).toContain(`${world.frontendUrl}/invitation/`);
    expect(mail?.html).toContain('<html');
    expect(mail?.links.map((link) => link.slice(0, link.lastIndexOf('/')))).toEqual([
      `${world.frontendUrl}/invitation`,
    ]);
  });

  it('have the link by which a sign-up is verified', async () => {
    const input = { email: 'new@example.com', name: 'New', password: 'Correct.horse7' };
    expect(await ask(world, signUp, { input })).toMatchObject({ code: null });
    const [mail] = await world.mails(input.email);
    const [, token] = /\/verify\/([0-9a-f]{64})/.exec(mail?.links[0] ?? '') ?? [];
    const verified = await ask(world, 'mutation ($token: String!) { validateEmail(token: $token) { status } }', {
      token,
    });
    expect(verified.code).toBeNull();
    const { email, password } = input;
    expect(await ask(world, signIn, { input: { email, password } })).toMatchObject({ code: null });
  });
});

describe('subscribe', () => {
  it('changes the scopes of an organization with the next request', async () => {
    const editor = await world.person({ role: 'EDITOR' });
    const other = await world.person({ role: 'EDITOR' });
    const scopesOf = async (person: typeof editor) => (await meOf(world, person)).currentMembership.scopes;
    expect(await scopesOf(editor)).toEqual(['notes:read']);
    await world.subscribe('team', editor.organizationId);
    expect(await scopesOf(editor)).toEqual(['notes:read', 'notes:write']);
    expect(await scopesOf(other)).toEqual(['notes:read']);
    await world.subscribe('team');
    expect(await scopesOf(other)).toEqual(['notes:read', 'notes:write']);
    await world.subscribe('free', editor.organizationId);
    expect(await scopesOf(editor)).toEqual(['notes:read']);
  });

  it('is refused an unknown product or organization, and changes nothing', async () => {
    const person = await world.person({ product: 'team' });
    await expect(world.subscribe('gold')).rejects.toThrow('The application has no product gold; it has free, team.');
    await expect(world.subscribe('free', 'acme')).rejects.toThrow('There is no organization acme.');
    await expect(world.subscribe('free', person.id)).rejects.toThrow(`There is no organization ${person.id}.`);
    const { currentMembership } = await meOf(world, person);
    expect(currentMembership.organization.subscription).toEqual({ status: 'ACTIVE', product: 'team' });
  });
});
