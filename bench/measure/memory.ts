/** The memory of one process of `serve` under every kind of load, one after the other, and half a minute later. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, RequestText } from '../load/job.ts';
import { peakMegabytes, residentMegabytes, startServer } from '../processes.ts';
import { fact, heading, type Target } from '../report.ts';
import type { Scene } from '../scene.ts';
import { productionSettings } from '../servers/settings.ts';
import { signIns } from './sign-in.ts';

const secondsEach = 10;
const idleSeconds = 30;

export const measureMemory = async (scene: Scene): Promise<readonly Target[]> => {
  const settings = productionSettings(scene.stage.databaseUrl, scene.options.cost);
  const server = await startServer(scene.gatehouse, settings);
  try {
    heading(`resident memory of one process under every kind of load, ${secondsEach} s each`);
    for (const [name, job] of loads(scene)) {
      await scene.sampleOnce(server, { ...job, seconds: secondsEach });
      fact(`most so far, after ${name}`, peakMegabytes(server.pid), ' MB', 0);
    }
    await sleep(idleSeconds * 1000);
    fact(`${idleSeconds} s later`, residentMegabytes(server.pid), ' MB', 0);
    const value = peakMegabytes(server.pid);
    return [{ what: 'memory: most under every kind of load', value, bound: 300, atLeast: false, unit: ' MB' }];
  } finally {
    await server.stop();
  }
};

type Load = Omit<Job, 'port' | 'seconds'>;

const rotating = 20;

const loads = (scene: Scene): readonly (readonly [name: string, load: Load])[] => {
  const { accessTokens, mcpTokens, pairs } = scene.stage.seeded;
  // The first pairs are those of the section on refreshes, which has rotated them.
  const ownPairs = pairs.slice(rotating, 2 * rotating);
  return [
    ['me', { connections: 50, workload: { kind: 'fixed', requests: accessTokens.map(meOf) } }],
    ['refreshes', { connections: rotating, workload: { kind: 'rotate', path: '/graphql', pairs: ownPairs } }],
    ['sign-ins', { connections: 8, workload: { kind: 'fixed', requests: signIns(scene) } }],
    ['tools/call', { connections: 10, rate: 200, workload: { kind: 'fixed', requests: mcpTokens.map(whoamiOf) } }],
    ['lists', { connections: 10, workload: { kind: 'fixed', requests: administrators(scene).map(listOf) } }],
    [
      'a crowd of sign-ins',
      { connections: 100, acceptsRefusals: true, workload: { kind: 'fixed', requests: signIns(scene) } },
    ],
    ['me again', { connections: 50, workload: { kind: 'fixed', requests: accessTokens.map(meOf) } }],
  ];
};

/** The first people are super admins, as many as there are sessions of Platform MCP. */
const administrators = ({ stage: { seeded } }: Scene): readonly string[] =>
  seeded.accessTokens.slice(0, seeded.mcpTokens.length);

const graphql = (query: string, token: string): RequestText => ({
  path: '/graphql',
  body: JSON.stringify({ query }),
  token,
});

const meOf = (token: string): RequestText => graphql('query FetchMe { me { id email name } }', token);

const listOf = (token: string): RequestText =>
  graphql(
    'query List { activeSessions(first: 50) { totalCount nodes { id } pageInfo { hasNextPage endCursor } } }',
    token,
  );

const whoamiOf = (token: string): RequestText => ({
  path: '/mcp',
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'mcp_whoami', arguments: {} } }),
  token,
  accept: 'application/json, text/event-stream',
});
