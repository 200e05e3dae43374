/** The session in one tab and in many: expired, ended and unreachable. */
import { describe, expect, it } from 'vitest';
import { GatehouseInMemory, noConnection, passingFailures, refusalOf } from './support/gatehouse.ts';

const credentials = { email: 'ada@example.com', password: 'Secret.12' };

describe('the session state', () => {
  it('is out for a visitor without cookies, without any refresh', async () => {
    const gatehouse = new GatehouseInMemory();
    const session = gatehouse.openTab();
    expect(await session.open()).toEqual({ kind: 'out', ending: undefined });
    await session.open();
    expect(gatehouse.requests).toEqual(['FetchMe', 'FetchMe']);
  });

  it('is fetched once for concurrent callers', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const session = gatehouse.openTab();
    await Promise.all([session.open(), session.open(), session.open()]);
    expect(session.state()).toMatchObject({ kind: 'in', person: { name: 'Ada' } });
    expect(gatehouse.count('FetchMe')).toBe(1);
  });

  it.each(passingFailures)('stays unknown with %s, and is fetched again', async (_, answer) => {
    const gatehouse = GatehouseInMemory.signedIn();
    gatehouse.nextResponse('FetchMe', answer);
    const session = gatehouse.openTab();
    expect(await session.open()).toMatchObject({ kind: 'unknown', problem: { name: 'Refusal' } });
    expect(await session.open()).toMatchObject({ kind: 'in' });
  });

  it('stays in when the connection is lost later', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const session = await gatehouse.openedTab();
    gatehouse.nextResponse('FetchMe', noConnection);
    expect(await session.recheck()).toMatchObject({ kind: 'in' });
  });
});

describe('an expired access credential', () => {
  it('is refreshed once for eight tabs, and none is signed out', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    gatehouse.expireAccess();
    const tabs = Array.from({ length: 8 }, () => gatehouse.openTab());
    const states = await Promise.all(tabs.map((tab) => tab.open()));
    expect(states.map(({ kind }) => kind)).toEqual(Array(8).fill('in'));
    expect(gatehouse.count('RefreshAccess')).toBe(1);
  });

  it('is refreshed once for eight tabs that were signed in already', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const tabs = Array.from({ length: 8 }, () => gatehouse.openTab());
    await Promise.all(tabs.map((tab) => tab.open()));
    gatehouse.expireAccess();
    await Promise.all(tabs.flatMap((tab) => [tab.recheck(), tab.recheck()]));
    expect(tabs.map((tab) => tab.state().kind)).toEqual(Array(8).fill('in'));
    expect(gatehouse.count('RefreshAccess')).toBe(1);
  });

  it('waits for the cookies of a rotation outside the lock', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    let pauses = 0;
    let updateCookies = () => {};
    const session = gatehouse.openTab(() => {
      pauses += 1;
      if (pauses === 2) updateCookies();
    });
    await session.open();
    gatehouse.expireAccess();
    gatehouse.nextResponse('RefreshAccess', () => {
      updateCookies = gatehouse.rotateElsewhere();
      return refusalOf('REFRESH_SUPERSEDED', 409);
    });
    expect(await session.recheck()).toMatchObject({ kind: 'in' });
    expect(gatehouse.count('RefreshAccess')).toBe(1);
  });

  it('does not sign out when those cookies do not arrive in time', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const session = await gatehouse.openedTab();
    gatehouse.expireAccess();
    gatehouse.nextResponse('RefreshAccess', () => {
      gatehouse.rotateElsewhere();
      return refusalOf('REFRESH_SUPERSEDED', 409);
    });
    expect(await session.recheck()).toMatchObject({ kind: 'in' });
    expect(gatehouse.count('RefreshAccess')).toBe(2);
  });

  it.each([
    ['no connection', noConnection],
    ['a service that is not available', () => refusalOf('UNAVAILABLE', 503)],
  ])('leaves the state unchanged when its refresh meets %s', async (_, answer) => {
    const gatehouse = GatehouseInMemory.signedIn();
    const session = await gatehouse.openedTab();
    gatehouse.expireAccess();
    gatehouse.nextResponse('RefreshAccess', answer);
    expect(await session.recheck()).toMatchObject({ kind: 'in' });
    expect(await session.recheck()).toMatchObject({ kind: 'in' });
    expect(gatehouse.count('RefreshAccess')).toBe(2);
  });
});

