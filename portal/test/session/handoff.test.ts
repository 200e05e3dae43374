/** The external sign-in handoff: order of requests, failures, and the URL. */
import { describe, expect, it } from 'vitest';
import {
  GatehouseInMemory,
  noConnection,
  passingFailures,
  refusalOf,
} from '../../../packages/client/test/support/gatehouse.ts';
import { signInWithPassword } from '../../src/pages/sign-in/password-sign-in.ts';
import { type HandoffMarker, readHandoffMarker } from '../../src/session/handoff.ts';
import { handoffProblem, isCompletingHandoff } from '../../src/session/session.ts';
import { openedPortal, openPortal } from '../support/gatehouse.ts';

/** A marker that records its removals. */
class Marker implements HandoffMarker {
  readonly removals: (string | undefined)[] = [];
  remove = (refusal?: string): void => {
    this.removals.push(refusal);
  };
}

const openMarkedTab = (gatehouse: GatehouseInMemory) => {
  const marker = new Marker();
  return { session: openPortal(gatehouse, undefined, marker), marker };
};

describe('a pending exchange', () => {
  it('starts the session without FetchMe', async () => {
    const gatehouse = GatehouseInMemory.returnedFromProvider();
    const { session, marker } = openMarkedTab(gatehouse);
    expect(isCompletingHandoff(session)).toBe(true);
    expect(await session.open()).toMatchObject({ status: 'signedIn', user: { name: 'Ada' } });
    expect(gatehouse.requests).toEqual(['ExchangeAuthTokens']);
    expect(marker.removals).toEqual([undefined]);
  });

  it('is sent once for concurrent callers, and never again', async () => {
    const gatehouse = GatehouseInMemory.returnedFromProvider();
    const { session } = openMarkedTab(gatehouse);
    await Promise.all([session.open(), session.open(), session.refetch()]);
    await session.refetch();
    expect(gatehouse.requests).toEqual(['ExchangeAuthTokens', 'FetchMe']);
  });

  // Contract: accounts#portal-during-an-exchange — External sign-in handoff 2: before every request of the tab
  it('is sent before every other request of its tab', async () => {
    const gatehouse = GatehouseInMemory.returnedFromProvider();
    const { session } = openMarkedTab(gatehouse);
    const opened = session.open();
    await Promise.all([opened, session.signOut()]);
    expect(gatehouse.requests).toEqual(['ExchangeAuthTokens', 'SignOut']);
  });

  it('is not overtaken by an event of another tab', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const other = await openedPortal(gatehouse);
    let requestsBefore = 0;
    gatehouse.nextResponse('ExchangeAuthTokens', () => {
      requestsBefore = gatehouse.count('FetchMe');
      return refusalOf('EXCHANGE_REFUSED', 401);
    });
    const { session } = openMarkedTab(gatehouse);
    await Promise.all([session.open(), other.refetchEverywhere()]);
    expect(session.state()).toMatchObject({ status: 'signedIn' });
    // Both requests are of the other tab.
    expect(requestsBefore).toBe(2);
    expect(gatehouse.count('FetchMe')).toBeGreaterThan(2);
    expect(gatehouse.count('ExchangeAuthTokens')).toBe(1);
  });

  // Contract: accounts#portal-during-an-exchange — External sign-in handoff 2: under the lock of all tabs
  it('waits for another tab that is rotating', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    gatehouse.returnFromProvider();
    const { session } = openMarkedTab(gatehouse);
    let updateCookies = () => {};
    let opened: Promise<unknown> | undefined;
    // The other tab holds the lock and waits for the cookies.
    const other = openPortal(gatehouse, () => {
      opened ??= session.open();
      updateCookies();
    });
    await other.open();
    gatehouse.expireAccess();
    gatehouse.nextResponse('RefreshAccess', () => {
      updateCookies = gatehouse.rotateElsewhere();
      return refusalOf('REFRESH_SUPERSEDED', 409);
    });
    await other.refetch();
    await opened;
    const rotation = gatehouse.requests.indexOf('RefreshAccess');
    expect(gatehouse.requests.slice(rotation, rotation + 3)).toEqual([
      'RefreshAccess',
      'FetchMe',
      'ExchangeAuthTokens',
    ]);
    expect(session.state()).toMatchObject({ status: 'signedIn' });
  });

  it('blocks rotations of other tabs, and the new pair is not rotated', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const others = Array.from({ length: 4 }, () => openPortal(gatehouse));
    await Promise.all(others.map((tab) => tab.open()));
    gatehouse.expireAccess();
    gatehouse.returnFromProvider();
    const { session } = openMarkedTab(gatehouse);
    await Promise.all([session.open(), ...others.map((tab) => tab.refetch())]);
    expect(gatehouse.maxConcurrentReplacements).toBe(1);
    expect(gatehouse.count('RefreshAccess')).toBe(0);
    expect([session, ...others].map((tab) => tab.state().status)).toEqual(Array(5).fill('signedIn'));
  });

  it('signs in the tabs on the sign-in page', async () => {
    const gatehouse = new GatehouseInMemory();
    const there = await openedPortal(gatehouse);
    gatehouse.returnFromProvider();
    await openMarkedTab(gatehouse).session.open();
    expect(await there.refetch()).toMatchObject({ status: 'signedIn' });
  });

  it('signs in both tabs when it is pending in two', async () => {
    const gatehouse = GatehouseInMemory.returnedFromProvider();
    const [first, second] = [openMarkedTab(gatehouse), openMarkedTab(gatehouse)];
    await Promise.all([first.session.open(), second.session.open()]);
    expect(first.session.state()).toMatchObject({ status: 'signedIn' });
    expect(second.session.state()).toMatchObject({ status: 'signedIn' });
    expect(gatehouse.count('ExchangeAuthTokens')).toBe(2);
    expect(gatehouse.count('RefreshAccess')).toBe(0);
  });
});

