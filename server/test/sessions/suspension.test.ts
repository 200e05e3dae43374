/** The suspension of people: what ends, who learns of it, what stays as it was, and its end. */
import { describe, expect, it } from 'vitest';
import { me, refresh } from '../support/actors/credentials.ts';
import { inviteByMail, profileInput } from '../support/actors/invitations.ts';
import { addOneTimeCodes, challengeIn, complete, freshCode } from '../support/actors/one-time-codes.ts';
import { newPasskeyPerson, passkeySettings, signInWithPasskey } from '../support/actors/passkeys.ts';
import { newOwner, newSuperAdmin, runAs, type Tenant } from '../support/actors/tenants.ts';
import { expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import {
  type Answer,
  goodPassword,
  newAddress,
  operations,
  post,
  register,
  registerAndSignIn,
  signUp,
  type Tokens,
} from '../support/clients/clients.ts';
import { connect, expectOAuthRefusal, newClient, newCode, redeem, refreshAs } from '../support/clients/oauth.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import {
  clearsExchangeCookie,
  exchange,
  isWaiting,
  newIdentity,
  newSecret,
  providerSettings,
  returningBrowser,
  signInExternally,
} from '../support/servers/external.ts';

const service = serviceFixture({ ...providerSettings, ...passkeySettings });
const root = fixture(() => newSuperAdmin(service));

const reason = 'Sells stolen accounts, ticket 4711';
const wrongPassword = 'Wrong.horse7';

const suspend = (userId: string, change: object = {}, as: { readonly tokens: Tokens } = root): Promise<Answer> =>
  runAs(service, as, operations.suspendUser, { id: userId, reason, ...change });

const reinstate = (userId: string): Promise<Answer> => runAs(service, root, operations.reinstateUser, { id: userId });

const signIn = (email: string, password = goodPassword): Promise<Answer> =>
  post(service.url, operations.signIn, { input: { email, password } });

const idOf = async (email: string): Promise<string> =>
  (await service.sql.value<string>('SELECT id FROM users WHERE email = $1', [email])) ?? '';

const suspended = async (email: string): Promise<string> => {
  const userId = await idOf(email);
  expect((await suspend(userId)).code).toBeNull();
  return userId;
};

const factsIn = ({ data }: Answer): unknown => Object.values(data ?? {})[0];

const subjectsTo = async (email: string): Promise<string[]> =>
  (await service.mailsTo(email)).map(({ subject }) => subject);

describe('suspendUser', () => {
  // Contract: incidents#suspension-of-a-person — suspendUser ends every credential
  it('ends every credential of the person at once, and tells them by a mail without the reason', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    const second = await registerAndSignIn(service);
    const userId = await idOf(email);
    const answer = await suspend(userId);
    expect(factsIn(answer)).toEqual({
      userId,
      isSuspended: true,
      suspendedAt: expect.stringMatching(/Z$/) as unknown,
      revokedCredentials: 2,
    });
    await expectRefusal(service, 'UNAUTHENTICATED', () => me(service, tokens.accessToken));
    await expectRefusal(service, 'ACCOUNT_SUSPENDED', () => refresh(service, tokens));
    expect((await me(service, second.tokens.accessToken)).code).toBeNull();
    const mail = (await service.mailsTo(email)).find(({ subject }) => subject === 'Your account was suspended');
    expect(mail?.text).toContain('suspended your account');
    expect(mail?.text).not.toContain('4711');
  });

  it('is repeated without effect: the first instant and reason stay, and no second mail is sent', async () => {
    const { userId, email } = await newOwner(service);
    const first = await suspend(userId);
    const again = await expectNothingStored(service, () => suspend(userId, { reason: 'Another reason' }));
    expect(factsIn(again)).toEqual({ ...(factsIn(first) as object), revokedCredentials: 0 });
    const details = await runAs(service, root, operations.platformUser, { id: userId });
    expect(factsIn(details)).toMatchObject({
      user: { suspendedAt: expect.any(String) as unknown },
      suspensions: [
        { reason, suspendedBy: root.userId, suspendedByEmail: root.email, reinstatedAt: null, reinstatedBy: null },
      ],
    });
    expect(await subjectsTo(email)).toEqual(['Your account was suspended']);
  });

  it('changes nothing in a dry run, and answers what would end', async () => {
    const { userId, tokens } = await newOwner(service);
    const answer = await expectNothingStored(service, () => suspend(userId, { dryRun: true }));
    expect(factsIn(answer)).toEqual({ userId, isSuspended: true, suspendedAt: null, revokedCredentials: 2 });
    expect((await me(service, tokens.accessToken)).code).toBeNull();
  });

  it.each([
    ['empty', ' \u200b '],
    ['longer than 200 characters', 'x'.repeat(201)],
    ['with a control character', 'a\u0007b'],
    ['with a character that reverses the text', 'a\u202eb'],
    ['with NUL', 'a\u0000b'],
  ])('refuses a reason that is %s', async (_, text) => {
    const { userId } = await newOwner(service);
    const answer = await expectNothingStored(service, () => suspend(userId, { reason: text }));
    expect(answer.code).toBe('BAD_USER_INPUT');
    expect(Object.keys(answer.extensions['fields'] as object)).toEqual(['reason']);
  });

  it('takes a reason of 200 characters of any script', async () => {
    const { userId } = await newOwner(service);
    expect((await suspend(userId, { reason: '🙂'.repeat(200) })).code).toBeNull();
  });

  it('is refused to a super admin without the scope, and to every other person', async () => {
    const { userId } = await newOwner(service);
    const others = [await newSuperAdmin(service, ['users:view', 'sessions:revoke']), await newOwner(service)];
    for (const other of others) {
      await expectRefusal(service, 'FORBIDDEN', () => suspend(userId, {}, other));
      await expectRefusal(service, 'FORBIDDEN', () => runAs(service, other, operations.reinstateUser, { id: userId }));
    }
  });

  it('refuses ids of no person', async () => {
    for (const id of ['00000000-0000-4000-8000-000000000000', 'no id', '']) {
      await expectRefusal(service, 'NOT_FOUND', () => suspend(id));
      await expectRefusal(service, 'NOT_FOUND', () => reinstate(id));
    }
  });

  // Contract: incidents#limits-of-suspensions — suspendUser never oneself
  it('refuses oneself, also in a dry run', async () => {
    await expectRefusal(service, 'FORBIDDEN', () => suspend(root.userId));
    await expectRefusal(service, 'FORBIDDEN', () => suspend(root.userId, { dryRun: true }));
  });

  it('takes an id in any case, and never that of oneself', async () => {
    const { userId } = await newOwner(service);
    expect(factsIn(await suspend(userId.toUpperCase()))).toMatchObject({ userId, isSuspended: true });
    expect(factsIn(await reinstate(userId.toUpperCase()))).toMatchObject({ userId, isSuspended: false });
    await expectRefusal(service, 'FORBIDDEN', () => suspend(root.userId.toUpperCase()));
  });

  it('takes a super admin, who has no authority from then on', async () => {
    const other = await newSuperAdmin(service);
    await suspend(other.userId);
    await expectRefusal(service, 'UNAUTHENTICATED', () => suspend(root.userId, {}, other));
  });
});

