/** Sign-ins against the bare bcrypt rate, and the effect of a hundred at once on other requests. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { RequestText } from '../load/job.ts';
import { type Load, startLoad } from '../load/start-load.ts';
import { measureCpu, pathOf, startServer } from '../processes.ts';
import {
  cpuOf,
  heading,
  medianOf,
  printSampleHeader,
  printSamples,
  rateOf,
  ratio,
  type Sample,
  type Target,
} from '../report.ts';
import { interleave } from '../rounds.ts';
import type { Scene } from '../scene.ts';
import type { BcryptJob } from '../servers/bare-bcrypt.ts';
import { productionSettings } from '../servers/settings.ts';
import type { Stage } from '../stage.ts';

/** At least this long a run, whatever the cost: cost 10 takes some 50 ms on one core. */
const runSeconds = 4;
export const timeoutSeconds = 120;

export const measureSignIn = async (scene: Scene): Promise<readonly Target[]> => [
  await measureRate(scene),
  await measureBesideHash(scene),
  await measureNeighbours(scene),
];

/** Fewer would measure how V8 compiles the code of a sign-in. */
export const warmSignIns = 100;
const leastSignIns = 200;

/** The sign-ins of a run, by the cost of a hash. */
export const signInCount = ({ options }: Pick<Scene, 'options'>): number =>
  Math.max(leastSignIns, Math.round((runSeconds * 20 * availableParallelism()) / 2 ** (options.cost - 10)));

const measureRate = async (scene: Scene): Promise<Target> => {
  const { cost, rounds } = scene.options;
  const threads = availableParallelism();
  const count = signInCount(scene);
  const bare = fork(pathOf('./servers/bare-bcrypt.ts'));
  const workload = { kind: 'fixed', requests: signIns(scene) } as const;
  await scene.sampleOnce(scene.peers.gatehouse, {
    connections: 8,
    seconds: timeoutSeconds,
    count: warmSignIns,
    workload,
  });
  const { gatehouse } = scene.peers;
  const job = { connections: 8, seconds: timeoutSeconds, count, workload };
  const measure = {
    gatehouse: () => scene.timeLimit.take(() => scene.sampleOnce(gatehouse, job)),
    bare: () => scene.timeLimit.take(() => compareBare(bare, scene.stage, count)),
  };
  const samples = await interleave(rounds, ['gatehouse', 'bare'], (name) => measure[name]());
  bare.kill();
  heading(`signInWithPassword, bcrypt cost ${cost}, 8 connections; bare: compare on ${threads} threads`);
  printSampleHeader();
  printSamples('gatehouse', samples.gatehouse);
  printSamples('bare bcrypt', samples.bare);
  const value = ratio(samples.gatehouse, samples.bare, rateOf);
  return { what: 'sign-in: rate relative to bare bcrypt', value, bound: 0.9, atLeast: true, unit: '' };
};

/** A sign-in whose password check costs nothing, at full load: beside hashes it would share its caches with them. */
const measureBesideHash = async (scene: Scene): Promise<Target> => {
  const { options, peerSettings, stage } = scene;
  const settings = { ...productionSettings(stage.databaseUrl, options.cost), ...peerSettings };
  const server = await startServer([pathOf('./servers/instant-passwords.ts')], settings);
  const workload = { kind: 'fixed', requests: signIns(scene) } as const;
  const samples: Sample[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    samples.push(await scene.sample(server, { connections: 8, seconds: options.seconds, workload }));
  }
  await server.stop();
  heading('signInWithPassword without the hash, 8 connections');
  printSampleHeader();
  printSamples('gatehouse', samples);
  const value = medianOf(samples, cpuOf);
  return {
    what: 'sign-in: CPU beside the hash (server and PostgreSQL)',
    value,
    bound: 0.9,
    atLeast: false,
    unit: ' ms',
  };
};

/** @param child a process of `bare-bcrypt.ts` */
export const compareBare = async (child: ChildProcess, stage: Stage, count: number): Promise<Sample> => {
  const job: BcryptJob = { password: stage.seeded.password, hash: stage.passwordHash, count };
  const compare = async (): Promise<number> => {
    child.send(job);
    const [seconds] = (await once(child, 'message')) as [number];
    return seconds;
  };
  const { result: seconds, cpu } = await measureCpu(child.pid ?? 0, () => stage.backends(), compare);
  const each = (seconds * 1000 * availableParallelism()) / count;
  return { outcome: { requests: count, seconds, p50: each, p99: each, longest: each, ownCpu: 0 }, cpu };
};

const mutation = `mutation SignIn($input: SignInWithPasswordInput!) {
  signInWithPassword(input: $input) { accessToken refreshToken accessTokenExpiresAt refreshTokenExpiresAt } }`;

/** Each person has their own network, whose limit is 2,000 sign-ins at once and 2 a second. */
export const signIns = ({ stage }: Scene): RequestText[] =>
  stage.seeded.emails.map((email, index) => ({
    path: '/graphql',
    body: JSON.stringify({ query: mutation, variables: { input: { email, password: stage.seeded.password } } }),
    token: null,
    from: `198.19.${index >> 8}.${index % 256}`,
  }));

const steadyConnections = 10;
const steadyPerSecond = 200;
const crowdSize = 100;
/** The crowd takes a while to be served: a minute a round at cost 12 on two slow cores. */
const maxRounds = 3;

/** A steady stream of `me`, alone and then while a hundred sign-ins are in flight all the time. */
const measureNeighbours = async (scene: Scene): Promise<Target> => {
  const seconds = Math.max(5, scene.options.seconds);
  const job = {
    connections: steadyConnections,
    seconds,
    rate: steadyPerSecond,
    workload: { kind: 'fixed', requests: scene.stage.seeded.accessTokens.map(meOf) },
  } as const;
  const crowd = startLoad();
  const duringCrowd = async (): Promise<Sample> => {
    const signingIn = signInTogether(crowd, scene, seconds + 1);
    const sample = await scene.sampleOnce(scene.peers.gatehouse, job);
    await signingIn;
    return sample;
  };
  const [alone, during]: [Sample[], Sample[]] = [[], []];
  for (let round = 0; round < Math.min(maxRounds, scene.options.rounds); round += 1) {
    alone.push(await scene.sample(scene.peers.gatehouse, job));
    during.push(await scene.timeLimit.take(duringCrowd));
  }
  await crowd.stop();
  heading(`me, ${steadyPerSecond} a second over ${steadyConnections} connections, ${seconds} s`);
  printSampleHeader();
  printSamples('alone', alone);
  printSamples(`while ${crowdSize} sign-ins are in flight`, during);
  const value = medianOf(during, ({ outcome }) => outcome.p99);
  return { what: `me: p99 while ${crowdSize} sign-ins are in flight`, value, bound: 100, atLeast: false, unit: ' ms' };
};

/** Each of the crowd signs in again as soon as it was answered, or refused for now. */
const signInTogether = (crowd: Load, scene: Scene, seconds: number) =>
  crowd.run({
    port: scene.peers.gatehouse.port,
    connections: crowdSize,
    seconds,
    // The queue of hashes is bounded, and the service refuses beyond it.
    acceptsRefusals: true,
    workload: { kind: 'fixed', requests: signIns(scene) },
  });

const meOf = (token: string): RequestText => ({
  path: '/graphql',
  body: JSON.stringify({ operationName: 'FetchMe', query: 'query FetchMe { me { id email name } }' }),
  token,
});
