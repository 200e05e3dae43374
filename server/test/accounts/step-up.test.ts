/** Step-up: how recently the person of a session authenticated, what asks for it, and reauthenticate. */
import { describe, expect, it } from 'vitest';
import { ageAuthentication, refresh } from '../support/actors/credentials.ts';
import { getTenant, newMember, newOwner, runAs } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import {
  type Answer,
  Browser,
  bearer,
  goodPassword,
  newAddress,
  operations,
  post,
  registerAndSignIn,
  type Tokens,
  tokensOf,
} from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { newIdentity, providerSettings, signInExternally } from '../support/servers/external.ts';

const service = serviceFixture(providerSettings);

interface SecondFactorState {
  readonly provedAt: string | null;
  readonly sessionHasSecondFactor: boolean;
}

const stateIn = (answer: Answer): SecondFactorState =>
  (JSON.parse(answer.text) as { data: { mySecondFactor: SecondFactorState } }).data.mySecondFactor;

const stateOf = async (tokens: Tokens): Promise<SecondFactorState> =>
  stateIn(await runAs(service, { tokens }, operations.mySecondFactor));

const authenticatedAt = async (tokens: Tokens): Promise<number> => Date.parse((await stateOf(tokens)).provedAt ?? '');

const reauthenticate = (tokens: Tokens, password = goodPassword): Promise<Answer> =>
  runAs(service, { tokens }, operations.reauthenticate, { input: { password } });

const makeOwner = (tokens: Tokens, email = newAddress()): Promise<Answer> =>
  runAs(service, { tokens }, operations.inviteMember, { input: { email, role: 'OWNER' } });

/** An owner whose session authenticated 11 minutes ago. */
const staleOwner = async (): Promise<{ readonly email: string; readonly tokens: Tokens }> => {
  const owner = await registerAndSignIn(service);
  await ageAuthentication(service, owner.tokens.accessToken, '11 minutes');
  return owner;
};

describe('The instant of the last authentication', () => {
  // Contract: account#two-instants-of-a-session — refresh and switchOrganization carry the instants on and never renew
  //   them
  it('is carried on by refresh and by a switch of organization', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    await ageAuthentication(service, tokens.accessToken, '5 minutes');
    const instant = await authenticatedAt(tokens);
    const refreshed = tokensOf(await refresh(service, tokens));
    expect(await authenticatedAt(refreshed)).toBe(instant);
    const { organizationId: id } = await getTenant(service, email);
    const switched = tokensOf(await runAs(service, { tokens: refreshed }, operations.switchOrganization, { id }));
    expect(await authenticatedAt(switched)).toBe(instant);
  });

  it('survives a refresh and a switch after reauthenticate', async () => {
    const { email, tokens } = await staleOwner();
    await reauthenticate(tokens);
    const instant = await authenticatedAt(tokens);
    const refreshed = tokensOf(await refresh(service, tokens));
    const { organizationId: id } = await getTenant(service, email);
    const switched = tokensOf(await runAs(service, { tokens: refreshed }, operations.switchOrganization, { id }));
    expect(await authenticatedAt(switched)).toBe(instant);
    expect((await makeOwner(switched)).code).toBeNull();
  });

  it('is not known in a session of before', async () => {
    const { tokens } = await staleOwner();
    await service.sql('UPDATE credentials SET authenticated_at = NULL');
    expect(await stateOf(tokens)).toEqual(expect.objectContaining({ provedAt: null, sessionHasSecondFactor: false }));
    await expectRefusal(service, 'REAUTHENTICATION_REQUIRED', () => makeOwner(tokens));
  });

  it.each([
    [60, true],
    [590, true],
    [610, false],
    [null, false],
  ])('of a sign-in by the provider, %s seconds after its auth_time, is known: %s', async (age, isKnown) => {
    const at = age === null ? null : Date.now() / 1000 - age;
    const { browser } = await signInExternally(service, newIdentity({ authenticatedAt: at }));
    const { provedAt } = stateIn(await browser.run(operations.mySecondFactor));
    expect(provedAt !== null).toBe(isKnown);
    if (at !== null && isKnown) expect(Math.abs(Date.parse(provedAt ?? '') / 1000 - at)).toBeLessThan(5);
  });
});

