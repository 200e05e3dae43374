/**
 * Tokens of machines at every surface: what accepts them, what withholds their authority, and that it counts at once.
 */
import { describe, expect, it } from 'vitest';
import { Authenticator } from '../../src/domain/access/authenticate.ts';
import { newToken } from '../../src/domain/credentials/token.ts';
import { defaultApplication } from '../../src/domain/scopes/application-definition.ts';
import type { ApplicationDefinition } from '../../src/gatehouse.d.ts';
import { alter, refresh } from '../support/actors/credentials.ts';
import {
  actorIn,
  type Machine,
  newPersonalToken,
  newServiceToken,
  runByToken,
  type ServiceMachine,
  type ShownActor,
} from '../support/actors/machines/machines.ts';
import { addOneTimeCodes } from '../support/actors/one-time-codes.ts';
import { addTo, newMember, newOwner, setActive, type Tenant } from '../support/actors/tenants.ts';
import { expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import { expectUnused } from '../support/checks/unused-tokens.ts';
import { goodPassword, operations, post } from '../support/clients/clients.ts';
import { type Service, serviceFixture } from '../support/gatehouse/gatehouse.ts';

const application: ApplicationDefinition = {
  scopes: { 'notes:read': 'Read notes', 'notes:write': 'Write notes' },
  roles: { ADMIN: { scopes: ['notes:read', 'notes:write'] }, MEMBER: { scopes: ['notes:read'] } },
  products: {
    free: { scopes: '*' },
    small: { scopes: ['notes:read'], without: ['MEMBERS_INVITE'] },
  },
};
const service = serviceFixture({ TRUST_PROXY: '1' }, 'none', { application });

const kinds = ['personal', 'service'] as const;
type Kind = (typeof kinds)[number];

const given = ['MEMBERS_VIEW', 'MEMBERS_INVITE', 'notes:write'];

interface Owned {
  readonly owner: Tenant;
  /** Whose token it is, or who made the service account. */
  readonly admin: Tenant;
  readonly machine: Machine;
}

const newMachine = async (kind: Kind, of: Service = service, scopes: readonly string[] = given): Promise<Owned> => {
  const owner = await newOwner(of);
  const admin = await newMember(of, owner.organizationId, 'ADMIN');
  const machine = await (kind === 'personal' ? newPersonalToken : newServiceToken)(of, admin, { scopes });
  return { owner, admin, machine };
};

const ask = async (machine: Pick<Machine, 'token'>): Promise<ShownActor> => actorIn(await runByToken(service, machine));

const scopesOf = async (machine: Machine): Promise<readonly string[]> => (await ask(machine)).scopes;

const setOrganization = ({ owner }: Owned, assignment: string): Promise<unknown> =>
  service.sql(`UPDATE organizations SET ${assignment} WHERE id = $1`, [owner.organizationId]);

const refused = (code: 'UNAUTHENTICATED' | 'FORBIDDEN', machine: Pick<Machine, 'token'>) =>
  expectRefusal(service, code, () => runByToken(service, machine));

describe('The token of a machine', () => {
  // Contract: machine-credentials#identity-of-a-machine — A token acts as its person, or as its service account
  it('is accepted at GraphQL by Bearer, and says whose it is', async () => {
    const { owner, admin, machine } = await newMachine('personal');
    const { organization, ...actor } = await ask(machine);
    expect(organization?.id).toBe(owner.organizationId);
    expect(actor).toEqual({
      kind: 'PERSONAL_TOKEN',
      id: admin.userId,
      email: admin.email,
      name: 'Test Person',
      credentialId: machine.credentialId,
      role: 'ADMIN',
      scopes: given,
    });
  });

  it('of a service account has neither an address nor a role', async () => {
    const owner = await newOwner(service);
    const machine: ServiceMachine = await newServiceToken(service, owner, { scopes: given });
    const { organization, ...actor } = await ask(machine);
    expect(organization?.id).toBe(owner.organizationId);
    expect(actor).toEqual({
      kind: 'SERVICE_ACCOUNT',
      id: machine.accountId,
      email: null,
      name: 'Importer',
      credentialId: machine.credentialId,
      role: null,
      scopes: given,
    });
  });

  it.each(kinds)('(%s) is recorded as seen, with the address that a trusted proxy names', async (kind) => {
    const { machine } = await newMachine(kind);
    await runByToken(service, machine, operations.actor, {}, { 'x-forwarded-for': '203.0.113.9' });
    await service.flush();
    const seen = 'SELECT last_seen_ip FROM credentials WHERE id = $1';
    expect(await service.sql.value(seen, [machine.credentialId])).toBe('203.0.113.9');
  });

  it.each(kinds)('(%s) is refused when its checksum is wrong, or nothing is stored of it', async (kind) => {
    const { machine } = await newMachine(kind);
    const last = machine.token.endsWith('A') ? 'B' : 'A';
    await refused('UNAUTHENTICATED', { token: `${machine.token.slice(0, -1)}${last}` });
    await refused('UNAUTHENTICATED', { token: newToken(kind === 'personal' ? 'personal_token' : 'service_token') });
    expect(await scopesOf(machine)).toEqual(given);
  });

  // Contract: machine-credentials#expiry-of-a-token — A token that is revoked or expired is UNAUTHENTICATED
  it.each(kinds)('(%s) is refused once it is revoked, and once it has expired', async (kind) => {
    for (const change of [
      "revoked_at = now(), revocation_reason = 'test'",
      "issued_at = now() - interval '2 days', expires_at = now() - interval '1 second'",
    ]) {
      const { machine } = await newMachine(kind);
      await ask(machine);
      await alter(service, machine.token, change);
      await refused('UNAUTHENTICATED', machine);
      await refused('UNAUTHENTICATED', machine);
    }
  });

  // Contract: machine-credentials#end-of-a-token — A personal token ends with the membership, a suspension and sign-out
  //   everywhere
  it('is refused once its person is no member, is suspended, or has signed out everywhere', async () => {
    const changes: readonly ((admin: Tenant) => readonly [string, string])[] = [
      ({ memberId }) => ['DELETE FROM organization_members WHERE id = $1', memberId],
      ({ userId }) => ['UPDATE users SET suspended_at = now() WHERE id = $1', userId],
      ({ userId }) => ['UPDATE users SET credentials_revision = credentials_revision + 1 WHERE id = $1', userId],
    ];
    for (const change of changes) {
      const { admin, machine } = await newMachine('personal');
      await ask(machine);
      const [text, id] = change(admin);
      await service.sql(text, [id]);
      await refused('UNAUTHENTICATED', machine);
    }
  });

  it('stays refused when its person joins the organization again', async () => {
    const { admin, machine } = await newMachine('personal');
    await ask(machine);
    await service.sql('DELETE FROM organization_members WHERE id = $1', [admin.memberId]);
    await setActive(service, admin.userId, await addTo(service, admin.userId, admin.organizationId, 'ADMIN'));
    await refused('UNAUTHENTICATED', machine);
  });

  // Contract: machine-credentials#service-account — A service account survives the person who made it
  it('of a service account outlives who made it, and ends with the account', async () => {
    const { admin, machine } = await newMachine('service');
    await ask(machine);
    await service.sql('DELETE FROM users WHERE id = $1', [admin.userId]);
    const { id } = await ask(machine);
    await service.sql('UPDATE service_accounts SET deleted_at = now() WHERE id = $1', [id]);
    await refused('UNAUTHENTICATED', machine);
  });

  // Contract: machine-credentials#bound-organization — Switching organization changes nothing for a token
  it('stays in its organization, whichever one its person switches to', async () => {
    const { owner, admin, machine } = await newMachine('personal');
    const other = await newOwner(service);
    const elsewhere = await addTo(service, admin.userId, other.organizationId, 'OWNER');
    for (const active of [elsewhere, null]) {
      await setActive(service, admin.userId, active);
      const { organization, role, scopes } = await ask(machine);
      expect([organization?.id, role, scopes]).toEqual([owner.organizationId, 'ADMIN', given]);
    }
  });
});

describe('The authority of a machine', () => {
  // Contract: machine-credentials#authority-of-a-machine — Authority: scopes of the token and what its person holds, on
  //   every request
  it('is what its token and the role of its person both have, on the next request', async () => {
    const { admin, machine } = await newMachine('personal');
    expect(await scopesOf(machine)).toEqual(given);
    const setRole = (role: string): Promise<unknown> =>
      service.sql('UPDATE organization_members SET role = $2 WHERE id = $1', [admin.memberId, role]);
    await setRole('MEMBER');
    expect(await scopesOf(machine)).toEqual(['MEMBERS_VIEW']);
    const invitation = { memberId: admin.memberId };
    await expectRefusal(service, 'FORBIDDEN', () =>
      runByToken(service, machine, operations.cancelInvitation, invitation),
    );
    await setRole('OWNER');
    expect(await scopesOf(machine)).toEqual(given);
  });

  // Contract: machine-credentials#authority-of-a-machine — Authority of a service account: its own scopes, as far as
  //   the product grants them
  it('is that of its account, as it is now', async () => {
    const { machine } = await newMachine('service');
    const { id } = await ask(machine);
    await service.sql(`UPDATE service_accounts SET scopes = '{notes:read}' WHERE id = $1`, [id]);
    expect(await scopesOf(machine)).toEqual(['notes:read']);
    await expectRefusal(service, 'FORBIDDEN', () => runByToken(service, machine, operations.members));
  });

  it.each(kinds)('(%s) is limited to what the plan grants, on the next request', async (kind) => {
    const { owner, machine } = await newMachine(kind);
    const setPlan = (assignment: string): Promise<unknown> =>
      service.sql(`UPDATE subscriptions SET ${assignment} WHERE organization_id = $1`, [owner.organizationId]);
    expect(await scopesOf(machine)).toEqual(given);
    await setPlan("product = 'small'");
    expect(await scopesOf(machine)).toEqual(['MEMBERS_VIEW']);
    await setPlan("status = 'PAST_DUE'");
    expect(await scopesOf(machine)).toEqual([]);
    await expectRefusal(service, 'FORBIDDEN', () => runByToken(service, machine, operations.members));
    await setPlan("status = 'ACTIVE', product = 'free'");
    expect(await scopesOf(machine)).toEqual(given);
  });

  // Contract: machine-credentials#authority-of-a-machine — A super admin’s token is no super admin’s
  it('is never a super admin’s', async () => {
    const { admin, machine } = await newMachine('personal', service, ['MEMBERS_VIEW', 'users:view']);
    await service.sql(`UPDATE users SET is_super_admin = true, platform_scopes = '{users:view}' WHERE id = $1`, [
      admin.userId,
    ]);
    expect(await scopesOf(machine)).toEqual(['MEMBERS_VIEW']);
    const answer = await runByToken(service, machine, '{ me { isSuperAdmin } }');
    expect(answer.data).toEqual({ me: { isSuperAdmin: false } });
    await expectRefusal(service, 'FORBIDDEN', () => runByToken(service, machine, operations.platformUsers));
  });
});

describe('What an organization withholds', () => {
  // Contract: machine-credentials#policy-of-an-organization — What is PENDING answers FORBIDDEN until it is approved
  it('is every token that waits for a decision', async () => {
    const owned = await newMachine('personal');
    const { machine } = owned;
    await setOrganization(owned, "personal_tokens = 'APPROVAL'");
    await ask(machine);
    const setPending = (isPending: boolean): Promise<unknown> =>
      service.sql('UPDATE machine_tokens SET is_pending = $2 WHERE id = $1', [machine.tokenId, isPending]);
    await setPending(true);
    await refused('FORBIDDEN', machine);
    await setPending(false);
    expect(await scopesOf(machine)).toEqual(given);
  });

  // Contract: machine-credentials#policy-of-an-organization — What the policy blocks answers FORBIDDEN, and works again
  //   when the policy lets it
  it('are personal tokens where it forbids them, until it allows them again', async () => {
    const owned = await newMachine('personal');
    const account = await newServiceToken(service, owned.owner);
    await ask(owned.machine);
    await setOrganization(owned, "personal_tokens = 'FORBIDDEN'");
    await refused('FORBIDDEN', owned.machine);
    expect((await ask(account)).kind).toBe('SERVICE_ACCOUNT');
    // Tokens of before go on where new ones need an approval.
    for (const policy of ['APPROVAL', 'ALLOWED']) {
      await setOrganization(owned, `personal_tokens = '${policy}'`);
      expect(await scopesOf(owned.machine)).toEqual(given);
    }
  });

  it.each(kinds)('(%s) are tokens that were given more time than it allows', async (kind) => {
    const owned = await newMachine(kind);
    await ask(owned.machine);
    await setOrganization(owned, 'max_token_lifetime_days = 29');
    await refused('FORBIDDEN', owned.machine);
    await setOrganization(owned, 'max_token_lifetime_days = 30');
    expect(await scopesOf(owned.machine)).toEqual(given);
  });

  // Contract: machine-credentials#allowed-networks — allowedNetworks are matched with the address that trusted proxies
  //   give
  it.each(kinds)('(%s) are requests from networks that are not its own', async (kind) => {
    const owned = await newMachine(kind);
    const from = (address: string) =>
      runByToken(service, owned.machine, operations.actor, {}, { 'x-forwarded-for': address });
    await setOrganization(owned, "token_networks = '{192.0.2.0/24,2001:db8:1::/48}'");
    for (const address of ['192.0.2.7', '2001:db8:1:2::3', '::ffff:192.0.2.8', '::ffff:c000:209'])
      expect((await from(address)).code).toBeNull();
    for (const address of ['192.0.3.7', '2001:db8:2::3', '::ffff:c000:309', 'unknown'])
      await expectRefusal(service, 'FORBIDDEN', () => from(address));
    // No IPv4 address is in an IPv6 network, also where the IPv4-mapped addresses are.
    await setOrganization(owned, "token_networks = '{::/64,::ffff:0:0/96}'");
    for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8:1:2::3'])
      await expectRefusal(service, 'FORBIDDEN', () => from(address));
    expect((await from('::2')).code).toBeNull();
    await refused('FORBIDDEN', owned.machine);
    // People are bound to no network.
    expect(
      (await post(service.url, operations.actor, {}, { authorization: `Bearer ${owned.admin.tokens.accessToken}` }))
        .code,
    ).toBeNull();
    await setOrganization(owned, "token_networks = '{}'");
    expect((await from('192.0.3.7')).code).toBeNull();
  });

  // Contract: machine-credentials#tokens-of-a-deleted-organization — Tokens of a deleted organization are FORBIDDEN
  //   until it is restored
  it.each(kinds)('(%s) is everything while it is deleted, until it is restored', async (kind) => {
    const owned = await newMachine(kind);
    await ask(owned.machine);
    await setOrganization(owned, "deletes_at = now() + interval '7 days'");
    await refused('FORBIDDEN', owned.machine);
    await setOrganization(owned, 'deletes_at = NULL');
    expect(await scopesOf(owned.machine)).toEqual(given);
  });

  // Contract: machine-credentials#missing-second-factor-of-a-person — Where an organization requires a second factor,
  //   personal tokens work while their person has one
  it('are personal tokens of people without the second factor that it requires', async () => {
    const owned = await newMachine('personal');
    const account = await newServiceToken(service, owned.owner, { scopes: given });
    expect(await scopesOf(owned.machine)).toEqual(given);
    await setOrganization(owned, 'require_second_factor = true');
    expect(await scopesOf(owned.machine)).toEqual([]);
    await expectRefusal(service, 'SECOND_FACTOR_REQUIRED', () =>
      runByToken(service, owned.machine, operations.members),
    );
    expect(await scopesOf(account)).toEqual(given);
    await addOneTimeCodes(service, owned.admin.tokens);
    expect(await scopesOf(owned.machine)).toEqual(given);
    await service.sql('DELETE FROM totp_secrets WHERE user_id = $1', [owned.admin.userId]);
    expect(await scopesOf(owned.machine)).toEqual([]);
  });
});

describe('A surface that takes no machine', () => {
  it.each(kinds)('(%s) refuses it in a cookie, and answers with none', async (kind) => {
    const { admin, machine } = await newMachine(kind);
    const cookie = `auth_access=${machine.token}`;
    await expectUnused(service, machine, () =>
      expectRefusal(service, 'UNAUTHENTICATED', () => post(service.url, operations.actor, {}, { cookie })),
    );
    // With the refresh token of a person: nothing is exchanged for the two, and neither ends.
    const pair = { cookie: `${cookie}; auth_refresh=${admin.tokens.refreshToken}`, origin: service.url };
    for (const operation of [operations.refreshByCookie, operations.signOut]) {
      const answer = await expectUnused(service, machine, () => post(service.url, operation, {}, pair));
      expect([operation, answer.code]).toEqual([
        operation,
        operation === operations.signOut ? 'UNAUTHENTICATED' : 'REFRESH_REFUSED',
      ]);
    }
    const used = await runByToken(service, machine, operations.actor, {}, { 'x-auth-delivery': 'cookie' });
    expect([actorIn(used).scopes, used.setCookies]).toEqual([given, []]);
    expect((await refresh(service, admin.tokens)).code).toBeNull();
  });

  // Contract: machine-credentials#where-machine-tokens-are-accepted — At refreshAccessToken they are REFRESH_REFUSED
  it.each(kinds)('(%s) is the exchange of refresh tokens', async (kind) => {
    const { admin, machine } = await newMachine(kind);
    const { token } = machine;
    const own = admin.tokens;
    for (const pair of [
      { accessToken: token, refreshToken: token },
      { accessToken: own.accessToken, refreshToken: token },
      { accessToken: token, refreshToken: own.refreshToken },
    ])
      await expectRefusal(service, 'REFRESH_REFUSED', () => refresh(service, pair));
    expect(await scopesOf(machine)).toEqual(given);
  });

  // Contract: machine-credentials#where-machine-tokens-are-accepted — /mcp refuses tokens of machines
  it.each(kinds)('(%s) is Platform MCP', async (kind) => {
    const { machine } = await newMachine(kind);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const headers = {
      authorization: `Bearer ${machine.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const answer = await expectNothingStored(service, () =>
      fetch(`${service.url}/mcp`, { method: 'POST', headers, body }),
    );
    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toContain(machine.token);
  });

  // Contract: machine-credentials#operations-for-machines — Default deny: an operation takes a machine only where it
  //   says so
  it.each(kinds)('(%s) is each operation for people alone, those for people who are signed out too', async (kind) => {
    const { owner, machine } = await newMachine(kind, service, [
      'MEMBERS_VIEW',
      'ORGANIZATION_UPDATE',
      'TOKENS_MANAGE',
    ]);
    const asked: readonly (readonly [string, Record<string, unknown>])[] = [
      [operations.mySessions, {}],
      [operations.changeName, { name: 'Another' }],
      [operations.signOutEverywhere, {}],
      [operations.switchOrganization, { id: owner.organizationId }],
      [operations.setSecondFactorPolicy, { required: false }],
      [operations.exchangeAuthTokens, {}],
    ];
    for (const [operation, variables] of asked)
      await expectRefusal(service, 'FORBIDDEN', () => runByToken(service, machine, operation, variables));
    expect((await runByToken(service, machine, '{ application { name } }')).code).toBeNull();
  });

  it('is each operation for people who are signed out, also while its organization does not accept the token', async () => {
    const owned = await newMachine('personal');
    await setOrganization(owned, "personal_tokens = 'FORBIDDEN'");
    const input = { invitationToken: 'none', vToken: 'none', name: 'A name', password: goodPassword };
    for (const [operation, variables] of [
      [operations.exchangeAuthTokens, {}],
      [operations.completeInvitedProfile, { input }],
    ] as const)
      await expectUnused(service, owned.machine, () =>
        expectRefusal(service, 'FORBIDDEN', () => runByToken(service, owned.machine, operation, variables)),
      );
  });
});

describe('A service without machine tokens', () => {
  const off = serviceFixture({ MACHINE_TOKENS_ENABLED: 'false' });
  const portalOnly = serviceFixture({ GRAPHQL_BEARER_ACCEPTED_AUDIENCES: 'portal' });

  // Contract: machine-credentials#switch-of-the-part — MACHINE_TOKENS_ENABLED=false: UNAUTHENTICATED, and kept
  it.each(kinds)('(%s) refuses them and keeps them', async (kind) => {
    const { machine } = await newMachine(kind, off, ['MEMBERS_VIEW']);
    await expectRefusal(off, 'UNAUTHENTICATED', () => runByToken(off, machine));
    const settings = { superAdminsNeedSecondFactor: false, machineTokens: true };
    const turnedOn = new Authenticator(off.database, defaultApplication, settings);
    expect((await turnedOn.authenticate(machine.token, ['api'])).machine?.id).toBe(machine.tokenId);
  });

  // Contract: machine-credentials#where-machine-tokens-are-accepted — Audience api reaches GraphQL only while
  //   GRAPHQL_BEARER_ACCEPTED_AUDIENCES has it
  it.each(kinds)('(%s) refuses them as well where GraphQL does not accept the audience api', async (kind) => {
    const { machine } = await newMachine(kind, portalOnly, ['MEMBERS_VIEW']);
    await expectRefusal(portalOnly, 'UNAUTHENTICATED', () => runByToken(portalOnly, machine));
  });
});
