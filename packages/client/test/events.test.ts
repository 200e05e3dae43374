/** Events and notifications of the session: what each tab is told, once. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Client, SessionEvent } from '../src/index.ts';
import { GatehouseInMemory, noConnection } from './support/gatehouse.ts';

const names: readonly SessionEvent[] = ['signedIn', 'signedOut', 'switched', 'expired'];

const eventsOf = ({ session }: Client): SessionEvent[] => {
  const seen: SessionEvent[] = [];
  for (const name of names) session.on(name, () => seen.push(name));
  return seen;
};

/** Two tabs that know who is signed in, with their events from then on. */
const twoTabs = async (gatehouse: GatehouseInMemory) => {
  const [here, there] = [await gatehouse.openedTab(), await gatehouse.openedTab()];
  return { here, there, seenHere: eventsOf(here), seenThere: eventsOf(there) };
};

describe('the events of a session', () => {
  it('are none for the first answer', async () => {
    const tab = GatehouseInMemory.signedIn().openTab();
    const seen = eventsOf(tab);
    await tab.session.get();
    expect(seen).toEqual([]);
  });

  it('tell every tab of a sign-in', async () => {
    const gatehouse = new GatehouseInMemory();
    const { here, there, seenHere, seenThere } = await twoTabs(gatehouse);
    await here.session.begin(
      (send) => send<{ signInWithPassword: { user: never } }, object>('mutation SignIn { signInWithPassword }', {}),
      ({ signInWithPassword }) => signInWithPassword.user,
    );
    await there.session.refetch();
    expect([seenHere, seenThere]).toEqual([['signedIn'], ['signedIn']]);
  });

  it('tell every tab of a sign-out, as a sign-out', async () => {
    const { here, there, seenHere, seenThere } = await twoTabs(GatehouseInMemory.signedIn());
    await here.signOut();
    await there.session.open();
    expect([seenHere, seenThere]).toEqual([['signedOut'], ['signedOut']]);
  });

  it('tell every tab of the end of a session, as an expiry', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const { here, there, seenHere, seenThere } = await twoTabs(gatehouse);
    gatehouse.revoke();
    await here.session.refetch();
    await there.session.open();
    expect([seenHere, seenThere]).toEqual([['expired'], ['expired']]);
  });

  it('tell every tab of a switch', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const { here, there, seenHere, seenThere } = await twoTabs(gatehouse);
    await here.switchOrganization('Harbor');
    await there.session.refetch();
    expect([seenHere, seenThere]).toEqual([['switched'], ['switched']]);
    expect((await there.session.get())?.membership?.organization.id).toBe('Harbor');
  });

  it('are none while the service cannot be reached, nor after it can be again', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const { here, seenHere } = await twoTabs(gatehouse);
    gatehouse.nextResponse('FetchMe', noConnection);
    await here.session.refetch();
    await here.session.refetch();
    expect(seenHere).toEqual([]);
  });

  it('are not told to a listener that was removed', async () => {
    const tab = await GatehouseInMemory.signedIn().openedTab();
    let calls = 0;
    const remove = [tab.session.on('signedOut', () => calls++), tab.session.subscribe(() => calls++)];
    for (const each of remove) each();
    await tab.signOut();
    expect(calls).toBe(0);
  });
});

describe('a listener that throws', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('keeps no other listener, event or tab from being told, and is reported', async () => {
    const reported: unknown[] = [];
    vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
    const { here, there, seenHere, seenThere } = await twoTabs(GatehouseInMemory.signedIn());
    const defect = new Error('A listener failed');
    const fail = () => {
      throw defect;
    };
    here.session.subscribe(fail);
    here.session.on('signedOut', fail);
    const more = eventsOf(here);
    await here.signOut();
    await there.session.open();
    expect([seenHere, more, seenThere]).toEqual([['signedOut'], ['signedOut'], ['signedOut']]);
    expect(reported).toEqual([defect, defect]);
  });
});

describe('what is known of a session', () => {
  it('is null for a visitor', async () => {
    expect(await new GatehouseInMemory().openTab().session.get()).toBeNull();
  });

  it('has the user, the membership and its scopes', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    gatehouse.organization = 'Acme';
    gatehouse.scopes = ['notes:read'];
    const tab = gatehouse.openTab();
    expect(tab.hasScope('notes:read')).toBe(false);
    expect(await tab.session.get()).toMatchObject({
      user: { name: 'Ada' },
      membership: { role: 'OWNER', organization: { name: 'Acme' } },
      scopes: ['notes:read'],
    });
    expect(tab.hasScope('notes:read')).toBe(true);
    expect(tab.hasScope('notes:write')).toBe(false);
  });

  it('is refused, not guessed, while the service cannot be reached', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    gatehouse.nextResponse('FetchMe', noConnection);
    const { session } = gatehouse.openTab();
    await expect(session.get()).rejects.toMatchObject({ code: 'OFFLINE' });
    expect(session.state()).toMatchObject({ status: 'loading', error: { code: 'OFFLINE' } });
    expect(await session.get()).toMatchObject({ user: { name: 'Ada' } });
  });

  it('is the same object while nothing changes', async () => {
    const { session } = await GatehouseInMemory.signedIn().openedTab();
    expect(session.state()).toBe(session.state());
  });
});
