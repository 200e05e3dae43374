/** Accounts reached by exchangeAuthTokens: new, known, linked or refused ("External sign-in handoff"). */
import { describe, expect, it } from 'vitest';
import type { ExternalRefusalCode } from '../../src/kernel/errors.ts';
import { randomHex, sha256 } from '../../src/kernel/secrets.ts';
import type { ProvidedIdentity } from '../../src/platform/oidc/identity-provider.ts';
import { credentialsOf, liveOf, me } from '../support/actors/credentials.ts';
import { accept, inviteByMail, preview } from '../support/actors/invitations.ts';
import { createSuperAdminAccount } from '../support/actors/super-admins.ts';
import { newOwner } from '../support/actors/tenants.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import {
  goodPassword,
  newAddress,
  operations,
  post,
  register,
  registerAndSignIn,
  signIn,
  signUp,
} from '../support/clients/clients.ts';
import { everythingStored } from '../support/database/stored-rows.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import {
  clearsExchangeCookie,
  exchange,
  identitiesOf,
  issuer,
  isWaiting,
  newIdentity,
  newSecret,
  providerSettings,
  returningBrowser,
  signInExternally,
  userOf,
} from '../support/servers/external.ts';

const service = serviceFixture(providerSettings);

const subjectsOf = async (email: string): Promise<string[]> => (await mailsTo(email)).map(({ subject }) => subject);

const mailsTo = (email: string) => service.mailsTo(email);

/** Expects a refusal at the callback, before an exchange exists, with nothing stored. */
const expectRefusedBefore = async (code: ExternalRefusalCode, identity: ProvidedIdentity): Promise<void> => {
  const refusal = expect.objectContaining({ name: 'Refusal', code }) as unknown;
  await expectNothingStored(service, () => expect(newSecret(service, identity)).rejects.toEqual(refusal));
};

