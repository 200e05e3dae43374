/** An acknowledged change of a membership applies to the very next request on every process, whatever is cached. */
import { describe, expect, it } from 'vitest';
import { accept } from '../../support/actors/invitations.ts';
import { seedSession } from '../../support/actors/seeding.ts';
import { addTo, inviteTo, newMember, newOwner, runAs, type Tenant } from '../../support/actors/tenants.ts';
import { inParallel, outcomeOf, range, tally } from '../../support/checks/concurrency.ts';
import { type Answer, operations } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';
import { setting, startCluster, urlOf } from '../../support/gatehouse/cluster.ts';
import { roundsOf } from '../../support/random/rounds.ts';
import { deliver, newProviderId, subscriptionEvent, webhookSecret } from '../../support/servers/payments.ts';

const rounds = roundsOf(100);
const roundsAtOnce = 4;

/** An ADMIN of an organization, its owner, and the process through which the owner acts. */
interface Scene {
  readonly url: string;
  readonly owner: Tenant;
  readonly admin: Tenant;
}

interface Change {
  readonly what: string;
  readonly make: (scene: Scene) => Promise<string>;
  readonly seen: string;
}

const before = 'ADMIN here, 7 scopes, ACTIVE; may invite';
const lookQuery = `{ me { currentMembership { role scopes organization { id name subscription { status } } } }
  explainScope(scope: "MEMBERS_INVITE") { granted } }`;

interface Look {
  readonly me: {
    readonly currentMembership: {
      readonly role: string;
      readonly scopes: readonly string[];
      readonly organization: { readonly id: string; readonly name: string; readonly subscription: { status: string } };
    } | null;
  };
  readonly explainScope: { readonly granted: boolean };
}

describe(`The very next request, ${rounds} rounds, ${setting}`, () => {
  const cluster = fixture(() => startCluster({ STRIPE_WEBHOOK_SECRET: webhookSecret }));

  const change = (what: string, seen: string, make: Change['make']): Change => ({ what, seen, make });
  const changes: readonly Change[] = [
    change('a role is changed', 'MEMBER here, 1 scopes, ACTIVE; may not invite', async ({ owner, admin, url }) =>
      outcomeOf(await runAs({ url }, owner, operations.changeMemberRole, { id: admin.memberId, role: 'MEMBER' })),
    ),
    change('a member is removed', 'UNAUTHENTICATED', async ({ owner, admin, url }) =>
      outcomeOf(await runAs({ url }, owner, operations.removeMember, { id: admin.memberId })),
    ),
    change(
      'a subscription is canceled in the database',
      'ADMIN here, 0 scopes, CANCELED; may not invite',
      async ({ owner }) => {
        await cluster.sql(`UPDATE subscriptions SET status = 'CANCELED' WHERE organization_id = $1`, [
          owner.organizationId,
        ]);
        return 'OK';
      },
    ),
    change(
      'the payment provider cancels a subscription',
      'ADMIN here, 0 scopes, CANCELED; may not invite',
      async ({ owner, url }) => {
        const { organizationId } = owner;
        const customer = newProviderId('cus');
        const event = subscriptionEvent({ type: 'deleted', customer, status: 'canceled', organizationId });
        const status = await deliver({ url }, event);
        return status === 200 ? 'OK' : `status ${status}`;
      },
    ),
    change(
      'the organization is renamed',
      'ADMIN here (Renamed), 7 scopes, ACTIVE; may invite',
      async ({ owner, url }) =>
        outcomeOf(await runAs({ url }, owner, operations.renameOrganization, { name: 'Renamed' })),
    ),
    change(
      'a membership elsewhere is added',
      'MEMBER elsewhere, 1 scopes, ACTIVE; may not invite',
      async ({ admin, url }) => {
        const elsewhere = await newOwner(cluster);
        const token = await inviteTo(cluster, admin.userId, elsewhere.organizationId, 'MEMBER');
        return outcomeOf(await accept({ url }, admin.tokens, token));
      },
    ),
    change('another device switches', 'OWNER elsewhere, 9 scopes, ACTIVE; may invite', async ({ admin, url }) => {
      const { organizationId } = await newOwner(cluster);
      await addTo(cluster, admin.userId, organizationId, 'OWNER');
      const device = { tokens: await seedSession(cluster.database, admin.userId) };
      return outcomeOf(await runAs({ url }, device, operations.switchOrganization, { id: organizationId }));
    }),
    change('the person leaves from another device', 'UNAUTHENTICATED', async ({ admin, url }) => {
      const device = { tokens: await seedSession(cluster.database, admin.userId) };
      return outcomeOf(await runAs({ url }, device, operations.removeMember, { id: admin.memberId }));
    }),
  ];

  const describeLook = (answer: Answer, { organizationId }: Tenant): string => {
    if (outcomeOf(answer) !== 'OK') return outcomeOf(answer);
    const { data } = JSON.parse(answer.text) as { data: Look };
    const { currentMembership: membership } = data.me;
    if (membership === null) return 'no membership';
    const { role, scopes, organization } = membership;
    const place = organization.id === organizationId ? 'here' : 'elsewhere';
    const name = organization.name === 'Renamed' ? ' (Renamed)' : '';
    const may = data.explainScope.granted ? 'may' : 'may not';
    return `${role} ${place}${name}, ${scopes.length} scopes, ${organization.subscription.status}; ${may} invite`;
  };

  /** The state of a person, on every process at once; they agree. */
  const look = async (person: Tenant): Promise<string> => {
    const answers = await Promise.all(cluster.urls.map((url) => runAs({ url }, person, lookQuery)));
    return [...new Set(answers.map((answer) => describeLook(answer, person)))].join(' | ');
  };

  // Contract: organizations#changes-on-the-next-request — Role, removal, subscription, membership and switch count on
  //   the very next request, on every process
  it('sees every change of membership, by any process', async () => {
    const played = range(rounds).flatMap((round) => changes.slice(round % changes.length).slice(0, 1));
    const seen = await inParallel(played, roundsAtOnce, async (change, index) => {
      const owner = await newOwner(cluster);
      const admin = await newMember(cluster, owner.organizationId, 'ADMIN');
      const warm = [await look(admin), await look(admin)];
      const made = await change.make({ url: urlOf(cluster, index), owner, admin });
      return {
        what: change.what,
        story: [...warm, made, await look(admin)],
        expected: [before, before, 'OK', change.seen],
      };
    });
    const wrong = seen.filter(({ story, expected }) => story.join() !== expected.join());
    expect(tally(wrong.map(({ what, story }) => `${what}: ${story.join(', ')}`))).toEqual({});
    expect(seen).toHaveLength(rounds);
    expect(cluster.defects()).toEqual([]);
  });
});
