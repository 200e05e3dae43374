/** The end of a sign-in by the outside provider: what it comes before, what it leaves alone, and how it fails. */
import { describe, expect, it } from 'vitest';
import { type HandoffMarker, readHandoff } from '../src/session/handoff.ts';
import { isFinishing, unfinishedBy } from '../src/session/session-store.ts';
import { GatehouseInMemory, noConnection, refusalOf } from './support/gatehouse.ts';

/** A marker that notes with what it was removed. */
class Marker implements HandoffMarker {
  readonly removals: (string | undefined)[] = [];
  remove = (refusal?: string): void => {
    this.removals.push(refusal);
  };
}

const openMarkedTab = (gatehouse: GatehouseInMemory) => {
  const marker = new Marker();
  return { session: gatehouse.openTab(undefined, marker), marker };
};

const passingFailures: readonly [string, () => Response][] = [
  ['no connection', noConnection],
  ['a service that is not available', () => refusalOf('UNAVAILABLE', 503)],
  ['a proxy without a backend', () => new Response('<html>', { status: 502 })],
  ['too many requests', () => refusalOf('RATE_LIMITED', 429)],
  ['a defect', () => refusalOf('INTERNAL', 500, { correlationId: 'c-1' })],
];

describe('a sign-in that waits to be finished', () => {
  it('begins the session without asking who is signed in', async () => {
    const gatehouse = new GatehouseInMemory();
    gatehouse.returnFromProvider();
    const { session, marker } = openMarkedTab(gatehouse);
    expect(isFinishing(session.state())).toBe(true);
    expect(await session.open()).toMatchObject({ kind: 'in', person: { name: 'Ada' } });
    expect(gatehouse.asked).toEqual(['ExchangeAuthTokens']);
    expect(marker.removals).toEqual([undefined]);
  });

  it('is finished once for all who ask, and never again', async () => {
    const gatehouse = new GatehouseInMemory();
    gatehouse.returnFromProvider();
    const { session } = openMarkedTab(gatehouse);
    await Promise.all([session.open(), session.open(), session.recheck()]);
    await session.recheck();
    expect(gatehouse.asked).toEqual(['ExchangeAuthTokens', 'FetchMe']);
  });

  // Specification: External sign-in — External sign-in handoff 2: before every request of the tab
  it('comes before every other request of its tab', async () => {
    const gatehouse = new GatehouseInMemory();
    gatehouse.returnFromProvider();
    const { session } = openMarkedTab(gatehouse);
    const opened = session.open();
    await Promise.all([opened, session.signOut()]);
    expect(gatehouse.asked).toEqual(['ExchangeAuthTokens', 'SignOut']);
  });

  it('is not overtaken by news of another tab', async () => {
    const gatehouse = new GatehouseInMemory();
    gatehouse.signIn();
    const other = gatehouse.openTab();
    await other.open();
    let askedBefore = 0;
    gatehouse.surprise('ExchangeAuthTokens', () => {
      askedBefore = gatehouse.count('FetchMe');
      return refusalOf('EXCHANGE_REFUSED', 401);
    });
    const { session } = openMarkedTab(gatehouse);
    await Promise.all([session.open(), other.noteChange()]);
    expect(session.state()).toMatchObject({ kind: 'in' });
    // Both are the other tab's.
    expect(askedBefore).toBe(2);
    expect(gatehouse.count('FetchMe')).toBeGreaterThan(2);
    expect(gatehouse.count('ExchangeAuthTokens')).toBe(1);
  });

  // Specification: External sign-in — External sign-in handoff 2: under the lock of all tabs
  it('waits for another tab that is rotating', async () => {
    const gatehouse = new GatehouseInMemory();
    gatehouse.signIn();
    gatehouse.returnFromProvider();
    const { session } = openMarkedTab(gatehouse);
    let deliver = () => {};
    let opened: Promise<unknown> | undefined;
    // With the lock held, the other tab waits for cookies to settle.
    const other = gatehouse.openTab(() => {
      opened ??= session.open();
      deliver();
    });
    await other.open();
    gatehouse.expireAccess();
    gatehouse.surprise('RefreshAccess', () => {
      deliver = gatehouse.rotateElsewhere();
      return refusalOf('REFRESH_SUPERSEDED', 409);
    });
    await other.recheck();
    await opened;
    const rotation = gatehouse.asked.indexOf('RefreshAccess');
    expect(gatehouse.asked.slice(rotation, rotation + 3)).toEqual(['RefreshAccess', 'FetchMe', 'ExchangeAuthTokens']);
    expect(session.state()).toMatchObject({ kind: 'in' });
  });

  it('keeps other tabs from rotating meanwhile, and lets none rotate the new pair', async () => {
    const gatehouse = new GatehouseInMemory();
    gatehouse.signIn();
    const others = Array.from({ length: 4 }, () => gatehouse.openTab());
    await Promise.all(others.map((tab) => tab.open()));
    gatehouse.expireAccess();
    gatehouse.returnFromProvider();
    const { session } = openMarkedTab(gatehouse);
    await Promise.all([session.open(), ...others.map((tab) => tab.recheck())]);
    expect(gatehouse.mostReplacingAtOnce).toBe(1);
    expect(gatehouse.count('RefreshAccess')).toBe(0);
    expect([session, ...others].map((tab) => tab.state().kind)).toEqual(Array(5).fill('in'));
  });

  it('reaches the tabs that wait at the entrance', async () => {
    const gatehouse = new GatehouseInMemory();
    const there = gatehouse.openTab();
    await there.open();
    gatehouse.returnFromProvider();
    await openMarkedTab(gatehouse).session.open();
    expect(await there.recheck()).toMatchObject({ kind: 'in' });
  });

  it('leads both tabs in when it waits in two', async () => {
    const gatehouse = new GatehouseInMemory();
    gatehouse.returnFromProvider();
    const [first, second] = [openMarkedTab(gatehouse), openMarkedTab(gatehouse)];
    await Promise.all([first.session.open(), second.session.open()]);
    expect(first.session.state()).toMatchObject({ kind: 'in' });
    expect(second.session.state()).toMatchObject({ kind: 'in' });
    expect(gatehouse.count('ExchangeAuthTokens')).toBe(2);
    expect(gatehouse.count('RefreshAccess')).toBe(0);
  });
});