describe('A person with an authoritative identity', () => {
  // Contract: accounts#account-of-an-identity — exchangeAuthTokens: creates a user and a default organization
  it('gets a new account with an organization of their own for a new address', async () => {
    const identity = newIdentity({ name: '  Ada   Lovelace ' });
    const { browser, user } = await signInExternally(service, identity);
    expect(user).toEqual({
      id: expect.any(String) as unknown,
      email: identity.email,
      name: 'Ada Lovelace',
      hasPassword: false,
      hasExternalIdentity: true,
      emailValidatedAt: expect.any(String) as unknown,
      isSuperAdmin: false,
      memberships: [{ role: 'OWNER' }],
      externalIdentity: { email: identity.email, linkedAt: expect.any(String) as unknown },
    });
    expect((await browser.run(operations.me)).data).toMatchObject({
      me: { email: identity.email, currentMembership: { organization: { name: "Ada Lovelace's organization" } } },
    });
    const [access] = await liveOf(service, user.email);
    expect(access).toMatchObject({ audience: 'portal', method: 'google', kind: 'user_session' });
    expect(await subjectsOf(user.email)).toEqual([]);
  });

  it('returns to the same account with a new session', async () => {
    const identity = newIdentity();
    const first = await signInExternally(service, identity);
    const second = await signInExternally(service, identity);
    expect(second.user).toEqual(first.user);
    expect(await liveOf(service, first.user.email)).toHaveLength(4);
    expect((await first.browser.run(operations.me)).code).toBeNull();
  });

  // Contract: accounts#account-of-an-identity — An invited person who never came
  it('takes over the account made by an invitation, which remains open', async () => {
    const owner = await registerAndSignIn(service);
    const identity = newIdentity();
    const { token } = await inviteByMail(service, owner.tokens, identity.email ?? '');
    const { user } = await signInExternally(service, identity);
    expect(user).toMatchObject({ name: 'Outside Person', memberships: [{ role: 'OWNER' }], hasPassword: false });
    expect(await preview(service, token)).toMatchObject({ status: 'OPEN', vToken: null });
    const { browser } = await signInExternally(service, identity);
    const tokens = { accessToken: browser.cookies.get('auth_access') ?? '', refreshToken: '' };
    expect((await accept(service, tokens, token)).code).toBeNull();
  });

  // Contract: accounts#account-of-an-identity — exchangeAuthTokens: links the account of the verified address
  it('is linked to the verified account of the address, whose password and sessions stay', async () => {
    const person = await registerAndSignIn(service);
    const identity = newIdentity({ email: ` ${person.email.toUpperCase()} ` });
    const { user } = await signInExternally(service, identity);
    expect(user).toMatchObject({ email: person.email, name: 'Test Person', hasPassword: true });
    expect(await identitiesOf(service, person.email)).toEqual([`${issuer} ${identity.subject} ${person.email}`]);
    expect((await me(service, person.tokens.accessToken)).code).toBeNull();
    await signIn(service, person.email);
    const [mail] = await mailsTo(person.email);
    expect(mail?.subject).toBe('You can now sign in with Example ID');
    expect(mail?.text).toContain('because it has your address and was used to sign in here');
    expect(mail?.text).not.toMatch(/was removed|reset/i);
  });

  it('is linked to a super admin as to any other user, and signs in with their scopes', async () => {
    const email = await createSuperAdminAccount(service, ['mcp:whoami']);
    const { user } = await signInExternally(service, newIdentity({ email }));
    expect(user).toMatchObject({ email, isSuperAdmin: true, hasPassword: true });
  });

  // Contract: accounts#account-of-an-identity — exchangeAuthTokens: known by the subject, whatever the current address
  it('signs in by the subject when the address at the provider has changed, or is missing', async () => {
    const identity = newIdentity();
    const { user } = await signInExternally(service, identity);
    const other = await register(service);
    for (const change of [{ email: newAddress() }, { email: other }, { email: null }, { isEmailVerified: false }]) {
      const again = await signInExternally(service, { ...identity, ...change });
      expect(again.user).toEqual(user);
    }
    expect(await identitiesOf(service, other)).toEqual([]);
  });

  it('is refused without an address that the provider vouches for', async () => {
    await expectRefusedBefore('EMAIL_UNVERIFIED', newIdentity({ isEmailVerified: false }));
    const unusable = [
      null,
      '',
      'nobody',
      'a@b',
      'a b@example.com',
      `${'x'.repeat(300)}@example.com`,
      'a@b.example\u0000',
      'a@service-account.invalid',
    ];
    for (const email of unusable) await expectRefusedBefore('EMAIL_MISSING', newIdentity({ email }));
  });

  // Contract: accounts#account-of-an-identity — External sign-in: whose account an address opens
  it('is not linked to a verified account by an address that the provider is not authoritative for', async () => {
    const email = await register(service);
    const identity = newIdentity({ email, isEmailAuthoritative: false });
    await expectRefusedBefore('ACCOUNT_EXISTS', identity);
    expect(await identitiesOf(service, email)).toEqual([]);
    await signIn(service, email);
    // Found at the callback, and verified here before the exchange.
    const later = newIdentity({ isEmailAuthoritative: false });
    const secret = await newSecret(service, later);
    await register(service, later.email ?? '');
    const answer = await exchange(returningBrowser(service, secret));
    expect([answer.code, clearsExchangeCookie(answer), await isWaiting(service, secret)]).toEqual([
      'EXCHANGE_REFUSED',
      true,
      false,
    ]);
    expect(await identitiesOf(service, later.email ?? '')).toEqual([]);
  });

  it('is linked by such an address when it was never verified here, and afterwards identified by the subject', async () => {
    const fresh = newIdentity({ isEmailAuthoritative: false });
    expect((await signInExternally(service, fresh)).user.email).toBe(fresh.email);
    expect((await signInExternally(service, fresh)).user.email).toBe(fresh.email);
    const email = newAddress();
    await signUp(service, email);
    const { user } = await signInExternally(service, newIdentity({ email, isEmailAuthoritative: false }));
    expect(user).toMatchObject({ email, hasPassword: false, name: 'Outside Person' });
  });

  it('is refused when the account of the address has another subject of the issuer', async () => {
    const { user } = await signInExternally(service, newIdentity());
    await expectRefusedBefore('ACCOUNT_HAS_OTHER_IDENTITY', newIdentity({ email: user.email }));
  });

  it('is refused at the exchange when another subject took the address first', async () => {
    const email = newAddress();
    const [early, late] = [newIdentity({ email }), newIdentity({ email })];
    const secrets = [await newSecret(service, early), await newSecret(service, late)];
    const [first, second] = secrets.map((secret) => returningBrowser(service, secret));
    const { id } = userOf(await exchange(first ?? returningBrowser(service, '')));
    const answer = await exchange(second ?? returningBrowser(service, ''));
    expect([answer.code, answer.status, clearsExchangeCookie(answer)]).toEqual(['EXCHANGE_REFUSED', 401, true]);
    expect(await identitiesOf(service, email)).toEqual([`${issuer} ${early.subject} ${email}`]);
    expect((await signInExternally(service, early)).user.id).toBe(id);
    expect(await Promise.all(secrets.map((secret) => isWaiting(service, secret)))).toEqual([false, false]);
  });

  it('is refused with an invalid subject', async () => {
    for (const subject of ['', 'x'.repeat(256), 'a\u0000b', 'a\nb']) {
      await expectRefusedBefore('PROVIDER_REFUSED', newIdentity({ subject }));
    }
  });

  it('is another person at another issuer', async () => {
    const identity = newIdentity();
    const { user } = await signInExternally(service, identity);
    const namesake = newIdentity({ issuer: 'https://other.example', subject: identity.subject });
    expect((await signInExternally(service, namesake)).user.id).not.toBe(user.id);
  });
});

