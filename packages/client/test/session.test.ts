/** The session in one tab and in many: expired, ended and unreachable. */
import { describe, expect, it } from 'vitest';
import { createClient } from '../src/index.ts';
import { GatehouseInMemory, noConnection, passingFailures, refusalOf } from './support/gatehouse.ts';

describe('the session state', () => {
  it('is out for a visitor without cookies, without any refresh', async () => {
    const gatehouse = new GatehouseInMemory();
    const { session } = gatehouse.openTab();
    expect(await session.open()).toEqual({ status: 'signedOut', reason: undefined });
    await session.open();
    expect(gatehouse.requests).toEqual(['FetchMe', 'FetchMe']);
  });

  it('is fetched once for concurrent callers', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const { session } = gatehouse.openTab();
    await Promise.all([session.open(), session.open(), session.open()]);
    expect(session.state()).toMatchObject({ status: 'signedIn', user: { name: 'Ada' } });
    expect(gatehouse.count('FetchMe')).toBe(1);
  });

  it.each(passingFailures)('stays unknown with %s, and is fetched again', async (_, answer) => {
    const gatehouse = GatehouseInMemory.signedIn();
    gatehouse.nextResponse('FetchMe', answer);
    const { session } = gatehouse.openTab();
    expect(await session.open()).toMatchObject({ status: 'loading', error: { name: 'Refusal' } });
    expect(await session.open()).toMatchObject({ status: 'signedIn' });
  });

  it('stays in when the connection is lost later', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const { session } = await gatehouse.openedTab();
    gatehouse.nextResponse('FetchMe', noConnection);
    expect(await session.refetch()).toMatchObject({ status: 'signedIn' });
  });
});

describe('the language of the page', () => {
  it('is sent with every request, as it is at that time', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    let language = 'de';
    const options = { baseUrl: 'https://id.example', language: () => language };
    const { session } = createClient(options, gatehouse.browser());
    await session.open();
    expect(new Set(gatehouse.languages.splice(0))).toEqual(new Set(['de']));
    language = 'ja';
    gatehouse.expireAccess();
    await session.refetch();
    expect(gatehouse.count('RefreshAccess')).toBe(1);
    expect(new Set(gatehouse.languages)).toEqual(new Set(['ja']));
  });

  it.each([undefined, '', 'de_AT', 'de\r\nx-evil: 1', 'de, en'])(
    'is left to the browser where it is %j, and nothing fails',
    async (given) => {
      const gatehouse = GatehouseInMemory.signedIn();
      const { session } = createClient({ baseUrl: 'https://id.example', language: () => given }, gatehouse.browser());
      await session.open();
      expect(session.state().status).toBe('signedIn');
      expect(gatehouse.languages).toEqual([null]);
    },
  );

  it('is left to the browser where the page names none', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    await gatehouse.openedTab();
    expect(gatehouse.languages).toEqual([null]);
  });
});

describe('an expired access credential', () => {
  it('is refreshed once for eight tabs, and none is signed out', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    gatehouse.expireAccess();
    const tabs = Array.from({ length: 8 }, () => gatehouse.openTab());
    const states = await Promise.all(tabs.map((tab) => tab.session.open()));
    expect(states.map(({ status }) => status)).toEqual(Array(8).fill('signedIn'));
    expect(gatehouse.count('RefreshAccess')).toBe(1);
  });

  it('is refreshed once for eight tabs that were signed in already', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const tabs = Array.from({ length: 8 }, () => gatehouse.openTab());
    await Promise.all(tabs.map((tab) => tab.session.open()));
    gatehouse.expireAccess();
    await Promise.all(tabs.flatMap((tab) => [tab.session.refetch(), tab.session.refetch()]));
    expect(tabs.map((tab) => tab.session.state().status)).toEqual(Array(8).fill('signedIn'));
    expect(gatehouse.count('RefreshAccess')).toBe(1);
  });

  it('waits for the cookies of a rotation outside the lock', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    let pauses = 0;
    let updateCookies = () => {};
    const { session } = gatehouse.openTab(() => {
      pauses += 1;
      if (pauses === 2) updateCookies();
    });
    await session.open();
    gatehouse.expireAccess();
    gatehouse.nextResponse('RefreshAccess', () => {
      updateCookies = gatehouse.rotateElsewhere();
      return refusalOf('REFRESH_SUPERSEDED', 409);
    });
    expect(await session.refetch()).toMatchObject({ status: 'signedIn' });
    expect(gatehouse.count('RefreshAccess')).toBe(1);
  });

  it.each([
    ['rotates', 'REFRESH_SUPERSEDED', 409],
    ['switches', 'REFRESH_REFUSED', 401],
  ])('signs nobody out while another origin %s the pair', async (_, code, status) => {
    const gatehouse = GatehouseInMemory.signedIn();
    let updateCookies = () => {};
    const { session } = gatehouse.openTab(() => updateCookies());
    await session.open();
    gatehouse.expireAccess();
    gatehouse.nextResponse('RefreshAccess', () => {
      updateCookies = gatehouse.rotateElsewhere();
      return refusalOf(code, status);
    });
    expect(await session.refetch()).toMatchObject({ status: 'signedIn' });
    expect(gatehouse.count('RefreshAccess')).toBe(1);
  });

  it('is refreshed once when another origin has just rotated the pair', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    let updateCookies = () => {};
    const { session } = gatehouse.openTab(() => updateCookies());
    await session.open();
    updateCookies = gatehouse.rotateElsewhere();
    expect(await session.refetch()).toMatchObject({ status: 'signedIn' });
    expect(gatehouse.count('RefreshAccess')).toBe(0);
  });

  it('is refreshed for a page that loads while another origin rotates the pair', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    let updateCookies = () => {};
    const { session } = gatehouse.openTab(() => updateCookies());
    gatehouse.nextResponse('FetchMe', () => {
      updateCookies = gatehouse.rotateElsewhere();
      return refusalOf('ACCESS_EXPIRED', 401);
    });
    expect(await session.open()).toMatchObject({ status: 'signedIn' });
  });

  it('does not sign out when those cookies do not arrive in time', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const { session } = await gatehouse.openedTab();
    gatehouse.expireAccess();
    gatehouse.nextResponse('RefreshAccess', () => {
      gatehouse.rotateElsewhere();
      return refusalOf('REFRESH_SUPERSEDED', 409);
    });
    expect(await session.refetch()).toMatchObject({ status: 'signedIn' });
    expect(gatehouse.count('RefreshAccess')).toBe(2);
  });

  it.each([
    ['no connection', noConnection],
    ['a service that is not available', () => refusalOf('UNAVAILABLE', 503)],
  ])('leaves the state unchanged when its refresh meets %s', async (_, answer) => {
    const gatehouse = GatehouseInMemory.signedIn();
    const { session } = await gatehouse.openedTab();
    gatehouse.expireAccess();
    gatehouse.nextResponse('RefreshAccess', answer);
    expect(await session.refetch()).toMatchObject({ status: 'signedIn' });
    expect(await session.refetch()).toMatchObject({ status: 'signedIn' });
    expect(gatehouse.count('RefreshAccess')).toBe(2);
  });
});

