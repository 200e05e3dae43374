/** Authentication of every request: the cached actor against the re-check, and an unavailable database. */

import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Authenticator } from '../../src/domain/access/authenticate.ts';
import { newToken } from '../../src/domain/credentials/token.ts';
import { defaultApplication } from '../../src/domain/scopes/application-definition.ts';
import { Refusal } from '../../src/kernel/errors.ts';
import { DatabaseUnavailable } from '../../src/platform/database/database.ts';
import { alter, expire } from '../support/actors/credentials.ts';
import { runAs } from '../support/actors/tenants.ts';
import { expectNoEcho, expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import {
  type Answer,
  newAddress,
  operations,
  post,
  registerAndSignIn,
  signIn,
  type Tokens,
} from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { watchDatabase, watchService } from '../support/gatehouse/watched-gatehouse.ts';

const service = serviceFixture();
const watched = fixture(() => watchService(service));

interface Person {
  readonly email: string;
  readonly tokens: Tokens;
}

/** `me` without its memberships, which are read anew for each request: only what the cached actor answers. */
const cachedMe = `{ me { email name isSuperAdmin hasPassword hasExternalIdentity currentMembership {
  role scopes organization { name subscription { status product } } } } }`;

const ask = ({ tokens }: Person): Promise<Answer> => runAs(watched, { tokens }, cachedMe);

const recheck = 'access.recheck_credentials';
const load = 'access.load_actors';

describe('The cached actor', () => {
  let person: Person;
  beforeEach(async () => {
    person = await registerAndSignIn(service);
    await ask(person);
  });

  const update = (change: string): Promise<unknown> => service.sql(change, change.includes('$1') ? [person.email] : []);
  const mine = `IN (SELECT organization_id FROM organization_members m JOIN users u ON u.id = m.user_id
    WHERE u.email = $1)`;
  const myMembership = '(SELECT current_membership FROM users WHERE email = $1)';

  const expectNext = async (change: string, expected: object): Promise<void> => {
    await update(change);
    expect((await ask(person)).data).toMatchObject({ me: expected });
  };

  // Contract: credentials#durable-look-up-on-every-request — The cache saves work and never answers: one durable
  //   re-check a request
  it('asks the database once for a request, and builds no actor while nothing has changed', async () => {
    expect(await watched.during(() => ask(person))).toEqual([recheck]);
    expect(await watched.during(() => ask(person))).toEqual([recheck]);
    await update('UPDATE users SET name = name WHERE email = $1');
    expect(await watched.during(() => ask(person))).toEqual([recheck, load]);
    expect(await watched.during(() => ask(person))).toEqual([recheck]);
  });

  // Contract: credentials#durable-look-up-on-every-request — What authorization depends on counts on the very next
  //   request: role
  it('counts a changed role on the very next request', () =>
    expectNext(`UPDATE organization_members SET role = 'MEMBER' WHERE id = ${myMembership}`, {
      currentMembership: { role: 'MEMBER', scopes: ['MEMBERS_VIEW'] },
    }));

  it('counts a renamed organization on the very next request', () =>
    expectNext(`UPDATE organizations SET name = 'Renamed' WHERE id ${mine}`, {
      currentMembership: { organization: { name: 'Renamed' } },
    }));

  // Contract: credentials#durable-look-up-on-every-request — What authorization depends on counts on the very next
  //   request: subscription and the scopes that follow from it
  it('counts a changed subscription on the very next request', async () => {
    await expectNext(`UPDATE subscriptions SET status = 'PAST_DUE' WHERE organization_id ${mine}`, {
      currentMembership: { scopes: [], organization: { subscription: { status: 'PAST_DUE', product: 'free' } } },
    });
    await expectNext(`UPDATE subscriptions SET status = 'TRIALING' WHERE organization_id ${mine}`, {
      currentMembership: { scopes: expect.arrayContaining(['BILLING_MANAGE']) as unknown },
    });
    await expectNext(`DELETE FROM subscriptions WHERE organization_id ${mine}`, {
      currentMembership: { scopes: [], organization: { subscription: { status: 'NONE', product: null } } },
    });
  });

  it('counts a changed name, password and super admin on the very next request', async () => {
    await expectNext(`UPDATE users SET name = 'New Name' WHERE email = $1`, { name: 'New Name' });
    await expectNext('UPDATE users SET password_hash = NULL WHERE email = $1', { hasPassword: false });
    await expectNext('UPDATE users SET is_super_admin = true WHERE email = $1', { isSuperAdmin: true });
  });

  it('counts a linked and an unlinked external identity on the very next request', async () => {
    await expectNext(
      `INSERT INTO external_identities (issuer, subject, user_id) SELECT 'https://idp', id::text, id FROM users
       WHERE email = $1`,
      { hasExternalIdentity: true },
    );
    await expectNext('DELETE FROM external_identities WHERE user_id = (SELECT id FROM users WHERE email = $1)', {
      hasExternalIdentity: false,
    });
  });

  // Contract: credentials#durable-look-up-on-every-request — What authorization depends on counts on the very next
  //   request: platform scopes, of super admins only
  it('counts platform scopes on the very next request, of super admins only', async () => {
    const authenticator = new Authenticator(service.database, defaultApplication, {
      superAdminsNeedSecondFactor: false,
    });
    const scopes = async () =>
      (await authenticator.authenticate(person.tokens.accessToken, ['api'])).user.platformScopes;
    expect(await scopes()).toEqual([]);
    await update(`UPDATE users SET platform_scopes = '{mcp:whoami,no:scope}' WHERE email = $1`);
    expect(await scopes()).toEqual([]);
    await update('UPDATE users SET is_super_admin = true WHERE email = $1');
    expect(await scopes()).toEqual(['mcp:whoami']);
    await update(`UPDATE users SET platform_scopes = '{users:view}' WHERE email = $1`);
    expect(await scopes()).toEqual(['users:view']);
  });

  // Contract: organizations#missing-active-membership — Wrong or missing current_membership gives null membership
  it('answers a null membership, and no error, when the active one is missing, foreign or not joined', async () => {
    const other = await registerAndSignIn(service);
    const none = { currentMembership: null };
    await service.sql(
      `UPDATE users SET current_membership = (SELECT current_membership FROM users WHERE email = $2) WHERE email = $1`,
      [person.email, other.email],
    );
    expect((await ask(person)).data).toMatchObject({ me: none });
    await expectNext('UPDATE users SET current_membership = NULL WHERE email = $1', none);
    expect((await ask({ ...person, tokens: await signIn(service, person.email) })).data).toMatchObject({ me: none });
    await expectNext(
      `UPDATE users u SET current_membership = m.id FROM organization_members m WHERE m.user_id = u.id AND email = $1`,
      { currentMembership: { role: 'OWNER' } },
    );
    await expectNext(
      `UPDATE organization_members SET joined_at = NULL, invitation_token_hash = sha256('any'), invitation_expires_at = now()
       WHERE id = ${myMembership}`,
      none,
    );
    await expectNext(`DELETE FROM organization_members WHERE id = ${myMembership}`, none);
    const whole = await runAs(service, person, operations.me);
    expect([whole.status, whole.code, whole.data]).toMatchObject([200, null, { me: { memberships: [] } }]);
  });

  it('refuses the credentials of a deleted user', async () => {
    await update('DELETE FROM users WHERE email = $1');
    await expectRefusal(service, 'UNAUTHENTICATED', () => ask(person));
  });
});

describe('Concurrent requests', () => {
  /** The answer to the owner of a token: their address, or the code of a refusal. */
  const outcomesOf = (authenticator: Authenticator, tokens: readonly string[]): Promise<string[]> =>
    Promise.all(
      tokens.map(async (token) => {
        try {
          return (await authenticator.authenticate(token, ['api'])).user.email;
        } catch (error) {
          if (error instanceof Refusal) return error.code;
          throw error;
        }
      }),
    );

  /** Good, revoked, expired, unknown and malformed tokens, each with its outcome. */
  const mixedCrowd = async () => {
    const [one, two] = [await registerAndSignIn(service), await registerAndSignIn(service)];
    const [revoked, expired] = [await signIn(service, one.email), await signIn(service, two.email)];
    await alter(service, revoked.accessToken, `revoked_at = now(), revocation_reason = 'signed_out'`);
    await expire(service, expired.accessToken);
    return [
      { token: one.tokens.accessToken, outcome: one.email },
      { token: two.tokens.accessToken, outcome: two.email },
      { token: revoked.accessToken, outcome: 'UNAUTHENTICATED' },
      { token: expired.accessToken, outcome: 'ACCESS_EXPIRED' },
      { token: newToken('user_session'), outcome: 'UNAUTHENTICATED' },
      { token: 'gate_a_malformed', outcome: 'UNAUTHENTICATED' },
    ];
  };

  // Contract: credentials#durable-look-up-on-every-request — Re-checks of concurrent requests are one query a batch
  it('of one event-loop tick share one statement, and each gets its own answer', async () => {
    const { database, asked } = watchDatabase(service.database);
    const authenticator = new Authenticator(database, defaultApplication, { superAdminsNeedSecondFactor: false });
    const kinds = await mixedCrowd();
    const many = Array.from({ length: 50 }, () => kinds).flat();
    const tokens = many.map(({ token }) => token);
    const expected = many.map(({ outcome }) => outcome);
    expect(await outcomesOf(authenticator, tokens)).toEqual(expected);
    expect(asked).toEqual([load]);
    expect(await outcomesOf(authenticator, tokens)).toEqual(expected);
    expect([...asked].sort()).toEqual([load, load, recheck]);
  });

  it('get each their own answer over HTTP', async () => {
    const kinds = await mixedCrowd();
    const many = Array.from({ length: 10 }, () => kinds).flat();
    const answers = await Promise.all(
      many.map(({ token }) => post(watched.url, cachedMe, {}, { authorization: `Bearer ${token}` })),
    );
    for (const [index, { outcome }] of many.entries()) {
      const isRefused = !outcome.includes('@');
      const expected = isRefused ? { code: outcome, data: null } : { code: null, data: { me: { email: outcome } } };
      expect(answers[index]).toMatchObject(expected);
    }
  });

  it('never mix up two people who sign in and query at the same time', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => registerAndSignIn(service)));
    const seen = await Promise.all(
      people.map(async ({ email }) => (await ask({ email, tokens: await signIn(service, email) })).data),
    );
    expect(seen).toMatchObject(people.map(({ email }) => ({ me: { email } })));
  });
});

