/**
 * Calls of `mcp_whoami` at `/mcp` and of `whoami` at `/mcp/organization`, each authenticated, recorded durably and
 * answered, beside GraphQL's `me` and beside the official SDK's example server, which does none of that.
 *
 * By CPU they are compared under as much load as each answers, by latency at a fixed rate: under full load latency shows
 * only how much work a request is.
 */
import { type Server, startServer } from '../processes.ts';
import {
  cpuOf,
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
import { sdkServer } from '../servers/settings.ts';
import { type Message, workloadOf } from './mcp-requests.ts';

const manyConnections = 50;
const fewConnections = 10;
/** Requests a second. */
const rate = 200;

/** Calls of both surfaces, by the name of their tool. */
const surfaces = [
  ['mcp_whoami', 'tools/call'],
  ['whoami', 'organization tools/call'],
] as const;

export const measureMcpCalls = async (scene: Scene): Promise<readonly Target[]> => {
  const sdk = await startServer(sdkServer, { NODE_ENV: 'production' });
  try {
    return [...(await measureCost(scene, sdk)), ...(await measureLatency(scene))];
  } finally {
    await sdk.stop();
  }
};

const compared = ['tools/call', 'organization tools/call', 'me', 'sdk'] as const;

const measureCost = async (scene: Scene, sdk: Server): Promise<readonly Target[]> => {
  const { rounds, seconds } = scene.options;
  const serverOf = (name: Message): Server => (name === 'sdk' ? sdk : scene.peers.gatehouse);
  const jobOf = (message: Message, duration: number) =>
    ({ connections: manyConnections, seconds: duration, workload: workloadOf(scene, message) }) as const;
  for (const name of compared) await scene.sampleOnce(serverOf(name), jobOf(name, 3));
  const samples = await interleave(rounds, compared, (name) => scene.sample(serverOf(name), jobOf(name, seconds)));
  heading(`calls of both surfaces, me and the SDK's example, ${manyConnections} connections`);
  printSampleHeader();
  for (const name of compared) printSamples(name, samples[name]);
  return surfaces.flatMap(([tool, name]) => [
    printed(`${tool} relative to me, by CPU (server and PostgreSQL)`, samples[name], samples.me, cpuOf, 5),
    printed(`${tool} relative to the SDK's example, by CPU`, samples[name], samples.sdk, cpuOf, 0.5),
  ]);
};

const timed = ['tools/call', 'organization tools/call', 'me'] as const;

const measureLatency = async (scene: Scene): Promise<readonly Target[]> => {
  const { gatehouse: server } = scene.peers;
  const { rounds, seconds } = scene.options;
  const jobOf = (message: Message, duration: number) =>
    ({ connections: fewConnections, seconds: duration, rate, workload: workloadOf(scene, message) }) as const;
  for (const name of timed) await scene.sampleOnce(server, jobOf(name, 3));
  const samples = await interleave(rounds, timed, (name) => scene.sample(server, jobOf(name, seconds)));
  heading(`calls of both surfaces and me, ${rate} a second over ${fewConnections} connections`);
  printSampleHeader();
  for (const name of timed) printSamples(name, samples[name]);
  fact('half of the calls are answered within', medianOf(samples['tools/call'], p50Of), ' ms');
  return surfaces.map(([tool, name]) =>
    printed(`${tool}, ${rate} a second: p99 relative to that of me`, samples[name], samples.me, p99Of, 2),
  );
};

const p50Of = ({ outcome }: Sample): number => outcome.p50;
const p99Of = ({ outcome }: Sample): number => outcome.p99;

/** The target of a ratio of medians; prints the least and the greatest ratio of a round. */
const printed = (
  what: string,
  over: readonly Sample[],
  under: readonly Sample[],
  figureOf: (sample: Sample) => number | null,
  bound: number,
): Target => {
  const perRound = over.map((sample, round) => ratio([sample], under.slice(round, round + 1), figureOf));
  const known = perRound.filter((value) => value !== null);
  if (known.length > 0) {
    fact(`${what}: least of a round`, Math.min(...known), '');
    fact(`${what}: greatest`, Math.max(...known), '');
  }
  return { what, value: ratio(over, under, figureOf), bound, atLeast: false, unit: '' };
};