describe('a failed exchange', () => {
  it('leaves the visitor signed out when its secret is used, and reports it', async () => {
    const gatehouse = new GatehouseInMemory();
    const { session, marker } = openMarkedTab(gatehouse);
    expect(await session.open()).toEqual({ status: 'signedOut', reason: undefined });
    expect(gatehouse.requests.slice(0, 2)).toEqual(['ExchangeAuthTokens', 'FetchMe']);
    expect(marker.removals).toEqual(['EXCHANGE_REFUSED']);
    await session.refetch();
    expect(gatehouse.count('ExchangeAuthTokens')).toBe(1);
  });

  it('keeps a signed-in person when its secret is used', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const { session } = openMarkedTab(gatehouse);
    expect(await session.open()).toMatchObject({ status: 'signedIn', user: { name: 'Ada' } });
    expect(gatehouse.requests).toEqual(['ExchangeAuthTokens', 'FetchMe']);
  });

  it('keeps a signed-in person when it is for another account', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    gatehouse.expireAccess();
    gatehouse.nextResponse('ExchangeAuthTokens', () => refusalOf('ACCOUNT_MISMATCH', 409));
    const { session, marker } = openMarkedTab(gatehouse);
    expect(await session.open()).toMatchObject({ status: 'signedIn', user: { name: 'Ada' } });
    expect(marker.removals).toEqual(['ACCOUNT_MISMATCH']);
    expect(gatehouse.count('ExchangeAuthTokens')).toBe(1);
  });

  it('hands the challenge on when it needs a second factor, and is not sent again', async () => {
    const gatehouse = GatehouseInMemory.returnedFromProvider();
    const challenge = { challenge: 'opaque', methods: ['TOTP'] };
    gatehouse.nextResponse('ExchangeAuthTokens', () => refusalOf('SECOND_FACTOR_REQUIRED', 403, challenge));
    const { session, marker } = openMarkedTab(gatehouse);
    expect(await session.open()).toEqual({ status: 'signedOut', reason: undefined });
    expect(session.handoff.challenge()).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED', extensions: challenge });
    expect(marker.removals).toEqual([undefined]);
    await session.refetch();
    expect(gatehouse.count('ExchangeAuthTokens')).toBe(1);
  });

  it('shows no state before FetchMe has been answered', async () => {
    const gatehouse = new GatehouseInMemory();
    const { session } = openMarkedTab(gatehouse);
    const seen: string[] = [];
    session.subscribe(() => seen.push(isCompletingHandoff(session) ? 'finishing' : session.state().status));
    await session.open();
    expect(seen).toEqual(['signedOut']);
  });

  it('retries a failed FetchMe', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    gatehouse.nextResponse('FetchMe', noConnection);
    const { session } = openMarkedTab(gatehouse);
    const state = await session.open();
    expect(state).toMatchObject({ status: 'loading', error: { code: 'OFFLINE' } });
    expect(handoffProblem(session)).toBeUndefined();
    expect(await session.open()).toMatchObject({ status: 'signedIn' });
    expect(gatehouse.count('ExchangeAuthTokens')).toBe(1);
  });
});