describe('An account with a password whose owner never verified the address', () => {
  // Contract: accounts#password-before-a-link — Linking to an unverified password account discards that password and
  //   ends its sessions
  it('passes to the verified owner: password, sessions and pending links are revoked, and the name is the provider’s', async () => {
    const squatted = 'Squatter.horse9';
    const email = await register(service, newAddress(), squatted);
    const stolen = await signIn(service, email, squatted);
    // As if verification had been off until now.
    const [verification, replaced] = [randomHex(32), randomHex(32)];
    await service.sql(
      `UPDATE users SET email_validated_at = NULL, email_validation_token_hash = $2,
         replaced_validation_token_hash = $3, email_validation_expires_at = now() + interval '1 day' WHERE email = $1`,
      [email, sha256(verification), sha256(replaced)],
    );
    const { browser, user } = await signInExternally(service, newIdentity({ email }));
    expect(user).toMatchObject({
      name: 'Outside Person',
      hasPassword: false,
      emailValidatedAt: expect.any(String) as unknown,
    });
    expect((await me(service, stolen.accessToken)).code).toBe('UNAUTHENTICATED');
    expect((await post(service.url, operations.refresh, { ...stolen })).code).toBe('REFRESH_REFUSED');
    expect((await credentialsOf(service, email)).map(({ reason }) => reason)).toEqual([
      'external_identity_linked',
      'external_identity_linked',
      null,
      null,
    ]);
    const input = { email, password: squatted };
    expect((await post(service.url, operations.signIn, { input })).code).toBe('INVALID_CREDENTIALS');
    for (const link of [verification, replaced]) {
      expect((await post(service.url, operations.validate, { token: link })).text).toContain('INVALID');
    }
    expect((await browser.run(operations.me)).data).toMatchObject({ me: { email } });
    const [mail] = await mailsTo(email);
    expect(mail?.text).toContain('the password of the account was removed');
    expect(mail?.text).not.toMatch(/reset/i);
  });

  it('keeps none of the attacker’s words in the name of the organization, unless another user renamed or joined it', async () => {
    const namesOf = async (email: string): Promise<readonly unknown[]> =>
      service.sql(
        `SELECT o.name FROM organizations o JOIN organization_members m ON m.organization_id = o.id
         JOIN users u ON u.id = m.user_id WHERE u.email = $1 ORDER BY 1`,
        [email],
      );
    const [alone, renamed, joined] = [newAddress(), newAddress(), newAddress()];
    for (const email of [alone, renamed, joined]) await signUp(service, email);
    await service.sql(
      `UPDATE organizations SET name = 'Chosen' WHERE id IN (SELECT m.organization_id FROM organization_members m
         JOIN users u ON u.id = m.user_id WHERE u.email = $1)`,
      [renamed],
    );
    const owner = await newOwner(service);
    await service.sql(
      `INSERT INTO organization_members (id, user_id, organization_id, role, joined_at)
       SELECT gen_random_uuid(), $2, m.organization_id, 'MEMBER', now() FROM organization_members m
       JOIN users u ON u.id = m.user_id WHERE u.email = $1`,
      [joined, owner.userId],
    );
    for (const email of [alone, renamed, joined])
      await signInExternally(service, newIdentity({ email, name: 'The Owner' }));
    expect(await namesOf(alone)).toEqual([{ name: "The Owner's organization" }]);
    expect(await namesOf(renamed)).toEqual([{ name: 'Chosen' }]);
    expect(await namesOf(joined)).toEqual([{ name: "Test Person's organization" }]);
  });

  it("is not lost to a sign-up after its owner's first sign-in", async () => {
    const identity = newIdentity();
    const { user } = await signInExternally(service, identity);
    const input = { email: user.email, name: 'Squatter', password: goodPassword };
    await post(service.url, operations.signUp, { input });
    expect(await subjectsOf(user.email)).toEqual(['You already have an account']);
    expect(
      (await post(service.url, operations.signIn, { input: { email: user.email, password: goodPassword } })).code,
    ).toBe('INVALID_CREDENTIALS');
    expect((await signInExternally(service, identity)).user).toMatchObject({ id: user.id, name: 'Outside Person' });
  });

  it('is found at the exchange although it did not exist at the callback', async () => {
    const identity = newIdentity();
    const secret = await newSecret(service, identity);
    const token = await signUp(service, identity.email ?? '');
    const user = userOf(await exchange(returningBrowser(service, secret)));
    expect(user).toMatchObject({ name: 'Outside Person', hasPassword: false, memberships: [{ role: 'OWNER' }] });
    expect((await post(service.url, operations.validate, { token })).text).toContain('INVALID');
  });

  it('accepts no profile completion any more', async () => {
    const owner = await registerAndSignIn(service);
    const email = newAddress();
    await signUp(service, email);
    const { token } = await inviteByMail(service, owner.tokens, email);
    expect((await preview(service, token))?.vToken).toMatch(/^[\w-]{43}$/);
    await signInExternally(service, newIdentity({ email }));
    expect((await preview(service, token))?.vToken).toBeNull();
  });
});

