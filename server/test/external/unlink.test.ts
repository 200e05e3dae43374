/** Mutation unlinkExternalIdentity, and the fields that show users their identity. */
import { describe, expect, it } from 'vitest';
import { liveOf, me } from '../support/actors/credentials.ts';
import { newOwner, runAs } from '../support/actors/tenants.ts';
import { expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import { type Answer, Browser, goodPassword, operations, register, signIn } from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import {
  identitiesOf,
  newIdentity,
  providerSettings,
  type SignedInUser,
  signInExternally,
} from '../support/servers/external.ts';

const service = serviceFixture(providerSettings);

type Unlinked = Pick<SignedInUser, 'id' | 'hasPassword' | 'hasExternalIdentity' | 'externalIdentity'>;

const unlinkedBy = (answer: Answer): Unlinked => {
  const { data } = JSON.parse(answer.text) as { data: { unlinkExternalIdentity: Unlinked } };
  return data.unlinkExternalIdentity;
};

/** A user with a verified password and an identity of the same address, and their browser. */
const linkedPerson = async () => {
  const email = await register(service);
  const identity = newIdentity({ email });
  return { email, identity, ...(await signInExternally(service, identity)) };
};

describe('Unlinking', () => {
  it('keeps the password as the sign-in method, returns the updated user and mails them', async () => {
    const { email, browser, user } = await linkedPerson();
    const answer = await browser.run(operations.unlinkExternalIdentity);
    expect(unlinkedBy(answer)).toEqual({
      id: user.id,
      hasPassword: true,
      hasExternalIdentity: false,
      externalIdentity: null,
    });
    expect(await identitiesOf(service, email)).toEqual([]);
    const [mail] = await service.mailsTo(email);
    expect(mail?.subject).toBe('You can no longer sign in with Example ID');
    expect(mail?.text).toMatch(/On \d{1,2} \w+ \d{4} at \d{2}:\d{2} UTC/);
    expect(mail?.text).not.toMatch(/reset/i);
    await signIn(service, email);
    expect(service.logs.join('')).toContain(`"event":"auth.external_identity_unlinked","userId":"${user.id}"`);
  });

  it('keeps every session, including those by the provider', async () => {
    const { email, browser, user } = await linkedPerson();
    const tokens = await signIn(service, email);
    await runAs(service, { tokens }, operations.unlinkExternalIdentity);
    expect(await liveOf(service, email)).toHaveLength(4);
    expect((await browser.run(operations.me)).data).toMatchObject({ me: { id: user.id, hasExternalIdentity: false } });
  });

  it('makes the identity unknown: with another address it belongs to a new person', async () => {
    const { browser, user, identity } = await linkedPerson();
    await browser.run(operations.unlinkExternalIdentity);
    const { email } = newIdentity();
    expect((await signInExternally(service, { ...identity, email })).user).toMatchObject({ email, hasPassword: false });
    expect((await browser.run(operations.me)).data).toMatchObject({ me: { id: user.id } });
  });

  // Contract: accounts#unlinking-an-identity — unlinkExternalIdentity: never the last sign-in method
  it('is refused to a person without a password, and the identity still signs them in', async () => {
    const identity = newIdentity();
    const { browser, user } = await signInExternally(service, identity);
    await expectRefusal(service, 'FORBIDDEN', () => browser.run(operations.unlinkExternalIdentity));
    expect((await signInExternally(service, identity)).user).toEqual(user);
  });

  it('without an identity changes nothing and mails nothing', async () => {
    const email = await register(service);
    const tokens = await signIn(service, email);
    const answer = await expectNothingStored(service, () =>
      runAs(service, { tokens }, operations.unlinkExternalIdentity),
    );
    expect(unlinkedBy(answer)).toMatchObject({ hasPassword: true, hasExternalIdentity: false, externalIdentity: null });
  });

  it('removes all identities, also of a provider that is no longer configured', async () => {
    const { email, browser, user } = await linkedPerson();
    await service.sql(
      `INSERT INTO external_identities (issuer, subject, user_id) VALUES ('https://former.example', 'somebody', $1)`,
      [user.id],
    );
    expect(unlinkedBy(await browser.run(operations.unlinkExternalIdentity)).hasExternalIdentity).toBe(false);
    expect(await identitiesOf(service, email)).toEqual([]);
    expect((await browser.run(operations.me)).data).toMatchObject({ me: { hasExternalIdentity: false } });
  });

  it('requires the portal’s Origin with cookies, and a signed-in user', async () => {
    const { browser, email } = await linkedPerson();
    const foreign = { origin: 'https://evil.example' };
    await expectRefusal(service, 'ORIGIN_REFUSED', () => browser.run(operations.unlinkExternalIdentity, {}, foreign));
    await expectRefusal(service, 'UNAUTHENTICATED', () => new Browser(service).run(operations.unlinkExternalIdentity));
    expect(await identitiesOf(service, email)).toHaveLength(1);
  });
});

describe('User.externalIdentity', () => {
  const query = '{ me { externalIdentity { email linkedAt } } }';

  // Contract: accounts#unlinking-an-identity — User.hasExternalIdentity, User.externalIdentity
  it('has the address at the provider and the instant of the link; later sign-ins change neither', async () => {
    const identity = newIdentity();
    const { browser, user } = await signInExternally(service, identity);
    const later = await signInExternally(service, { ...identity, email: newIdentity().email });
    expect(later.user.externalIdentity).toEqual(user.externalIdentity);
    expect((await browser.run(query)).data).toEqual({ me: { externalIdentity: user.externalIdentity } });
  });

  it('is null for a user without one', async () => {
    const { tokens } = await newOwner(service);
    expect((await runAs(service, { tokens }, query)).data).toEqual({ me: { externalIdentity: null } });
  });

  it('tells a user with a password which identity is linked', async () => {
    const { email, user } = await linkedPerson();
    const browser = new Browser(service);
    await browser.run(operations.signIn, { input: { email, password: goodPassword } });
    expect((await browser.run(query)).data).toEqual({ me: { externalIdentity: user.externalIdentity } });
    expect((await me(service, browser.cookies.get('auth_access') ?? '')).data).toMatchObject({
      me: { hasExternalIdentity: true, hasPassword: true },
    });
  });
});
