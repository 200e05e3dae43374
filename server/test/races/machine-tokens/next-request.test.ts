/** What ends or narrows a machine's token applies to its very next request, on every process, whatever is cached. */
import { describe, expect, it } from 'vitest';
import {
  createPersonalToken,
  createServiceAccount,
  createServiceToken,
  type Issued,
  rotate,
  runWith,
  setPolicy,
  tokenOperations,
} from '../../support/actors/machines/token-operations.ts';
import { newMember, newOwner, runAs, type Tenant } from '../../support/actors/tenants.ts';
import { inParallel, outcomeOf, range, tally } from '../../support/checks/concurrency.ts';
import { type Answer, operations } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';
import { setting, startCluster, urlOf } from '../../support/gatehouse/cluster.ts';
import { roundsOf } from '../../support/random/rounds.ts';

const rounds = roundsOf(500);
const roundsAtOnce = 4;
const usesAtOnce = 16;

/** An ADMIN with a personal token, and a service account of the same organization with a token. */
interface Scene {
  readonly url: string;
  readonly owner: Tenant;
  readonly admin: Tenant;
  readonly personal: Issued;
  readonly service: Issued;
  readonly serviceAccountId: string;
}

interface Change {
  readonly what: string;
  readonly make: (scene: Scene) => Promise<Answer>;
  /** Outcomes of the personal and of the service token afterwards. */
  readonly seen: string;
}

const changes: readonly Change[] = [
  {
    what: 'the person is given a role without the scope',
    make: ({ url, owner, admin }) =>
      runAs({ url }, owner, operations.changeMemberRole, { id: admin.memberId, role: 'MEMBER' }),
    seen: 'FORBIDDEN OK',
  },
  {
    what: 'the person is removed',
    make: ({ url, owner, admin }) => runAs({ url }, owner, operations.removeMember, { id: admin.memberId }),
    seen: 'UNAUTHENTICATED OK',
  },
  {
    what: 'the person leaves',
    make: ({ url, admin }) => runAs({ url }, admin, operations.removeMember, { id: admin.memberId }),
    seen: 'UNAUTHENTICATED OK',
  },
  {
    what: 'the person signs out everywhere',
    make: ({ url, admin }) => runAs({ url }, admin, operations.signOutEverywhere),
    seen: 'UNAUTHENTICATED OK',
  },
  {
    what: 'the policy forbids personal tokens',
    make: ({ url, owner }) => setPolicy({ url }, owner, { personalTokens: 'FORBIDDEN' }),
    seen: 'FORBIDDEN OK',
  },
  {
    what: 'the policy allows another network',
    make: ({ url, owner }) => setPolicy({ url }, owner, { allowedNetworks: ['192.0.2.0/24'] }),
    seen: 'FORBIDDEN FORBIDDEN',
  },
  {
    what: 'the personal token is revoked',
    make: ({ url, owner, personal }) => runAs({ url }, owner, tokenOperations.revokeToken, { id: personal.token.id }),
    seen: 'UNAUTHENTICATED OK',
  },
  {
    what: 'the service token is rotated without an overlap',
    make: ({ url, owner, service }) => rotate({ url }, owner, { tokenId: service.token.id, overlapSeconds: 0 }),
    seen: 'OK UNAUTHENTICATED',
  },
  {
    what: 'the service account loses the scope',
    make: ({ url, owner, serviceAccountId }) =>
      runAs({ url }, owner, tokenOperations.updateServiceAccount, {
        input: { serviceAccountId, scopes: ['MEMBERS_VIEW'] },
      }),
    seen: 'OK FORBIDDEN',
  },
  {
    what: 'the service account is deleted',
    make: ({ url, owner, serviceAccountId }) =>
      runAs({ url }, owner, tokenOperations.deleteServiceAccount, { id: serviceAccountId }),
    seen: 'OK UNAUTHENTICATED',
  },
];

