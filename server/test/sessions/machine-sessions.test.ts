/** The credentials of machines among sessions: what lists show of them, and what a super admin ends. */
import { describe, expect, it } from 'vitest';
import { addressOfServiceAccount } from '../../src/domain/access/actor.ts';
import { newId } from '../../src/kernel/ids.ts';
import {
  type StoredMachine,
  storeNextSecret,
  storePersonalToken,
  storeServiceToken,
} from '../support/actors/machines/machine-secrets.ts';
import { seedConnection } from '../support/actors/seeding.ts';
import { newMember, newOwner, newSuperAdmin, runAs, type Tenant } from '../support/actors/tenants.ts';
import { expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import { type Answer, operations } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
const root = fixture(() => newSuperAdmin(service));

interface Row {
  readonly id?: string;
  readonly sessionFamilyId: string;
  readonly kind?: string;
  readonly userEmail: string;
  readonly tokenName: string | null;
}
interface Page {
  readonly nodes: readonly Row[];
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}
type List = 'activeSessions' | 'sessionFamilies';

const list = async (of: List, filter: object, page: object = {}): Promise<Page> => {
  const answer = await runAs(service, root, operations[of], { filter, ...page });
  if (answer.code !== null) throw new Error(answer.text);
  return (JSON.parse(answer.text) as { data: Record<List, Page> }).data[of];
};

/** Every row of a list, one at a time. */
const inPagesOfOne = async (of: List, filter: object, further: object = {}): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (let after: string | null = null; ; ) {
    const page = await list(of, filter, { first: 1, after, ...further });
    rows.push(...page.nodes);
    if (!page.pageInfo.hasNextPage) return rows;
    after = page.pageInfo.endCursor;
  }
};

const reasonsOf = (machine: Pick<StoredMachine, 'tokenId'>): Promise<readonly (string | null)[]> =>
  service.sql.column<string | null>(
    'SELECT revocation_reason FROM credentials WHERE session_family_id = $1 ORDER BY slot',
    [machine.tokenId],
  );

const receiptOf = ({ data, text }: Answer): object => {
  if (data === null) throw new Error(text);
  return Object.values(data)[0] as object;
};

/** An owner and another member, each with tokens: of the owner a service account too. */
const newMachines = async (): Promise<{
  readonly owner: Tenant;
  readonly member: Tenant;
  readonly personal: StoredMachine;
  readonly service: StoredMachine;
}> => {
  const owner = await newOwner(service);
  const member = await newMember(service, owner.organizationId);
  const personal = await storePersonalToken(service, owner);
  return { owner, member, personal, service: await storeServiceToken(service, owner) };
};