describe('a sign-in that cannot be finished', () => {
  it('leaves nobody signed in when its secret is spent, and says so', async () => {
    const gatehouse = new GatehouseInMemory();
    const { session, marker } = openMarkedTab(gatehouse);
    expect(await session.open()).toEqual({ kind: 'out', ending: undefined });
    expect(gatehouse.asked.slice(0, 2)).toEqual(['ExchangeAuthTokens', 'FetchMe']);
    expect(marker.removals).toEqual(['EXCHANGE_REFUSED']);
    await session.recheck();
    expect(gatehouse.count('ExchangeAuthTokens')).toBe(1);
  });

  it('leads in who is signed in already when its secret is spent', async () => {
    const gatehouse = new GatehouseInMemory();
    gatehouse.signIn();
    const { session } = openMarkedTab(gatehouse);
    expect(await session.open()).toMatchObject({ kind: 'in', person: { name: 'Ada' } });
    expect(gatehouse.asked).toEqual(['ExchangeAuthTokens', 'FetchMe']);
  });

  it('leaves who is signed in as they are when it is somebody else', async () => {
    const gatehouse = new GatehouseInMemory();
    gatehouse.signIn();
    gatehouse.expireAccess();
    gatehouse.surprise('ExchangeAuthTokens', () => refusalOf('ACCOUNT_MISMATCH', 409));
    const { session, marker } = openMarkedTab(gatehouse);
    expect(await session.open()).toMatchObject({ kind: 'in', person: { name: 'Ada' } });
    expect(marker.removals).toEqual(['ACCOUNT_MISMATCH']);
    expect(gatehouse.count('ExchangeAuthTokens')).toBe(1);
  });

  it('shows nothing about it before the server has said who is signed in', async () => {
    const gatehouse = new GatehouseInMemory();
    const { session } = openMarkedTab(gatehouse);
    const seen: string[] = [];
    session.subscribe(() => seen.push(isFinishing(session.state()) ? 'finishing' : session.state().kind));
    await session.open();
    expect(seen).toEqual(['finishing', 'out']);
  });

  it('lets a failing FetchMe be asked again', async () => {
    const gatehouse = new GatehouseInMemory();
    gatehouse.signIn();
    gatehouse.surprise('FetchMe', noConnection);
    const { session } = openMarkedTab(gatehouse);
    const state = await session.open();
    expect(state).toMatchObject({ kind: 'unknown', problem: { code: 'OFFLINE' } });
    expect(unfinishedBy(state)).toBeUndefined();
    expect(await session.open()).toMatchObject({ kind: 'in' });
    expect(gatehouse.count('ExchangeAuthTokens')).toBe(1);
  });
});

