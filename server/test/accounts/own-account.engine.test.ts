/** One's own name and password: changed in one session, told by mail, and refused without a trace. */
import { describe, expect, it } from 'vitest';
import { beginSession } from '../../src/domain/credentials/issue-pair.ts';
import { credentialsOf, me } from '../support/actors/credentials.ts';
import { runAs } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import {
  type Answer,
  goodPassword,
  operations,
  post,
  registerAndSignIn,
  signIn,
  type Tokens,
} from '../support/clients/clients.ts';
import { everythingStored } from '../support/database/stored-rows.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { newIdentity, providerSettings, signInExternally } from '../support/servers/external.ts';

const service = serviceFixture(providerSettings);

const otherPassword = 'Another.1word';

interface SignedIn {
  readonly tokens: Tokens;
}

const change = (person: SignedIn, input: object): Promise<Answer> =>
  runAs(service, person, operations.changePassword, { input });

const changed = { currentPassword: goodPassword, newPassword: otherPassword };

describe('changeName', () => {
  // Contract: account#name-and-language — changeName
  it('sets the name, without white space at its ends', async () => {
    const person = await registerAndSignIn(service);
    const answer = await runAs(service, person, operations.changeName, { name: '  Grace Hopper ' });
    expect(answer.data).toMatchObject({ changeName: { name: 'Grace Hopper' } });
    expect((await me(service, person.tokens.accessToken)).data).toMatchObject({ me: { name: 'Grace Hopper' } });
  });

  it.each(['', '   ', 'x'.repeat(101), 'A\u0000da'])('refuses %j', async (name) => {
    const person = await registerAndSignIn(service);
    await expectRefusal(service, 'BAD_USER_INPUT', () => runAs(service, person, operations.changeName, { name }));
  });
});

describe('changePassword', () => {
  // Contract: account#change-of-password — changePassword ends every other session, and tells the person by mail
  it('keeps this session alone, and the new password signs in', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    const others = [await signIn(service, email), await signIn(service, email)];
    const answer = await change({ tokens }, changed);
    expect(answer.data).toMatchObject({ changePassword: { hasPassword: true } });
    expect((await me(service, tokens.accessToken)).code).toBeNull();
    for (const other of others) {
      expect((await me(service, other.accessToken)).code).toBe('UNAUTHENTICATED');
      const ended = (await credentialsOf(service, email)).filter(({ live }) => !live);
      expect(new Set(ended.map(({ reason }) => reason))).toEqual(new Set(['password_changed']));
    }
    expect((await post(service.url, operations.signIn, { input: { email, password: goodPassword } })).code).toBe(
      'INVALID_CREDENTIALS',
    );
    expect(await signIn(service, email, otherPassword)).toBeDefined();
    expect((await service.mailsTo(email)).map(({ subject }) => subject)).toContain(
      'The password of your account was changed',
    );
  });

  it('refreshes the session that changed it', async () => {
    const { tokens } = await registerAndSignIn(service);
    await change({ tokens }, changed);
    const { refreshToken, accessToken } = tokens;
    expect((await post(service.url, operations.refresh, { refreshToken, accessToken })).code).toBeNull();
  });

  it.each([
    ['a wrong current password', { ...changed, currentPassword: 'Wrong.1word' }, 'INVALID_CREDENTIALS'],
    ['a current password that is longer', { ...changed, currentPassword: `${goodPassword}x` }, 'INVALID_CREDENTIALS'],
    ['no current password', { newPassword: otherPassword }, 'BAD_USER_INPUT'],
    ['a weak new password', { ...changed, newPassword: 'weak' }, 'BAD_USER_INPUT'],
  ] as const)('refuses %s, and nothing changes', async (_, input, code) => {
    const { email, tokens } = await registerAndSignIn(service);
    const other = await signIn(service, email);
    await expectRefusal(service, code, () => change({ tokens }, input));
    expect((await me(service, other.accessToken)).code).toBeNull();
    expect(await signIn(service, email)).toBeDefined();
  });

  it('sets the first password of a person who authenticated recently at the provider', async () => {
    const identity = newIdentity({});
    const { browser } = await signInExternally(service, identity);
    const refused = await browser.run(operations.changePassword, { input: changed });
    expect(refused.code).toBe('BAD_USER_INPUT');
    const answer = await browser.run(operations.changePassword, { input: { newPassword: otherPassword } });
    expect(answer.data).toMatchObject({ changePassword: { hasPassword: true } });
    const email = identity.email ?? '';
    expect(await signIn(service, email, otherPassword)).toBeDefined();
    expect((await service.mailsTo(email)).map(({ subject }) => subject)).toContain(
      'You can now sign in with a password',
    );
  });

  it('sets none for a person whose sign-in at the provider may have been silent', async () => {
    const { browser } = await signInExternally(service, newIdentity({ authenticatedAt: null }));
    const before = await everythingStored(service);
    const answer = await browser.run(operations.changePassword, { input: { newPassword: otherPassword } });
    expect(answer.code).toBe('REAUTHENTICATION_REQUIRED');
    expect(await everythingStored(service)).toEqual(before);
  });

  it('has one winner among changes at once, and the others change nothing', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    const wanted = ['First.1word', 'Second.1word', 'Third.1word'];
    const answers = await Promise.all(
      wanted.map((newPassword) => change({ tokens }, { currentPassword: goodPassword, newPassword })),
    );
    const winners = wanted.filter((_, index) => answers[index]?.code === null);
    expect(winners).toHaveLength(1);
    for (const password of wanted) {
      const { code } = await post(service.url, operations.signIn, { input: { email, password } });
      expect(code).toBe(password === winners[0] ? null : 'INVALID_CREDENTIALS');
    }
  });

  // Contract: account#change-of-password — a password that was changed starts no session, however late its sign-in is
  it('starts no session for a sign-in that had verified the former password just before', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    const find = (column: string): Promise<string | undefined> =>
      service.sql.value<string>(`SELECT ${column} FROM users WHERE email = $1`, [email]);
    const [userId = '', provenPasswordHash = ''] = [await find('id'), await find('password_hash')];
    await change({ tokens }, changed);
    // The use of the session is written later.
    await service.flush();
    const before = await credentialsOf(service, email);
    const pair = await service.database.transaction((transaction) =>
      beginSession(
        transaction,
        { accessTtlSeconds: 900, refreshTtlSeconds: 900, signInHistoryDays: 30 },
        { userId, authMethod: 'password', provenPasswordHash },
        { audience: 'api', caller: { ip: null, userAgent: null }, replacedTokens: [], detail: 'none' },
      ),
    );
    expect([pair, await credentialsOf(service, email)]).toEqual([null, before]);
  });

  it('is alone in its request', async () => {
    const person = await registerAndSignIn(service);
    const two = `mutation ($input: ChangePasswordInput!) {
      changePassword(input: $input) { id } changeName(name: "Grace") { id } }`;
    await expectRefusal(service, 'OPERATION_TOO_COSTLY', () => runAs(service, person, two, { input: changed }));
  });
});
