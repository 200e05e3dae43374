/** What ends personal tokens, and what leaves them: passwords, sign-outs, suspensions, memberships, organizations. */
import { describe, expect, it } from 'vitest';
import { setPasswordByOperator } from '../../src/domain/session-admin/operator-shell.ts';
import { createPasswordHasher } from '../../src/platform/passwords/password-hasher.ts';
import { ageAuthentication } from '../support/actors/credentials.ts';
import { changeAddress, undoChange } from '../support/actors/email-changes.ts';
import {
  type StoredMachine,
  storePersonalToken,
  storeServiceToken,
} from '../support/actors/machines/machine-secrets.ts';
import { addTo, getTenant, newMember, newOwner, newSuperAdmin, runAs, type Tenant } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { goodPassword, operations, registerAndSignIn } from '../support/clients/clients.ts';
import { fixture, testFixture } from '../support/fixture.ts';
import { runCleanup } from '../support/gatehouse/cleanup.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

const service = serviceFixture();
const root = fixture(() => newSuperAdmin(service));

/** Why the newest secret of a token was revoked; null while it lives, undefined when nothing is kept of it. */
const reasonOf = async ({ credentialId }: StoredMachine): Promise<string | null | undefined> => {
  const [row] = await service.sql<{ reason: string | null }>(
    'SELECT revocation_reason AS reason FROM credentials WHERE id = $1',
    [credentialId],
  );
  return row?.reason;
};

const newPerson = async (): Promise<Tenant> => {
  const { email, tokens } = await registerAndSignIn(service);
  const { userId, organizationId } = await getTenant(service, email);
  const memberId = await service.sql.value<string>('SELECT current_membership FROM users WHERE id = $1', [userId]);
  return { email, userId, organizationId, memberId: memberId ?? '', tokens };
};

const otherPassword = 'Another.1word';

const changePassword = (person: Tenant, currentPassword: string, newPassword: string) =>
  runAs(service, person, operations.changePassword, { input: { currentPassword, newPassword } });

const newestMailTo = async (email: string): Promise<string> => (await service.mailsTo(email))[0]?.text ?? '';

describe('a changed password', () => {
  // Contract: machine-credentials#end-of-a-token — a changed password leaves personal tokens, and the mail says so
  it('leaves personal tokens, and the mail says how many', async () => {
    const person = await newPerson();
    const first = await storePersonalToken(service, person);
    expect((await changePassword(person, goodPassword, otherPassword)).code).toBeNull();
    expect(await reasonOf(first)).toBeNull();
    expect(await newestMailTo(person.email)).toContain('Your personal token still works');
    await storePersonalToken(service, person);
    expect((await changePassword(person, otherPassword, goodPassword)).code).toBeNull();
    expect(await newestMailTo(person.email)).toContain('Your 2 personal tokens still work');
  });

  it('says nothing of tokens to a person without a live one', async () => {
    const person = await newPerson();
    const expired = await storePersonalToken(service, person);
    await service.sql('UPDATE credentials SET expires_at = now() WHERE id = $1', [expired.credentialId]);
    expect((await changePassword(person, goodPassword, otherPassword)).code).toBeNull();
    expect(await newestMailTo(person.email)).not.toContain('token');
  });
});

describe('all of a person ends', () => {
  // Contract: machine-credentials#end-of-a-token — a personal token ends with sign-out everywhere, by whomever
  it('with their own sign-out everywhere, which counts their tokens', async () => {
    const person = await newOwner(service);
    const personal = await storePersonalToken(service, person);
    const account = await storeServiceToken(service, person);
    const { data } = await runAs(service, person, operations.signOutEverywhere);
    expect(data).toMatchObject({ signOutEverywhere: { revokedCredentials: 3 } });
    expect(await reasonOf(personal)).toBe('signed_out_everywhere');
    expect(await reasonOf(account)).toBeNull();
  });

  it('with a suspension, and stays ended after it', async () => {
    const person = await newOwner(service);
    const personal = await storePersonalToken(service, person);
    const suspend = { id: person.userId, reason: 'A test' };
    expect((await runAs(service, root, operations.suspendUser, { ...suspend, dryRun: true })).data).toMatchObject({
      suspendUser: { revokedCredentials: 3 },
    });
    expect(await reasonOf(personal)).toBeNull();
    await runAs(service, root, operations.suspendUser, suspend);
    await runAs(service, root, operations.reinstateUser, { id: person.userId });
    expect(await reasonOf(personal)).toBe('suspended');
  });

  it('with a change of address that is undone', async () => {
    const person = await newPerson();
    const personal = await storePersonalToken(service, person);
    const { undoToken } = await changeAddress(service, person);
    expect(await reasonOf(personal)).toBeNull();
    expect((await undoChange(service, undoToken)).code).toBeNull();
    expect(await reasonOf(personal)).toBe('email_change_undone');
  });

  it('with a password that an operator sets', async () => {
    const person = await newOwner(service);
    const personal = await storePersonalToken(service, person);
    const passwords = await testFixture(createPasswordHasher(4));
    const { database, mail, config: settings } = service;
    const set = await setPasswordByOperator(
      { database, mail, settings, passwords, logger: silentLogger },
      person.email,
    );
    expect(set?.revokedCredentials).toBe(3);
    expect(await reasonOf(personal)).toBe('password_set_by_operator');
  });

  it('with their account, and nothing is kept of their tokens', async () => {
    const person = await newPerson();
    const personal = await storePersonalToken(service, person);
    const account = await storeServiceToken(service, person);
    expect((await runAs(service, person, operations.deleteAccount, { email: person.email })).code).toBeNull();
    for (const machine of [personal, account]) {
      expect(await reasonOf(machine)).toBeUndefined();
      expect(await service.sql('SELECT 1 FROM machine_tokens WHERE id = $1', [machine.tokenId])).toEqual([]);
    }
  });
});