describe('A database that does not answer', () => {
  const outsider = { email: newAddress(), name: 'Test Person', password: 'Correct.horse7' };
  afterAll(() => watched.failWith(null));

  const expectUnavailable = (answer: Answer): void => {
    expect([answer.status, answer.code, answer.data, answer.setCookies]).toEqual([503, 'UNAVAILABLE', null, []]);
    expectNoEcho(answer);
    expect(answer.text).not.toContain('10.0.0.7');
  };

  // Contract: credentials#refusals-of-an-access-token — A failing dependency answers 503, never a false 401
  it('makes every request fail with UNAVAILABLE and never with 401', async () => {
    const [known, fresh] = [await registerAndSignIn(service), await registerAndSignIn(service)];
    const [{ email }, input] = [known, { email: known.email, password: 'Correct.horse7' }];
    await ask(known);
    watched.failWith(new DatabaseUnavailable('connection refused at 10.0.0.7'));
    expectUnavailable(await ask(known));
    expectUnavailable(await ask(fresh));
    expectUnavailable(await runAs(watched, known, operations.signOut));
    expectUnavailable(await post(watched.url, operations.refresh, { ...known.tokens }));
    expectUnavailable(await post(watched.url, operations.signIn, { input }));
    expectUnavailable(await post(watched.url, operations.signUp, { input: { ...input, name: 'Test Person' } }));
    expectUnavailable(await post(watched.url, operations.validate, { token: '0'.repeat(64) }));
    watched.failWith(null);
    expect((await ask(known)).data).toMatchObject({ me: { email } });
    expect((await ask(fresh)).code).toBeNull();
  });

  // Contract: credentials#whole-or-not-at-all — Every operation happens whole or not at all
  it('makes a request fail whole when it stops answering half-way', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    const input = { email, password: 'Correct.horse7' };
    const halfway = [
      ['organization_members.list_of_user', () => runAs(watched, { tokens }, operations.me)],
      ['credentials.lock_family', () => runAs(watched, { tokens }, operations.signOut)],
      ['credentials.revoke_refused_families', () => runAs(watched, { tokens }, operations.signOutEverywhere)],
      ['credentials.issue_pair', () => post(watched.url, operations.signIn, { input })],
      ['users.set_current_membership', () => post(watched.url, operations.signUp, { input: outsider })],
      ['mail.insert', () => post(watched.url, operations.signUp, { input: outsider })],
    ] as const;
    for (const [name, act] of halfway) {
      watched.failWith(new DatabaseUnavailable('cut off at 10.0.0.7'), name);
      expectUnavailable(await expectNothingStored(service, act));
    }
    watched.failWith(null);
    expect((await ask({ email, tokens })).code).toBeNull();
  });

  it('is an internal error and not a refusal when it rejects a statement', async () => {
    const person = await registerAndSignIn(service);
    watched.failWith(new Error('column does not exist at 10.0.0.7'));
    const answer = await ask(person);
    expect([answer.status, answer.code]).toEqual([500, 'INTERNAL']);
    expect(answer.text).not.toContain('10.0.0.7');
    watched.failWith(null);
  });
});
