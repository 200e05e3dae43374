/**
 * The same load on databases of different size: as many active users, more or fewer other rows. All servers run at once
 * and take turns.
 */
import { type Server, startServer } from '../processes.ts';
import { cpuOf, fact, heading, printSampleHeader, printSamples, ratio, type Sample, type Target } from '../report.ts';
import { interleave } from '../rounds.ts';
import type { Sampler, Scene } from '../scene.ts';
import { productionSettings } from '../servers/settings.ts';
import { openStage, type Stage } from '../stage.ts';

/** With four live credentials each they are the smallest size. */
const users = 250;
const credentialsOfUser = 4;
/** Of a crowd: more do not fit into the memory of the load generator. */
const mostPeople = 100_000;
const refreshers = 20;

interface Sized {
  readonly name: string;
  readonly stage: Stage;
  readonly server: Server;
  readonly sampler: Sampler;
}

export const measureScale = async (scene: Scene): Promise<readonly Target[]> => [
  ...(await measureFew(scene)),
  ...(scene.options.hasCrowd ? await measureCrowd(scene) : []),
];

const measureFew = async (scene: Scene): Promise<readonly Target[]> => {
  const closers: (() => Promise<void>)[] = [];
  try {
    const sized: Sized[] = [];
    for (const size of scene.options.sizes) sized.push(await build(scene, size, closers));
    const me = await compare(scene, sized, 'me', 50, meJob);
    await compare(scene, sized, 'refreshAccessToken', refreshers, refreshJob);
    return judge('me', sized, me, 1.15);
  } finally {
    for (const close of closers.reverse()) await close();
  }
};

/**
 * As many people as there are sessions: the rows that a request reads are as many as the table's, and seldom cached.
 */
const measureCrowd = async (scene: Scene): Promise<readonly Target[]> => {
  const closers: (() => Promise<void>)[] = [];
  try {
    const sized: Sized[] = [];
    for (const size of scene.options.sizes) {
      sized.push(await build(scene, size, closers, Math.min(size / credentialsOfUser, mostPeople)));
    }
    return judge('me of everybody', sized, await compare(scene, sized, 'me of everybody', 50, meJob), 1.1);
  } finally {
    for (const close of closers.reverse()) await close();
  }
};

const build = async (scene: Scene, size: number, closers: (() => Promise<void>)[], people = users): Promise<Sized> => {
  const began = performance.now();
  const stage = await openStage(scene.options, {
    users: people,
    pastPairs: 0,
    mcpSessions: 0,
    credentialsOfOthers: size - people * credentialsOfUser,
    peopleWithSession: 0,
    hasFloor: false,
  });
  closers.push(() => stage.drop());
  const server = await startServer(scene.gatehouse, productionSettings(stage.databaseUrl, scene.options.cost));
  closers.push(() => server.stop());
  const name = `${size.toLocaleString('en')} credentials`;
  fact(`a database with ${name} was made in`, (performance.now() - began) / 1000, ' s', 0);
  return { name, stage, server, sampler: scene.samplerOn(stage) };
};

type JobOf = (stage: Stage, seconds: number) => Parameters<Sampler['sample']>[1];

const query = JSON.stringify({ operationName: 'FetchMe', query: 'query FetchMe { me { id email name } }' });

const meJob: JobOf = ({ seeded }, seconds) => {
  const requests = seeded.accessTokens.map((token) => ({ path: '/graphql', body: query, token }));
  return { connections: 50, seconds, workload: { kind: 'fixed', requests } };
};

const refreshJob: JobOf = ({ seeded }, seconds) => {
  const pairs = seeded.pairs.slice(0, refreshers);
  return { connections: refreshers, seconds, workload: { kind: 'rotate', path: '/graphql', pairs } };
};

type Samples = Readonly<Record<string, readonly Sample[]>>;

const compare = async (
  scene: Scene,
  sized: readonly Sized[],
  title: string,
  connections: number,
  jobOf: JobOf,
): Promise<Samples> => {
  const { rounds, seconds } = scene.options;
  const byName = new Map(sized.map((each) => [each.name, each]));
  for (const { sampler, server, stage } of sized) await sampler.sampleOnce(server, jobOf(stage, 3));
  const samples = await interleave(rounds, [...byName.keys()], async (name) => {
    const { sampler, server, stage } = byName.get(name) ?? missing(name);
    return sampler.sample(server, jobOf(stage, seconds));
  });
  heading(`${title} by size of the database, ${connections} connections`);
  printSampleHeader();
  for (const { name } of sized) printSamples(name, samples[name] ?? []);
  return samples;
};

const missing = (name: string): never => {
  throw new Error(`There is no database of ${name}`);
};

const judge = (title: string, sized: readonly Sized[], me: Samples, bound: number): Target[] => {
  const [smallest, largest] = [sized[0]?.name ?? '', sized.at(-1)?.name ?? ''];
  return [
    {
      what: `${title}, 50 connections: CPU per request (server and PostgreSQL) at ${largest} relative to ${smallest}`,
      value: ratio(me[largest] ?? [], me[smallest] ?? [], cpuOf),
      bound,
      atLeast: false,
      unit: '',
    },
  ];
};
