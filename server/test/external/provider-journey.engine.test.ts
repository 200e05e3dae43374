/** A whole external sign-in, from the sign-in page through a real issuer to a session, alone and concurrently. */
import { describe, expect, it } from 'vitest';
import { openExchange } from '../../src/domain/external-sign-in/open-exchange.ts';
import { Keyring } from '../../src/kernel/secrets.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { inParallel, range } from '../support/checks/concurrency.ts';
import { type Answer, goodPassword, newAddress, operations, register } from '../support/clients/clients.ts';
import {
  cancelAtProvider,
  ProviderBrowser,
  returnFromProvider,
  signInAtProvider,
} from '../support/clients/provider-browser.ts';
import { fixture, testFixture } from '../support/fixture.ts';
import { type PortalForm, serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';
import {
  exchange,
  markerOfTests,
  newIdentity,
  providerSettings,
  returningBrowser,
  signInExternally,
  userOf,
} from '../support/servers/external.ts';
import { expectExternalRefusal } from '../support/servers/external-refusals.ts';
import { startIdentityProvider } from '../support/servers/identity-provider.ts';

describe.each<PortalForm>(['one origin', 'two origins'])('With a portal at %s', (form) => {
  const provider = fixture(startIdentityProvider);
  const service = serviceFixture(() => provider.environment(), form);

  const start = (redirect?: string): string =>
    `${service.portalUrl}/auth/google${redirect === undefined ? '' : `?redirect=${encodeURIComponent(redirect)}`}`;

  const signIn = async (subject: string, browser = new ProviderBrowser()): Promise<Answer> => {
    const { location } = await returnFromProvider(browser, start(), subject);
    expect(location).toBe(`${service.portalUrl}/signin?oauth_exchange=1`);
    return browser.run(service, operations.exchangeAuthTokens);
  };

  // Contract: accounts#account-of-an-identity — The whole way over a real issuer
  it('a new person gets an account with an organization of their own, and is signed in', async () => {
    const email = newAddress();
    const subject = provider.newPerson({ email, name: 'Ada Lovelace' });
    const browser = new ProviderBrowser();
    const answer = await signIn(subject, browser);
    expect(userOf(answer)).toMatchObject({
      email,
      name: 'Ada Lovelace',
      hasPassword: false,
      hasExternalIdentity: true,
    });
    expect(answer.text).not.toContain('gate_');
    expect(browser.valueOf('auth_exchange')).toBeUndefined();

    const me = await browser.run(service, operations.me);
    expect(me.data).toMatchObject({
      me: { email, currentMembership: { role: 'OWNER' }, memberships: [{ role: 'OWNER' }] },
    });
    const sessions = await browser.run(service, operations.mySessions);
    expect(sessions.data).toMatchObject({ mySessions: [{ authMethod: 'google', isCurrent: true }] });
    expect((await browser.run(service, operations.refreshByCookie)).code).toBeNull();
    expect((await browser.run(service, operations.signOut)).code).toBeNull();
    expect((await browser.run(service, operations.me)).code).toBe('UNAUTHENTICATED');
  });

  it('the same person is the same account in every browser', async () => {
    const subject = provider.newPerson();
    const { id } = userOf(await signIn(subject));
    expect(userOf(await signIn(subject)).id).toBe(id);
  });

  it('the requested page is opened at the end', async () => {
    const browser = new ProviderBrowser();
    const { location } = await returnFromProvider(browser, start('/members?page=2'), provider.newPerson());
    expect(location).toBe(`${service.portalUrl}/signin?oauth_exchange=1&redirect=%2Fmembers%3Fpage%3D2`);
  });

  it('a person who declines at the provider is informed, and may accept the next time', async () => {
    const browser = new ProviderBrowser();
    const callback = await cancelAtProvider(browser, start('/members'));
    const secrets = () => [new URL(callback).searchParams.get('state') ?? '', provider.clientSecret];
    const query = await expectExternalRefusal(service, { codes: ['PROVIDER_CANCELLED'], secrets }, () =>
      browser.get(callback),
    );
    expect(query.get('redirect')).toBe('/members');
    expect((await signIn(provider.newPerson(), browser)).code).toBeNull();
  });

  it('a user with a password links the provider, and signs in by either from then on', async () => {
    const email = await register(service);
    const browser = new ProviderBrowser();
    const byPassword = () => browser.run(service, operations.signIn, { input: { email, password: goodPassword } });
    expect((await byPassword()).code).toBeNull();
    const subject = provider.newPerson();
    const prepare = `${service.portalUrl}/auth/google/prepare-link?redirect=${encodeURIComponent('/account?external=linked')}`;
    const { location } = await returnFromProvider(browser, prepare, subject);
    expect(location).toBe(`${service.portalUrl}/account?external=linked`);
    expect((await browser.run(service, operations.me)).data).toMatchObject({ me: { hasExternalIdentity: true } });

    expect(userOf(await signIn(subject))).toMatchObject({ email, hasPassword: true });
    expect((await byPassword()).code).toBeNull();
  });

  it('the exchange works once, also among fifty at once', async () => {
    const browser = new ProviderBrowser();
    await returnFromProvider(browser, start(), provider.newPerson());
    const copies = range(50).map(() => {
      const copy = new ProviderBrowser();
      for (const name of ['auth_exchange', 'exchange_marker'])
        copy.keep(service.url, name, browser.valueOf(name) ?? '');
      return copy;
    });
    const answers = await inParallel(copies, 50, (copy) => copy.run(service, operations.exchangeAuthTokens));
    expect(answers.filter(({ code }) => code === null)).toHaveLength(1);
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([null, 'EXCHANGE_REFUSED']));
  });

  it('one person in ten browsers at once is one account with one organization and ten sessions', async () => {
    const email = newAddress();
    const subject = provider.newPerson({ email });
    const answers = await inParallel(range(10), 10, () => signIn(subject));
    expect(new Set(answers.map((answer) => userOf(answer).id)).size).toBe(1);
    const counts = await service.sql(
      `SELECT (SELECT count(*)::integer FROM users WHERE email = $1) AS users,
         (SELECT count(*)::integer FROM external_identities WHERE subject = $2) AS identities,
         (SELECT count(*)::integer FROM organization_members m JOIN users u ON u.id = m.user_id WHERE u.email = $1)
           AS memberships,
         (SELECT count(DISTINCT session_family_id)::integer FROM credentials c JOIN users u ON u.id = c.user_id
           WHERE u.email = $1 AND revoked_at IS NULL) AS sessions`,
      [email, subject],
    );
    expect(counts).toEqual([{ users: 1, identities: 1, memberships: 1, sessions: 10 }]);
  });

  // Contract: accounts#account-of-an-identity — The whole way over a real issuer, concurrently
  it('twenty people at once get twenty accounts', async () => {
    const people = range(20).map(() => {
      const email = newAddress();
      return { email, subject: provider.newPerson({ email }) };
    });
    const users = await inParallel(people, 20, async ({ subject }) => userOf(await signIn(subject)));
    expect(users.map(({ email }) => email)).toEqual(people.map(({ email }) => email));
    expect(new Set(users.map(({ id }) => id)).size).toBe(20);
  });
});