describe('an attempt to finish a sign-in', () => {
  it.each(passingFailures)('is repeated on demand alone after %s', async (_, answer) => {
    const gatehouse = new GatehouseInMemory();
    gatehouse.returnFromProvider();
    gatehouse.surprise('ExchangeAuthTokens', answer);
    const { session, marker } = openMarkedTab(gatehouse);
    const state = await session.open();
    expect(unfinishedBy(state)).toMatchObject({ name: 'Refusal' });
    // The address keeps the marker, so that a reload takes it up again.
    expect(marker.removals).toEqual([]);
    expect(gatehouse.asked).toEqual(['ExchangeAuthTokens']);
    expect(await session.open()).toMatchObject({ kind: 'in' });
    expect(gatehouse.asked).toEqual(['ExchangeAuthTokens', 'ExchangeAuthTokens']);
    expect(marker.removals).toEqual([undefined]);
  });

  it('is given up for who has signed in otherwise', async () => {
    const gatehouse = new GatehouseInMemory();
    gatehouse.returnFromProvider();
    gatehouse.surprise('ExchangeAuthTokens', noConnection);
    const { session, marker } = openMarkedTab(gatehouse);
    await session.open();
    await session.signIn({ email: 'ada@example.com', password: 'Secret.12' });
    expect(marker.removals).toEqual([undefined]);
    await session.recheck();
    await session.signOut();
    await session.open();
    expect(gatehouse.count('ExchangeAuthTokens')).toBe(1);
  });

  // Specification: External sign-in — External sign-in handoff 2: another sign-in ended first
  it('is not made any more when somebody has signed in otherwise while it waited for its turn', async () => {
    const gatehouse = new GatehouseInMemory();
    gatehouse.returnFromProvider();
    gatehouse.surprise('ExchangeAuthTokens', noConnection);
    const { session } = openMarkedTab(gatehouse);
    await session.open();
    const signedIn = session.signIn({ email: 'ada@example.com', password: 'Secret.12' });
    const kinds: string[] = [];
    session.subscribe(() => kinds.push(session.state().kind));
    const [state] = await Promise.all([session.open(), signedIn]);
    expect(state).toMatchObject({ kind: 'in' });
    expect(kinds).toEqual(['in']);
    expect(gatehouse.count('ExchangeAuthTokens')).toBe(1);
  });
});

describe('the address of a sign-in that waits', () => {
  /** A window whose history notes what became of the address. */
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
    expect(readHandoff(windowAt(path).page)).toBeUndefined();
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
  ])('of %s is told after %s as %s', (path, refusal, next) => {
    const { page, addressOf } = windowAt(path);
    readHandoff(page)?.remove(refusal);
    expect(addressOf()).toBe(next);
  });

  it('is left alone once the person has gone elsewhere', () => {
    const { page, addressOf } = windowAt('/signin?oauth_exchange=1');
    const marker = readHandoff(page);
    page.location.href = 'https://app.example/members?search=a';
    marker?.remove('EXCHANGE_REFUSED');
    expect(addressOf()).toBe('/members?search=a');
  });
});
