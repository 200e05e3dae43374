/** The answer of a credential mutation is known before it commits: nothing is read from the database afterwards. */
import { type GraphQLNamedType, getNamedType, isObjectType } from 'graphql';
import { afterEach, describe, expect, it } from 'vitest';
import { completeSchema } from '../../src/graphql/schema.ts';
import { DatabaseUnavailable } from '../../src/platform/database/database.ts';
import { inviteByMail, profileInput } from '../support/actors/invitations.ts';
import { addTo, getTenant, newOwner, newSuperAdmin, runAs } from '../support/actors/tenants.ts';
import {
  type Answer,
  goodPassword,
  newAddress,
  operations,
  post,
  register,
  registerAndSignIn,
  signIn,
  signUp,
  tokensOf,
} from '../support/clients/clients.ts';
import { clientTokensOf, newClient, newCode, redeem, refreshAs } from '../support/clients/oauth.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { watchService } from '../support/gatehouse/watched-gatehouse.ts';
import { newIdentity, newSecret, providerSettings, returningBrowser } from '../support/servers/external.ts';

const service = serviceFixture(providerSettings);
const watched = fixture(() => watchService(service));
afterEach(() => watched.failWith(null));

/** Every field of a type and of its descendants, except types that contain it. */
const everyField = (type: GraphQLNamedType, within: readonly GraphQLNamedType[] = []): string => {
  if (!isObjectType(type)) return '';
  const path = [...within, type];
  const selections = Object.values(type.getFields()).flatMap((field) => {
    const inner = getNamedType(field.type);
    return path.includes(inner) ? [] : `${field.name} ${everyField(inner, path)}`;
  });
  return `{ ${selections.join(' ')} }`;
};

const typeNamed = (name: string): GraphQLNamedType => {
  const type = completeSchema().getType(name);
  if (type === undefined) throw new Error(`The schema has no type ${name}`);
  return type;
};

const payload = everyField(typeNamed('AuthPayload'));
const user = everyField(typeNamed('User'));

const mint = /^(credentials\.(issue_pair|rotate_)|memberships\.switch$)/;

/** Runs a credential mutation, and takes the database away at its commit. Also returns the selected fields. */
const runAndLose = async <T>(name: RegExp, run: () => Promise<T>): Promise<{ answer: T; asked: readonly string[] }> => {
  const isAway = watched.failAfterCommitOf(name, new DatabaseUnavailable('Taken away after the commit'));
  const start = watched.asked.length;
  const answer = await run();
  const asked = watched.asked.slice(start);
  expect(isAway()).toBe(true);
  watched.failWith(null);
  return { answer, asked };
};

/** The only field of an answer without a refusal. */
const answered = (answer: Answer): Record<string, unknown> => {
  expect([answer.status, answer.code]).toEqual([200, null]);
  const [only] = Object.values(answer.data ?? {});
  return only as Record<string, unknown>;
};

/** The answer has the person's current rows in the database, and the pair is the only one. */
const expectWholeAnswer = async (answer: Answer): Promise<void> => {
  const tokens = tokensOf(answer);
  const me = await runAs(watched, { tokens }, `{ me ${user} }`);
  expect(answered(answer)['user']).toEqual(answered(me));
  expect((await post(watched.url, operations.refresh, { ...tokens })).code).toBeNull();
};

const refreshing = (payload: string): string => `mutation ($refreshToken: String, $accessToken: String) {
  refreshAccessToken(refreshToken: $refreshToken, accessToken: $accessToken) ${payload} }`;