describe('the lists', () => {
  // Contract: machine-credentials#tokens-in-lists-of-sessions — activeSessions lists the credentials of machines, with
  //   who acts
  it('show a personal and a service token with whose they are, and never a secret', async () => {
    const { owner, personal, service: account } = await newMachines();
    const answer = await runAs(service, root, operations.activeSessions, {
      filter: { organizationId: owner.organizationId, kind: 'machine' },
    });
    const { nodes, totalCount } = (JSON.parse(answer.text) as { data: { activeSessions: Page } }).data.activeSessions;
    expect(totalCount).toBe(2);
    const both = { kind: 'machine', audience: 'api', clientName: null, hasSecondFactor: false, isCurrent: false };
    expect(nodes[0]).toMatchObject({
      ...both,
      id: account.credentialId,
      sessionFamilyId: account.tokenId,
      actorKind: 'SERVICE_ACCOUNT',
      authMethod: 'service_token',
      userId: account.ownerId,
      userEmail: addressOfServiceAccount(account.ownerId),
      tokenName: 'Deployment',
    });
    expect(nodes[1]).toMatchObject({
      ...both,
      id: personal.credentialId,
      sessionFamilyId: personal.tokenId,
      actorKind: 'PERSONAL_TOKEN',
      authMethod: 'personal_token',
      userId: owner.userId,
      userEmail: owner.email,
      tokenName: 'Backup of the wiki',
      scopes: ['MEMBERS_VIEW'],
    });
    for (const { secret } of [personal, account]) expect(answer.text).not.toContain(secret);
  });

  it('show whether a second factor was used in the session of a person, and never one of a client', async () => {
    const { userId } = await newOwner(service);
    await seedConnection(service.database, userId, 'A client', ['mcp:whoami']);
    await service.sql('UPDATE credentials SET second_factor_at = now() WHERE user_id = $1', [userId]);
    const { nodes } = await list('activeSessions', { userId });
    expect(nodes.map((row) => ({ ...row, id: undefined }))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ audience: 'api', hasSecondFactor: true, actorKind: 'PERSON', tokenName: null }),
        expect.objectContaining({ audience: 'mcp', hasSecondFactor: false, actorKind: 'PERSON', tokenName: null }),
      ]),
    );
  });

  it.each([
    ['by the id of its account', (one: StoredMachine) => ({ userId: one.ownerId.toUpperCase() })],
    ['by its method', (one: StoredMachine) => ({ userId: one.ownerId, authMethod: 'service_token' })],
    ['by its network', (one: StoredMachine) => ({ userId: one.ownerId, network: '192.0.2.0/24' })],
    ['by its user agent', (one: StoredMachine) => ({ userId: one.ownerId, userAgent: 'MACHINE-tests' })],
    ['by its kind', (one: StoredMachine) => ({ userId: one.ownerId, kind: 'machine' })],
  ])('find a service account %s', async (_by, filterOf) => {
    const { service: account } = await newMachines();
    const filter = filterOf(account);
    for (const name of ['activeSessions', 'sessionFamilies'] as const) {
      const { nodes, totalCount } = await list(name, filter);
      expect(nodes.map(({ sessionFamilyId }) => sessionFamilyId)).toEqual([account.tokenId]);
      expect(totalCount).toBe(1);
    }
  });

  // Contract: machine-credentials#tokens-in-lists-of-sessions — the filter email never finds a service account
  it('never find a service account by an address', async () => {
    const { owner, personal, service: account } = await newMachines();
    for (const name of ['activeSessions', 'sessionFamilies'] as const) {
      for (const email of [account.email, 'service-account.invalid', account.ownerId]) {
        for (const further of [{}, { kind: 'machine' }, { network: '192.0.2.77' }, { authMethod: 'service_token' }]) {
          expect(await list(name, { email, ...further })).toMatchObject({ nodes: [], totalCount: 0 });
        }
        expect(await list(name, { email, userId: account.ownerId })).toMatchObject({ nodes: [], totalCount: 0 });
      }
      const found = await list(name, { email: owner.email, kind: 'machine' });
      expect(found.nodes.map(({ sessionFamilyId }) => sessionFamilyId)).toEqual([personal.tokenId]);
    }
  });

  it('name an id that is neither a person nor a service account, and list an account without tokens as empty', async () => {
    const wrong = await expectRefusal(service, 'BAD_USER_INPUT', () =>
      runAs(service, root, operations.activeSessions, { filter: { userId: newId() } }),
    );
    expect(Object.keys(wrong.extensions['fields'] ?? {})).toEqual(['userId']);
    const { service: account } = await newMachines();
    await service.sql(`UPDATE credentials SET expires_at = now() WHERE session_family_id = $1`, [account.tokenId]);
    for (const name of ['activeSessions', 'sessionFamilies'] as const) {
      expect(await list(name, { userId: account.ownerId })).toMatchObject({ nodes: [], totalCount: 0 });
    }
  });

  // Contract: machine-credentials#tokens-in-lists-of-sessions — one row for each token, at the place of its newest
  //   secret
  it('show a token once in the list of sessions, also while two of its secrets are live', async () => {
    const { owner, personal, service: account } = await newMachines();
    const rotated = await storeNextSecret(service, personal);
    const filter = { organizationId: owner.organizationId, kind: 'machine' };
    const credentials = await list('activeSessions', filter);
    expect(credentials.nodes.map(({ id }) => id)).toEqual([
      rotated.credentialId,
      account.credentialId,
      personal.credentialId,
    ]);
    const families = await list('sessionFamilies', filter);
    expect(families).toMatchObject({ totalCount: 2 });
    expect(families.nodes).toEqual([
      expect.objectContaining({ sessionFamilyId: personal.tokenId, credentials: 2, actorKind: 'PERSONAL_TOKEN' }),
      expect.objectContaining({ sessionFamilyId: account.tokenId, credentials: 1, tokenName: 'Deployment' }),
    ]);
    for (const sorting of [{}, { orderBy: 'USER' }, { orderBy: 'EXPIRES', direction: 'ASC' }]) {
      for (const further of [{}, { kind: null, network: '192.0.2.77' }, { authMethod: 'personal_token' }]) {
        const one = await inPagesOfOne('sessionFamilies', { ...filter, ...further }, sorting);
        const whole = await list('sessionFamilies', { ...filter, ...further }, sorting);
        expect(one).toEqual(whole.nodes);
        expect(new Set(one.map(({ sessionFamilyId }) => sessionFamilyId)).size).toBe(one.length);
      }
    }
    expect((await inPagesOfOne('activeSessions', filter)).map(({ id }) => id)).toEqual(
      credentials.nodes.map(({ id }) => id),
    );
    await service.sql('UPDATE credentials SET expires_at = now() WHERE id = $1', [rotated.credentialId]);
    expect((await list('sessionFamilies', filter)).nodes.map(({ sessionFamilyId }) => sessionFamilyId)).toEqual([
      account.tokenId,
      personal.tokenId,
    ]);
  });

  it('lists sessions and tokens together, and leaves either out by a filter', async () => {
    const { owner, member } = await newMachines();
    const { organizationId } = owner;
    expect((await list('sessionFamilies', { organizationId })).totalCount).toBe(4);
    expect((await list('sessionFamilies', { organizationId, kind: 'user_refresh' })).totalCount).toBe(2);
    expect((await list('sessionFamilies', { organizationId, userId: member.userId })).totalCount).toBe(1);
    expect((await inPagesOfOne('sessionFamilies', { organizationId })).length).toBe(4);
  });

  // Contract: machine-credentials#tokens-in-lists-of-sessions — mySessions lists devices
  it('leave machines out of the list of devices of a person, who cannot end one there', async () => {
    const { owner, personal } = await newMachines();
    const answer = await runAs(service, owner, operations.mySessions);
    expect((JSON.parse(answer.text) as { data: { mySessions: readonly unknown[] } }).data.mySessions).toHaveLength(1);
    await expectRefusal(service, 'NOT_FOUND', () =>
      runAs(service, owner, operations.revokeMySession, { family: personal.tokenId }),
    );
    expect(await reasonsOf(personal)).toEqual([null]);
  });

  it('count personal tokens among the sessions of a person', async () => {
    const { owner } = await newMachines();
    const { data } = await runAs(service, root, operations.platformUser, { id: owner.userId });
    expect(data).toMatchObject({ platformUser: { activeSessions: 2, activeCredentials: 3 } });
    expect((await list('sessionFamilies', { userId: owner.userId })).totalCount).toBe(2);
  });
});