describe('an exchange after a transient failure', () => {
  it.each(passingFailures)('is repeated only on request after %s', async (_, answer) => {
    const gatehouse = GatehouseInMemory.returnedFromProvider();
    gatehouse.nextResponse('ExchangeAuthTokens', answer);
    const { session, marker } = openMarkedTab(gatehouse);
    await session.open();
    expect(handoffProblem(session)).toMatchObject({ name: 'Refusal' });
    // The URL keeps the marker, so that a reload retries.
    expect(marker.removals).toEqual([]);
    expect(gatehouse.requests).toEqual(['ExchangeAuthTokens']);
    expect(await session.open()).toMatchObject({ status: 'signedIn' });
    expect(gatehouse.requests).toEqual(['ExchangeAuthTokens', 'ExchangeAuthTokens']);
    expect(marker.removals).toEqual([undefined]);
  });

  it('is abandoned after a sign-in by password', async () => {
    const gatehouse = GatehouseInMemory.returnedFromProvider();
    gatehouse.nextResponse('ExchangeAuthTokens', noConnection);
    const { session, marker } = openMarkedTab(gatehouse);
    await session.open();
    await signInWithPassword(session, { email: 'ada@example.com', password: 'Secret.12' });
    expect(marker.removals).toEqual([undefined]);
    await session.refetch();
    await session.signOut();
    await session.open();
    expect(gatehouse.count('ExchangeAuthTokens')).toBe(1);
  });

  // Contract: accounts#portal-during-an-exchange — External sign-in handoff 2: another sign-in ended first
  it('is not sent after a sign-in by password that finished while it waited for the lock', async () => {
    const gatehouse = GatehouseInMemory.returnedFromProvider();
    gatehouse.nextResponse('ExchangeAuthTokens', noConnection);
    const { session } = openMarkedTab(gatehouse);
    await session.open();
    const signedIn = signInWithPassword(session, { email: 'ada@example.com', password: 'Secret.12' });
    const kinds: string[] = [];
    session.subscribe(() => kinds.push(session.state().status));
    const [state] = await Promise.all([session.open(), signedIn]);
    expect(state).toMatchObject({ status: 'signedIn' });
    expect(kinds).toEqual(['signedIn']);
    expect(gatehouse.count('ExchangeAuthTokens')).toBe(1);
  });
});

describe('the URL of a pending exchange', () => {
  /** A window that applies `replaceState` to its location. */
  const windowAt = (path: string) => {
    const location = new URL(path, 'https://app.example');
    const history = {
      state: { key: 'k' },
      replaceState: (_state: unknown, _title: string, next: string) => {
        location.href = new URL(next, location).href;
      },
    };
    const page = { location, history };
    return { page, addressOf: () => `${location.pathname}${location.search}` };
  };

  it.each([
    '/',
    '/signin',
    '/signin?oauth_exchange=0',
    '/signin?error=X',
    '/signup?oauth_exchange=1',
    '/?oauth_exchange=1',
  ])('is not %s', (path) => {
    expect(readHandoffMarker(windowAt(path).page)).toBeUndefined();
  });

  it.each([
    ['/signin?oauth_exchange=1', undefined, '/signin'],
    ['/signin?oauth_exchange=1&redirect=%2Fmembers%3Fa%3Db', undefined, '/signin?redirect=%2Fmembers%3Fa%3Db'],
    [
      '/signin?oauth_exchange=1&redirect=%2Fmembers',
      'EXCHANGE_REFUSED',
      '/signin?redirect=%2Fmembers&error=EXCHANGE_REFUSED',
    ],
    ['/signin?oauth_exchange=1&error=X&id=1', undefined, '/signin'],
  ])('%s becomes, after %s, %s', (path, refusal, next) => {
    const { page, addressOf } = windowAt(path);
    readHandoffMarker(page)?.remove(refusal);
    expect(addressOf()).toBe(next);
  });

  it('is unchanged once the person has navigated away', () => {
    const { page, addressOf } = windowAt('/signin?oauth_exchange=1');
    const marker = readHandoffMarker(page);
    page.location.href = 'https://app.example/members?search=a';
    marker?.remove('EXCHANGE_REFUSED');
    expect(addressOf()).toBe('/members?search=a');
  });
});
