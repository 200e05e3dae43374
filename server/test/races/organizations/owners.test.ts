/**
 * Two owners who step down, leave, demote or remove each other at one moment: one of them still owns the organization.
 */
import { describe, expect, it } from 'vitest';
import { newMember, newOwner, runAs, type Tenant } from '../../support/actors/tenants.ts';
import { inParallel, outcomeOf, range, startApart, tally } from '../../support/checks/concurrency.ts';
import { type Answer, operations } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';
import { setting, startCluster, urlOf } from '../../support/gatehouse/cluster.ts';
import { roundsOf } from '../../support/random/rounds.ts';

const rounds = roundsOf(200);
const roundsAtOnce = 4;
const apartBy = 4;

/** The operation of one owner, with the other one as a possible target. */
type Move = 'steps down' | 'leaves' | 'demotes' | 'removes';

/** Each pair of operations, with the possible answers, and the remaining owners. */
const games: readonly (readonly [left: Move, right: Move, endings: readonly string[]])[] = [
  ['steps down', 'steps down', ['OK and LAST_OWNER, 1 left', 'LAST_OWNER and OK, 1 left']],
  ['leaves', 'leaves', ['OK and LAST_OWNER, 1 left', 'LAST_OWNER and OK, 1 left']],
  ['steps down', 'leaves', ['OK and LAST_OWNER, 1 left', 'LAST_OWNER and OK, 1 left']],
  ['demotes', 'demotes', ['OK and FORBIDDEN, 1 left', 'FORBIDDEN and OK, 1 left']],
  [
    'removes',
    'removes',
    [
      'OK and MEMBERSHIP_REQUIRED, 1 left',
      'MEMBERSHIP_REQUIRED and OK, 1 left',
      'OK and UNAUTHENTICATED, 1 left',
      'UNAUTHENTICATED and OK, 1 left',
    ],
  ],
  [
    'removes',
    'demotes',
    ['OK and MEMBERSHIP_REQUIRED, 1 left', 'OK and UNAUTHENTICATED, 1 left', 'FORBIDDEN and OK, 1 left'],
  ],
  // A demoted owner can leave; the last one cannot.
  ['demotes', 'leaves', ['OK and OK, 1 left', 'NOT_FOUND and OK, 1 left']],
  ['demotes', 'steps down', ['OK and FORBIDDEN, 1 left', 'OK and OK, 1 left']],
  [
    'removes',
    'leaves',
    [
      'OK and NOT_FOUND, 1 left',
      'OK and UNAUTHENTICATED, 1 left',
      'OK and MEMBERSHIP_REQUIRED, 1 left',
      'NOT_FOUND and OK, 1 left',
    ],
  ],
  [
    'removes',
    'steps down',
    ['OK and MEMBERSHIP_REQUIRED, 1 left', 'OK and UNAUTHENTICATED, 1 left', 'OK and OK, 1 left'],
  ],
];

describe(`Two owners at once, ${rounds} rounds, ${setting}`, () => {
  const cluster = fixture(startCluster);

  const make = (index: number, move: Move, self: Tenant, other: Tenant): Promise<Answer> => {
    const target = move === 'steps down' || move === 'leaves' ? self : other;
    const run = { url: urlOf(cluster, index) };
    return move === 'leaves' || move === 'removes'
      ? runAs(run, self, operations.removeMember, { id: target.memberId })
      : runAs(run, self, operations.changeMemberRole, { id: target.memberId, role: 'MEMBER' });
  };

  const ownersOf = async (organizationId: string): Promise<number> => {
    const rows = await cluster.sql(
      `SELECT id FROM organization_members WHERE organization_id = $1 AND role = 'OWNER' AND joined_at IS NOT NULL`,
      [organizationId],
    );
    return rows.length;
  };

  // Contract: organizations#last-owner — An organization always has an OWNER, whatever two owners do at once
  it('leave an organization with an owner, in any order', async () => {
    const played = range(rounds).flatMap((round) => games.slice(round % games.length).slice(0, 1));
    const seen = await inParallel(played, roundsAtOnce, async ([left, right, endings], index) => {
      const one = await newOwner(cluster);
      const two = await newMember(cluster, one.organizationId, 'OWNER');
      const answers = await startApart(
        apartBy,
        () => make(index, left, one, two),
        () => make(index + 1, right, two, one),
      );
      const ending = `${answers.map(outcomeOf).join(' and ')}, ${await ownersOf(one.organizationId)} left`;
      return { game: `${left}, ${right}: ${ending}`, isFine: endings.includes(ending) };
    });
    expect(tally(seen.filter(({ isFine }) => !isFine).map(({ game }) => game))).toEqual({});
    expect(cluster.defects()).toEqual([]);
  });
});
