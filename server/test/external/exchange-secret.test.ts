/** Conditions of exchangeAuthTokens: the secret, the signed-in user, and the origin of the request. */
import { describe, expect, it } from 'vitest';
import { Keyring, sha256 } from '../../src/kernel/secrets.ts';
import { credentialsOf, expire, liveOf, me } from '../support/actors/credentials.ts';
import { newOwner, newSuperAdmin, runAs } from '../support/actors/tenants.ts';
import { expectNoEcho, expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import {
  type Answer,
  Browser,
  bearer,
  goodPassword,
  operations,
  post,
  register,
  registerAndSignIn,
  tokensOf,
} from '../support/clients/clients.ts';
import { connect } from '../support/clients/oauth.ts';
import { everythingStored } from '../support/database/stored-rows.ts';
import { testFixture } from '../support/fixture.ts';
import { runCleanup } from '../support/gatehouse/cleanup.ts';
import { serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';
import {
  clearsExchangeCookie,
  exchange,
  hashOfTests,
  isWaiting,
  markerOfTests,
  newIdentity,
  newSecret,
  passLifeOf,
  returningBrowser,
  signInExternally,
  userOf,
} from '../support/servers/external.ts';

const service = serviceFixture();

const statusOf = { EXCHANGE_REFUSED: 401, ACCOUNT_MISMATCH: 409 } as const;

/** Expects a refusal that quotes nothing, starts no session, and clears the useless cookie. */
const expectSessionEnded = (code: keyof typeof statusOf, answer: Answer): void => {
  expect([answer.code, answer.status, answer.setCookies.length, clearsExchangeCookie(answer)]).toEqual([
    code,
    statusOf[code],
    1,
    true,
  ]);
  expectNoEcho(answer);
};

/** The same, with nothing stored or deleted. */
const expectUnknown = async (browser: Browser): Promise<void> =>
  expectSessionEnded('EXCHANGE_REFUSED', await expectNothingStored(service, () => exchange(browser)));

const storedBesideExchanges = async (): Promise<readonly string[]> =>
  (await everythingStored(service)).filter((line) => !line.startsWith('external_exchanges '));

/** Expects a used secret, and no other change. */
const expectMismatch = async (secret: string, act: () => Promise<Answer>): Promise<void> => {
  const before = await storedBesideExchanges();
  expectSessionEnded('ACCOUNT_MISMATCH', await act());
  expect(await storedBesideExchanges()).toEqual(before);
  expect(await isWaiting(service, secret)).toBe(false);
  await expectUnknown(returningBrowser(service, secret));
};

describe('The secret of an exchange', () => {
  // Contract: accounts#exchange-of-the-secret — auth_exchange: a one-time secret
  it('works once', async () => {
    const secret = await newSecret(service, newIdentity());
    const answer = await exchange(returningBrowser(service, secret));
    expect([answer.code, clearsExchangeCookie(answer), answer.setCookies.length]).toEqual([null, true, 3]);
    await expectUnknown(returningBrowser(service, secret));
  });

  // Contract: accounts#exchange-of-the-secret — An exchange is bound to the helper session that began it
  it('is refused in a browser whose helper session did not begin it, and remains valid in the one that did', async () => {
    const identity = newIdentity();
    const secret = await newSecret(service, identity);
    for (const marker of [undefined, '', 'x', 'n'.repeat(43), secret]) {
      const other = returningBrowser(service, secret);
      other.cookies.delete('exchange_marker');
      if (marker !== undefined) other.cookies.set('exchange_marker', marker);
      await expectUnknown(other);
      expect([...other.cookies.keys()].filter((name) => name.startsWith('auth_'))).toEqual([]);
    }
    expect(userOf(await exchange(returningBrowser(service, secret))).email).toBe(identity.email);
  });

  // Contract: accounts#exchange-of-the-secret — Two cookies auth_exchange are no secret
  it('is ignored when two cookies have its name or that of the marker, and remains valid', async () => {
    const [secret, planted] = [await newSecret(service, newIdentity()), await newSecret(service, newIdentity())];
    const marker = `exchange_marker=${markerOfTests}`;
    for (const value of [planted, secret, '']) {
      for (const two of [
        `auth_exchange=${secret}; auth_exchange=${value}`,
        `auth_exchange=${value}; auth_exchange=${secret}`,
      ]) {
        const cookie = `${two}; ${marker}`;
        const answer = await expectRefusal(service, 'EXCHANGE_REFUSED', () =>
          exchange(new Browser(service), { cookie }),
        );
        expect(answer.setCookies).toEqual([]);
      }
    }
    const cookie = `auth_exchange=${secret}; ${marker}; exchange_marker=${'n'.repeat(43)}`;
    const answer = await expectNothingStored(service, () => exchange(new Browser(service), { cookie }));
    expectSessionEnded('EXCHANGE_REFUSED', answer);
    for (const good of [secret, planted]) expect((await exchange(returningBrowser(service, good))).code).toBeNull();
  });

  // Contract: accounts#exchange-of-the-secret — auth_exchange: short-lived
  it('works for two minutes', async () => {
    const secret = await newSecret(service, newIdentity());
    const life = await service.sql.value<number>(
      'SELECT extract(epoch FROM expires_at - created_at)::integer AS life FROM external_exchanges WHERE secret_hash = $1',
      [hashOfTests(secret)],
    );
    expect(life).toBe(120);
    await passLifeOf(service, secret);
    await expectUnknown(returningBrowser(service, secret));
    await runCleanup(service.database);
    expect(await isWaiting(service, secret)).toBe(false);
  });

  // Contract: accounts#exchange-of-the-secret — EXCHANGE_REFUSED: auth_exchange missing
  it('is refused when it is missing, and no cookie is cleared', async () => {
    await expectRefusal(service, 'EXCHANGE_REFUSED', () => exchange(new Browser(service)));
    await expectRefusal(service, 'EXCHANGE_REFUSED', () => post(service.url, operations.exchangeAuthTokens));
  });

  it('is refused in any other spelling, and remains valid', async () => {
    const secret = await newSecret(service, newIdentity());
    const swapped = [...secret].map((sign) => (sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase()));
    const others = ['', 'x', swapped.join(''), secret.slice(1), `${secret}A`, 'A'.repeat(43), 'x'.repeat(3000), '%00'];
    for (const other of others) await expectUnknown(returningBrowser(service, other));
    expect((await exchange(returningBrowser(service, secret))).code).toBeNull();
  });

  it('signs no user in from a row that was written into the database, or moved there', async () => {
    const [known, forged] = [await newSecret(service, newIdentity()), 'B'.repeat(43)];
    const ownKeys = new Keyring(['another secret of the tests with thirty-two bytes']);
    const payload = JSON.stringify({ identity: newIdentity(), found: null });
    const sealed = ownKeys.seal('external exchange', hashOfTests(forged).toString('hex'), payload);
    const insert = `INSERT INTO external_exchanges (secret_hash, sealed_identity, expires_at)
      VALUES ($1, $2, now() + interval '1 minute')`;
    await service.sql(insert, [hashOfTests(forged), sealed]);
    await service.sql('UPDATE external_exchanges SET secret_hash = $2 WHERE secret_hash = $1', [
      hashOfTests(known),
      hashOfTests('C'.repeat(43)),
    ]);
    for (const secret of [forged, 'C'.repeat(43)])
      expectSessionEnded('EXCHANGE_REFUSED', await exchange(returningBrowser(service, secret)));
  });

  it('is not used up by an internal failure, which leaves nothing of the attempt', async () => {
    const identity = newIdentity();
    const secret = await newSecret(service, identity);
    await service.sql(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'on purpose'; END $$`,
    );
    await service.sql('CREATE TRIGGER fail BEFORE INSERT ON credentials FOR EACH ROW EXECUTE FUNCTION fail()');
    try {
      const answer = await expectNothingStored(service, () => exchange(returningBrowser(service, secret)));
      expect([answer.code, answer.setCookies]).toEqual(['INTERNAL', []]);
    } finally {
      await service.sql('DROP TRIGGER fail ON credentials');
    }
    expect(userOf(await exchange(returningBrowser(service, secret))).email).toBe(identity.email);
  });

  it('is refused once its identity was unlinked, although the address is still known', async () => {
    const email = await register(service);
    const identity = newIdentity({ email });
    const { browser } = await signInExternally(service, identity);
    const secret = await newSecret(service, identity);
    expect((await browser.run(operations.unlinkExternalIdentity)).code).toBeNull();
    const before = await storedBesideExchanges();
    expectSessionEnded('EXCHANGE_REFUSED', await exchange(returningBrowser(service, secret)));
    expect(await storedBesideExchanges()).toEqual(before);
    // The next sign-in by the provider connects it again.
    expect((await signInExternally(service, identity)).user.email).toBe(email);
  });

  /** Expects that the result of the callback is outdated: the secret is used up, and nothing else has changed. */
  const expectOutdated = async (secret: string): Promise<void> => {
    const before = await storedBesideExchanges();
    expectSessionEnded('EXCHANGE_REFUSED', await exchange(returningBrowser(service, secret)));
    expect(await storedBesideExchanges()).toEqual(before);
    await expectUnknown(returningBrowser(service, secret));
  };

  // Contract: accounts#refused-exchange — Exchange: its person has signed out everywhere
  it('is refused once its person, known by the identity or by the address, has signed out everywhere', async () => {
    const known = newIdentity();
    const { browser } = await signInExternally(service, known);
    const person = await registerAndSignIn(service);
    const byAddress = newIdentity({ email: person.email });
    const secrets = [await newSecret(service, known), await newSecret(service, byAddress)];
    expect((await browser.run(operations.signOutEverywhere)).code).toBeNull();
    expect((await runAs(service, person, operations.signOutEverywhere)).code).toBeNull();
    for (const secret of secrets) await expectOutdated(secret);
    // The next sign-in by the provider succeeds.
    for (const identity of [known, byAddress]) {
      expect((await signInExternally(service, identity)).user.email).toBe(identity.email);
    }
  });

  // Contract: accounts#refused-exchange — Exchange: its person was signed out by a super admin
  it('is refused once a super admin has signed its person out everywhere', async () => {
    const known = newIdentity();
    const { user } = await signInExternally(service, known);
    const person = await newOwner(service);
    const secrets = [await newSecret(service, known), await newSecret(service, newIdentity({ email: person.email }))];
    const admin = await newSuperAdmin(service);
    for (const id of [user.id, person.userId]) {
      expect((await runAs(service, admin, operations.revokeUserSessions, { id })).code).toBeNull();
    }
    for (const secret of secrets) await expectOutdated(secret);
  });

  it('signs no user in from a value of an earlier version', async () => {
    const ours = new Keyring(service.config.secrets);
    const { subject, ...partial } = newIdentity();
    const values = [
      { identity: newIdentity(), ownerId: null },
      { identity: { subject: 7, ...partial }, found: null },
      { identity: { ...partial, subject }, found: { userId: subject } },
      null,
    ];
    for (const [index, value] of values.entries()) {
      const secret = `${index}`.repeat(43);
      const sealed = ours.seal('external exchange', hashOfTests(secret).toString('hex'), JSON.stringify(value));
      await service.sql(
        `INSERT INTO external_exchanges (secret_hash, sealed_identity, expires_at)
         VALUES ($1, $2, now() + interval '1 minute')`,
        [hashOfTests(secret), sealed],
      );
      await expectOutdated(secret);
    }
  });

  // Contract: accounts#refused-exchange — Exchange: cleared by another sign-in or a sign-out
  it('is cleared from a browser in which another user signs in by password or signs out', async () => {
    const email = await register(service);
    const browser = returningBrowser(service, await newSecret(service, newIdentity()));
    const signedIn = await browser.run(operations.signIn, { input: { email, password: goodPassword } });
    expect(clearsExchangeCookie(signedIn)).toBe(true);
    returningBrowser(service, await newSecret(service, newIdentity()), browser);
    expect(clearsExchangeCookie(await browser.run('mutation { refreshAccessToken { accessTokenExpiresAt } }'))).toBe(
      false,
    );
    expect(clearsExchangeCookie(await browser.run('mutation { signOut { success } }'))).toBe(true);
  });

  // Contract: accounts#exchange-of-the-secret — exchangeAuthTokens is alone in its request
  it('must be the only mutation of its request', async () => {
    const secret = await newSecret(service, newIdentity());
    const field = 'exchangeAuthTokens { accessTokenExpiresAt }';
    for (const document of [`mutation { a: ${field} b: ${field} }`, `mutation { ${field} signOut { success } }`]) {
      await expectRefusal(service, 'OPERATION_TOO_COSTLY', () => returningBrowser(service, secret).run(document));
    }
    expect(await isWaiting(service, secret)).toBe(true);
  });
});

describe('An exchange while another user is signed in', () => {
  // Contract: accounts#refused-exchange — ACCOUNT_MISMATCH: a different signed-in user is never swapped; the secret is
  //   burned
  it('burns the secret and changes nothing, whether the person is new, known or found by the address', async () => {
    const { browser } = await signInExternally(service, newIdentity());
    const known = newIdentity();
    await signInExternally(service, known);
    for (const identity of [newIdentity(), known, newIdentity({ email: await register(service) })]) {
      const secret = await newSecret(service, identity);
      await expectMismatch(secret, () => exchange(returningBrowser(service, secret, browser)));
      expect((await browser.run(operations.me)).code).toBeNull();
    }
  });

  // Contract: accounts#refused-exchange — ACCOUNT_MISMATCH when the access token of the other user has expired
  it('does so when the access token has expired, or only one of the two cookies is left', async () => {
    for (const [gone, expired] of [
      [null, true],
      ['auth_access', false],
      ['auth_refresh', false],
      ['auth_refresh', true],
    ] as const) {
      const { browser } = await signInExternally(service, newIdentity());
      if (expired) await expire(service, browser.cookies.get('auth_access') ?? '');
      if (gone !== null) browser.cookies.delete(gone);
      const secret = await newSecret(service, newIdentity());
      await expectMismatch(secret, () => exchange(returningBrowser(service, secret, browser)));
    }
  });

  it('does so with the cookies from before a refresh, or before a switch to another organization', async () => {
    const { browser, user } = await signInExternally(service, newIdentity());
    const stale = new Map(browser.cookies);
    await browser.run(operations.refreshByCookie);
    const owned = await browser.run(operations.createOrganization, { input: { name: 'Another' } });
    const { id } = (JSON.parse(owned.text) as { data: { createOrganization: { id: string } } }).data.createOrganization;
    expect((await browser.run(operations.switchOrganization, { id })).code).toBeNull();
    expect(await liveOf(service, user.email)).toHaveLength(2);
    const late = new Browser(service);
    for (const [name, value] of stale) late.cookies.set(name, value);
    const secret = await newSecret(service, newIdentity());
    await expectMismatch(secret, () => exchange(returningBrowser(service, secret, late)));
  });

  // Contract: accounts#refused-exchange — ACCOUNT_MISMATCH when a Bearer names the other user
  it('does so when a live or expired Bearer names the user, and keeps the session of the cookies', async () => {
    for (const isExpired of [false, true]) {
      const [other, identity] = [await newOwner(service), newIdentity()];
      const { browser } = await signInExternally(service, identity);
      if (isExpired) await expire(service, other.tokens.accessToken);
      const secret = await newSecret(service, identity);
      await expectMismatch(secret, () => exchange(returningBrowser(service, secret, browser), bearer(other.tokens)));
      expect((await browser.run(operations.me)).code).toBeNull();
    }
  });
});

describe('An exchange with a session that has ended', () => {
  it('ignores its tokens', async () => {
    const endings: readonly ((browser: Browser) => Promise<unknown>)[] = [
      (browser) => new Browser(service).run(operations.signOut, {}, bearerOf(browser)),
      (browser) => new Browser(service).run(operations.signOutEverywhere, {}, bearerOf(browser)),
      // It has expired.
      (browser) =>
        service.sql(
          `UPDATE credentials SET expires_at = now() - interval '1 second' WHERE session_family_id =
             (SELECT session_family_id FROM credentials WHERE token_hash = $1)`,
          [sha256(browser.cookies.get('auth_access') ?? '')],
        ),
    ];
    for (const end of endings) {
      const { browser } = await signInExternally(service, newIdentity());
      await end(browser);
      const identity = newIdentity();
      const answer = await exchange(returningBrowser(service, await newSecret(service, identity), browser));
      expect(userOf(answer).email).toBe(identity.email);
    }
  });

  it('ignores a Bearer that is not a token, and one of an MCP client, and does not end the client’s session', async () => {
    const client = await connect(service);
    for (const authorization of ['Bearer nonsense', `Bearer ${client.tokens.accessToken}`]) {
      const identity = newIdentity();
      const browser = returningBrowser(service, await newSecret(service, identity));
      expect(userOf(await exchange(browser, { authorization })).email).toBe(identity.email);
    }
    const rows = await service.sql('SELECT 1 FROM credentials WHERE token_hash = $1 AND revoked_at IS NULL', [
      sha256(client.tokens.accessToken),
    ]);
    expect(rows).toHaveLength(1);
  });
});

const bearerOf = (browser: Browser): Record<string, string> => ({
  authorization: `Bearer ${browser.cookies.get('auth_access') ?? ''}`,
});

describe('An exchange while the same person is signed in', () => {
  it('replaces the session of the cookies', async () => {
    const identity = newIdentity();
    const { browser, user } = await signInExternally(service, identity);
    const held = browser.cookies.get('auth_access') ?? '';
    expect((await exchange(returningBrowser(service, await newSecret(service, identity), browser))).code).toBeNull();
    expect((await me(service, held)).code).toBe('UNAUTHENTICATED');
    const rows = await credentialsOf(service, user.email);
    expect(rows.map(({ reason }) => reason)).toEqual(['replaced_by_sign_in', 'replaced_by_sign_in', null, null]);
  });

  it('replaces the session of a Bearer, in the body, and keeps that of the cookies', async () => {
    const identity = newIdentity();
    const { browser } = await signInExternally(service, identity);
    const opaque = tokensOf(
      await exchange(returningBrowser(service, await newSecret(service, identity)), { 'x-auth-delivery': 'bearer' }),
    );
    const secret = await newSecret(service, identity);
    const answer = await exchange(returningBrowser(service, secret, browser), bearer(opaque));
    expect((await me(service, tokensOf(answer).accessToken)).code).toBeNull();
    expect((await me(service, opaque.accessToken)).code).toBe('UNAUTHENTICATED');
    expect((await browser.run(operations.me)).code).toBeNull();
    expect([clearsExchangeCookie(answer), answer.setCookies.length]).toEqual([true, 1]);
  });
});

describe('Delivery of an exchange', () => {
  const names = ({ setCookies }: Answer): string[] => setCookies.map((line) => line.split('=', 1).join('')).toSorted();

  // Contract: accounts#exchange-of-the-secret — exchangeAuthTokens mints the pair and sets the cookies
  it("gives a caller with the portal's Origin cookies and no tokens in the body", async () => {
    const answer = await exchange(returningBrowser(service, await newSecret(service, newIdentity())));
    expect(answer.data).toMatchObject({ exchangeAuthTokens: { accessToken: null, refreshToken: null } });
    expect(names(answer)).toEqual(['auth_access', 'auth_exchange', 'auth_refresh']);
    for (const line of answer.setCookies) expect(line).toMatch(/HttpOnly/);
  });

  it('gives a portal caller that asks for bearer delivery tokens in the body', async () => {
    const secret = await newSecret(service, newIdentity());
    const answer = await exchange(returningBrowser(service, secret), { 'x-auth-delivery': 'bearer' });
    expect(tokensOf(answer).accessToken).toMatch(/^gate_a_/);
    expect(names(answer)).toEqual(['auth_exchange']);
    const owner = userOf(answer);
    expect((await liveOf(service, owner.email)).map(({ audience }) => audience)).toEqual(['api', 'api']);
  });

  // Contract: accounts#exchange-of-the-secret — exchangeAuthTokens needs an allowed Origin
  it('refuses a foreign or missing Origin, without using up the secret or clearing its cookie', async () => {
    const secret = await newSecret(service, newIdentity());
    const cookie = `auth_exchange=${secret}`;
    const tokens = bearer((await registerAndSignIn(service)).tokens);
    const foreign = { origin: 'https://evil.example' };
    for (const headers of [
      {},
      foreign,
      { origin: 'null' },
      { ...foreign, ...tokens },
      { referer: 'https://evil.example/' },
    ]) {
      await expectRefusal(service, 'ORIGIN_REFUSED', () =>
        post(service.url, operations.exchangeAuthTokens, {}, { cookie, ...headers }),
      );
    }
    expect((await exchange(returningBrowser(service, secret))).code).toBeNull();
  });

  it('issues nothing to a kind of client whose audience is not accepted', async () => {
    const narrow = await testFixture(startService({ GRAPHQL_BEARER_ACCEPTED_AUDIENCES: 'portal' }));
    const secret = await newSecret(narrow, newIdentity());
    const browser = returningBrowser(narrow, secret);
    await expectRefusal(narrow, 'FORBIDDEN', () => exchange(browser, { 'x-auth-delivery': 'bearer' }));
    expect((await exchange(browser)).code).toBeNull();
  });
});