describe('the end of a session', () => {
  it('is detected when the service refuses the credential', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const session = await gatehouse.openedTab();
    gatehouse.revoke();
    expect(await session.recheck()).toEqual({ kind: 'out', ending: 'ended' });
    expect(gatehouse.count('RefreshAccess')).toBe(0);
  });

  it('is detected when the service refuses the refresh', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    gatehouse.expireAccess();
    gatehouse.nextResponse('RefreshAccess', () => refusalOf('REFRESH_REFUSED', 401));
    expect(await gatehouse.openTab().open()).toEqual({ kind: 'out', ending: 'ended' });
  });

  it('reaches every tab, and each fetches the state itself', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const tabs = Array.from({ length: 4 }, () => gatehouse.openTab());
    await Promise.all(tabs.map((tab) => tab.open()));
    await tabs[0]?.signOut();
    const states = await Promise.all(tabs.map((tab) => tab.open()));
    expect(states.map(({ kind }) => kind)).toEqual(Array(4).fill('out'));
    expect(states[0]).toEqual({ kind: 'out', ending: 'signed-out' });
    expect(states[1]).toEqual({ kind: 'out', ending: 'ended' });
  });

  it('counts as a sign-out when the session had ended before it', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const session = await gatehouse.openedTab();
    gatehouse.revoke();
    await session.signOut();
    expect(session.state()).toEqual({ kind: 'out', ending: 'signed-out' });
  });

  it('does not happen when the sign-out cannot reach the service', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const session = await gatehouse.openedTab();
    gatehouse.nextResponse('SignOut', noConnection);
    await expect(session.signOut()).rejects.toMatchObject({ code: 'OFFLINE' });
    expect(session.state()).toMatchObject({ kind: 'in' });
  });

  it('refreshes an expired credential first, so that a sign-out is never incomplete', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const session = await gatehouse.openedTab();
    gatehouse.expireAccess();
    await session.signOutEverywhere();
    expect(session.state()).toEqual({ kind: 'out', ending: 'signed-out-everywhere' });
    expect(gatehouse.count('RefreshAccess')).toBe(1);
  });
});

describe('signing in', () => {
  it('reaches the tabs on the sign-in page', async () => {
    const gatehouse = new GatehouseInMemory();
    const [here, there] = [gatehouse.openTab(), gatehouse.openTab()];
    await Promise.all([here.open(), there.open()]);
    await here.signIn(credentials);
    expect(here.state()).toMatchObject({ kind: 'in' });
    await there.recheck();
    expect(there.state()).toMatchObject({ kind: 'in' });
  });

  it('leaves the state unchanged when it is refused', async () => {
    const gatehouse = new GatehouseInMemory();
    const session = await gatehouse.openedTab();
    gatehouse.nextResponse('SignIn', () => refusalOf('INVALID_CREDENTIALS', 401));
    await expect(session.signIn(credentials)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect(session.state()).toMatchObject({ kind: 'out' });
  });
});

describe('completing an invited profile', () => {
  const profile = { invitationToken: 'i1', vToken: 'v1', name: 'Ada', password: 'Secret.12' };

  it('signs the person in, in every tab that waits', async () => {
    const gatehouse = new GatehouseInMemory();
    const [here, there] = [gatehouse.openTab(), gatehouse.openTab()];
    await Promise.all([here.open(), there.open()]);
    await here.completeInvitedProfile(profile);
    expect(here.state()).toMatchObject({ kind: 'in', person: { name: 'Ada' } });
    expect(await there.recheck()).toMatchObject({ kind: 'in' });
  });

  it('leaves the state unchanged when the invitation is no longer open', async () => {
    const gatehouse = new GatehouseInMemory();
    const session = await gatehouse.openedTab();
    gatehouse.nextResponse('CompleteInvitedProfile', () => refusalOf('INVITATION_NOT_OPEN', 410));
    await expect(session.completeInvitedProfile(profile)).rejects.toMatchObject({ code: 'INVITATION_NOT_OPEN' });
    expect(session.state()).toMatchObject({ kind: 'out' });
  });
});
