/** Passkeys in Chromium, with its virtual authenticator: add, sign in, confirm, remove, and what goes wrong. */
import type { CDPSession, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ageAuthentication } from '../../support/actors/credentials.ts';
import { passkeySettings } from '../../support/actors/passkeys.ts';
import {
  button,
  field,
  fillSignIn,
  heading,
  isHome,
  openStage,
  signInNewPerson,
} from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { operationOf, type Visitor } from '../../support/browser/visitors.ts';
import { goodPassword } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';

interface VirtualAuthenticator {
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

const addAuthenticator = async (page: Page, change: object = {}): Promise<VirtualAuthenticator> => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      ...change,
    },
  });
  return { cdp, authenticatorId };
};

const setPresence = ({ cdp, authenticatorId }: VirtualAuthenticator, enabled: boolean): Promise<unknown> =>
  cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });

const addPasskey = async (page: Page, name: string): Promise<void> => {
  await page.goto('/account/security');
  await button(page, 'Add a passkey').click();
  await field(page, 'Name of the new passkey').fill(name);
  await button(page, 'Continue').click();
  await page.getByText(`The passkey ${name} is added.`).waitFor();
};

/** Without the autofill, which the virtual authenticator would answer at once. */
const withoutAutofill = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
  });

const signOut = async ({ context, page }: Visitor): Promise<void> => {
  await context.clearCookies();
  await page.goto('/signin');
  await heading(page, 'Sign in').waitFor();
};