/** Needs MEMBERS_INVITE, and then finds nothing: the outcome tells only of the token. */
const probe = 'mutation { cancelInvitation(memberId: "00000000-0000-4000-8000-000000000000") }';

describe(`Tokens of machines, ${rounds} rounds, ${setting}`, () => {
  const cluster = fixture(() => startCluster());

  const outcomeAt = async (url: string, secret: string): Promise<string> => {
    const outcome = outcomeOf(await runWith({ url }, secret, probe));
    return outcome === 'NOT_FOUND' ? 'OK' : outcome;
  };

  /** The outcomes of both tokens on every process at once; the processes agree. */
  const look = async ({ personal, service }: Pick<Scene, 'personal' | 'service'>): Promise<string> => {
    const views = cluster.urls.map(async (url) =>
      (await Promise.all([personal, service].map(({ secret }) => outcomeAt(url, secret)))).join(' '),
    );
    return [...new Set(await Promise.all(views))].join(' | ');
  };

  const newScene = async (url: string): Promise<Scene> => {
    const owner = await newOwner(cluster);
    const admin = await newMember(cluster, owner.organizationId, 'ADMIN');
    const scopes = ['MEMBERS_VIEW', 'MEMBERS_INVITE'];
    const personal = await createPersonalToken({ url }, admin, { scopes });
    const { id: serviceAccountId } = await createServiceAccount({ url }, owner, { scopes });
    const service = await createServiceToken({ url }, owner, serviceAccountId);
    return { url, owner, admin, personal, service, serviceAccountId };
  };

  // Contract: machine-credentials#authority-of-a-machine — what a person loses shows on the next request of their
  //   token, on every process
  it('see every change on their next request', async () => {
    const played = range(rounds).flatMap((round) => changes.slice(round % changes.length).slice(0, 1));
    const seen = await inParallel(played, roundsAtOnce, async ({ what, make, seen: expected }, index) => {
      const scene = await newScene(urlOf(cluster, index));
      const story = [await look(scene), outcomeOf(await make(scene)), await look(scene)];
      return { what, story: story.join(', '), expected: ['OK OK', 'OK', expected].join(', ') };
    });
    const wrong = seen.filter(({ story, expected }) => story !== expected);
    expect(tally(wrong.map(({ what, story }) => `${what}: ${story}`))).toEqual({});
    expect(seen).toHaveLength(rounds);
    expect(cluster.defects()).toEqual([]);
  });

  it('are accepted by no request that began after the acknowledgement of their end', async () => {
    const url = urlOf(cluster, 0);
    const owner = await newOwner(cluster);
    const issued = await inParallel(range(40), 4, () => createPersonalToken({ url }, owner));
    const acknowledged = new Set<string>();
    const wrong: string[] = [];
    const load = { goesOn: true, uses: 0 };
    const use = async (secret: string, at: string): Promise<void> => {
      const isOver = acknowledged.has(secret);
      const outcome = outcomeOf(await runWith({ url: at }, secret));
      if (isOver) load.uses += 1;
      if (isOver && outcome !== 'UNAUTHENTICATED') wrong.push(`after the acknowledgement: ${outcome}`);
      if (outcome !== 'OK' && outcome !== 'UNAUTHENTICATED') wrong.push(outcome);
    };
    const loops = range(usesAtOnce).map(async (index) => {
      while (load.goesOn) {
        const { secret } = issued[Math.floor(Math.random() * issued.length)] ?? issued[0] ?? { secret: '' };
        await use(secret, urlOf(cluster, index));
      }
    });
    for (const { secret, token } of issued) {
      const answer = await runAs({ url }, owner, tokenOperations.revokeToken, { id: token.id });
      acknowledged.add(secret);
      expect(answer.code).toBeNull();
      await Promise.all(cluster.urls.map((each) => use(secret, each)));
    }
    load.goesOn = false;
    await Promise.all(loops);
    expect(tally(wrong)).toEqual({});
    expect(load.uses).toBeGreaterThanOrEqual(issued.length * cluster.urls.length);
  });
});
