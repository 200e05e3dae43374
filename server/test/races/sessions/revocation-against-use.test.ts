/** An acknowledged change binds the next request, on every process, with warm caches and under load. */
import { describe, expect, it } from 'vitest';
import { familyOf } from '../../support/actors/credentials.ts';
import { seedPerson, seedSession, seedSessions } from '../../support/actors/seeding.ts';
import { inParallel, outcomeOf, pauseUpTo, range, tally } from '../../support/checks/concurrency.ts';
import { bearer, operations, post, type Tokens } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';
import { setting, startCluster, urlOf } from '../../support/gatehouse/cluster.ts';

const sessionCount = 60;
const loadLoops = 16;

/** A session under load, and the events known about it so far. */
interface Watched {
  readonly tokens: Tokens;
  revocation: 'not begun' | 'begun' | 'acknowledged';
  wasRefused: boolean;
  uses: number;
}

describe(`Revocation and change against use, ${setting}`, () => {
  const cluster = fixture(startCluster);

  /** One request, judged by the events known at its start and end; null when it is valid. */
  const use = async (watched: Watched, url: string): Promise<string | null> => {
    const { revocation, wasRefused } = watched;
    const outcome = outcomeOf(await post(url, operations.me, {}, bearer(watched.tokens)));
    watched.uses += 1;
    if (outcome === 'OK') {
      if (revocation === 'acknowledged') return 'accepted after the acknowledgement';
      return wasRefused ? 'accepted after a refusal' : null;
    }
    if (outcome !== 'UNAUTHENTICATED') return outcome;
    const wasLive = watched.revocation === 'not begun';
    watched.wasRefused = true;
    return wasLive ? 'refused before any revocation' : null;
  };

  // Contract: credentials#rotation-and-revocation-at-once — Nothing accepts a credential after its revocation was
  //   acknowledged; once refused, always refused
  it('accepts no request that began after the acknowledgement, and none after a refusal', async () => {
    const tokens = await seedSessions(cluster.database, sessionCount, 6);
    const all = tokens.map((pair): Watched => ({ tokens: pair, revocation: 'not begun', wasRefused: false, uses: 0 }));
    const wrong: string[] = [];
    const load = { goesOn: true };
    const loop = async (index: number): Promise<void> => {
      while (load.goesOn) {
        const watched = all[Math.floor(Math.random() * all.length)];
        const verdict = watched === undefined ? null : await use(watched, urlOf(cluster, index));
        if (verdict !== null) wrong.push(verdict);
      }
    };
    const loops = range(loadLoops).map(loop);
    // Both processes have every session in their cache before the first one ends.
    for (const url of cluster.urls) await inParallel(all, 8, (watched) => use(watched, url));
    const receipts = await inParallel(all, 3, async (watched, index) => {
      await pauseUpTo(60);
      watched.revocation = 'begun';
      const answer = await post(urlOf(cluster, index), operations.signOut, {}, bearer(watched.tokens));
      watched.revocation = 'acknowledged';
      const verdicts = await Promise.all(cluster.urls.map((url) => use(watched, url)));
      wrong.push(...verdicts.filter((verdict) => verdict !== null));
      return outcomeOf(answer);
    });
    load.goesOn = false;
    await Promise.all(loops);
    expect(tally(receipts)).toEqual({ OK: sessionCount });
    expect(tally(wrong)).toEqual({});
    expect(all.every(({ wasRefused, uses }) => wasRefused && uses >= cluster.urls.length * 2)).toBe(true);
    expect(cluster.defects()).toEqual([]);
  });

  // Contract: credentials#revocation-receipt — Revocation of another session and of all sessions
  it('binds a revocation of another session, and of all of them, by the next request', async () => {
    const seen = await inParallel(range(20), 4, async (index) => {
      const userId = await seedPerson(cluster.database);
      const controller = await seedSession(cluster.database, userId);
      const other = await seedSession(cluster.database, userId);
      const third = await seedSession(cluster.database, userId);
      const family = await familyOf(cluster, other.refreshToken);
      const meOf = async (pair: Tokens): Promise<string> => {
        const answers = await Promise.all(cluster.urls.map((url) => post(url, operations.me, {}, bearer(pair))));
        return [...new Set(answers.map(outcomeOf))].join('+');
      };
      const warm = [await meOf(controller), await meOf(other), await meOf(third)];
      await post(urlOf(cluster, index), operations.revokeMySession, { family }, bearer(controller));
      const afterOne = [await meOf(controller), await meOf(other), await meOf(third)];
      await post(urlOf(cluster, index), operations.signOutEverywhere, {}, bearer(controller));
      const afterAllOfThem = [await meOf(controller), await meOf(other), await meOf(third)];
      return [warm, afterOne, afterAllOfThem]
        .map((outcomes) => outcomes.map((o) => o.slice(0, 2)).join(' '))
        .join(', ');
    });
    expect(tally(seen)).toEqual({ 'OK OK OK, OK UN OK, UN UN UN': 20 });
  });

  // Contract: organizations#changes-on-the-next-request — A changed role or organization counts on the very next
  //   request, on every process
  it('binds a change of role, organization, subscription and membership on the next request', async () => {
    const changes: readonly (readonly [sql: string, seen: string])[] = [
      [`UPDATE organization_members SET role = 'MEMBER' WHERE user_id = $1`, 'MEMBER of Old, 1 scopes, ACTIVE'],
      [`UPDATE organization_members SET role = 'ADMIN' WHERE user_id = $1`, 'ADMIN of Old, 7 scopes, ACTIVE'],
      [`UPDATE organizations SET name = 'New' WHERE id IN (${ownOrganization})`, 'ADMIN of New, 7 scopes, ACTIVE'],
      [
        `UPDATE subscriptions SET status = 'CANCELED' WHERE organization_id IN (${ownOrganization})`,
        'ADMIN of New, 0 scopes, CANCELED',
      ],
      [`DELETE FROM organization_members WHERE user_id = $1`, 'no membership'],
    ];
    const seen = await inParallel(range(10), 3, async () => {
      const userId = await seedPerson(cluster.database);
      await cluster.sql(`UPDATE organizations SET name = 'Old' WHERE id IN (${ownOrganization})`, [userId]);
      const pair = await seedSession(cluster.database, userId);
      const look = async (): Promise<string> => {
        const answers = await Promise.all(cluster.urls.map((url) => post(url, operations.me, {}, bearer(pair))));
        return [...new Set(answers.map(({ data }) => describeMembership(data)))].join(' | ');
      };
      const views = [await look()];
      for (const [text] of changes) {
        await cluster.sql(text, [userId]);
        views.push(await look());
      }
      return views;
    });
    const expected = ['OWNER of Old, 9 scopes, ACTIVE', ...changes.map(([, view]) => view)];
    expect(seen).toEqual(seen.map(() => expected));
  });
});

const ownOrganization = 'SELECT organization_id FROM organization_members WHERE user_id = $1';

interface MeData {
  readonly me?: {
    readonly currentMembership: {
      readonly role: string;
      readonly scopes: readonly string[];
      readonly organization: { readonly name: string; readonly subscription: { readonly status: string } };
    } | null;
  };
}

const describeMembership = (data: MeData | null): string => {
  const membership = data?.me?.currentMembership;
  if (membership === null || membership === undefined) return 'no membership';
  const { role, scopes, organization } = membership;
  return `${role} of ${organization.name}, ${scopes.length} scopes, ${organization.subscription.status}`;
};
