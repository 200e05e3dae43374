/** Time that passes in a world: what expires, what is free again, and what stays as it is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../src/index.ts';
import { notes } from './support/applications.ts';
import { ask, askAsBrowser, cookiesOf, me, meOf } from './support/graphql.ts';

const databases = [
  ['the embedded database', undefined],
  ...(process.env['TEST_DATABASE_URL'] === undefined
    ? []
    : [['PostgreSQL', process.env['TEST_DATABASE_URL']] as const]),
] as const;

const minute = 60;
const day = 24 * 60 * minute;
const refresh = 'mutation { refreshAccessToken { accessTokenExpiresAt } }';
const signIn = `mutation ($input: SignInWithPasswordInput!) { signInWithPassword(input: $input) { user { id } } }`;
const invite = `mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { id } }`;
const invitation = `query ($token: String!) { invitation(token: $token) { status expiresAt } }`;
const resend = `mutation ($email: String!) { resendVerification(email: $email) { success } }`;
const signUp = `mutation ($input: SignUpWithPasswordInput!) { signUpWithPassword(input: $input) { success } }`;

const activeSessions = '{ activeSessions(first: 100) { nodes { userEmail lastSeenAt } } }';

interface Session {
  readonly userEmail: string;
  readonly lastSeenAt: string | null;
}

const superAdmin = { SUPER_ADMIN_EMAIL: 'admin@example.com', SUPER_ADMIN_PASSWORD: 'Correct.horse7' };

describe.each(databases)('clock.advance on %s', (_name, databaseUrl) => {
  let world: World;
  beforeAll(async () => {
    const database = databaseUrl === undefined ? {} : { databaseUrl };
    world = await createWorld({ application: notes, environment: superAdmin, ...database });
  });
  afterAll(() => world.close());

  it('lets an access token expire after its 15 minutes, and the refresh token renews it', async () => {
    const person = await world.person();
    const cookie = await person.cookies();
    await world.clock.advance(13 * minute);
    expect(await askAsBrowser(world, cookie, me)).toMatchObject({ code: null });
    await world.clock.advance(2 * minute);
    expect(await askAsBrowser(world, cookie, me)).toMatchObject({ code: 'ACCESS_EXPIRED' });
    expect(await ask(world, me, {}, { authorization: await person.bearer() })).toMatchObject({
      code: 'ACCESS_EXPIRED',
    });

    const renewed = await askAsBrowser(world, cookie, refresh);
    expect(renewed.code).toBeNull();
    expect(await askAsBrowser(world, cookiesOf(renewed), me)).toMatchObject({ code: null });
  });

  it('lets a rotated refresh token count as stolen after ten seconds', async () => {
    const person = await world.person();
    const cookie = await person.cookies();
    // At once: ten seconds may pass between two requests on a busy machine.
    const both = await Promise.all([askAsBrowser(world, cookie, refresh), askAsBrowser(world, cookie, refresh)]);
    const [renewed, superseded] = both[0].code === null ? both : [both[1], both[0]];
    expect([renewed, superseded]).toMatchObject([{ code: null }, { code: 'REFRESH_SUPERSEDED' }]);
    expect(await askAsBrowser(world, cookiesOf(renewed), me)).toMatchObject({ code: null });
    await world.clock.advance(11);
    expect(await askAsBrowser(world, cookie, refresh)).toMatchObject({ code: 'REFRESH_REFUSED' });
    expect(await askAsBrowser(world, cookiesOf(renewed), me)).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('lets a refresh token expire after 30 days, and the person can sign in again', async () => {
    const person = await world.person();
    const cookie = await person.cookies();
    await world.clock.advance(30 * day);
    expect(await askAsBrowser(world, cookie, refresh)).toMatchObject({ code: 'REFRESH_REFUSED' });
    await person.signIn();
    expect(await meOf(world, person)).toMatchObject({ id: person.id });
  });

  it('lets an invitation expire after 7 days', async () => {
    const owner = await world.person();
    const input = { email: 'invited@example.com', role: 'MEMBER' };
    expect(await ask(world, invite, { input }, { authorization: await owner.bearer() })).toMatchObject({ code: null });
    const [mail] = await world.mails(input.email);
    const token = mail?.links[0]?.split('/').at(-1);
    const statusNow = async () => (await ask(world, invitation, { token })).data;
    await world.clock.advance(7 * day - 2 * minute);
    expect(await statusNow()).toMatchObject({ invitation: { status: 'OPEN' } });
    await world.clock.advance(2 * minute);
    expect(await statusNow()).toMatchObject({ invitation: { status: 'EXPIRED' } });
  });

  it('frees a rate limit that was used up', async () => {
    const { email, password } = await world.person();
    const attempt = (typed: string) => ask(world, signIn, { input: { email, password: typed } });
    for (let failures = 0; failures < 10; failures += 1) {
      expect(await attempt('Wrong.horse7')).toMatchObject({ code: 'INVALID_CREDENTIALS' });
    }
    expect(await attempt(password)).toMatchObject({ code: 'RATE_LIMITED' });
    await world.clock.advance(3 * minute);
    expect(await attempt(password)).toMatchObject({ code: null });
  });

  it('ends the pause between two verification mails', async () => {
    const email = 'waiting@example.com';
    const input = { email, name: 'Waiting', password: 'Correct.horse7' };
    expect(await ask(world, signUp, { input })).toMatchObject({ code: null });
    await ask(world, resend, { email });
    expect(await world.mails(email)).toHaveLength(1);
    await world.clock.advance(60 * minute);
    await ask(world, resend, { email });
    expect(await world.mails(email)).toHaveLength(2);
  });

  it('moves back instants that are answered, also those of people whom the process has cached', async () => {
    const person = await world.person();
    const before = await meOf(world, person);
    await world.clock.advance(10 * minute);
    const after = await meOf(world, person);
    const moved = Date.parse(before.emailValidatedAt) - Date.parse(after.emailValidatedAt);
    expect(moved).toBe(10 * minute * 1000);
    expect(after.currentMembership).toEqual(before.currentMembership);
  });

  it('lets the last use of a session grow old, and the next one be recorded', async () => {
    const person = await world.person();
    const input = { email: superAdmin.SUPER_ADMIN_EMAIL, password: superAdmin.SUPER_ADMIN_PASSWORD };
    const signedIn = await ask(world, signIn, { input }, { origin: world.frontendUrl });
    const lastSeen = async () => {
      const answer = await askAsBrowser(world, cookiesOf(signedIn), activeSessions);
      const { nodes } = (answer.data as { readonly activeSessions: { readonly nodes: readonly Session[] } })
        .activeSessions;
      const seen = nodes.find(({ userEmail, lastSeenAt }) => userEmail === person.email && lastSeenAt !== null);
      if (typeof seen?.lastSeenAt !== 'string') throw new Error('No use of a session is recorded');
      return Date.parse(seen.lastSeenAt);
    };
    await meOf(world, person);
    await world.clock.advance(0);
    const first = await lastSeen();
    await world.clock.advance(2 * minute);
    expect(await lastSeen()).toBe(first - 2 * minute * 1000);
    await meOf(world, person);
    await world.clock.advance(0);
    expect(await lastSeen()).toBeGreaterThanOrEqual(first);
  });

  it('lets the cookies of storageState expire as a browser would have dropped them', async () => {
    const person = await world.person();
    const expiry = async () => (await person.storageState()).cookies.map(({ expires }) => expires);
    const before = await expiry();
    await world.clock.advance(day);
    expect(await expiry()).toEqual(before.map((expires) => expires - day));
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 36_525 * day + 1])(
    'refuses to pass %s seconds',
    async (seconds) => {
      const person = await world.person();
      await expect(world.clock.advance(seconds)).rejects.toThrow(RangeError);
      expect(await meOf(world, person)).toMatchObject({ id: person.id });
    },
  );
});
