/** Sign-ins of the portal: their state, in this tab and in others. */
import { describe, expect, it } from 'vitest';
import { GatehouseInMemory, refusalOf } from '../../../packages/client/test/support/gatehouse.ts';
import { completeInvitedProfile } from '../../src/pages/invitation/invitation-query.ts';
import { signInWithPassword } from '../../src/pages/sign-in/password-sign-in.ts';
import { signOutEverywhere } from '../../src/session/sign-out.ts';
import { openedPortal, openPortal } from '../support/gatehouse.ts';

const credentials = { email: 'ada@example.com', password: 'Secret.12' };

describe('signing in', () => {
  it('reaches the tabs on the sign-in page', async () => {
    const gatehouse = new GatehouseInMemory();
    const [here, there] = [openPortal(gatehouse), openPortal(gatehouse)];
    await Promise.all([here.open(), there.open()]);
    await signInWithPassword(here, credentials);
    expect(here.state()).toMatchObject({ status: 'signedIn' });
    await there.refetch();
    expect(there.state()).toMatchObject({ status: 'signedIn' });
  });

  it('leaves the state unchanged when it is refused', async () => {
    const gatehouse = new GatehouseInMemory();
    const session = await openedPortal(gatehouse);
    gatehouse.nextResponse('SignIn', () => refusalOf('INVALID_CREDENTIALS', 401));
    await expect(signInWithPassword(session, credentials)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect(session.state()).toMatchObject({ status: 'signedOut' });
  });
});

describe('completing an invited profile', () => {
  const profile = { invitationToken: 'i1', vToken: 'v1', name: 'Ada', password: 'Secret.12' };

  it('signs the person in, in every tab that waits', async () => {
    const gatehouse = new GatehouseInMemory();
    const [here, there] = [openPortal(gatehouse), openPortal(gatehouse)];
    await Promise.all([here.open(), there.open()]);
    await completeInvitedProfile(here, profile);
    expect(here.state()).toMatchObject({ status: 'signedIn', user: { name: 'Ada' } });
    expect(await there.refetch()).toMatchObject({ status: 'signedIn' });
  });

  it('leaves the state unchanged when the invitation is no longer open', async () => {
    const gatehouse = new GatehouseInMemory();
    const session = await openedPortal(gatehouse);
    gatehouse.nextResponse('CompleteInvitedProfile', () => refusalOf('INVITATION_NOT_OPEN', 410));
    await expect(completeInvitedProfile(session, profile)).rejects.toMatchObject({ code: 'INVITATION_NOT_OPEN' });
    expect(session.state()).toMatchObject({ status: 'signedOut' });
  });
});

describe('signing out everywhere', () => {
  it('refreshes an expired access token first', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const session = await openedPortal(gatehouse);
    gatehouse.expireAccess();
    await signOutEverywhere(session);
    expect(session.state()).toEqual({ status: 'signedOut', reason: 'signedOutEverywhere' });
    expect(gatehouse.count('RefreshAccess')).toBe(1);
  });
});
