/**
 * What a mutation answers that mints or consumes a secret is known before it commits: nothing that it selects is asked
 * of the database afterwards. Each selects every field that the schema has below its answer.
 */
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
import { fixture, serviceFixture } from '../support/fixture.ts';
import { watchService } from '../support/gatehouse/watched-gatehouse.ts';
import { newIdentity, newSecret, providerSettings, returning } from '../support/servers/external.ts';

const service = serviceFixture(providerSettings);
const watched = fixture(() => watchService(service));
afterEach(() => watched.failWith(null));

/** Every field of a type and of what it leads to, but for types that it is itself part of. */
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

const mint = /^credentials\.(issue_pair|rotate_)/;

/** Runs what mints or consumes a secret, and takes the database away at its commit. Answers what it asked for, too. */
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

/** The answer says of the person what the database says when it is asked, and the pair is one. */
const expectWholeAnswer = async (answer: Answer): Promise<void> => {
  const tokens = tokensOf(answer);
  const me = await runAs(watched, { tokens }, `{ me ${user} }`);
  expect(answered(answer)['user']).toEqual(answered(me));
  expect((await post(watched.url, operations.refresh, { ...tokens })).code).toBeNull();
};

const refreshing = (payload: string): string => `mutation ($refreshToken: String, $accessToken: String) {
  refreshAccessToken(refreshToken: $refreshToken, accessToken: $accessToken) ${payload} }`;

describe('A database that goes away at the commit takes no answer with it of', () => {
  // Specification: Faults — Nothing acknowledged is lost: what signInWithPassword answers is known before it commits
  it('signInWithPassword', async () => {
    const input = { email: await register(service), password: goodPassword };
    const query = `mutation ($input: SignInWithPasswordInput!) { signInWithPassword(input: $input) ${payload} }`;
    const { answer, asked } = await runAndLose(mint, () => post(watched.url, query, { input }));
    await expectWholeAnswer(answer);
    expect(asked).toEqual(['users.find_account_by_email', 'users.share', 'credentials.issue_pair']);
  });

  // Specification: Faults — What a refresh answers is read in its one statement
  it('refreshAccessToken, whose one statement answers all of the person', async () => {
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

  // Specification: Faults — A refresh reads no person where none is asked for
  it('refreshAccessToken, which reads of the person what is selected', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    const alone = await runAndLose(mint, () => post(watched.url, operations.refresh, { ...tokens }));
    expect(alone.asked).toEqual(['credentials.rotate_pair']);
    const query = refreshing('{ accessToken refreshToken user { email } }');
    const { answer, asked } = await runAndLose(mint, () => post(watched.url, query, { ...tokensOf(alone.answer) }));
    expect(answered(answer)['user']).toEqual({ email });
    expect(asked).toEqual(['credentials.rotate_pair_with_holder']);
  });

  // Specification: Faults — What an exchange answers is read before its commit
  it('exchangeAuthTokens', async () => {
    const browser = returning({ url: watched.url }, await newSecret(service, newIdentity()));
    const origin = { origin: service.url };
    const exchanging = () => browser.run(`mutation { exchangeAuthTokens ${payload} }`, {}, origin);
    const { answer } = await runAndLose(mint, exchanging);
    expect(answered(answer)['user']).toEqual(answered(await browser.run(`{ me ${user} }`, {}, origin)));
    const held = [...browser.cookies.keys()].filter((name) => name.startsWith('auth_'));
    expect(held.sort()).toEqual(['auth_access', 'auth_refresh']);
    expect((await browser.run(operations.refreshByCookie, {}, origin)).code).toBeNull();
  });

  // Specification: Faults — What completeInvitedProfile answers is read before its commit
  it('completeInvitedProfile', async () => {
    const { tokens: owner } = await registerAndSignIn(service);
    const { token } = await inviteByMail(service, owner, newAddress());
    const query = `mutation ($input: CompleteInvitedProfileInput!) { completeInvitedProfile(input: $input) ${payload} }`;
    const input = await profileInput(service, token);
    const { answer } = await runAndLose(mint, () => post(watched.url, query, input));
    await expectWholeAnswer(answer);
  });

  // Specification: Faults — What switchOrganization answers is read before its commit
  it('switchOrganization', async () => {
    const person = await newOwner(service);
    const { organizationId } = await newOwner(service);
    await addTo(service, person.userId, organizationId);
    const query = `mutation ($id: ID!) { switchOrganization(organizationId: $id) ${payload} }`;
    const switching = () => runAs(watched, person, query, { id: organizationId });
    const { answer } = await runAndLose(mint, switching);
    await expectWholeAnswer(answer);
    expect(answered(answer)['user']).toMatchObject({ currentMembership: { organization: { id: organizationId } } });
  });

  // Specification: Faults — What signUpWithPassword answers is known before its commit
  it('signUpWithPassword', async () => {
    const input = { email: newAddress(), name: 'Test Person', password: goodPassword };
    const { answer } = await runAndLose(/^users\.insert$/, () => post(watched.url, operations.signUp, { input }));
    expect(answered(answer)).toEqual({ success: true, verificationRequired: true });
    expect((await getTenant(service, input.email)).userId).toEqual(expect.any(String));
  });

  // Specification: Faults — What validateEmail answers is known before its commit
  it('validateEmail', async () => {
    const email = newAddress();
    const token = await signUp(service, email);
    const consumed = /^users\.consume_validation_token$/;
    const { answer } = await runAndLose(consumed, () => post(watched.url, operations.validate, { token }));
    expect(answered(answer)).toEqual({ status: 'VERIFIED' });
    expect(await signIn(service, email)).toMatchObject({ accessToken: expect.any(String) as unknown });
  });

  // Specification: Faults — What the token endpoint answers is known before its commit
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