describe('a membership', () => {
  // Contract: machine-credentials#end-of-a-token — a personal token ends for good when the membership ends
  it('ends its personal tokens for good, however it ends, and those of no other organization', async () => {
    const owner = await newOwner(service);
    for (const by of [owner, null]) {
      const member = await newMember(service, owner.organizationId);
      const there = await storePersonalToken(service, member);
      const elsewhere = await newOwner(service);
      const memberId = await addTo(service, member.userId, elsewhere.organizationId);
      const other = await storePersonalToken(service, { ...elsewhere, userId: member.userId, memberId });
      const answer = await runAs(service, by ?? member, operations.removeMember, { id: member.memberId });
      expect(answer.code).toBeNull();
      expect(await reasonOf(there)).toBe('membership_removed');
      expect(await reasonOf(other)).toBeNull();
      await addTo(service, member.userId, owner.organizationId);
      expect(await reasonOf(there)).toBe('membership_removed');
    }
  });

  it('that cannot end keeps its tokens', async () => {
    const owner = await newOwner(service);
    const personal = await storePersonalToken(service, owner);
    await expectRefusal(service, 'LAST_OWNER', () =>
      runAs(service, owner, operations.removeMember, { id: owner.memberId }),
    );
    expect(await reasonOf(personal)).toBeNull();
  });
});

describe('a deleted organization', () => {
  // Contract: machine-credentials#tokens-of-a-deleted-organization — deleteOrganization keeps tokens until the
  //   organization is gone
  it('keeps its tokens while it can be restored, and leaves no live one when it is gone', async () => {
    const owner = await newOwner(service);
    const machines = [await storePersonalToken(service, owner), await storeServiceToken(service, owner)];
    const name = await service.sql.value<string>('SELECT name FROM organizations WHERE id = $1', [
      owner.organizationId,
    ]);
    const input = { organizationId: owner.organizationId, name };
    expect((await runAs(service, owner, operations.deleteOrganization, { input })).code).toBeNull();
    for (const machine of machines) expect(await reasonOf(machine)).toBeNull();
    await service.sql('UPDATE organizations SET deletes_at = now() WHERE id = $1', [owner.organizationId]);
    await runCleanup(service.database);
    for (const machine of machines) expect(await reasonOf(machine)).toBeUndefined();
  });
});

// Contract: machine-credentials#listed-tokens — exportMyData has a person's tokens, without a secret
it('exportMyData contains the personal tokens of the person, and neither a secret nor a hash', async () => {
  const person = await newPerson();
  const personal = await storePersonalToken(service, person, { name: 'Nightly export' });
  await storeServiceToken(service, person);
  await ageAuthentication(service, person.tokens.accessToken, '0 seconds');
  const answer = await runAs(service, person, operations.exportMyData);
  const { data } = JSON.parse(answer.text) as { data: { exportMyData: { json: string } } };
  const exported = JSON.parse(data.exportMyData.json) as Record<string, readonly object[]>;
  expect(exported['personalTokens']).toEqual([
    expect.objectContaining({
      id: personal.tokenId,
      name: 'Nightly export',
      organizationId: person.organizationId,
      scopes: ['MEMBERS_VIEW'],
      lastCharacters: personal.secret.slice(-4),
      revokedAt: null,
    }),
  ]);
  expect(exported['credentials']).toContainEqual(
    expect.objectContaining({ id: personal.credentialId, kind: 'machine', sessionFamilyId: personal.tokenId }),
  );
  expect(answer.text).not.toContain(personal.secret);
  const [stored] = await service.sql<{ hash: string }>(
    `SELECT encode(token_hash, 'hex') AS hash FROM credentials WHERE id = $1`,
    [personal.credentialId],
  );
  expect(answer.text).not.toContain(stored?.hash);
});
