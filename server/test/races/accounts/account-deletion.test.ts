/** deleteAccount concurrent with an acceptance in the organization that would go: no member loses it. */
import { describe, expect, it } from 'vitest';
import { accept } from '../../support/actors/invitations.ts';
import { inviteTo, newOwner, runAs } from '../../support/actors/tenants.ts';
import { alternateFirst, inParallel, outcomeOf, range, tally } from '../../support/checks/concurrency.ts';
import { operations } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';
import { setting, startCluster, urlOf } from '../../support/gatehouse/cluster.ts';
import { roundsOf } from '../../support/random/rounds.ts';

const rounds = roundsOf(40);
/** About the time of either operation. */
const quickMillis = 10;

describe(`A deletion of an account and an acceptance, ${rounds} rounds, ${setting}`, () => {
  const cluster = fixture(startCluster);
  const inTurn = alternateFirst(quickMillis);

  const membersOf = async (organizationId: string): Promise<number | undefined> =>
    cluster.sql.value<number>(
      `SELECT (SELECT count(*)::integer FROM organization_members m WHERE m.organization_id = o.id
         AND m.joined_at IS NOT NULL) AS members FROM organizations o WHERE o.id = $1`,
      [organizationId],
    );

  // Contract: account#deletion-of-an-account — an organization with another member never goes with an account
  it('either keeps the owner and the new member, or the acceptance is refused', async () => {
    const seen = await inParallel(range(rounds), 4, async (_item, index) => {
      const [owner, invited] = [await newOwner(cluster), await newOwner(cluster)];
      const token = await inviteTo(cluster, invited.userId, owner.organizationId);
      const [deleted, accepted] = await inTurn(
        index,
        () => runAs({ url: urlOf(cluster, index) }, owner, operations.deleteAccount, { email: owner.email }),
        () => accept({ url: urlOf(cluster, index + 1) }, invited.tokens, token),
      );
      const members = await membersOf(owner.organizationId);
      return `${outcomeOf(deleted)}, ${outcomeOf(accepted)}: ${members ?? 'no'} members`;
    });
    expect(cluster.defects()).toEqual([]);
    // UNAVAILABLE: the acceptance was under way each time that the deletion tried.
    const kept = ['LAST_OWNER, OK: 2 members', 'UNAVAILABLE, OK: 2 members'];
    const endings = [...kept, 'OK, INVITATION_NOT_OPEN: no members'];
    expect(Object.keys(tally(seen)).filter((ending) => !endings.includes(ending))).toEqual([]);
  });
});
