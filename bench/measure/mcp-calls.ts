/**
 * Calls of `mcp_whoami` at `/mcp` and of `whoami` at `/mcp/organization`, each authenticated, recorded durably and
 * answered, beside GraphQL's `me`, beside the floor of a call, which is one look-up and one durable row by hand, and
 * beside the official SDK's example server, which does none of that.
 *
 * By CPU they are compared under as much load as each answers, by latency at a fixed rate: under full load latency
 * shows only how much work a request is.
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
    const { gatehouse, floor } = scene.peers;
    const servers = { 'tools/call': gatehouse, 'organization tools/call': gatehouse, me: gatehouse, floor, sdk };
    return [...(await measureCost(scene, servers)), ...(await measureLatency(scene, servers))];
  } finally {
    await sdk.stop();
  }
};

const compared = ['tools/call', 'organization tools/call', 'me', 'floor', 'sdk'] as const;
type Compared = (typeof compared)[number];

type Servers = Readonly<Record<Compared, Server>>;

const measureCost = async (scene: Scene, servers: Servers): Promise<readonly Target[]> => {
  const { rounds, seconds } = scene.options;
  const jobOf = (name: Compared, duration: number) =>
    ({ connections: manyConnections, seconds: duration, workload: workloadOf(scene, messageOf(name)) }) as const;
  for (const name of compared) await scene.sampleOnce(servers[name], jobOf(name, 3));
  const samples = await interleave(rounds, compared, (name) => scene.sample(servers[name], jobOf(name, seconds)));
  heading(`calls of both surfaces, me, the floor and the SDK's example, ${manyConnections} connections`);
  printSampleHeader();
  for (const name of compared) printSamples(name, samples[name]);
  for (const [tool, name] of surfaces) {
    fact(`${tool} relative to the floor of a call, by CPU`, ratio(samples[name], samples.floor, cpuOf), '');
  }
  return surfaces.flatMap(([tool, name]) => [
    printed(`${tool} relative to me, by CPU (server and PostgreSQL)`, samples[name], samples.me, cpuOf, 5),
    printed(`${tool} relative to the SDK's example, by CPU`, samples[name], samples.sdk, cpuOf, 0.5),
  ]);
};

/** The floor answers the call of Platform MCP. */
const messageOf = (name: Compared): Message => (name === 'floor' ? 'tools/call' : name);

const timed = ['tools/call', 'organization tools/call', 'me', 'floor'] as const;

const measureLatency = async (scene: Scene, servers: Servers): Promise<readonly Target[]> => {
  const { rounds, seconds } = scene.options;
  const jobOf = (name: Compared, duration: number) =>
    ({ connections: fewConnections, seconds: duration, rate, workload: workloadOf(scene, messageOf(name)) }) as const;
  for (const name of timed) await scene.sampleOnce(servers[name], jobOf(name, 3));
  const samples = await interleave(rounds, timed, (name) => scene.sample(servers[name], jobOf(name, seconds)));
  heading(`calls of both surfaces, me and the floor, ${rate} a second over ${fewConnections} connections`);
  printSampleHeader();
  for (const name of timed) printSamples(name, samples[name]);
  fact('half of the calls are answered within', medianOf(samples['tools/call'], p50Of), ' ms');
  for (const [tool, name] of surfaces) {
    fact(`${tool}: p99 relative to that of the floor`, ratio(samples[name], samples.floor, p99Of), '');
  }
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