describe('REAUTHENTICATION_REQUIRED', () => {
  // Contract: account#recent-authentication — what asks for a recent authentication
  it('is the answer to who makes an owner, and to nothing else of a member', async () => {
    const { email, tokens } = await staleOwner();
    const { organizationId } = await getTenant(service, email);
    const member = await newMember(service, organizationId);
    const change = (role: string): Promise<Answer> =>
      runAs(service, { tokens }, operations.changeMemberRole, { id: member.memberId, role });
    await expectRefusal(service, 'REAUTHENTICATION_REQUIRED', () => change('OWNER'));
    await expectRefusal(service, 'REAUTHENTICATION_REQUIRED', () => makeOwner(tokens));
    expect((await change('ADMIN')).code).toBeNull();
    await reauthenticate(tokens);
    expect((await change('OWNER')).code).toBeNull();
    expect((await makeOwner(tokens)).code).toBeNull();
  });

  it('is the answer to who unlinks an identity', async () => {
    const { tokens } = await staleOwner();
    await expectRefusal(service, 'REAUTHENTICATION_REQUIRED', () =>
      runAs(service, { tokens }, operations.unlinkExternalIdentity),
    );
  });

  it('is the answer to a program that prepares a link; a browser is led to the portal', async () => {
    const { email, tokens } = await staleOwner();
    const address = `${service.url}/auth/google/prepare-link?redirect=/members`;
    const ask = (): Promise<Response> =>
      fetch(address, { redirect: 'manual', headers: { accept: 'application/json', ...bearer(tokens) } });
    const refused = await ask();
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: { code: 'REAUTHENTICATION_REQUIRED' } });
    const browser = new Browser(service);
    await browser.run(operations.signIn, { input: { email, password: goodPassword } });
    const cookie = `auth_access=${browser.cookies.get('auth_access')}`;
    await service.sql(`UPDATE credentials SET authenticated_at = now() - interval '11 minutes'`);
    const led = await fetch(address, { redirect: 'manual', headers: { accept: 'text/html', cookie } });
    expect([led.status, led.headers.get('location')]).toEqual([
      302,
      `${service.portalUrl}/reauthenticate?redirect=/account`,
    ]);
    await reauthenticate(tokens);
    expect((await ask()).status).toBe(200);
  });

  it('never answers who ends sessions', async () => {
    const { tokens } = await staleOwner();
    expect((await runAs(service, { tokens }, operations.signOutEverywhere)).code).toBeNull();
  });
});

describe('reauthenticate', () => {
  // Contract: account#reauthentication — reauthenticate sets the instant of the session, answers until when it counts,
  //   and sets no cookie
  it('notes the instant, and says until when it counts', async () => {
    const { tokens } = await staleOwner();
    const before = await authenticatedAt(tokens);
    const answer = await reauthenticate(tokens);
    const { data } = JSON.parse(answer.text) as { data: { reauthenticate: { freshUntil: string } } };
    const now = await authenticatedAt(tokens);
    expect(now - before).toBeGreaterThan(600_000);
    expect(Date.parse(data.reauthenticate.freshUntil) - now).toBe(600_000);
    expect(answer.setCookies).toEqual([]);
    expect(service.logs.join('')).toContain('"event":"auth.reauthenticated"');
  });

  it('counts in the session that asked alone', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    const other = new Browser(service);
    await other.run(operations.signIn, { input: { email, password: goodPassword } });
    await service.sql('UPDATE credentials SET authenticated_at = NULL');
    await reauthenticate(tokens);
    expect(stateIn(await other.run(operations.mySecondFactor)).provedAt).toBeNull();
  });

  it.each([
    [{ password: 'Wrong.1word' }, 'INVALID_CREDENTIALS'],
    [{ password: '' }, 'INVALID_CREDENTIALS'],
    [{}, 'BAD_USER_INPUT'],
    [{ password: null }, 'BAD_USER_INPUT'],
  ] as const)('refuses %j, and notes nothing', async (input, code) => {
    const { tokens } = await staleOwner();
    await expectRefusal(service, code, () => runAs(service, { tokens }, operations.reauthenticate, { input }));
    await expectRefusal(service, 'REAUTHENTICATION_REQUIRED', () => makeOwner(tokens));
  });

  it('refuses any password of a person who has none', async () => {
    const { tokens } = await newOwner(service);
    await expectRefusal(service, 'INVALID_CREDENTIALS', () => reauthenticate(tokens));
  });

  // Contract: account#people-in-sessions-alone — reauthenticate needs a session and must be alone in its request
  it('refuses who is signed out, and stands alone in its request', async () => {
    const { tokens } = await registerAndSignIn(service);
    const input = { input: { password: goodPassword } };
    await expectRefusal(service, 'UNAUTHENTICATED', () => post(service.url, operations.reauthenticate, input));
    const two = `mutation ($input: ReauthenticateInput!) {
      reauthenticate(input: $input) { freshUntil } changeName(name: "Grace") { id } }`;
    await expectRefusal(service, 'OPERATION_TOO_COSTLY', () => runAs(service, { tokens }, two, input));
  });
});