describe('a super admin', () => {
  // Contract: machine-credentials#revocation-by-super-admins — revokeSession ends the whole token
  it('ends both secrets of a token by the id of either', async () => {
    const { personal, service: account } = await newMachines();
    for (const machine of [personal, account]) {
      await storeNextSecret(service, machine);
      const end = (): Promise<Answer> => runAs(service, root, operations.revokeSession, { id: machine.credentialId });
      expect(receiptOf(await end())).toMatchObject({ success: true, revokedCredentials: 2 });
      expect(await reasonsOf(machine)).toEqual(['revoked_by_super_admin', 'revoked_by_super_admin']);
      expect(receiptOf(await end())).toMatchObject({ success: true, revokedCredentials: 0 });
    }
  });

  // Contract: machine-credentials#revocation-by-super-admins — revokeUserSessions ends personal tokens; a service
  //   account is no person's user
  it('ends the personal tokens of a person with their sessions, and none of a service account', async () => {
    const { owner, personal, service: account } = await newMachines();
    await expectRefusal(service, 'NOT_FOUND', () =>
      runAs(service, root, operations.revokeUserSessions, { id: account.ownerId }),
    );
    await expectRefusal(service, 'NOT_FOUND', () =>
      runAs(service, root, operations.suspendUser, { id: account.ownerId, reason: 'A test' }),
    );
    const receipt = receiptOf(await runAs(service, root, operations.revokeUserSessions, { id: owner.userId }));
    expect(receipt).toMatchObject({ revokedCredentials: 3 });
    expect(await reasonsOf(personal)).toEqual(['revoked_by_super_admin']);
    expect(await reasonsOf(account)).toEqual([null]);
  });

  // Contract: machine-credentials#revocation-by-super-admins — revocations of many sessions end tokens, and dry runs
  //   count them
  it('ends the tokens of a filter, of an organization and of a choice as a dry run counts them', async () => {
    const dryRunThenEnd = async (query: string, variables: object, expected: object, expectedCount?: number) => {
      const dry = await expectNothingStored(service, () => runAs(service, root, query, { ...variables, dryRun: true }));
      expect(receiptOf(dry)).toMatchObject({ dryRun: true, ...expected });
      const counted = expectedCount === undefined ? {} : { expectedCount };
      const done = await runAs(service, root, query, { ...variables, ...counted });
      expect(receiptOf(done)).toMatchObject({ dryRun: false, ...expected });
    };
    const first = await newMachines();
    await storeNextSecret(service, first.service);
    const filter = { organizationId: first.owner.organizationId, kind: 'machine' };
    await dryRunThenEnd(operations.revokeSessions, { filter }, { sessions: 2, revokedCredentials: 3 }, 2);
    expect(await reasonsOf(first.service)).toEqual(['revoked_by_super_admin', 'revoked_by_super_admin']);
    expect((await list('sessionFamilies', { organizationId: first.owner.organizationId })).totalCount).toBe(2);

    const second = await newMachines();
    const id = second.owner.organizationId;
    await dryRunThenEnd(operations.revokeOrganizationSessions, { id }, { sessions: 4, revokedCredentials: 6 });
    expect(await reasonsOf(second.service)).toEqual(['revoked_by_super_admin']);

    const third = await newMachines();
    const ids = [third.service.tokenId, third.personal.tokenId];
    await dryRunThenEnd(operations.revokeSessionFamilies, { ids }, { sessions: 2, revokedCredentials: 2 });
    expect(await reasonsOf(third.personal)).toEqual(['revoked_by_super_admin']);

    const fourth = await newMachines();
    const ofAccount = { filter: { userId: fourth.service.ownerId } };
    await dryRunThenEnd(operations.revokeSessions, ofAccount, { sessions: 1, revokedCredentials: 1 }, 1);
    expect(await reasonsOf(fourth.personal)).toEqual([null]);
  });
});
