/** Everything that stands while it is measured: the database, the three servers, the load generator. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Job } from './load/job.ts';
import { startLoad } from './load/start-load.ts';
import type { Options } from './options.ts';
import { measureCpu, type Server, startServer } from './processes.ts';
import { Patience } from './quiet.ts';
import type { Sample } from './report.ts';
import { floor, gatehouse, productionSettings, withoutDatabase } from './servers/settings.ts';
import { openStage, type Stage } from './stage.ts';

export interface Peers {
  readonly gatehouse: Server;
  readonly withoutDatabase: Server;
  readonly floor: Server;
}

export interface Scene {
  readonly options: Options;
  readonly stage: Stage;
  readonly peers: Peers;
  /** For measurements that are more than one sample. */
  readonly patience: Patience;
  /** Puts load on one server and answers what it did and what it cost; repeats what others disturbed. */
  sample(server: Server, job: Omit<Job, 'port'>): Promise<Sample>;
  /** The same, just once. */
  sampleOnce(server: Server, job: Omit<Job, 'port'>): Promise<Sample>;
}

/** Builds the scene, hands it to `work`, and takes it down whatever happens. */
export const withScene = async <T>(options: Options, work: (scene: Scene) => Promise<T>): Promise<T> => {
  const closers: (() => Promise<unknown>)[] = [];
  try {
    const stage = await openStage(options);
    closers.push(() => stage.drop());
    const load = startLoad();
    closers.push(() => load.stop());
    const peers = await startPeers(stage, options, closers);
    const patience = new Patience(options.patience);
    const sampleOnce: Scene['sampleOnce'] = async (server, job) => {
      const run = () => load.run({ ...job, port: server.port });
      const { result, cpu } = await measureCpu(server.pid, () => stage.backends(), run);
      return { outcome: result, cpu };
    };
    const sample: Scene['sample'] = (server, job) => patience.take(() => sampleOnce(server, job));
    return await Promise.race([work({ options, stage, peers, patience, sample, sampleOnce }), interruption()]);
  } finally {
    for (const close of closers.reverse()) await close();
  }
};

/** Rejects when somebody stops the run, so that the database goes all the same. */
const interruption = (): Promise<never> =>
  new Promise((_resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => reject(new Error(`Stopped by ${signal}`)));
    }
  });

const startPeers = async (stage: Stage, options: Options, closers: (() => Promise<unknown>)[]): Promise<Peers> => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  closers.push(() => rm(directory, { recursive: true }));
  const tokensFile = join(directory, 'tokens.json');
  await writeFile(tokensFile, JSON.stringify(stage.seeded.accessTokens), { mode: 0o600 });
  const settings = { ...productionSettings(stage.databaseUrl, options.cost), BENCH_TOKENS: tokensFile };
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