/** Each person who proves themself is told, and no other caller. */
describe('A suspended person', () => {
  // Contract: incidents#refusal-of-a-suspended-person — ACCOUNT_SUSPENDED to who proved themself alone
  it('is told by the right password, and by a wrong one as any account is', async () => {
    const email = await register(service);
    const others = await register(service);
    await suspended(email);
    await expectRefusal(service, 'ACCOUNT_SUSPENDED', () => signIn(email));
    const wrong = await expectRefusal(service, 'INVALID_CREDENTIALS', () => signIn(email, wrongPassword));
    const known = await expectRefusal(service, 'INVALID_CREDENTIALS', () => signIn(others, wrongPassword));
    expect(wrong.text).toBe(known.text);
  });

  it('is told by the password alone where a second factor would be asked for', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    await addOneTimeCodes(service, tokens);
    await suspended(email);
    await expectRefusal(service, 'ACCOUNT_SUSPENDED', () => signIn(email));
  });

  it('is told in place of the end of a sign-in that waits for a second factor', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    const { secret } = await addOneTimeCodes(service, tokens);
    const challenge = challengeIn(await signIn(email));
    const userId = await suspended(email);
    const code = await freshCode(service, secret);
    await expectRefusal(service, 'ACCOUNT_SUSPENDED', () => complete(service, challenge, code));
    await reinstate(userId);
    await expectRefusal(service, 'CHALLENGE_REFUSED', () => complete(service, challenge, code));
  });

  it('is told by a passkey', async () => {
    const person = await newPasskeyPerson(service);
    await suspended(person.email);
    const answer = await signInWithPasskey(service, person.authenticator);
    expect([answer.status, answer.code, answer.setCookies]).toEqual([403, 'ACCOUNT_SUSPENDED', []]);
  });

  it('is told by a provider, with a secret of before and at the callback', async () => {
    const identity = newIdentity();
    const { user } = await signInExternally(service, identity);
    const secret = await newSecret(service, identity);
    await suspended(user.email);
    const answer = await exchange(returningBrowser(service, secret));
    expect([answer.status, answer.code, await isWaiting(service, secret)]).toEqual([403, 'ACCOUNT_SUSPENDED', false]);
    expect([clearsExchangeCookie(answer), answer.setCookies.length]).toEqual([true, 1]);
    await expect(newSecret(service, identity)).rejects.toMatchObject({ code: 'ACCOUNT_SUSPENDED' });
  });

  it('is told by a provider that is authoritative for the address alone, and is not linked', async () => {
    const email = await register(service);
    await suspended(email);
    await expect(newSecret(service, newIdentity({ email }))).rejects.toMatchObject({ code: 'ACCOUNT_SUSPENDED' });
    await expect(newSecret(service, newIdentity({ email, isEmailAuthoritative: false }))).rejects.toMatchObject({
      code: 'ACCOUNT_EXISTS',
    });
    await expect(newSecret(service, newIdentity({ email, isEmailVerified: false }))).rejects.toMatchObject({
      code: 'EMAIL_UNVERIFIED',
    });
  });

  it('is told by a verification link with the password, and the address stays unverified', async () => {
    const email = newAddress();
    const token = await signUp(service, email);
    await suspended(email);
    const confirm = (password: string) => post(service.url, operations.confirmSignUp, { input: { token, password } });
    await expectRefusal(service, 'ACCOUNT_SUSPENDED', () => confirm(goodPassword));
    await expectRefusal(service, 'INVALID_CREDENTIALS', () => confirm(wrongPassword));
  });

  it('is told by an invitation without an account, which stays open', async () => {
    const owner = await newOwner(service);
    const { email, token } = await invited(owner);
    const userId = await suspended(email);
    const variables = await profileInput(service, token);
    const submit = () => post(service.url, operations.completeInvitedProfile, variables);
    await expectRefusal(service, 'ACCOUNT_SUSPENDED', submit);
    await reinstate(userId);
    expect((await submit()).code).toBeNull();
    expect(await subjectsTo(email)).not.toContain('Your account was suspended');
  });

  it('learns nothing by a sign-up with the address, which answers as for any account', async () => {
    const email = await register(service);
    await suspended(email);
    const answer = await post(service.url, operations.signUp, {
      input: { email, name: 'Test Person', password: goodPassword },
    });
    expect(factsIn(answer)).toEqual({ success: true, verificationRequired: true });
    await expectRefusal(service, 'ACCOUNT_SUSPENDED', () => signIn(email));
  });

  it('who was only invited stays suspended after a sign-up with the address', async () => {
    const { email } = await invited(await newOwner(service));
    await suspended(email);
    await post(service.url, operations.validate, { token: await signUp(service, email) });
    await expectRefusal(service, 'ACCOUNT_SUSPENDED', () => signIn(email));
  });

  it('has no code, pair or token of an MCP client any more, and the protocol says invalid_grant', async () => {
    const connection = await connect(service);
    const { person } = connection;
    const code = await newCode(service, { clientId: await newClient(service), userId: person.userId });
    await suspend(person.userId);
    await expectOAuthRefusal(service, 'invalid_grant', () => redeem(service, code));
    await expectOAuthRefusal(service, 'invalid_grant', () => refreshAs(service, connection));
    const response = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${connection.tokens.accessToken}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(response.status).toBe(401);
  });

  it('has no identity at the endpoint for back ends', async () => {
    const { userId, tokens } = await newOwner(service);
    await suspend(userId);
    const response = await fetch(`${service.url}/auth/identity`, {
      headers: { authorization: `Bearer ${tokens.accessToken}` },
    });
    expect(response.status).toBe(401);
  });

  it('is refused a token that was issued without knowledge of the suspension', async () => {
    const { userId, tokens } = await newOwner(service);
    // As a process of the version before would leave it: a live pair of a suspended person.
    await service.sql('UPDATE users SET suspended_at = now() WHERE id = $1', [userId]);
    await expectRefusal(service, 'UNAUTHENTICATED', () => me(service, tokens.accessToken));
    await expectRefusal(service, 'REFRESH_REFUSED', () => refresh(service, tokens));
  });
});

