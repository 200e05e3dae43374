/** Requests of both endpoints of the Model Context Protocol, and `me`, with each session of the load in turn. */
import type { Workload } from '../load/job.ts';
import type { Scene } from '../scene.ts';

/** `tools/call` and `tools/list` are of Platform MCP; `sdk` is for the SDK's example, which authenticates nothing. */
export type Message = 'tools/call' | 'tools/list' | 'organization tools/call' | 'sdk' | 'me';

const callOf = (name: string): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: {} },
});

const bodies: Readonly<Record<Message, object>> = {
  'tools/call': callOf('mcp_whoami'),
  'tools/list': { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  'organization tools/call': callOf('whoami'),
  sdk: callOf('whoami'),
  me: { operationName: 'FetchMe', query: 'query FetchMe { me { id email name } }' },
};

export const workloadOf = ({ stage }: Pick<Scene, 'stage'>, message: Message): Workload => {
  const { mcpTokens, organizationMcpTokens, accessTokens } = stage.seeded;
  const body = JSON.stringify(bodies[message]);
  if (message === 'me') {
    return { kind: 'fixed', requests: accessTokens.map((token) => ({ path: '/graphql', body, token })) };
  }
  const isOfOrganization = message === 'organization tools/call';
  const path = isOfOrganization ? '/mcp/organization' : '/mcp';
  const accept = 'application/json, text/event-stream';
  const tokens = isOfOrganization ? organizationMcpTokens : mcpTokens;
  return { kind: 'fixed', requests: tokens.map((token) => ({ path, body, token, accept })) };
};
