/** The question after a link by the address: whether the existing password of the account is its person's. */
import { describe, expect, it } from 'vitest';
import { beginSession } from '../../src/domain/credentials/issue-pair.ts';
import { credentialsOf, familyOf, me } from '../support/actors/credentials.ts';
import { ageChanges, changeAddress } from '../support/actors/email-changes.ts';
import { runAs } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import {
  type Answer,
  type Browser,
  goodPassword,
  operations,
  post,
  register,
  registerAndSignIn,
  signIn,
} from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { link, newIdentity, providerSettings, signInExternally } from '../support/servers/external.ts';

const service = serviceFixture(providerSettings);

const asks = 'query FetchMe { me { hasPassword hasPasswordToReview } }';

const asked = async (browser: Browser): Promise<unknown> => (await browser.run(asks)).data?.['me'];

const review = (browser: Browser, keep: boolean): Promise<Answer> => browser.run(operations.reviewPassword, { keep });

/** An account with a password and a session, whose address then signs in by the provider. */
const linked = async () => {
  const outsider = await registerAndSignIn(service);
  const { browser } = await signInExternally(service, newIdentity({ email: outsider.email }));
  return { ...outsider, browser };
};

describe('A password from before a link by the address', () => {
  // Contract: accounts#password-before-a-link — A password from before a link by the address is asked about once
  it('is asked about only in the session of the provider, until the answer, and over a refresh', async () => {
    const { tokens, browser } = await linked();
    expect(await asked(browser)).toEqual({ hasPassword: true, hasPasswordToReview: true });
    await browser.run(operations.refresh);
    expect(await asked(browser)).toMatchObject({ hasPasswordToReview: true });
    const other = await runAs(service, { tokens }, asks);
    expect(other.data).toEqual({ me: { hasPassword: true, hasPasswordToReview: false } });
    await expectRefusal(service, 'FORBIDDEN', () =>
      runAs(service, { tokens }, operations.reviewPassword, { keep: true }),
    );
    expect((await review(browser, true)).data).toMatchObject({
      reviewPassword: { hasPassword: true, hasPasswordToReview: false },
    });
    expect(await asked(browser)).toEqual({ hasPassword: true, hasPasswordToReview: false });
    await expectRefusal(service, 'FORBIDDEN', () => review(browser, false));
  });

  it('stays with every session when it is kept', async () => {
    const { email, tokens, browser } = await linked();
    await review(browser, true);
    expect((await me(service, tokens.accessToken)).code).toBeNull();
    await signIn(service, email);
    expect((await service.mailsTo(email)).map(({ subject }) => subject)).not.toContain(
      'The password of your account was removed',
    );
  });

  // Contract: accounts#password-before-a-link — A password in question is removed with all other sessions
  it('is removed with every other session, and its person is mailed', async () => {
    const { email, tokens, browser } = await linked();
    const second = await signIn(service, email);
    expect((await review(browser, false)).data).toMatchObject({
      reviewPassword: { hasPassword: false, hasPasswordToReview: false },
    });
    for (const { accessToken } of [tokens, second])
      expect((await me(service, accessToken)).code).toBe('UNAUTHENTICATED');
    const refreshed = await post(service.url, operations.refresh, { ...second });
    expect(refreshed.code).toBe('REFRESH_REFUSED');
    const refused = await post(service.url, operations.signIn, { input: { email, password: goodPassword } });
    expect(refused.code).toBe('INVALID_CREDENTIALS');
    expect(await asked(browser)).toEqual({ hasPassword: false, hasPasswordToReview: false });
    expect((await browser.run(operations.refresh)).code).toBeNull();
    const [mail] = await service.mailsTo(email);
    expect(mail?.subject).toBe('The password of your account was removed');
    expect(mail?.text).toMatch(/On \d{1,2} \w+ \d{4} at \d{2}:\d{2} UTC/);
  });

  // Contract: accounts#password-before-a-link — A sign-in that had verified a removed password fails
  it('starts no session for a sign-in that had verified it just before it was removed', async () => {
    const { email, browser } = await linked();
    const user = await service.sql.value<string>('SELECT id FROM users WHERE email = $1', [email]);
    const hash = await service.sql.value<string>('SELECT password_hash FROM users WHERE email = $1', [email]);
    await review(browser, false);
    const before = await credentialsOf(service, email);
    const pair = await service.database.transaction((transaction) =>
      beginSession(
        transaction,
        { accessTtlSeconds: 900, refreshTtlSeconds: 900, signInHistoryDays: 30 },
        { userId: user ?? '', authMethod: 'password', provenPasswordHash: hash ?? '' },
        { audience: 'api', caller: { ip: null, userAgent: null }, replacedTokens: [], detail: 'none' },
      ),
    );
    expect([pair, await credentialsOf(service, email)]).toEqual([null, before]);
  });

  // Contract: account#forbidden-while-an-undo-is-open — a way to sign in of before a change of address stays while the
  //   change can be undone
  it('stays while a change of address can be undone, with the question and every session', async () => {
    const { email, tokens, browser } = await linked();
    await changeAddress(service, { email, tokens });
    const refused = await expectRefusal(service, 'FORBIDDEN', () => review(browser, false));
    expect(Date.parse(String(refused.extensions['undoableUntil']))).toBeGreaterThan(Date.now() + 71 * 3_600_000);
    expect(await asked(browser)).toEqual({ hasPassword: true, hasPasswordToReview: true });
    await ageChanges(service, '72 hours');
    expect((await review(browser, false)).code).toBeNull();
    expect(await asked(browser)).toEqual({ hasPassword: false, hasPasswordToReview: false });
  });

  it('may be kept meanwhile', async () => {
    const { email, tokens, browser } = await linked();
    await changeAddress(service, { email, tokens });
    expect((await review(browser, true)).code).toBeNull();
  });

  it('is mentioned in the mail of the link, which is otherwise silent about passwords', async () => {
    const { email } = await linked();
    const [mail] = await service.mailsTo(email);
    expect(mail?.text).toContain('The account also has a password. If you did not set it, sign in with Example ID');
    const fresh = newIdentity();
    const { user } = await signInExternally(service, fresh);
    expect(await service.mailsTo(user.email)).toEqual([]);
  });

  // Contract: accounts#password-before-a-link — A password is not in question when the person connected the provider
  it('is not asked about when the person connected the provider, or when there is none', async () => {
    const person = await registerAndSignIn(service);
    const id = await service.sql.value<string>('SELECT id FROM users WHERE email = $1', [person.email]);
    const identity = newIdentity();
    await link(
      service,
      {
        userId: id ?? '',
        sessionFamilyId: await familyOf(service, person.tokens.refreshToken),
        presentedTokens: [person.tokens.accessToken],
      },
      identity,
    );
    const { browser } = await signInExternally(service, identity);
    expect(await asked(browser)).toEqual({ hasPassword: true, hasPasswordToReview: false });
    const created = await signInExternally(service, newIdentity());
    expect(await asked(created.browser)).toEqual({ hasPassword: false, hasPasswordToReview: false });
    await expectRefusal(service, 'FORBIDDEN', () => review(created.browser, false));
  });

  it('is asked about once for each link: unlinking ends the question', async () => {
    const email = await register(service);
    const { browser } = await signInExternally(service, newIdentity({ email }));
    await browser.run(operations.unlinkExternalIdentity);
    expect(await asked(browser)).toEqual({ hasPassword: true, hasPasswordToReview: false });
    await expectRefusal(service, 'FORBIDDEN', () => review(browser, false));
  });
});
