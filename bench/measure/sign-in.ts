/** Sign-ins against the bare bcrypt rate, and what a hundred of them at once leave to everybody else. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { RequestText } from '../load/job.ts';
import { startLoad } from '../load/start-load.ts';
import { pathOf } from '../processes.ts';
import { fact, heading, printSampleHeader, printSamples, type Sample, type Target } from '../report.ts';
import { interleave, median } from '../rounds.ts';
import type { Scene } from '../scene.ts';
import type { BcryptJob } from '../servers/bare-bcrypt.ts';

/** About this long a run, whatever the cost: cost 10 takes some 50 ms on one core. */
const runSeconds = 4;
const patienceSeconds = 120;

export const measureSignIn = async (scene: Scene): Promise<readonly Target[]> => [
  await measureRate(scene),
  await measureNeighbours(scene),
];

const measureRate = async (scene: Scene): Promise<Target> => {
  const { cost, rounds } = scene.options;
  const count = Math.max(16, Math.round((runSeconds * 20 * availableParallelism()) / 2 ** (cost - 10)));
  const bare = fork(pathOf('./servers/bare-bcrypt.ts'));
  const bareRate = async (): Promise<number> => count / (await compareBare(bare, scene, count));
  await bareRate();
  const samples: Sample[] = [];
  const rates = await interleave(rounds, ['gatehouse', 'bare'] as const, async (name) => {
    if (name === 'bare') return bareRate();
    const sample = await scene.sample(scene.peers.gatehouse, {
      connections: 8,
      seconds: patienceSeconds,
      count,
      workload: { kind: 'fixed', requests: signIns(scene) },
    });
    samples.push(sample);
    return sample.outcome.requests / sample.outcome.seconds;
  });
  bare.kill();
  heading(`signInWithPassword, bcrypt cost ${cost}, 8 connections`);
  printSampleHeader();
  printSamples('gatehouse', samples);
  fact(`bare bcrypt on ${availableParallelism()} threads`, median(rates.bare), ' a second');
  const value = median(rates.gatehouse) / median(rates.bare);
  return { what: 'sign-in: rate relative to bare bcrypt', value, bound: 0.9, atLeast: true, unit: '' };
};

const compareBare = async (child: ChildProcess, { stage }: Scene, count: number): Promise<number> => {
  const job: BcryptJob = { password: stage.seeded.password, hash: stage.passwordHash, count };
  child.send(job);
  const [seconds] = (await once(child, 'message')) as [number];
  return seconds;
};

const mutation = `mutation SignIn($input: SignInWithPasswordInput!) {
  signInWithPassword(input: $input) { accessToken refreshToken accessTokenExpiresAt refreshTokenExpiresAt } }`;

const signIns = ({ stage }: Scene): RequestText[] =>
  stage.seeded.emails.map((email) => ({
    path: '/graphql',
    body: JSON.stringify({ query: mutation, variables: { input: { email, password: stage.seeded.password } } }),
    token: null,
  }));

const paceConnections = 10;
const pacePerSecond = 200;

/** A steady stream of `me`, alone and then while a hundred sign-ins are in flight all the time. */
const measureNeighbours = async (scene: Scene): Promise<Target> => {
  const seconds = Math.max(5, scene.options.seconds);
  const me = (): Promise<Sample> =>
    scene.sample(scene.peers.gatehouse, {
      connections: paceConnections,
      seconds,
      rate: pacePerSecond,
      workload: { kind: 'fixed', requests: scene.stage.seeded.accessTokens.map(meOf) },
    });
  const alone = await me();
  const crowd = startLoad();
  const signingIn = crowd.run({
    port: scene.peers.gatehouse.port,
    connections: 100,
    seconds: seconds + 1,
    workload: { kind: 'fixed', requests: signIns(scene) },
  });
  const beside = await me();
  await signingIn;
  await crowd.stop();
  heading(`me, ${pacePerSecond} a second over ${paceConnections} connections, ${seconds} s`);
  printSampleHeader();
  printSamples('alone', [alone]);
  printSamples('while 100 sign-ins are in flight', [beside]);
  const value = beside.outcome.p99;
  return { what: 'me: p99 while 100 sign-ins are in flight', value, bound: 100, atLeast: false, unit: ' ms' };
};

const meOf = (token: string): RequestText => ({
  path: '/graphql',
  body: JSON.stringify({ operationName: 'FetchMe', query: 'query FetchMe { me { id email name } }' }),
  token,
});
