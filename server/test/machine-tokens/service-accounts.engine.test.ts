/** Service accounts and their tokens (contract/machine-credentials.md#service-account). */
import { describe, expect, it } from 'vitest';
import { ageAuthentication } from '../support/actors/credentials.ts';
import {
  createServiceAccount,
  createServiceToken,
  dataOf,
  type Issued,
  inDays,
  refusalOf,
  rotate,
  runWith,
  type ShownToken,
  tokenOperations,
} from '../support/actors/machines/token-operations.ts';
import { newMember, newOwner, runAs } from '../support/actors/tenants.ts';
import { outcomeOf, tally } from '../support/checks/concurrency.ts';
import { expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import { newAddress, operations } from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

type Person = Parameters<typeof runAs>[1];

const createAccount = (person: Person, input: object) =>
  runAs(service, person, tokenOperations.createServiceAccount, {
    input: { name: 'Importer', scopes: ['MEMBERS_VIEW'], ...input },
  });

const updateAccount = (person: Person, input: object) =>
  runAs(service, person, tokenOperations.updateServiceAccount, { input });

/** ADMIN lacks ORGANIZATION_UPDATE and BILLING_MANAGE. */
const newAdminOf = (organizationId: string) => newMember(service, organizationId, 'ADMIN');

describe('A service account', () => {
  // Contract: machine-credentials#service-account — a service account has no sign-in, no seat, no role
  it('acts with its own scopes as far as the plan grants them', async () => {
    const owner = await newOwner(service);
    const scopes = ['MEMBERS_VIEW', 'MEMBERS_INVITE'];
    const account = await createServiceAccount(service, owner, { scopes, description: 'Reads the members' });
    const { secret, token } = await createServiceToken(service, owner, account.id);
    expect(secret).toMatch(/^gate_s_[A-Za-z0-9_-]{49}$/);
    expect(token).toMatchObject({ kind: 'SERVICE', userId: null, userEmail: null, serviceAccount: { id: account.id } });
    expect((await runWith(service, secret)).data).toEqual({ members: { nodes: [{ email: owner.email }] } });
    const invite = 'mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { role } }';
    const answer = await runWith(service, secret, invite, { input: { email: newAddress(), role: 'MEMBER' } });
    expect(answer.data).toEqual({ inviteMember: { role: 'MEMBER' } });
    await service.sql(`UPDATE subscriptions SET status = 'PAST_DUE' WHERE organization_id = $1`, [
      owner.organizationId,
    ]);
    await expectRefusal(service, 'FORBIDDEN', () => runWith(service, secret));
  });

  it('cannot sign in: FORBIDDEN at me, and at what people do', async () => {
    const owner = await newOwner(service);
    const account = await createServiceAccount(service, owner, { scopes: ['MEMBERS_VIEW', 'TOKENS_MANAGE'] });
    const { secret } = await createServiceToken(service, owner, account.id);
    const acts = [
      ['{ me { id } }', {}],
      [operations.signOutEverywhere, {}],
      [tokenOperations.createServiceToken, { id: account.id, expiresAt: inDays(1) }],
      [tokenOperations.organizationTokens, {}],
    ] as const;
    for (const [query, variables] of acts) {
      await expectRefusal(service, 'FORBIDDEN', () => runWith(service, secret, query, variables));
    }
  });

  it('gives no role with scopes that it lacks, and touches no owner', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    const account = await createServiceAccount(service, owner, { scopes: ['MEMBERS_VIEW', 'MEMBERS_UPDATE'] });
    const { secret } = await createServiceToken(service, owner, account.id);
    const change = 'mutation ($id: ID!, $role: Role!) { changeMemberRole(memberId: $id, role: $role) { role } }';
    for (const role of ['ADMIN', 'OWNER']) {
      await expectRefusal(service, 'FORBIDDEN', () => runWith(service, secret, change, { id: member.memberId, role }));
    }
    const demote = { id: owner.memberId, role: 'MEMBER' };
    await expectRefusal(service, 'FORBIDDEN', () => runWith(service, secret, change, demote));
  });

  it('survives who created it', async () => {
    const owner = await newOwner(service);
    const admin = await newAdminOf(owner.organizationId);
    const account = await createServiceAccount(service, admin);
    const { secret } = await createServiceToken(service, admin, account.id);
    const remove = 'mutation ($id: ID!) { removeMember(memberId: $id) }';
    await runAs(service, owner, remove, { id: admin.memberId });
    await runAs(service, admin, operations.signOutEverywhere);
    expect(await refusalOf(service, secret)).toBeNull();
    await service.sql('DELETE FROM users WHERE id = $1', [admin.userId]);
    expect(await refusalOf(service, secret)).toBeNull();
    const [shown] = dataOf<{ createdByEmail: string | null; liveTokens: number }[]>(
      await runAs(service, owner, tokenOperations.serviceAccounts),
    );
    expect(shown).toMatchObject({ createdByEmail: null, liveTokens: 1 });
  });

  it('has its new scopes on the next request of its tokens', async () => {
    const owner = await newOwner(service);
    const account = await createServiceAccount(service, owner);
    const { secret } = await createServiceToken(service, owner, account.id);
    expect(await refusalOf(service, secret)).toBeNull();
    await updateAccount(owner, { serviceAccountId: account.id, scopes: ['MEMBERS_INVITE'] });
    await expectRefusal(service, 'FORBIDDEN', () => runWith(service, secret));
    await updateAccount(owner, { serviceAccountId: account.id, scopes: ['MEMBERS_VIEW'], name: 'Exporter' });
    expect(await refusalOf(service, secret)).toBeNull();
    const [shown] = dataOf<object[]>(await runAs(service, owner, tokenOperations.serviceAccounts));
    expect(shown).toMatchObject({ name: 'Exporter', scopes: ['MEMBERS_VIEW'] });
  });

  it('ends with all its tokens when it is deleted', async () => {
    const owner = await newOwner(service);
    const account = await createServiceAccount(service, owner);
    const [one, two] = [
      await createServiceToken(service, owner, account.id),
      await createServiceToken(service, owner, account.id),
    ];
    const deleted = await runAs(service, owner, tokenOperations.deleteServiceAccount, { id: account.id });
    expect(dataOf(deleted)).toMatchObject({ success: true, revokedCredentials: 2 });
    for (const { secret } of [one, two]) expect(await refusalOf(service, secret)).toBe('UNAUTHENTICATED');
    expect(dataOf(await runAs(service, owner, tokenOperations.serviceAccounts))).toEqual([]);
    await expectRefusal(service, 'NOT_FOUND', () =>
      runAs(service, owner, tokenOperations.deleteServiceAccount, { id: account.id }),
    );
    const { nodes } = dataOf<{ nodes: ShownToken[] }>(await runAs(service, owner, tokenOperations.organizationTokens));
    expect(nodes.map(({ status, serviceAccount }) => [status, serviceAccount?.id])).toEqual([
      ['REVOKED', account.id],
      ['REVOKED', account.id],
    ]);
  });

  it.each([
    ['no name', { name: '' }, 'name'],
    ['a name of 10,000 characters', { name: 'x'.repeat(10_000) }, 'name'],
    ['a description with line breaks', { description: 'a\nb' }, 'description'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['an unknown scope', { scopes: ['MEMBERS_SEE'] }, 'scopes'],
  ])('is refused with %s', async (_what, input, field) => {
    const owner = await newOwner(service);
    const answer = await expectRefusal(service, 'BAD_USER_INPUT', () => createAccount(owner, input));
    expect(Object.keys(answer.extensions?.['fields'] ?? {})).toEqual([field]);
  });

  it('is given no scope that its creator lacks', async () => {
    const owner = await newOwner(service);
    const admin = await newAdminOf(owner.organizationId);
    const scopes = ['ORGANIZATION_UPDATE'];
    const created = await expectNothingStored(service, () => createAccount(admin, { scopes }));
    expect(created).toMatchObject({ code: 'FORBIDDEN', extensions: { missingScopes: scopes } });
    const account = await createServiceAccount(service, admin);
    const updated = await expectNothingStored(service, () =>
      updateAccount(admin, { serviceAccountId: account.id, scopes }),
    );
    expect(updated).toMatchObject({ code: 'FORBIDDEN', extensions: { missingScopes: scopes } });
    await updateAccount(owner, { serviceAccountId: account.id, scopes });
    const token = await expectNothingStored(service, () =>
      runAs(service, admin, tokenOperations.createServiceToken, { id: account.id, expiresAt: inDays(1) }),
    );
    expect(token).toMatchObject({ code: 'FORBIDDEN', extensions: { missingScopes: scopes } });
  });

  // Contract: machine-credentials#recent-authentication — A service account gains scopes only by a recent
  //   authentication
  it('needs a recent authentication where it gains something', async () => {
    const owner = await newOwner(service);
    const account = await createServiceAccount(service, owner);
    await ageAuthentication(service, owner.tokens.accessToken, '11 minutes');
    await expectRefusal(service, 'REAUTHENTICATION_REQUIRED', () => createAccount(owner, {}));
    const added = { serviceAccountId: account.id, scopes: ['MEMBERS_VIEW', 'MEMBERS_INVITE'] };
    await expectRefusal(service, 'REAUTHENTICATION_REQUIRED', () => updateAccount(owner, added));
    await expectRefusal(service, 'REAUTHENTICATION_REQUIRED', () =>
      runAs(service, owner, tokenOperations.createServiceToken, { id: account.id, expiresAt: inDays(1) }),
    );
    expect((await updateAccount(owner, { serviceAccountId: account.id, name: 'Renamed' })).code).toBeNull();
  });

  // Contract: machine-credentials#who-may-manage-tokens — A service account and its tokens are NOT_FOUND for another
  //   organization, and FORBIDDEN without TOKENS_MANAGE
  it('is unknown to another organization, and hidden from who does not manage tokens', async () => {
    const owner = await newOwner(service);
    const stranger = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    const account = await createServiceAccount(service, owner);
    const { token } = await createServiceToken(service, owner, account.id);
    const acts = (person: Person) => [
      () => updateAccount(person, { serviceAccountId: account.id, name: 'Mine' }),
      () => runAs(service, person, tokenOperations.deleteServiceAccount, { id: account.id }),
      () => runAs(service, person, tokenOperations.createServiceToken, { id: account.id, expiresAt: inDays(1) }),
    ];
    for (const act of acts(stranger)) await expectRefusal(service, 'NOT_FOUND', act);
    for (const act of acts(member)) await expectRefusal(service, 'FORBIDDEN', act);
    for (const [person, code] of [
      [stranger, 'NOT_FOUND'],
      [member, 'FORBIDDEN'],
    ] as const) {
      await expectRefusal(service, code, () => rotate(service, person, { tokenId: token.id }));
      await expectRefusal(service, code, () => runAs(service, person, tokenOperations.revokeToken, { id: token.id }));
    }
  });

  it('is one of a hundred at most', async () => {
    const owner = await newOwner(service);
    await service.sql(
      `INSERT INTO service_accounts (id, organization_id, name, description, scopes)
       SELECT gen_random_uuid(), $1, 'A' || n, '', '{MEMBERS_VIEW}' FROM generate_series(1, 99) AS n`,
      [owner.organizationId],
    );
    const answers = await Promise.all([1, 2, 3].map(() => createAccount(owner, {})));
    expect(tally(answers.map(outcomeOf))).toEqual({ OK: 1, LIMIT_REACHED: 2 });
  });
});

describe('A token of a service account', () => {
  it('is one of two at most, and secrets in overlap do not count', async () => {
    const owner = await newOwner(service);
    const account = await createServiceAccount(service, owner);
    const { token } = await createServiceToken(service, owner, account.id);
    const rotated = dataOf<Issued>(await rotate(service, owner, { tokenId: token.id }));
    expect(rotated.secret).toMatch(/^gate_s_/);
    const create = () =>
      runAs(service, owner, tokenOperations.createServiceToken, { id: account.id, expiresAt: inDays(9) });
    const answers = await Promise.all([create(), create(), create()]);
    expect(tally(answers.map(outcomeOf))).toEqual({ OK: 1, LIMIT_REACHED: 2 });
    await expectRefusal(service, 'LIMIT_REACHED', create);
  });

  it('is found by the filters of the organization', async () => {
    const owner = await newOwner(service);
    const account = await createServiceAccount(service, owner);
    const { token } = await createServiceToken(service, owner, account.id);
    const member = await newMember(service, owner.organizationId);
    const personal = dataOf<Issued>(
      await runAs(service, member, tokenOperations.createPersonalToken, {
        input: { name: 'Mine', scopes: ['MEMBERS_VIEW'], expiresAt: inDays(2) },
      }),
    ).token;
    const list = async (filter: object) => {
      const answer = await runAs(service, owner, tokenOperations.organizationTokens, { filter });
      const { nodes, totalCount } = dataOf<{ nodes: ShownToken[]; totalCount: number }>(answer);
      expect(totalCount).toBe(nodes.length);
      return nodes.map(({ id }) => id);
    };
    expect(await list({})).toEqual([personal.id, token.id]);
    expect(await list({ kind: 'SERVICE' })).toEqual([token.id]);
    expect(await list({ serviceAccountId: account.id })).toEqual([token.id]);
    expect(await list({ userId: member.userId })).toEqual([personal.id]);
    expect(await list({ expiresBefore: inDays(3) })).toEqual([personal.id]);
    expect(await list({ status: 'REVOKED' })).toEqual([]);
    expect(await list({ status: 'ACTIVE', kind: 'PERSONAL', unusedForDays: 0 })).toEqual([personal.id]);
    expect(await list({ unusedForDays: 1 })).toEqual([]);
    const all = { kind: 'SERVICE', serviceAccountId: account.id, userId: member.userId, status: 'ACTIVE' };
    expect(await list({ ...all, expiresBefore: inDays(90), unusedForDays: 0 })).toEqual([]);
    const stranger = await newOwner(service);
    const theirs = await runAs(service, stranger, tokenOperations.organizationTokens);
    expect(dataOf(theirs)).toMatchObject({ totalCount: 0 });
  });
});
