/** `me` with a bearer, against the same service without a database and against the hand-written floor. */
import type { RequestText } from '../load/job.ts';
import { cpuOf, heading, printSampleHeader, printSamples, rateOf, ratio, type Sample, type Target } from '../report.ts';
import { interleave } from '../rounds.ts';
import type { Peers, Scene } from '../scene.ts';

interface Query {
  readonly title: string;
  readonly text: string;
  readonly floorPath: string;
}

const short: Query = {
  title: 'me { id email name }',
  text: 'query FetchMe { me { id email name } }',
  floorPath: '/me',
};

const full: Query = {
  title: 'me with its membership',
  text: 'query FetchMe { me { id email name currentMembership { role scopes organization { name } } } }',
  floorPath: '/me-with-membership',
};

const variants = ['gatehouse', 'no database', 'floor'] as const;
type Variant = (typeof variants)[number];

export const measureMe = async (scene: Scene): Promise<readonly Target[]> => {
  // Enough load for long enough that all code is compiled, whichever comes first.
  for (const query of [short, full])
    for (const name of variants) {
      await scene.sampleOnce(serverOf(scene.peers, name), jobOf(scene, query, name, 50, 3));
    }
  const targets: Target[] = [judgeOne(await compare(scene, short, 1))];
  await compare(scene, short, 10);
  for (const query of [short, full]) targets.push(...judge(query, await compare(scene, query, 50)));
  return targets;
};

const compare = async (scene: Scene, query: Query, connections: number) => {
  const { rounds, seconds } = scene.options;
  const samples = await interleave(rounds, variants, (name) =>
    scene.sample(serverOf(scene.peers, name), jobOf(scene, query, name, connections, seconds)),
  );
  heading(`${query.title}, ${connections} connection${connections === 1 ? '' : 's'}`);
  printSampleHeader();
  for (const name of variants) printSamples(name, samples[name]);
  return samples;
};

const jobOf = (scene: Scene, query: Query, name: Variant, connections: number, seconds: number) => {
  const requests = scene.stage.seeded.accessTokens.map((token) => requestOf(query, name, token));
  return { connections, seconds, workload: { kind: 'fixed', requests } } as const;
};

const serverOf = (peers: Peers, name: Variant) =>
  ({ gatehouse: peers.gatehouse, 'no database': peers.withoutDatabase, floor: peers.floor })[name];

const requestOf = (query: Query, name: Variant, token: string): RequestText => ({
  path: name === 'floor' ? query.floorPath : '/graphql',
  body: JSON.stringify({ operationName: 'FetchMe', query: query.text }),
  token,
});

const judgeOne = (samples: Readonly<Record<Variant, readonly Sample[]>>): Target => ({
  what: `${short.title}, 1 connection: CPU per request (server and PostgreSQL) relative to the floor`,
  value: ratio(samples.gatehouse, samples.floor, cpuOf),
  bound: 1.33,
  atLeast: false,
  unit: '',
});

const judge = ({ title }: Query, samples: Readonly<Record<Variant, readonly Sample[]>>): Target[] => [
  {
    what: `${title}, 50 connections: throughput relative to no database`,
    value: ratio(samples.gatehouse, samples['no database'], rateOf),
    bound: 0.75,
    atLeast: true,
    unit: '',
  },
  {
    what: `${title}, 50 connections: CPU per request (server and PostgreSQL) relative to the floor`,
    value: ratio(samples.gatehouse, samples.floor, cpuOf),
    bound: 1.2,
    atLeast: false,
    unit: '',
  },
];
