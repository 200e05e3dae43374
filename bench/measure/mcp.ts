/**
 * A call of the tool mcp_whoami, which is authenticated, recorded durably and answered, against `me` with a bearer.
 * Both are sent at the same rate: at full speed the load would measure the work of a request, not its latency, and a
 * client of Platform MCP is a person in conversation.
 */
import {
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

const variants = ['mcp_whoami', 'me'] as const;
type Variant = (typeof variants)[number];
const connections = 10;
/** Requests a second. */
const rate = 200;

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'mcp_whoami', arguments: {} } };

export const measureMcp = async (scene: Scene): Promise<readonly Target[]> => {
  const { gatehouse } = scene.peers;
  const { rounds, seconds } = scene.options;
  for (const name of variants) await scene.sampleOnce(gatehouse, jobOf(scene, name, 3));
  const samples = await interleave(rounds, variants, (name) => scene.sample(gatehouse, jobOf(scene, name, seconds)));
  heading(`tools/call mcp_whoami and me, ${rate} a second over ${connections} connections`);
  printSampleHeader();
  for (const name of variants) printSamples(name, samples[name]);
  fact('half of the calls are answered within', medianOf(samples.mcp_whoami, p50Of), ' ms');
  return [
    {
      what: `tools/call mcp_whoami, ${rate} a second: p99 relative to that of me`,
      value: ratio(samples.mcp_whoami, samples.me, p99Of),
      bound: 2,
      atLeast: false,
      unit: '',
    },
  ];
};

const p50Of = ({ outcome }: Sample): number => outcome.p50;
const p99Of = ({ outcome }: Sample): number => outcome.p99;

const jobOf = (scene: Scene, name: Variant, seconds: number) => {
  const { mcpTokens, accessTokens } = scene.stage.seeded;
  const requests = name === 'me' ? accessTokens.map(meOf) : mcpTokens.map(whoamiOf);
  return { connections, seconds, rate, workload: { kind: 'fixed', requests } } as const;
};

const meOf = (token: string) => ({
  path: '/graphql',
  body: JSON.stringify({ operationName: 'FetchMe', query: 'query FetchMe { me { id email name } }' }),
  token,
});

const whoamiOf = (token: string) => ({
  path: '/mcp',
  body: JSON.stringify(call),
  token,
  accept: 'application/json, text/event-stream',
});
