/**
 * What one person who floods costs all others: their sign-ins, reads and changes beside 256 changes in flight, all of
 * one person or of a hundred people; and their reads beside 256 documents in flight that are refused.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestText } from '../load/job.ts';
import { type Load, startLoad } from '../load/start-load.ts';
import { type Server, startServer } from '../processes.ts';
import {
  fact,
  heading,
  medianOf,
  printSampleHeader,
  printSamples,
  ratio,
  type Sample,
  type Target,
} from '../report.ts';
import { interleave } from '../rounds.ts';
import type { Scene } from '../scene.ts';
import { productionSettings } from '../servers/settings.ts';
import { signIns } from './sign-in.ts';

const inFlight = 256;
const manyPeople = 100;

/** In which code is compiled, and what a network gets at once is used up. */
const leadInSeconds = 3;

interface Measured {
  readonly name: string;
  readonly perSecond: number;
  readonly requestOf: (scene: Scene, person: number) => RequestText;
}

const graphql = (query: string, variables: object, token: string | undefined): RequestText => ({
  path: '/graphql',
  body: JSON.stringify({ query, variables }),
  token: token ?? '',
});

const changeName = (scene: Scene, person: number): RequestText =>
  graphql(
    'mutation ($name: String!) { changeName(name: $name) { id } }',
    { name: `Person ${person}` },
    scene.stage.seeded.accessTokens[person],
  );

const me: Measured = {
  name: 'me',
  perSecond: 50,
  requestOf: ({ stage }, person) => graphql('query { me { id email name } }', {}, stage.seeded.accessTokens[person]),
};

/** A sign-in each half second keeps two cores half busy at cost 12. */
const others: readonly Measured[] = [
  {
    name: 'signInWithPassword',
    perSecond: 2,
    requestOf: (scene, person) => signIns(scene)[person] ?? me.requestOf(scene, person),
  },
  me,
  { name: 'changeName', perSecond: 20, requestOf: changeName },
];

/** With application/json a refusal is an answer with the status 200. */
const floodWith = (requests: readonly RequestText[]) =>
  ({
    connections: inFlight,
    acceptsRefusals: true,
    workload: { kind: 'fixed', requests: requests.map((request) => ({ ...request, accept: 'application/json' })) },
  }) as const;

const floodOf = (scene: Scene, people: number) =>
  floodWith(Array.from({ length: people }, (_, person) => changeName(scene, person)));

/** Refused after it was parsed and validated. */
const invalidDocument: RequestText = {
  path: '/graphql',
  body: JSON.stringify({ query: `{ me { ${Array.from({ length: 980 }, (_, nth) => `x${nth}`).join(' ')} } }` }),
  token: null,
  from: '198.51.100.1',
};

type Flood = ReturnType<typeof floodWith>;

export const measureFairness = async (scene: Scene): Promise<readonly Target[]> => {
  // Without the limits: with them, a person who floods changes little after a thousand mutations.
  const settings = { ...productionSettings(scene.stage.databaseUrl, scene.options.cost), ...scene.peerSettings };
  const unlimited = await startServer(scene.gatehouse, { ...settings, NODE_ENV: 'test', RATE_LIMITS_ENABLED: 'false' });
  const flooding = startLoad();
  try {
    const targets: Target[] = [];
    for (const measured of others) targets.push(await judge(scene, flooding, unlimited, measured));
    await compareDocuments(scene, flooding, unlimited);
    return targets;
  } finally {
    await Promise.all([flooding.stop(), unlimited.stop()]);
  }
};

/** A steady stream of requests of other people, beside a flood that begins before it and ends after it. */
const beside = async (
  scene: Scene,
  flooding: Load,
  server: Server,
  { perSecond, requestOf }: Measured,
  flood: Flood,
): Promise<Sample> => {
  const seconds = Math.max(10, scene.options.seconds);
  const requests = scene.stage.seeded.accessTokens.map((_, person) => requestOf(scene, person)).slice(manyPeople);
  const flooded = flooding.run({ ...flood, port: server.port, seconds: seconds + leadInSeconds + 1 });
  await sleep(leadInSeconds * 1000);
  const sample = await scene.sampleOnce(server, {
    connections: 10,
    seconds,
    rate: perSecond,
    workload: { kind: 'fixed', requests },
  });
  await flooded;
  return sample;
};

const p50Of = ({ outcome }: Sample): number => outcome.p50;
const p99Of = ({ outcome }: Sample): number => outcome.p99;

const judge = async (scene: Scene, flooding: Load, server: Server, measured: Measured): Promise<Target> => {
  const floods = { 'of one person': floodOf(scene, 1), 'of a hundred': floodOf(scene, manyPeople) } as const;
  const samples = await interleave(Math.min(3, scene.options.rounds), ['of one person', 'of a hundred'], (name) =>
    scene.timeLimit.take(() => beside(scene, flooding, server, measured, floods[name])),
  );
  heading(`${measured.name} of others, ${measured.perSecond} a second, beside ${inFlight} changeName in flight`);
  printSampleHeader();
  printSamples('of one person', samples['of one person']);
  printSamples('of a hundred', samples['of a hundred']);
  return {
    what: `${measured.name} of others: p99 beside ${inFlight} changes of one person relative to those of a hundred people`,
    value: ratio(samples['of one person'], samples['of a hundred'], p99Of),
    bound: 3,
    atLeast: false,
    unit: '',
  };
};

/** With the limits, the network that sends the documents has a share of the processor. */
const compareDocuments = async (scene: Scene, flooding: Load, unlimited: Server): Promise<void> => {
  const servers = { limited: scene.peers.gatehouse, unlimited } as const;
  const samples = await interleave(Math.min(3, scene.options.rounds), ['limited', 'unlimited'], (name) =>
    scene.timeLimit.take(() => beside(scene, flooding, servers[name], me, floodWith([invalidDocument]))),
  );
  heading(`me of others, ${me.perSecond} a second, beside ${inFlight} documents in flight that are refused`);
  printSampleHeader();
  printSamples('gatehouse', samples.limited);
  printSamples('without limits', samples.unlimited);
  fact('p50 of me, with the limits', medianOf(samples.limited, p50Of), ' ms');
  fact('p50 of me, without', medianOf(samples.unlimited, p50Of), ' ms');
};
