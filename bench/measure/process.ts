/** The process of `serve` on PostgreSQL: time to its first authenticated answer, and idle memory. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Probe, residentMegabytes, startServer } from '../processes.ts';
import { fact, heading, type Target } from '../report.ts';
import { interleave, median } from '../rounds.ts';
import type { Scene } from '../scene.ts';
import { floor, origin, productionSettings, serveBy, sources } from '../servers/settings.ts';

const settleMilliseconds = 2000;

const variants = ['gatehouse', 'sources', 'floor'] as const;
type Variant = (typeof variants)[number];

interface Start {
  readonly milliseconds: number;
  readonly resident: number | null;
}

export const measureProcess = async (scene: Scene): Promise<readonly Target[]> => {
  // Compiles what a start runs, for the cache of compiled code.
  for (const name of variants) await start(scene, name);
  const starts = await interleave(scene.options.rounds, variants, (name) => start(scene, name));
  const uncached = await start(scene, 'gatehouse', { NODE_DISABLE_COMPILE_CACHE: '1' });
  heading(`serve on PostgreSQL, ${scene.options.rounds} starts, from spawn until an authenticated me is answered`);
  for (const name of variants) {
    fact(`${name}: first authenticated answer, median`, firstAnswerOf(starts[name]), ' ms', 0);
    fact(
      `${name}: resident memory ${settleMilliseconds / 1000} s after it, median`,
      residentOf(starts[name]),
      ' MB',
      0,
    );
  }
  fact('gatehouse: first authenticated answer, without the compile cache', uncached.milliseconds, ' ms', 0);
  const [value, resident] = [firstAnswerOf(starts.gatehouse) / 1000, residentOf(starts.gatehouse)];
  return [
    { what: 'process: idle memory on PostgreSQL', value: resident, bound: 95, atLeast: false, unit: ' MB' },
    { what: 'process: first authenticated answer', value, bound: 0.4, atLeast: false, unit: ' s' },
  ];
};

const start = async (scene: Scene, name: Variant, added: Readonly<Record<string, string>> = {}): Promise<Start> => {
  await scene.timeLimit.waitUntilQuiet();
  const settings = { ...productionSettings(scene.stage.databaseUrl, scene.options.cost), ...added };
  const server = await startServer(argumentsOf(scene, name), settings, probeOf(scene, name));
  await sleep(settleMilliseconds);
  const resident = residentMegabytes(server.pid);
  await server.stop();
  return { milliseconds: server.startMilliseconds, resident };
};

const argumentsOf = (scene: Scene, name: Variant): readonly string[] =>
  ({ gatehouse: scene.gatehouse, sources: serveBy(sources), floor })[name];

const query = JSON.stringify({ operationName: 'FetchMe', query: 'query FetchMe { me { id email name } }' });

const probeOf = (scene: Scene, name: Variant): Probe => {
  const authorization = `Bearer ${scene.stage.seeded.accessTokens[0]}`;
  if (name === 'floor') return { path: '/me', headers: { authorization } };
  const headers = { authorization, host: new URL(origin).host, 'content-type': 'application/json' };
  return { method: 'POST', path: '/graphql', headers, body: query };
};

const firstAnswerOf = (starts: readonly Start[]): number => median(starts.map(({ milliseconds }) => milliseconds));

const residentOf = (starts: readonly Start[]): number | null => {
  const known = starts.map(({ resident }) => resident).filter((resident) => resident !== null);
  return known.length === 0 ? null : median(known);
};
