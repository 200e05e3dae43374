/** What each message asks for in each revision of the protocol, and what is refused, as the official SDK decides it. */
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../src/domain/tools/catalogue.ts';
import { discovery, handshake, toolList } from '../../src/mcp/answers.ts';
import { type Message, RpcRefusal, readMessage } from '../../src/mcp/json-rpc.ts';
import { type McpRequest, mcpRequestOf } from '../../src/mcp/methods.ts';
import { versionRefusal } from '../../src/mcp/revisions.ts';
import { serverInfoOf } from '../../src/mcp/surface.ts';
import { type MessageCase, messageCases, telltale } from '../support/clients/mcp-messages.ts';
import { askSdk, type SdkAnswer } from '../support/servers/sdk-mcp.ts';

const ask = ({ body, headers }: MessageCase): McpRequest | RpcRefusal | null =>
  mcpRequestOf(readMessage(Buffer.from(body)), {
    version: headers['mcp-protocol-version'],
    method: headers['mcp-method'],
    name: headers['mcp-name'],
  });

type Outcome = readonly [status: number, code: number | 'result'];

/** How the service answers, as far as the message alone decides it. */
const ownOutcome = (each: MessageCase): Outcome => {
  const asked = ask(each);
  if (asked instanceof RpcRefusal) return [asked.status, asked.error.code];
  const isUnknownTool = asked?.kind === 'call' && !catalogue.some(({ name }) => name === toolIn(each));
  return [200, isUnknownTool ? -32602 : 'result'];
};

const toolIn = ({ body }: MessageCase): unknown => (JSON.parse(body) as { params: { name: unknown } }).params.name;

const serverInfo = serverInfoOf('Gatehouse', 'Platform MCP');
const introduced = { info: serverInfo, instructions: 'Ask before you change anything.' };

/**
 * The SDK reports wrong params of `tools/list` and of the handshake as an internal error, with the validator's report.
 */
const sdkOutcome = ({ status, body }: SdkAnswer): Outcome => [
  status,
  body.error === undefined ? 'result' : body.error.code === -32603 ? -32602 : body.error.code,
];

const isStream = ({ body }: MessageCase): boolean => body.includes('subscriptions/listen');

/** Rules of the service's own: no streams, and a version that is not served is refused first, for all methods alike. */
const isDecidedBefore = (each: MessageCase): boolean => {
  const { method, params } = JSON.parse(each.body) as { method: string; params?: unknown };
  return isStream(each) || versionRefusal(method, params, each.headers['mcp-protocol-version']) !== null;
};

describe('The dispatch', () => {
  // Contract: platform-mcp#protocol-versions — Serves clients of four versions at one path, statelessly
  it('answers every message with the status and code of the official SDK', async () => {
    const differing: unknown[] = [];
    for (const each of messageCases.filter((message) => !isDecidedBefore(message))) {
      const expected = sdkOutcome(await askSdk(JSON.parse(each.body), each.headers));
      const own = ownOutcome(each);
      if (String(own) !== String(expected)) differing.push({ message: each.title, own, expected });
    }
    expect(differing).toEqual([]);
    expect(messageCases.length).toBeGreaterThan(2000);
  });

  it('refuses streams in every revision', () => {
    const outcomes = new Set(messageCases.filter(isStream).map((each) => String(ownOutcome(each))));
    expect([...outcomes]).toEqual(['404,-32601']);
  });

  // Contract: platform-mcp#protocol-versions — A refusal quotes nothing of the message
  it('refuses without quoting the message', () => {
    const quoting = messageCases.filter((each) => {
      const asked = ask(each);
      return asked instanceof RpcRefusal && JSON.stringify(asked.error).includes(telltale);
    });
    expect(quoting).toEqual([]);
  });
});

describe('Answers', () => {
  const askedOf = (message: object): Promise<SdkAnswer> => askSdk({ jsonrpc: '2.0', id: 1, ...message }, {});

  it('hold the members of the SDK’s answers', async () => {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
    const greeted = await askedOf({ method: 'initialize', params });
    expect(JSON.parse(handshake('2025-06-18', introduced))).toMatchObject({
      protocolVersion: greeted.body.result?.['protocolVersion'],
      capabilities: greeted.body.result?.['capabilities'],
    });
    const listed = await askedOf({ method: 'tools/list' });
    expect(JSON.parse(toolList(catalogue, 'handshake', serverInfo))).toMatchObject(listed.body.result ?? {});
    expect(JSON.parse(discovery(introduced))).toMatchObject({
      resultType: 'complete',
      cacheScope: 'private',
      ttlMs: 0,
    });
  });

  it('list the tools once for each set of them', () => {
    const [first] = catalogue;
    if (first === undefined) throw new Error('There is no tool');
    expect(toolList([first], 'request', serverInfo)).toBe(toolList([first], 'request', serverInfo));
    expect(JSON.parse(toolList([], 'handshake', serverInfo))).toEqual({ tools: [] });
    expect(JSON.parse(toolList([first], 'handshake', serverInfo))).toMatchObject({ tools: [{ name: first.name }] });
    expect(JSON.parse(toolList([first], 'request', serverInfo))).toMatchObject({
      cacheScope: 'private',
      tools: [{ name: first.name }],
    });
  });

  it('are no message', () => {
    const message: Message = readMessage(Buffer.from('{"jsonrpc":"2.0","id":1,"result":{}}'));
    expect(mcpRequestOf(message, { version: undefined, method: undefined, name: undefined })).toBeNull();
  });
});