describe('A database that fails at the commit loses no answer of', () => {
  // Contract: operation#answer-before-the-commit — No acknowledged write is lost: the answer of signInWithPassword is
  //   known before it commits
  it('signInWithPassword', async () => {
    const input = { email: await register(service), password: goodPassword };
    const query = `mutation ($input: SignInWithPasswordInput!) { signInWithPassword(input: $input) ${payload} }`;
    const { answer, asked } = await runAndLose(mint, () => post(watched.url, query, { input }));
    await expectWholeAnswer(answer);
    expect(asked).toEqual(['users.find_account_by_email', 'credentials.issue_pair']);
  });

  // Contract: operation#answer-before-the-commit — The answer of a refresh is read in its one statement
  it('refreshAccessToken, whose one statement returns all selected fields of the person', async () => {
    const { userId, tokens } = await newOwner(service);
    const { organizationId } = await newOwner(service);
    await addTo(service, userId, organizationId, 'ADMIN');
    const identity = ['https://idp', newAddress(), userId, 'a@b.example'];
    await service.sql(
      'INSERT INTO external_identities (issuer, subject, user_id, email) VALUES ($1, $2, $3, $4)',
      identity,
    );
    const { answer, asked } = await runAndLose(mint, () => post(watched.url, refreshing(payload), { ...tokens }));
    await expectWholeAnswer(answer);
    expect(answered(answer)['user']).toMatchObject({
      memberships: [{ role: 'OWNER' }, { role: 'ADMIN' }],
      externalIdentity: { email: 'a@b.example' },
    });
    expect(asked).toEqual(['credentials.rotate_pair_with_holder']);
  });

  // Contract: operation#answer-before-the-commit — A refresh reads no person when none is selected
  it('refreshAccessToken, which reads the selected fields of the person', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    const alone = await runAndLose(mint, () => post(watched.url, operations.refresh, { ...tokens }));
    expect(alone.asked).toEqual(['credentials.rotate_pair']);
    const query = refreshing('{ accessToken refreshToken user { email } }');
    const { answer, asked } = await runAndLose(mint, () => post(watched.url, query, { ...tokensOf(alone.answer) }));
    expect(answered(answer)['user']).toEqual({ email });
    expect(asked).toEqual(['credentials.rotate_pair_with_holder']);
  });

  // Contract: operation#answer-before-the-commit — The answer of an exchange is read before its commit
  it('exchangeAuthTokens', async () => {
    const browser = returningBrowser({ url: watched.url }, await newSecret(service, newIdentity()));
    const origin = { origin: service.url };
    const exchanging = () => browser.run(`mutation { exchangeAuthTokens ${payload} }`, {}, origin);
    const { answer } = await runAndLose(mint, exchanging);
    expect(answered(answer)['user']).toEqual(answered(await browser.run(`{ me ${user} }`, {}, origin)));
    const held = [...browser.cookies.keys()].filter((name) => name.startsWith('auth_'));
    expect(held.sort()).toEqual(['auth_access', 'auth_refresh']);
    expect((await browser.run(operations.refreshByCookie, {}, origin)).code).toBeNull();
  });

  // Contract: operation#answer-before-the-commit — The answer of completeInvitedProfile is read before its commit
  it('completeInvitedProfile', async () => {
    const { tokens: owner } = await registerAndSignIn(service);
    const { token } = await inviteByMail(service, owner, newAddress());
    const query = `mutation ($input: CompleteInvitedProfileInput!) { completeInvitedProfile(input: $input) ${payload} }`;
    const input = await profileInput(service, token);
    const { answer } = await runAndLose(mint, () => post(watched.url, query, input));
    await expectWholeAnswer(answer);
  });

  // Contract: operation#answer-before-the-commit — The answer of switchOrganization is read before its commit
  it('switchOrganization', async () => {
    const person = await newOwner(service);
    const { organizationId } = await newOwner(service);
    await addTo(service, person.userId, organizationId);
    const query = `mutation ($id: ID!) { switchOrganization(organizationId: $id) ${payload} }`;
    const switching = () => runAs(watched, person, query, { id: organizationId });
    const { answer, asked } = await runAndLose(mint, switching);
    await expectWholeAnswer(answer);
    expect(asked).toEqual(['access.load_actors', 'memberships.switch']);
    expect(answered(answer)['user']).toMatchObject({ currentMembership: { organization: { id: organizationId } } });
  });

  // Contract: operation#answer-before-the-commit — The answer of signUpWithPassword is known before its commit
  it('signUpWithPassword', async () => {
    const input = { email: newAddress(), name: 'Test Person', password: goodPassword };
    const { answer } = await runAndLose(/^users\.insert$/, () => post(watched.url, operations.signUp, { input }));
    expect(answered(answer)).toEqual({ success: true, verificationRequired: true });
    expect((await getTenant(service, input.email)).userId).toEqual(expect.any(String));
  });

  // Contract: operation#answer-before-the-commit — The answer of validateEmail is known before its commit
  it('validateEmail', async () => {
    const email = newAddress();
    const token = await signUp(service, email);
    const consumed = /^users\.consume_validation_token$/;
    const { answer } = await runAndLose(consumed, () => post(watched.url, operations.validate, { token }));
    expect(answered(answer)).toEqual({ status: 'VERIFIED' });
    expect(await signIn(service, email)).toMatchObject({ accessToken: expect.any(String) as unknown });
  });

  // Contract: operation#answer-before-the-commit — The answer of the token endpoint is known before its commit
  it('the token endpoint, for a code and for a refresh token', async () => {
    const { userId } = await newSuperAdmin(service);
    const clientId = await newClient(service);
    const code = await newCode(service, { clientId, userId });
    const redeemed = await runAndLose(mint, () => redeem(watched, code));
    const tokens = clientTokensOf(redeemed.answer);
    const refreshed = await runAndLose(mint, () => refreshAs(watched, { clientId, tokens }));
    expect((await refreshAs(watched, { clientId, tokens: clientTokensOf(refreshed.answer) })).status).toBe(200);
  });
});