const invited = async (owner: Tenant): Promise<{ readonly email: string; readonly token: string }> => {
  const email = newAddress();
  return { email, token: (await inviteByMail(service, owner.tokens, email)).token };
};

describe('reinstateUser', () => {
  // Contract: incidents#end-of-a-suspension — reinstateUser
  it('lets the person sign in again, keeps sessions of before ended, and tells them by a mail', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    const userId = await suspended(email);
    expect(factsIn(await reinstate(userId))).toEqual({
      userId,
      isSuspended: false,
      suspendedAt: null,
      revokedCredentials: 0,
    });
    await expectRefusal(service, 'UNAUTHENTICATED', () => me(service, tokens.accessToken));
    await expectRefusal(service, 'REFRESH_REFUSED', () => refresh(service, tokens));
    expect((await signIn(email)).code).toBeNull();
    expect(await subjectsTo(email)).toContain('Your account was reinstated');
    const details = await runAs(service, root, operations.platformUser, { id: userId });
    expect(factsIn(details)).toMatchObject({
      user: { suspendedAt: null },
      suspensions: [{ reason, reinstatedAt: expect.any(String) as unknown, reinstatedBy: root.userId }],
    });
  });

  it('changes nothing for a person who is not suspended', async () => {
    const { userId } = await newOwner(service);
    const answer = await expectNothingStored(service, () => reinstate(userId));
    expect(answer.code).toBeNull();
  });

  it('is followed by another suspension, which is listed first', async () => {
    const { userId } = await newOwner(service);
    await suspend(userId);
    await reinstate(userId);
    await suspend(userId, { reason: 'Again' });
    const details = await runAs(service, root, operations.platformUser, { id: userId });
    expect(factsIn(details)).toMatchObject({ suspensions: [{ reason: 'Again', reinstatedAt: null }, { reason }] });
  });
});