describe('the end of a session', () => {
  it('is detected when the service refuses the credential', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const { session } = await gatehouse.openedTab();
    gatehouse.revoke();
    expect(await session.refetch()).toEqual({ status: 'signedOut', reason: 'expired' });
    expect(gatehouse.count('RefreshAccess')).toBe(1);
  });

  it('is no reason to present the pair for a visitor who never had one', async () => {
    const gatehouse = new GatehouseInMemory();
    const tab = gatehouse.openTab();
    await expect(tab.graphql('{ me { id } }')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(tab.session.state()).toEqual({ status: 'signedOut' });
    expect(gatehouse.count('RefreshAccess')).toBe(0);
  });

  it('is announced by a tab that had not asked who is signed in', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const there = await gatehouse.openedTab();
    await gatehouse.openTab().signOut();
    expect(await there.session.open()).toEqual({ status: 'signedOut', reason: 'signedOutElsewhere' });
  });

  it('is not missed by a tab whose first answer is still on its way', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const here = await gatehouse.openedTab();
    const there = gatehouse.openTab();
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    gatehouse.holdNext('FetchMe', held);
    const first = there.session.open();
    await here.signOut();
    answer();
    await first;
    expect(await there.session.open()).toMatchObject({ status: 'signedOut' });
  });

  it('is detected when the service refuses the refresh', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    gatehouse.expireAccess();
    const refused = () => refusalOf('REFRESH_REFUSED', 401);
    gatehouse.nextResponse('RefreshAccess', refused, refused);
    expect(await gatehouse.openTab().session.open()).toEqual({ status: 'signedOut', reason: 'expired' });
  });

  it('reaches every tab, and each fetches the state itself', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const tabs = Array.from({ length: 4 }, () => gatehouse.openTab());
    await Promise.all(tabs.map((tab) => tab.session.open()));
    await tabs[0]?.signOut();
    const states = await Promise.all(tabs.map((tab) => tab.session.open()));
    expect(states.map(({ status }) => status)).toEqual(Array(4).fill('signedOut'));
    expect(states[0]).toEqual({ status: 'signedOut', reason: 'signedOut' });
    expect(states[1]).toEqual({ status: 'signedOut', reason: 'signedOutElsewhere' });
  });

  it('counts as a sign-out when the session had ended before it', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const { session, signOut } = await gatehouse.openedTab();
    gatehouse.revoke();
    await signOut();
    expect(session.state()).toEqual({ status: 'signedOut', reason: 'signedOut' });
  });

  it('does not happen when the sign-out cannot reach the service', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const { session, signOut } = await gatehouse.openedTab();
    gatehouse.nextResponse('SignOut', noConnection);
    await expect(signOut()).rejects.toMatchObject({ code: 'OFFLINE' });
    expect(session.state()).toMatchObject({ status: 'signedIn' });
  });

  it('refreshes an expired credential first, so that a sign-out is never incomplete', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const { session, signOut } = await gatehouse.openedTab();
    gatehouse.expireAccess();
    await signOut();
    expect(session.state()).toEqual({ status: 'signedOut', reason: 'signedOut' });
    expect(gatehouse.count('RefreshAccess')).toBe(1);
  });
});