it('A new person who returns in two browsers at once is signed in to both', async () => {
  const service = await testFixture(startService(providerSettings));
  const identity = newIdentity();
  const { database, config } = service;
  const interrupted: Pick<Database, 'maybeOne'> = {
    maybeOne: async (statement, params) => {
      if (statement.name === 'external_identities.find_matching_account') await signInExternally(service, identity);
      return database.maybeOne(statement, params);
    },
  };
  const { secret } = await openExchange(
    { database: { ...database, ...interrupted }, keyring: new Keyring(config.secrets) },
    identity,
    markerOfTests,
  );
  const { id } = userOf(await exchange(returningBrowser(service, secret)));
  expect((await signInExternally(service, identity)).user.id).toBe(id);
});

it('Two services with one provider do not accept each other’s callbacks, and sign in their own users', async () => {
  const provider = await startIdentityProvider();
  const [one, another] = await Promise.all([
    startService(provider.environment()),
    // Services with one secret and one Redis are one service.
    startService({
      ...provider.environment(),
      GATEHOUSE_SECRET: 'the secret of another service that is long enough',
    }),
  ]);
  try {
    const subject = provider.newPerson();
    const browser = new ProviderBrowser();
    const callback = await signInAtProvider(browser, `${one.portalUrl}/auth/google`, subject);
    const astray = `${another.portalUrl}/auth/google/callback${new URL(callback).search}`;
    const expected = { codes: ['ATTEMPT_OVER'], secrets: () => [provider.clientSecret, subject] } as const;
    await expectExternalRefusal(another, expected, () => browser.get(astray));
    expect((await browser.get(callback)).location).toBe(`${one.portalUrl}/signin?oauth_exchange=1`);
    const theirs = await returnFromProvider(new ProviderBrowser(), `${another.portalUrl}/auth/google`, subject);
    expect(theirs.location).toBe(`${another.portalUrl}/signin?oauth_exchange=1`);
  } finally {
    await one.close();
    await another.close();
    await provider.close();
  }
});
