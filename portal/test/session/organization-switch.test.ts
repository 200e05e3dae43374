/** Switching the organization in one tab and in many: locked, synchronized, and with no data of the former one left. */
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { GatehouseInMemory, noConnection, refusalOf } from '../../../packages/client/test/support/gatehouse.ts';
import type { Session } from '../../src/session/session.ts';
import { clearQueriesWithSession } from '../../src/session/session-context.tsx';
import { refetchAfterLeaving } from '../../src/session/sign-out.ts';
import { openedPortal, openPortal } from '../support/gatehouse.ts';

const organizationOf = (session: Session): string | undefined => {
  const state = session.state();
  return state.status === 'signedIn' ? state.user.currentMembership?.organization.name : undefined;
};

const openAcme = (): GatehouseInMemory => {
  const gatehouse = GatehouseInMemory.signedIn();
  gatehouse.organization = 'Acme';
  return gatehouse;
};

const signedIn = async (tabs: number): Promise<{ gatehouse: GatehouseInMemory; sessions: readonly Session[] }> => {
  const gatehouse = openAcme();
  const sessions = Array.from({ length: tabs }, () => openPortal(gatehouse));
  await Promise.all(sessions.map((session) => session.open()));
  return { gatehouse, sessions };
};

const signedInOnce = async (): Promise<{ gatehouse: GatehouseInMemory; session: Session }> => {
  const gatehouse = openAcme();
  const session = await openedPortal(gatehouse);
  return { gatehouse, session };
};

describe('switching the organization', () => {
  it('changes the person in this tab at once, and in the other tabs after a fetch', async () => {
    const { gatehouse, sessions } = await signedIn(4);
    await sessions[0]?.switchOrganization('Harbor');
    expect(sessions.map(organizationOf)[0]).toBe('Harbor');
    await Promise.all(sessions.slice(1).map((session) => session.refetch()));
    expect(sessions.map(organizationOf)).toEqual(Array(4).fill('Harbor'));
    expect(gatehouse.count('SwitchOrganization')).toBe(1);
    expect(gatehouse.count('FetchMe')).toBe(4 + 3);
  });

  it('renews an expired credential first', async () => {
    const { gatehouse, session } = await signedInOnce();
    gatehouse.expireAccess();
    await session.switchOrganization('Harbor');
    expect(organizationOf(session)).toBe('Harbor');
    expect(gatehouse.count('RefreshAccess')).toBe(1);
  });

  it('never runs while another tab rotates or switches', async () => {
    const { gatehouse, sessions } = await signedIn(6);
    gatehouse.expireAccess();
    await Promise.all(
      sessions.map((session, index) => (index % 2 === 0 ? session.switchOrganization('Harbor') : session.refetch())),
    );
    expect(gatehouse.maxConcurrentReplacements).toBe(1);
    expect(sessions.map(organizationOf)).toEqual(Array(6).fill('Harbor'));
  });

  it('changes nothing when it is refused, and fetches the current state', async () => {
    const { gatehouse, session } = await signedInOnce();
    gatehouse.nextResponse('SwitchOrganization', () => refusalOf('NOT_FOUND', 404));
    await expect(session.switchOrganization('Harbor')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(organizationOf(session)).toBe('Acme');
    expect(gatehouse.count('FetchMe')).toBe(2);
  });

  it('changes nothing when the service cannot be reached', async () => {
    const { gatehouse, session } = await signedInOnce();
    gatehouse.nextResponse('SwitchOrganization', noConnection);
    gatehouse.nextResponse('FetchMe', noConnection);
    await expect(session.switchOrganization('Harbor')).rejects.toMatchObject({ code: 'OFFLINE' });
    expect(organizationOf(session)).toBe('Acme');
  });

  it('does not stay in the former organization when only the answer was lost', async () => {
    const { gatehouse, session } = await signedInOnce();
    gatehouse.nextResponse('SwitchOrganization', () => {
      gatehouse.organization = 'Harbor';
      return noConnection();
    });
    await expect(session.switchOrganization('Harbor')).rejects.toMatchObject({ code: 'OFFLINE' });
    expect(organizationOf(session)).toBe('Harbor');
  });

  it('detects that the session has ended', async () => {
    const { gatehouse, session } = await signedInOnce();
    gatehouse.revoke();
    await expect(session.switchOrganization('Harbor')).rejects.toMatchObject({ code: 'REFRESH_REFUSED' });
    expect(session.state()).toEqual({ status: 'signedOut', reason: 'expired' });
  });
});

describe('leaving an organization', () => {
  it('is the ending of a session that ended with it', async () => {
    const { gatehouse, session } = await signedInOnce();
    gatehouse.revoke();
    expect(await refetchAfterLeaving(session)).toEqual({ status: 'signedOut', reason: 'leftOrganization' });
  });

  it('keeps a session that continues, with the organization from the service', async () => {
    const { gatehouse, sessions } = await signedIn(2);
    gatehouse.organization = 'Harbor';
    for (const session of sessions.slice(0, 1)) await refetchAfterLeaving(session);
    await sessions[1]?.refetch();
    expect(sessions.map(organizationOf)).toEqual(['Harbor', 'Harbor']);
  });

  it('leaves a person without any organization signed in', async () => {
    const { gatehouse, session } = await signedInOnce();
    gatehouse.organization = undefined;
    expect(await refetchAfterLeaving(session)).toMatchObject({ status: 'signedIn', user: { currentMembership: null } });
  });
});

describe('the query cache', () => {
  /** A query that names the organization it was fetched for, and all its results so far. */
  const openView = async (gatehouse: GatehouseInMemory, queries: QueryClient) => {
    const view = new QueryObserver(queries, {
      queryKey: ['members'],
      queryFn: async () => `Members of ${gatehouse.organization}`,
      staleTime: Number.POSITIVE_INFINITY,
    });
    await view.refetch();
    const shown: (string | undefined)[] = [];
    view.subscribe(({ data }) => shown.push(data));
    return { view, shown };
  };

  it.each([
    ['here', 0],
    ['in another tab', 1],
  ])('is reset and fetched again after a switch %s', async (_, switching) => {
    const { gatehouse, sessions } = await signedIn(2);
    const [watched, other] = sessions;
    if (watched === undefined || other === undefined) throw new Error('Two tabs were asked for');
    const queries = new QueryClient();
    clearQueriesWithSession(watched, queries, () => expect.unreachable('the person has not signed out'));
    const { view, shown } = await openView(gatehouse, queries);
    await sessions[switching]?.switchOrganization('Harbor');
    await expect.poll(() => view.getCurrentResult().data).toBe('Members of Harbor');
    expect(shown[0]).toBeUndefined();
    expect(shown).not.toContain('Members of Acme');
    view.destroy();
  });

  it('is kept after another change to the person', async () => {
    const { gatehouse, session } = await signedInOnce();
    const queries = new QueryClient();
    clearQueriesWithSession(session, queries, () => expect.unreachable('the person has not signed out'));
    const { view } = await openView(gatehouse, queries);
    const before = view.getCurrentResult().data;
    await session.refetchEverywhere();
    expect(view.getCurrentResult().data).toBe(before);
    view.destroy();
  });

  it('is cleared when the person signs out', async () => {
    const { gatehouse, session } = await signedInOnce();
    const queries = new QueryClient();
    let left = 0;
    clearQueriesWithSession(session, queries, () => {
      left += 1;
    });
    const { view } = await openView(gatehouse, queries);
    view.destroy();
    await session.signOut();
    expect(left).toBe(1);
    expect(queries.getQueryCache().getAll()).toEqual([]);
  });
});