describe('The name of a new account', () => {
  const nameFor = async (change: Partial<ProvidedIdentity>): Promise<string> =>
    (await signInExternally(service, newIdentity(change))).user.name;

  it('is cut to the maximum length', async () => {
    expect(await nameFor({ name: 'long '.repeat(2000) })).toBe('long '.repeat(20).trim());
    expect(await nameFor({ name: '😀'.repeat(101) })).toBe('😀'.repeat(100));
  });

  it('loses unprintable characters', async () => {
    expect(await nameFor({ name: 'Ada\u0000\u202eLove\u0007lace\n\ud800' })).toBe('AdaLovelace');
  });

  it('falls back to the local part of the address when it is missing or unusable', async () => {
    for (const name of [null, '', ' \u200b ', 'https://evil.example', 'Visit www.evil.example']) {
      const email = newAddress();
      expect(await nameFor({ name, email })).toBe(email.split('@')[0]);
    }
    const email = `www.${newAddress()}`;
    expect(await nameFor({ name: null, email })).toBe(email.split('@')[0]?.replaceAll('.', ' '));
  });
});

describe('The trace of a sign-in', () => {
  it('is one log line for each event, without address, secret or subject', async () => {
    const start = service.logs.length;
    const person = await register(service);
    const identities = [newIdentity(), newIdentity({ email: person })];
    for (const identity of identities) await signInExternally(service, identity);
    const lines = service.logs.slice(start).join('');
    for (const event of ['auth.external_account_created', 'auth.external_identity_linked', 'auth.sign_in']) {
      expect(lines).toContain(`"event":"${event}"`);
    }
    for (const { subject, email } of identities) {
      expect(lines).not.toContain(subject);
      expect(lines).not.toContain(email);
    }
  });

  // Contract: accounts#callback-of-the-provider — Only the SHA-256 of the secret is stored; the payload is sealed
  it('stores neither secret nor identity in readable form before the exchange', async () => {
    const identity = newIdentity();
    const secret = await newSecret(service, identity);
    const stored = (await everythingStored(service)).join('\n');
    for (const text of [secret, identity.subject, identity.email ?? '']) expect(stored).not.toContain(text);
    expect(await service.sql('SELECT 1 FROM users WHERE email = $1', [identity.email])).toEqual([]);
  });
});