describe.skipIf(chromiumPath === null)('Passkeys', () => {
  const stage = fixture(() => openStage({ environment: passkeySettings }));

  /** A person with a passkey, signed out. */
  const newVisitorWithPasskey = async (): Promise<
    Visitor & { readonly email: string; readonly authenticator: VirtualAuthenticator }
  > => {
    const { email, visitor } = await signInNewPerson(stage);
    await withoutAutofill(visitor.page);
    const authenticator = await addAuthenticator(visitor.page);
    await addPasskey(visitor.page, 'Laptop');
    await signOut(visitor);
    return { ...visitor, email, authenticator };
  };

  const passkeysOf = (email: string): Promise<unknown> =>
    stage.service.sql.value(
      'SELECT count(*)::integer AS n FROM passkeys p JOIN users u ON u.id = p.user_id WHERE u.email = $1',
      [email],
    );

  // Contract: account#registration-of-a-passkey — passkeys in a browser
  it('are added, sign in by the button, are renamed and removed', async () => {
    const visitor = await newVisitorWithPasskey();
    const { page } = visitor;
    await button(page, 'Sign in with a passkey').click();
    await isHome(page);
    await page.goto('/account/security');
    await page.getByText('With a passkey or a second factor.').waitFor();
    await button(page, 'Rename Laptop').click();
    await field(page, 'Name').fill('Old laptop');
    await button(page, 'Save').click();
    await page.getByText('The passkey is now called Old laptop.').waitFor();
    await button(page, 'Remove Old laptop').click();
    await button(page, 'Remove passkey').click();
    await page.getByText('You have no passkey yet.').waitFor();
    expect(
      await stage.service.sql.value('SELECT count(*)::integer AS n FROM passkeys WHERE name = $1', ['Old laptop']),
    ).toBe(0);
  });

  // Contract: account#challenge-of-a-passkey — autofill on /signin
  it('sign in by the autofill of the address', async () => {
    const { visitor, page } = await signInNewPerson(stage);
    const authenticator = await addAuthenticator(page);
    await addPasskey(page, 'Laptop');
    await setPresence(authenticator, false);
    await signOut(visitor);
    expect(await field(page, 'E-mail address').getAttribute('autocomplete')).toBe('username webauthn');
    await expect.poll(() => visitor.count('BeginPasskeySignIn')).toBeGreaterThan(0);
    // The page that waits is left before: it would sign in as well.
    await page.goto('about:blank');
    await setPresence(authenticator, true);
    await page.goto('/signin');
    await isHome(page);
    expect(visitor.count('SignInWithPasskey')).toBe(1);
  });

  it('of a device that has one already are not added again; another device adds a second one', async () => {
    const { page, authenticator } = await newVisitorWithPasskey();
    await button(page, 'Sign in with a passkey').click();
    await isHome(page);
    await page.goto('/account/security');
    await button(page, 'Add a passkey').click();
    await button(page, 'Continue').click();
    await page.getByText('This device has a passkey of your account already.').waitFor();
    await authenticator.cdp.send('WebAuthn.removeVirtualAuthenticator', authenticator);
    await addAuthenticator(page, { transport: 'usb' });
    await button(page, 'Continue').click();
    await page.getByText('is added.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Remove / }).count()).toBe(2);
  });

  it('that are the last way to sign in stay', async () => {
    const visitor = await newVisitorWithPasskey();
    const { page, email } = visitor;
    visitor.forgiveComplaints();
    await stage.service.sql('UPDATE users SET password_hash = NULL WHERE email = $1', [email]);
    await button(page, 'Sign in with a passkey').click();
    await isHome(page);
    await page.goto('/account/security');
    await button(page, 'Remove Laptop').click();
    await button(page, 'Remove passkey').click();
    await page.getByText('It is your last way to sign in.').waitFor();
    expect(await passkeysOf(email)).toBe(1);
  });

  it('that were there before a change of address stay while it can be undone, and the page says until when', async () => {
    const visitor = await newVisitorWithPasskey();
    const { page, email } = visitor;
    visitor.forgiveComplaints();
    await stage.service.sql(
      `INSERT INTO email_changes (user_id, new_email, old_email, credentials_revision, token_hash, requested_at,
         confirmed_at, undo_token_hash, expires_at)
       SELECT id, email, 'former-' || email, 0, uuid_send(gen_random_uuid()), now(), now(),
         uuid_send(gen_random_uuid()), '2031-05-06 07:08Z' FROM users WHERE email = $1`,
      [email],
    );
    await button(page, 'Sign in with a passkey').click();
    await isHome(page);
    await page.goto('/account/security');
    await button(page, 'Remove Laptop').click();
    await button(page, 'Remove passkey').click();
    await page.getByText('the former one can undo that until 6 May 2031, 07:08.').waitFor();
    expect(await page.getByText('It is your last way to sign in.').count()).toBe(0);
    expect(await passkeysOf(email)).toBe(1);
  });

  it('of an earlier address of the service are removed, and others added, by the password', async () => {
    const { page, email } = await newVisitorWithPasskey();
    await stage.service.sql(
      `UPDATE passkeys SET relying_party_id = 'id.example.com' WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
      [email],
    );
    await fillSignIn(page, email);
    await isHome(page);
    await page.goto('/account/security');
    await page.getByText('Made for id.example.com: does not work here').waitFor();
    await button(page, 'Remove Laptop').click();
    await button(page, 'Remove passkey').click();
    await page.getByText('You have no passkey yet.').waitFor();
    await addPasskey(page, 'Phone');
    expect(await passkeysOf(email)).toBe(1);
  });

  it('confirm in a dialog that it is the person, and what they began goes on', async () => {
    const visitor = await newVisitorWithPasskey();
    const { page, context } = visitor;
    visitor.forgiveComplaints();
    await button(page, 'Sign in with a passkey').click();
    await isHome(page);
    const cookies = await context.cookies();
    const access = cookies.find(({ name }) => name === 'auth_access')?.value ?? '';
    await ageAuthentication(stage.service, access, '11 minutes');
    await page.goto('/account/security');
    await button(page, 'Remove Laptop').click();
    await button(page, 'Remove passkey').click();
    await button(page, 'Confirm with a passkey').click();
    await page.getByText('The passkey Laptop is removed.').waitFor();
  });

  it('that are cancelled say so, and the password still signs in', async () => {
    const { page, email, authenticator } = await newVisitorWithPasskey();
    await authenticator.cdp.send('WebAuthn.setUserVerified', { ...authenticator, isUserVerified: false });
    await button(page, 'Sign in with a passkey').click();
    await page.getByText('No passkey was used: you cancelled, or it took too long.').waitFor();
    await field(page, 'E-mail address').fill(email);
    await field(page, 'Password').fill(goodPassword);
    await button(page, 'Sign in').click();
    await isHome(page);
  });

  it('that are used too late say so, and work when they are used again', async () => {
    const visitor = await newVisitorWithPasskey();
    const { page } = visitor;
    visitor.forgiveComplaints();
    await page.route(`${stage.service.url}/graphql`, async (route, request) => {
      if (operationOf(request) === 'SignInWithPasskey' && visitor.count('SignInWithPasskey') === 1) {
        await stage.service.sql('UPDATE passkey_challenges SET expires_at = now()');
      }
      await route.continue();
    });
    await button(page, 'Sign in with a passkey').click();
    await page.getByText('This took too long. Try again.').waitFor();
    await button(page, 'Sign in with a passkey').click();
    await isHome(page);
  });

  it('at another address than the service’s say so', async () => {
    const visitor = await stage.newVisitor();
    const { page } = visitor;
    visitor.forgiveComplaints();
    await withoutAutofill(page);
    await addAuthenticator(page);
    await page.goto(`${stage.service.portalUrl.replace('localhost', '127.0.0.1')}/signin`);
    await button(page, 'Sign in with a passkey').click();
    await page.getByText('Passkeys do not work at this address.').waitFor();
  });
});

describe.skipIf(chromiumPath === null)('The portal at an IP address', () => {
  const stage = fixture(() => openStage());

  it('shows nothing of passkeys', async () => {
    const { visitor, page } = await signInNewPerson(stage);
    await page.goto('/account/security');
    await page.getByRole('heading', { name: 'This session' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Passkeys' }).count()).toBe(0);
    await signOut(visitor);
    expect(await field(page, 'E-mail address').getAttribute('autocomplete')).toBe('username');
    expect(await page.getByRole('button', { name: /passkey/ }).count()).toBe(0);
    expect(visitor.operations().filter((name) => name.includes('Passkey'))).toEqual([]);
  });
});
