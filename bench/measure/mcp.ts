/**
 * Platform MCP: a call of the tool mcp_whoami, which is authenticated, recorded durably and answered, and tools/list.
 * By CPU they are compared with a floor, under as much load as each answers, with one process and with two workers.
 */
import { type Server, startServer } from '../processes.ts';
import { cpuOf, fact, heading, printSampleHeader, printSamples, ratio, type Sample, type Target } from '../report.ts';
import { interleave } from '../rounds.ts';
import type { Scene } from '../scene.ts';
import { productionSettings } from '../servers/settings.ts';
import { type Message, workloadOf } from './mcp-requests.ts';

const variants = ['call', 'call, 2 workers', 'call, no limits', 'list', 'list, no limits', 'floor of a call'] as const;
type Variant = (typeof variants)[number];

const manyConnections = 50;

/** The servers besides the peers, which all other sections need too. */
interface OwnServers {
  readonly twoWorkers: Server;
  readonly unlimited: Server;
}

export const measureMcp = async (scene: Scene): Promise<readonly Target[]> => {
  const settings = { ...productionSettings(scene.stage.databaseUrl, scene.options.cost), ...scene.peerSettings };
  const twoWorkers = await startServer([...scene.gatehouse, '--workers', '2'], settings);
  // Production refuses to run without limits.
  const unlimited = await startServer(scene.gatehouse, {
    ...settings,
    NODE_ENV: 'test',
    RATE_LIMITS_ENABLED: 'false',
  });
  try {
    return judge(await sampleCost(scene, { twoWorkers, unlimited }));
  } finally {
    await Promise.all([twoWorkers.stop(), unlimited.stop()]);
  }
};

type Samples = Readonly<Record<Variant, readonly Sample[]>>;

const sampleCost = async (scene: Scene, own: OwnServers): Promise<Samples> => {
  const { rounds, seconds } = scene.options;
  const measured: Readonly<Record<Variant, readonly [Server, Message]>> = {
    call: [scene.peers.gatehouse, 'tools/call'],
    'call, 2 workers': [own.twoWorkers, 'tools/call'],
    'call, no limits': [own.unlimited, 'tools/call'],
    list: [scene.peers.gatehouse, 'tools/list'],
    'list, no limits': [own.unlimited, 'tools/list'],
    'floor of a call': [scene.peers.floor, 'tools/call'],
  };
  const jobOf = (message: Message, duration: number) =>
    ({ connections: manyConnections, seconds: duration, workload: workloadOf(scene, message) }) as const;
  for (const name of variants) await scene.sampleOnce(measured[name][0], jobOf(measured[name][1], 3));
  const samples = await interleave(rounds, variants, (name) =>
    scene.sample(measured[name][0], jobOf(measured[name][1], seconds)),
  );
  heading(`tools/call mcp_whoami and tools/list, ${manyConnections} connections`);
  printSampleHeader();
  for (const name of variants) printSamples(name, samples[name]);
  return samples;
};

const judge = (samples: Samples): readonly Target[] => {
  const relative = (what: string, over: Variant, under: Variant, bound: number): Target => ({
    what: `${what}, by CPU (server and PostgreSQL)`,
    value: ratio(samples[over], samples[under], cpuOf),
    bound,
    atLeast: false,
    unit: '',
  });
  fact(
    'a call without limits relative to the floor',
    ratio(samples['call, no limits'], samples['floor of a call'], cpuOf),
    '',
  );
  return [
    relative('tools/call relative to the floor', 'call', 'floor of a call', 1.3),
    relative('tools/call with two workers relative to one process', 'call, 2 workers', 'call', 1),
    relative('tools/list relative to the floor of a call', 'list', 'floor of a call', 1.05),
  ];
};
