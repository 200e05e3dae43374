/** A suspension holds for accounts that were never verified too, and nothing of the time meanwhile outlives its end. */
import { describe, expect, it } from 'vitest';
import { me, refresh } from '../support/actors/credentials.ts';
import { confirmChange, confirmTokenOf, requestChange } from '../support/actors/email-changes.ts';
import { inviteByMail } from '../support/actors/invitations.ts';
import { seedSession } from '../support/actors/seeding.ts';
import { newOwner, newSuperAdmin, runAs } from '../support/actors/tenants.ts';
import { expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import { newAddress, operations, post, registerAndSignIn, signUp } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { runCleanup } from '../support/gatehouse/cleanup.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
const root = fixture(() => newSuperAdmin(service));

const suspend = async (email: string): Promise<string> => {
  const id = (await service.sql.value<string>('SELECT id FROM users WHERE email = $1', [email])) ?? '';
  const answer = await runAs(service, root, operations.suspendUser, { id, reason: 'A test' });
  expect(answer.code).toBeNull();
  return id;
};

const isSuspended = (userId: string): Promise<boolean | undefined> =>
  service.sql.value<boolean>('SELECT suspended_at IS NOT NULL FROM users WHERE id = $1', [userId]);

describe('A suspended account that was never verified', () => {
  // Contract: incidents#suspension-of-a-person — suspendUser ends every way in: the account of a sign-up stays
  it('is not rejected by the link of its mail', async () => {
    const email = newAddress();
    const token = await signUp(service, email);
    const userId = await suspend(email);
    const answer = await expectNothingStored(service, () => post(service.url, operations.rejectSignUp, { token }));
    expect(answer.data).toEqual({ rejectSignUp: false });
    expect(await isSuspended(userId)).toBe(true);
  });

  it('stays after the week of its last link', async () => {
    const email = newAddress();
    await signUp(service, email);
    const userId = await suspend(email);
    await service.sql(`UPDATE users SET email_validation_expires_at = now() - interval '8 days' WHERE id = $1`, [
      userId,
    ]);
    expect(await runCleanup(service.database)).toMatchObject({ abandoned_sign_ups: 0 });
    expect(await isSuspended(userId)).toBe(true);
  });

  it('and was only invited is not absorbed by another account that owns the address', async () => {
    const owner = await newOwner(service);
    const person = await registerAndSignIn(service);
    const newEmail = newAddress();
    await requestChange(service, person, newEmail);
    await inviteByMail(service, owner.tokens, newEmail);
    const userId = await suspend(newEmail);
    const token = await confirmTokenOf(service, newEmail);
    await expectRefusal(service, 'LINK_NOT_OPEN', () => confirmChange(service, person.tokens, token));
    expect(await isSuspended(userId)).toBe(true);
    await runAs(service, root, operations.reinstateUser, { id: userId });
    expect((await confirmChange(service, person.tokens, token)).code).toBeNull();
  });
});

describe('reinstateUser', () => {
  it('makes no pair live that was issued without knowledge of the suspension', async () => {
    const { userId } = await newOwner(service);
    // As a process of the version before issues it: it does not read the suspension.
    const change = (to: string) => service.sql(`UPDATE users SET suspended_at = ${to} WHERE id = $1`, [userId]);
    await runAs(service, root, operations.suspendUser, { id: userId, reason: 'A test' });
    await change('NULL');
    const tokens = await seedSession(service.database, userId);
    await change('now()');
    expect((await runAs(service, root, operations.reinstateUser, { id: userId })).code).toBeNull();
    await expectRefusal(service, 'UNAUTHENTICATED', () => me(service, tokens.accessToken));
    await expectRefusal(service, 'REFRESH_REFUSED', () => refresh(service, tokens));
    expect(await service.sql('SELECT FROM credentials WHERE user_id = $1 AND revoked_at IS NULL', [userId])).toEqual(
      [],
    );
  });
});
