/** Joining, leaving and switching against sessions: none outlives its membership or is issued without one. */
import { hashSync } from 'bcrypt';
import { beforeAll, describe, expect, it } from 'vitest';
import { accept } from '../../support/actors/invitations.ts';
import { seedSession } from '../../support/actors/seeding.ts';
import { addTo, inviteTo, newMember, newOwner, runAs, setActive, type Tenant } from '../../support/actors/tenants.ts';
import { inParallel, outcomeOf, raceWithSlow, range, startApart, tally } from '../../support/checks/concurrency.ts';
import { type Answer, bearer, goodPassword, operations, post, tokensOf } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';
import { setting, startCluster, urlOf } from '../../support/gatehouse/cluster.ts';
import { roundsOf } from '../../support/random/rounds.ts';

const rounds = roundsOf(60);
const roundsAtOnce = 4;
const apartBy = 8;

/** About the time of bcrypt before a sign-in reaches the database. */
const hashMillis = 60;

describe(`Memberships against sessions, ${rounds} rounds of each kind, ${setting}`, () => {
  let passwordHash: string;

  const cluster = fixture(startCluster);
  const owner = fixture(() => newOwner(cluster));
  beforeAll(async () => {
    passwordHash = hashSync(goodPassword, 10);
  });

  const remove = (index: number, { memberId }: Pick<Tenant, 'memberId'>): Promise<Answer> =>
    runAs({ url: urlOf(cluster, index) }, owner, operations.removeMember, { id: memberId });

  const switchTo = (index: number, person: Tenant, organizationId: string): Promise<Answer> =>
    runAs({ url: urlOf(cluster, index) }, person, operations.switchOrganization, { id: organizationId });

  const givePassword = async (person: Tenant): Promise<Tenant> => {
    await cluster.sql('UPDATE users SET password_hash = $2 WHERE id = $1', [person.userId, passwordHash]);
    return person;
  };

  /** The membership that a person began with. */
  const homeOf = async ({ userId }: Pick<Tenant, 'userId'>): Promise<{ id: string; organizationId: string }> => {
    const [home] = await cluster.sql<{ id: string; organizationId: string }>(
      `SELECT id, organization_id AS "organizationId" FROM organization_members
       WHERE user_id = $1 AND organization_id <> $2`,
      [userId, owner.organizationId],
    );
    if (home === undefined) throw new Error('This person has no home');
    return home;
  };

  /** Organizations of the live sessions of a person: 'here', 'elsewhere' or 'nowhere'. */
  const liveSessions = async ({ userId }: Pick<Tenant, 'userId'>): Promise<string[]> => {
    const rows = await cluster.sql<{ place: string; live: number }>(
      `SELECT CASE WHEN organization_id IS NULL THEN 'nowhere' WHEN organization_id = $2 THEN 'here'
         ELSE 'elsewhere' END AS place, count(*)::integer AS live
       FROM credentials WHERE user_id = $1 AND revoked_at IS NULL
       GROUP BY session_family_id, organization_id ORDER BY 1`,
      [userId, owner.organizationId],
    );
    return rows.map(({ place, live }) => (live === 2 ? place : `${live} credentials ${place}`));
  };

  const left = async (person: Pick<Tenant, 'userId'>): Promise<string> =>
    `left: ${(await liveSessions(person)).join(' and ') || 'none'}`;

  /** The same without the counts. */
  const leftPlaces = async (person: Pick<Tenant, 'userId'>): Promise<string> =>
    `left: ${[...new Set(await liveSessions(person))].join(' and ') || 'none'}`;

  /** The result of using the pair of an answer, on every process. */
  const useOf = async (answer: Answer): Promise<string> => {
    if (outcomeOf(answer) !== 'OK') return 'no pair';
    const pair = tokensOf(answer);
    const uses = await Promise.all(cluster.urls.map((url) => post(url, operations.me, {}, bearer(pair))));
    return [...new Set(uses.map(outcomeOf))].join('+');
  };

  const resultOf = async (answer: Answer): Promise<string> => `${outcomeOf(answer)} ${await useOf(answer)}`;

  const raceWithHash = raceWithSlow(hashMillis);

  /** Signs a person in while `change` happens about when the hash is done, and once more at that moment. */
  const raceWithSignIns = async (
    index: number,
    person: Tenant,
    change: () => Promise<Answer>,
  ): Promise<readonly [signedIn: Answer, changed: Answer]> => {
    const input = { email: person.email, password: goodPassword };
    const [signedIn, [changed]] = await raceWithHash(
      () => post(urlOf(cluster, index), operations.signIn, { input }),
      () => startApart(apartBy, change, () => seedSession(cluster.database, person.userId)),
    );
    return [signedIn, changed];
  };

  /** Plays every round; each must end in one of these ways, without an internal error. */
  const expectEndings = async (
    endings: readonly string[],
    round: (index: number) => Promise<string>,
  ): Promise<void> => {
    const seen = await inParallel(range(rounds), roundsAtOnce, (_item, index) => round(index));
    const counts = tally(seen);
    const others = Object.keys(counts).filter((ending) => !endings.includes(ending));
    expect({ others, counts }).toEqual({ others: [], counts });
    expect(cluster.defects()).toEqual([]);
  };

  // Contract: organizations#removal-of-a-member — A removal against a sign-in
  it('a removal and sign-ins leave no session of the organization, and none without one', async () => {
    const endings = [
      'OK, sign-in OK OK, left: elsewhere',
      'OK, sign-in OK UNAUTHENTICATED, left: none',
      'OK, sign-in OK UNAUTHENTICATED, left: elsewhere',
      // The new session ended before it was answered.
      'OK, sign-in UNAUTHENTICATED no pair, left: none',
      'OK, sign-in UNAUTHENTICATED no pair, left: elsewhere',
    ];
    await expectEndings(endings, async (index) => {
      const person = await givePassword(await newMember(cluster, owner.organizationId));
      const [signedIn, removed] = await raceWithSignIns(index, person, () => remove(index + 1, person));
      return `${outcomeOf(removed)}, sign-in ${await resultOf(signedIn)}, ${await leftPlaces(person)}`;
    });
  });

  // Contract: credentials#stored-credential — An acceptance against a sign-in: the snapshot is from before or after
  it('an acceptance and sign-ins leave sessions of either organization, and none without one', async () => {
    const endings = ['OK, sign-in OK OK, left: elsewhere', 'OK, sign-in OK OK, left: elsewhere and here'];
    await expectEndings(endings, async (index) => {
      const person = await givePassword(await newOwner(cluster));
      const token = await inviteTo(cluster, person.userId, owner.organizationId);
      const [signedIn, accepted] = await raceWithSignIns(index, person, () =>
        accept({ url: urlOf(cluster, index + 1) }, person.tokens, token),
      );
      return `${outcomeOf(accepted)}, sign-in ${await resultOf(signedIn)}, ${await leftPlaces(person)}`;
    });
  });

  // Contract: credentials#concurrent-changes — A switch against a removal from its target
  it('a switch and a removal from its target leave no session there; the old one remains when the switch was refused', async () => {
    const endings = [
      'OK, switch NOT_FOUND no pair, left: elsewhere',
      'OK, switch OK UNAUTHENTICATED, left: none',
      // The new session ended before it was answered.
      'OK, switch UNAUTHENTICATED no pair, left: none',
    ];
    await expectEndings(endings, async (index) => {
      const person = await newOwner(cluster);
      const memberId = await addTo(cluster, person.userId, owner.organizationId);
      const [switched, removed] = await startApart(
        apartBy,
        () => switchTo(index, person, owner.organizationId),
        () => remove(index + 1, { memberId }),
      );
      return `${outcomeOf(removed)}, switch ${await resultOf(switched)}, ${await left(person)}`;
    });
  });

  // Contract: credentials#concurrent-changes — A switch against a removal from its source
  it('a switch and a removal from its source leave the new session, or none', async () => {
    const endings = ['OK, switch OK OK, left: elsewhere', 'OK, switch UNAUTHENTICATED no pair, left: none'];
    await expectEndings(endings, async (index) => {
      const person = await newMember(cluster, owner.organizationId);
      const { organizationId } = await homeOf(person);
      const [switched, removed] = await startApart(
        apartBy,
        () => switchTo(index, person, organizationId),
        () => remove(index + 1, person),
      );
      return `${outcomeOf(removed)}, switch ${await resultOf(switched)}, ${await left(person)}`;
    });
  });

  // Contract: credentials#rotation-and-revocation-at-once — A switch against a sign-out everywhere, over two processes
  it('a switch and a sign-out everywhere leave nothing once that was acknowledged', async () => {
    const endings = ['OK, switch UNAUTHENTICATED no pair, left: none', 'OK, switch OK UNAUTHENTICATED, left: none'];
    await expectEndings(endings, async (index) => {
      const person = await newOwner(cluster);
      await addTo(cluster, person.userId, owner.organizationId);
      const controller = { tokens: await seedSession(cluster.database, person.userId) };
      const [switched, ended] = await startApart(
        apartBy,
        () => switchTo(index, person, owner.organizationId),
        () => runAs({ url: urlOf(cluster, index + 1) }, controller, operations.signOutEverywhere),
      );
      return `${outcomeOf(ended)}, switch ${await resultOf(switched)}, ${await left(person)}`;
    });
  });

  // Contract: credentials#concurrent-changes — A switch against a refresh of the same pair
  it('a switch and a refresh of the same pair leave one live pair, which was returned', async () => {
    const endings = [
      'switch OK OK, refresh REFRESH_SUPERSEDED no pair, left: here',
      'switch OK OK, refresh OK UNAUTHENTICATED, left: here',
      'switch UNAUTHENTICATED no pair, refresh OK OK, left: elsewhere',
    ];
    await expectEndings(endings, async (index) => {
      const person = await newOwner(cluster);
      await addTo(cluster, person.userId, owner.organizationId);
      const [switched, refreshed] = await startApart(
        apartBy,
        () => switchTo(index, person, owner.organizationId),
        () => post(urlOf(cluster, index + 1), operations.refresh, { ...person.tokens }),
      );
      return `switch ${await resultOf(switched)}, refresh ${await resultOf(refreshed)}, ${await left(person)}`;
    });
  });

  // Contract: credentials#concurrent-changes — A removal against a refresh
  it('a removal and a refresh of a session there leave nothing of it, and a session elsewhere whole', async () => {
    const endings = [
      'OK, refresh REFRESH_REFUSED no pair, left: elsewhere, which is OK',
      'OK, refresh OK UNAUTHENTICATED, left: elsewhere, which is OK',
    ];
    await expectEndings(endings, async (index) => {
      const person = await newMember(cluster, owner.organizationId);
      await setActive(cluster, person.userId, (await homeOf(person)).id);
      const other = await seedSession(cluster.database, person.userId);
      await setActive(cluster, person.userId, person.memberId);
      const [refreshed, removed] = await startApart(
        apartBy,
        () => post(urlOf(cluster, index), operations.refresh, { ...person.tokens }),
        () => remove(index + 1, person),
      );
      const kept = outcomeOf(await runAs({ url: urlOf(cluster, index) }, { tokens: other }, operations.me));
      return `${outcomeOf(removed)}, refresh ${await resultOf(refreshed)}, ${await left(person)}, which is ${kept}`;
    });
  });
});
