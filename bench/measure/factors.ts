/** Sign-ins by a passkey, and by a password with a one-time code; each is two requests, which count as one. */
import { fork } from 'node:child_process';
import pg from 'pg';
import type { CodeHolder, PasskeyHolder } from '../load/job.ts';
import { pathOf, type Server, startServer } from '../processes.ts';
import { heading, printSampleHeader, printSamples, rateOf, ratio, type Target } from '../report.ts';
import { interleave } from '../rounds.ts';
import type { Sampler, Scene } from '../scene.ts';
import { forgetSteps, seedCodes, seedPasskeys } from '../seed-factors.ts';
import { productionSettings } from '../servers/settings.ts';
import { openStage, type Stage } from '../stage.ts';
import { compareBare, signInCount, timeoutSeconds, warmSignIns } from './sign-in.ts';

/** On a database of its own: a password alone signs none of its people in. */
export const measureFactors = async (scene: Scene): Promise<readonly Target[]> => {
  const { options } = scene;
  const none = { pastPairs: 10, mcpSessions: 0, credentialsOfOthers: 0, peopleWithSession: 0, hasFloor: false };
  const stage = await openStage(options, { users: options.users, ...none });
  const client = new pg.Client(stage.databaseUrl);
  try {
    await client.connect();
    const settings = productionSettings(stage.databaseUrl, options.cost);
    const passkeys = await seedPasskeys(client, stage.seeded);
    const codes = await seedCodes(client, stage.seeded, settings['GATEHOUSE_SECRET'] ?? '');
    const server = await startServer(scene.gatehouse, settings);
    try {
      const place = { scene, stage, server, sampler: scene.samplerOn(stage) };
      return [await measurePasskeys(place, passkeys), await measureCodes(place, codes, client)];
    } finally {
      await server.stop();
    }
  } finally {
    await client.end();
    await stage.drop();
  }
};

interface Place {
  readonly scene: Scene;
  readonly stage: Stage;
  readonly server: Server;
  readonly sampler: Sampler;
}

const connections = 8;

const meBody = JSON.stringify({ operationName: 'FetchMe', query: 'query FetchMe { me { id email name } }' });

/** A sign-in may take 3 ms on a machine on which `me` takes 0.024, as it does in docs/performance.md. */
const mostRelativeToMe = 125;

const measurePasskeys = async (
  { scene, stage, server, sampler }: Place,
  holders: readonly PasskeyHolder[],
): Promise<Target> => {
  const { rounds, seconds } = scene.options;
  const workload = { kind: 'passkeys', holders } as const;
  // Enough for all code to be loaded and compiled.
  await sampler.sampleOnce(server, { connections, seconds: timeoutSeconds, count: 2000, workload });
  const requests = stage.seeded.accessTokens.map((token) => ({ path: '/graphql', body: meBody, token }));
  const me = { connections: 50, seconds, workload: { kind: 'fixed', requests } } as const;
  await sampler.sampleOnce(server, me);
  const measured = { passkey: { connections, seconds, workload }, me };
  const samples = await interleave(rounds, ['passkey', 'me'], (name) => sampler.sample(server, measured[name]));
  heading(`signInWithPasskeyOptions and signInWithPasskey, ${connections} connections`);
  printSampleHeader();
  printSamples('gatehouse', samples.passkey);
  printSamples('me, 50 connections', samples.me);
  return {
    what: 'sign-in by a passkey, options included: CPU (server) relative to `me`',
    value: ratio(samples.passkey, samples.me, ({ outcome, cpu }) =>
      cpu.server === null ? null : cpu.server / outcome.requests,
    ),
    bound: mostRelativeToMe,
    atLeast: false,
    unit: '',
  };
};

const measureCodes = async (
  { scene, stage, server, sampler }: Place,
  holders: readonly CodeHolder[],
  client: pg.ClientBase,
): Promise<Target> => {
  const count = signInCount(scene);
  const signIn = async (signIns: number) => {
    await forgetSteps(client);
    const workload = { kind: 'codes', holders } as const;
    return sampler.sampleOnce(server, { connections, seconds: timeoutSeconds, count: signIns, workload });
  };
  const bare = fork(pathOf('./servers/bare-bcrypt.ts'));
  try {
    await signIn(warmSignIns);
    const measure = { codes: () => signIn(count), bare: () => compareBare(bare, stage, count) };
    const samples = await interleave(scene.options.rounds, ['codes', 'bare'], (name) =>
      scene.timeLimit.take(measure[name]),
    );
    heading(
      `signInWithPassword and completeSecondFactor, bcrypt cost ${scene.options.cost}, ${connections} connections`,
    );
    printSampleHeader();
    printSamples('gatehouse', samples.codes);
    printSamples('bare bcrypt', samples.bare);
    const value = ratio(samples.codes, samples.bare, rateOf);
    const what = 'sign-in by password and one-time code: rate relative to bare bcrypt';
    return { what, value, bound: 0.95, atLeast: true, unit: '' };
  } finally {
    bare.kill();
  }
};
