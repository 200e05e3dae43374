/** Resources of a measurement: the database, the three servers, the load generator. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundleService } from '../scripts/service-bundle.ts';
import type { Job } from './load/job.ts';
import { type Load, startLoad } from './load/start-load.ts';
import type { Options } from './options.ts';
import { measureCpu, type Server, startServer } from './processes.ts';
import { Timeouts } from './quiet.ts';
import type { Sample } from './report.ts';
import { floor, productionSettings, serveBy, withoutDatabase } from './servers/settings.ts';
import { openStage, type Stage } from './stage.ts';

export interface Peers {
  readonly gatehouse: Server;
  readonly withoutDatabase: Server;
  readonly floor: Server;
}

export interface Sampler {
  /** Loads one warm server, and returns results and costs; repeats disturbed measurements. */
  sample(server: Server, job: Omit<Job, 'port'>): Promise<Sample>;
  /** The same, once and without repetition. */
  sampleOnce(server: Server, job: Omit<Job, 'port'>): Promise<Sample>;
}

/** The sampler of servers on the scene's own stage. */
export interface Scene extends Sampler {
  readonly options: Options;
  readonly stage: Stage;
  readonly peers: Peers;
  /** Arguments of Node for `serve`, from the same bundle as the image. */
  readonly gatehouse: readonly string[];
  /** The environment of a server over the same database and the same tokens, in addition to its own settings. */
  readonly peerSettings: Readonly<Record<string, string>>;
  /** For measurements that are more than one sample. */
  readonly timeLimit: Timeouts;
  /** That of servers on another one. */
  samplerOn(stage: Stage): Sampler;
}

/** Deferred work counts for its own server, not for the next measurement: `serve` writes after 2 s. */
const settleMilliseconds = 2500;

/**
 * While other servers are measured V8 cleans up an idle process, drops machine code, and compiles it again under the
 * next load: half a second of CPU in some rounds and none in others. None of that is the cost of a request.
 */
const leadInSeconds = 2;

/** Creates the resources, passes them to `work`, and always removes them. A signal ends the process after that. */
export const withScene = async <T>(options: Options, work: (scene: Scene) => Promise<T>): Promise<T> => {
  const closers: Closers = [];
  const signals: NodeJS.Signals[] = [];
  try {
    const stage = await openStage(options, {
      users: options.users,
      pastPairs: 10,
      // A session may send 600 messages at once and 2 a second: so many sessions meet no limit.
      mcpSessions: options.users,
      credentialsOfOthers: 0,
      peopleWithSession: 0,
      hasFloor: true,
    });
    closers.push(() => stage.drop());
    const load = startLoad();
    closers.push(() => load.stop());
    const directory = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
    closers.push(() => rm(directory, { recursive: true }));
    const peerSettings = await writeTokens(stage, directory);
    const gatehouse = serveBy(await bundleService(join(directory, 'service')));
    const peers = await startPeers(stage, options, { peerSettings, gatehouse }, closers);
    const timeLimit = new Timeouts(options.timeLimit);
    const samplerOn = (measured: Stage): Sampler => createSampler(load, timeLimit, measured);
    const scene = { options, stage, peers, gatehouse, peerSettings, timeLimit, samplerOn, ...samplerOn(stage) };
    return await Promise.race([work(scene), interruption(signals)]);
  } finally {
    for (const close of closers.reverse()) await close();
    for (const signal of signals) process.kill(process.pid, signal);
  }
};

const createSampler = (load: Load, timeLimit: Timeouts, stage: Stage): Sampler => {
  const sampleOnce: Sampler['sampleOnce'] = async (server, job) => {
    const run = async () => {
      const outcome = await load.run({ ...job, port: server.port });
      await sleep(settleMilliseconds);
      return outcome;
    };
    const { result, cpu } = await measureCpu(server.pid, () => stage.backends(), run);
    return { outcome: result, cpu };
  };
  const sampleWarm: Sampler['sample'] = async (server, job) => {
    await load.run({ ...job, seconds: leadInSeconds, port: server.port });
    return sampleOnce(server, job);
  };
  return { sampleOnce, sample: (server, job) => timeLimit.take(() => sampleWarm(server, job)) };
};

/** Rejects when the run is interrupted, so that the database is dropped. @param signals gets the signal */
const interruption = (signals: NodeJS.Signals[]): Promise<never> =>
  new Promise((_resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        signals.push(signal);
        reject(new Error(`Stopped by ${signal}`));
      });
    }
  });

type Closers = (() => Promise<unknown>)[];

const writeTokens = async (stage: Stage, directory: string): Promise<Readonly<Record<string, string>>> => {
  const tokensFile = join(directory, 'tokens.json');
  await writeFile(tokensFile, JSON.stringify(stage.seeded.accessTokens), { mode: 0o600 });
  return { DATABASE_URL: stage.databaseUrl, BENCH_TOKENS: tokensFile };
};

const startPeers = async (
  stage: Stage,
  options: Options,
  { peerSettings, gatehouse }: Pick<Scene, 'peerSettings' | 'gatehouse'>,
  closers: Closers,
): Promise<Peers> => {
  const settings = { ...productionSettings(stage.databaseUrl, options.cost), ...peerSettings };
  const start = async (args: readonly string[]): Promise<Server> => {
    const server = await startServer(args, settings);
    closers.push(() => server.stop());
    return server;
  };
  return {
    gatehouse: await start(gatehouse),
    withoutDatabase: await start(withoutDatabase),
    floor: await start(floor),
  };
};
