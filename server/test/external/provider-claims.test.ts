/** Unusual claims of a provider, from the id_token to the account: refused, or corrected to fit the rules. */
import { describe, expect, it } from 'vitest';
import type { ExternalRefusalCode } from '../../src/kernel/errors.ts';
import { newOwner } from '../support/actors/tenants.ts';
import { newAddress, operations } from '../support/clients/clients.ts';
import { ProviderBrowser } from '../support/clients/provider-browser.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { type SignedInUser, userOf } from '../support/servers/external.ts';
import { expectExternalRefusal } from '../support/servers/external-refusals.ts';
import type { Json } from '../support/servers/id-tokens.ts';
import { startIssuerOfPeople } from '../support/servers/issuer-with-accounts.ts';

describe("A provider's claims", () => {
  const provider = fixture(startIssuerOfPeople);
  const service = serviceFixture(() => provider.environment());

  const comeBack = (subject: string, browser = new ProviderBrowser()) =>
    provider.comeBack(browser, `${service.portalUrl}/auth/google`, subject);

  const signIn = async (subject: string): Promise<SignedInUser> => {
    const browser = new ProviderBrowser();
    expect((await comeBack(subject, browser)).location).toBe(`${service.portalUrl}/signin?oauth_exchange=1`);
    return userOf(await browser.run(service, operations.exchangeAuthTokens));
  };

  const expectRefused = async (code: ExternalRefusalCode, claims: Json): Promise<void> => {
    const subject = provider.newPerson(claims);
    const secrets = () => [
      provider.clientSecret,
      subject,
      ...Object.values(claims).filter((each) => typeof each === 'string'),
    ];
    await expectExternalRefusal(service, { codes: [code], secrets }, () => comeBack(subject));
  };

  it.each<[string, unknown]>([
    ['missing', undefined],
    ['null', null],
    ['empty', ''],
    ['blank', '   '],
    ['a number', 12345678],
    ['a list', ['one@example.com']],
    ['an object', { email: 'one@example.com' }],
    ['no address', 'somebody at example.com'],
    ['without a domain', 'somebody-there@'],
    ['two addresses', 'one@example.com,two@example.com'],
    ['with a display name', 'One <one@example.com>'],
    ['10 kB long', `${'x'.repeat(10_240)}@example.com`],
    ['with a domain of a kilobyte', `somebody@${'example.'.repeat(128)}com`],
    ['with a header after a line break', 'one@example.com\r\nBcc: two@example.com'],
    ['with a NUL', 'one@example.com\u0000'],
    ['with a lone surrogate', 'one\ud800@example.com'],
    ['with a right-to-left override', '\u202emoc.elpmaxe@eno'],
    ['with a fullwidth at sign', 'one\uff20example.com'],
    ['in Cyrillic lookalikes', 'somebody@\u0435xample.com'],
  ])('with an address that is %s open no account', async (_title, email) => {
    await expectRefused('EMAIL_MISSING', { email });
  });

  it('with an address that equals another one only in lower case do not match it', async () => {
    // The Kelvin sign lower-cases to an ASCII letter.
    const email = newAddress().replace('person', 'kim');
    await newOwner(service, email);
    for (const claimed of [email.replace('k', '\u212a'), `${email} `.replace('k', '\u212a')]) {
      await expectRefused('EMAIL_MISSING', { email: claimed });
    }
  });

  it.each<[string, unknown]>([
    ['false', false],
    ['the string false', 'false'],
    ['missing', undefined],
    ['null', null],
    ['empty', ''],
    ['one', 1],
    ['the string TRUE', 'TRUE'],
    ['the string yes', 'yes'],
    ['a list of true', [true]],
    ['an object', {}],
  ])('with an email_verified of %s open no account', async (_title, verified) => {
    await expectRefused('EMAIL_UNVERIFIED', { email_verified: verified });
  });

  // Contract: accounts#account-of-an-identity — An unverified address of the provider signs no user in
  it('with an unverified address of an existing account do not sign in to it', async () => {
    const { email } = await newOwner(service);
    await expectRefused('EMAIL_UNVERIFIED', { email, email_verified: false });
  });

  it('with true as a string, as some providers write it, are accepted', async () => {
    const email = newAddress();
    expect(await signIn(provider.newPerson({ email, email_verified: 'true' }))).toMatchObject({ email });
  });

  it('with invisible signs in an address open an account with the address without them', async () => {
    const email = newAddress();
    const claimed = `\ufeff${email.replace('@', '\u200b@').replace('.', '\u00ad.')}\u2060`;
    expect(await signIn(provider.newPerson({ email: claimed }))).toMatchObject({ email });
  });

  it('with invisible signs in an address do not sign in to the account that has it without them', async () => {
    const { email } = await newOwner(service);
    await expectRefused('ACCOUNT_EXISTS', { email: email.replace('@', '\u200b@') });
  });

  it('with an address in capitals belong to the account that has it in lower case', async () => {
    const { email, userId } = await newOwner(service);
    expect(await signIn(provider.newPerson({ email: email.toUpperCase() }))).toMatchObject({ id: userId, email });
  });

  it.each<[string, unknown, string | null]>([
    ['10 kB long', 'N'.repeat(10_240), 'N'.repeat(100)],
    ['10 kB of combining accents', `e${'\u0301'.repeat(10_239)}`, `\u00e9${'\u0301'.repeat(99)}`],
    ['only control characters', '\u0000\u0001\u001b[31m\u0007'.replace('[31m', ''), null],
    ['only direction marks', '\u202e\u202d\u2066\u2069', null],
    ['with a right-to-left override', 'Ada\u202e ecalevoL', 'Ada ecalevoL'],
    ['blank', ' \u3000\u200b ', null],
    ['a number', 5, null],
    ['a link', 'Win at https://evil.example', null],
    ['of several lines', 'Ada\r\nBcc: two@example.com', 'Ada Bcc: two@example.com'],
    ['markup', '<script>alert(1)</script>', '<script>alert(1)</script>'],
  ])('with a name that is %s open an account with a printable name', async (_title, name, shown) => {
    const email = newAddress();
    const user = await signIn(provider.newPerson({ email, name }));
    expect(user.name).toBe(shown ?? email.split('@')[0]);
  });

  it('with a changed address sign in to the same account, which keeps its own', async () => {
    const email = newAddress();
    const { email: taken, userId } = await newOwner(service);
    const subject = provider.newPerson({ email });
    const { id } = await signIn(subject);
    for (const change of [
      { email: newAddress() },
      { email: taken },
      { email: taken, email_verified: false },
      { email: 'no address' },
      { email: undefined },
    ]) {
      provider.people.set(subject, { ...provider.people.get(subject), ...change });
      expect(await signIn(subject)).toMatchObject({ id, email });
    }
    const accounts = await service.sql<{ identities: number }>(
      'SELECT count(*)::integer AS identities FROM external_identities WHERE user_id = $1',
      [userId],
    );
    expect(accounts).toEqual([{ identities: 0 }]);
  });
});
