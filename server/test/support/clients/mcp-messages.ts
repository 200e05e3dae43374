/** Messages to POST /mcp, good and bad, in every revision of the protocol: body and headers as a client sends them. */
import { requestIn, type Version, versions } from './mcp.ts';

export interface MessageCase {
  readonly title: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Params = Readonly<Record<string, unknown>>;

const clientInfo = { name: 'tests', version: '1' };
const handshake = (changed: Params): Params => ({
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo,
  ...changed,
});
const without = (params: Params, name: string): Params =>
  Object.fromEntries(Object.entries(params).filter(([key]) => key !== name));

/** A text, and a name, that no answer may repeat. */
export const telltale = 'quite-unmistakable';

const badValues = [null, 5, 1.5, telltale, true, [], {}, { [telltale]: 1 }];

/** Values of `_meta`, which every method accepts or refuses alike. */
const metas: readonly unknown[] = [
  ...badValues,
  ...['a', '', 1, 2 ** 53, 1.5, true, null, {}].map((progressToken) => ({ progressToken })),
  ...[null, {}, { taskId: 'a' }, { taskId: 1 }].map((related) => ({ 'io.modelcontextprotocol/related-task': related })),
];

const capabilities: readonly unknown[] = [
  ...badValues,
  ...badValues.flatMap((value) => [
    { experimental: value },
    { experimental: { [telltale]: value } },
    { sampling: value },
    { sampling: { context: value, tools: {} } },
    { elicitation: value },
    { elicitation: { form: value } },
    { elicitation: { form: { applyDefaults: value } } },
    { elicitation: { url: value } },
    { roots: value },
    { roots: { listChanged: value } },
    { tasks: value },
    { tasks: { list: value } },
    { tasks: { requests: value } },
    { tasks: { requests: { sampling: { createMessage: value } } } },
    { extensions: value },
    { extensions: { [telltale]: value } },
  ]),
];

const implementations: readonly unknown[] = [
  ...badValues,
  { name: 'a' },
  { version: '1' },
  ...badValues.flatMap((value) => [
    { ...clientInfo, title: value },
    { ...clientInfo, websiteUrl: value },
    { ...clientInfo, description: value },
    { ...clientInfo, icons: value },
    { ...clientInfo, icons: [value] },
    { ...clientInfo, icons: [{ src: 'a', theme: value }] },
  ]),
  { ...clientInfo, icons: [{ src: 'a', mimeType: 'image/png', sizes: ['any'], theme: 'dark' }] },
];

const paramsOf: Readonly<Record<string, readonly (Params | undefined)[]>> = {
  initialize: [
    undefined,
    {},
    handshake({}),
    handshake({ other: 1 }),
    ...['protocolVersion', 'capabilities', 'clientInfo'].map((name) => without(handshake({}), name)),
    ...badValues.map((protocolVersion) => handshake({ protocolVersion })),
    ...versions.map((protocolVersion) => handshake({ protocolVersion })),
    ...capabilities.map((value) => handshake({ capabilities: value })),
    ...implementations.map((value) => handshake({ clientInfo: value })),
  ],
  ping: [undefined, {}, { other: 1 }],
  'tools/list': [undefined, {}, { other: 1 }, ...badValues.map((cursor) => ({ cursor }))],
  'tools/call': [
    undefined,
    {},
    { arguments: {} },
    { name: 'no_such_tool' },
    ...badValues.map((name) => ({ name })),
    ...badValues.map((given) => ({ name: 'mcp_whoami', arguments: given })),
    ...badValues.map((requestState) => ({ name: 'mcp_whoami', requestState })),
    ...badValues.map((inputResponses) => ({ name: 'mcp_whoami', inputResponses })),
    ...badValues.map((task) => ({ name: 'mcp_whoami', task })),
    ...badValues.map((ttl) => ({ name: 'mcp_whoami', task: { ttl } })),
  ],
  'server/discover': [undefined, {}, { other: 1 }],
};

const otherMethods = [
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'resources/subscribe',
  'completion/complete',
  'logging/setLevel',
  'tasks/get',
  'tasks/list',
  'tasks/cancel',
  'tasks/update',
  'roots/list',
  'sampling/createMessage',
  'elicitation/create',
  'subscriptions/listen',
  'notifications/initialized',
  'notifications/cancelled',
  'tools/List',
  '',
  '__proto__',
  'toString',
];

const named: readonly Params[] = ['name', 'uri', 'taskId'].map((field) => ({ [field]: telltale }));

const inVersion = (version: Version, method: string, params: Params | undefined): MessageCase => {
  const message = params === undefined ? { id: 1, method } : { id: 1, method, params };
  return { title: `${version} ${JSON.stringify(message)}`, ...requestIn(version, message) };
};

/** Every method with good and bad params, in each revision. */
const byMethod = (version: Version): MessageCase[] => [
  ...Object.entries(paramsOf).flatMap(([method, all]) => all.map((params) => inVersion(version, method, params))),
  ...Object.keys(paramsOf).flatMap((method) =>
    metas.map((meta) => {
      const params = method === 'initialize' ? handshake({}) : { name: 'mcp_whoami' };
      return inVersion(version, method, { ...params, _meta: meta });
    }),
  ),
  ...otherMethods.flatMap((method) => [undefined, {}, ...named].map((params) => inVersion(version, method, params))),
];

const keys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  info: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  level: 'io.modelcontextprotocol/logLevel',
};
const envelope: Params = { [keys.version]: '2026-07-28', [keys.info]: clientInfo, [keys.capabilities]: {} };

const raw = (title: string, message: Params, headers: Params): MessageCase => {
  const sent = Object.entries(headers).filter(([, value]) => value !== undefined);
  return {
    title: `${title} ${JSON.stringify([message, Object.fromEntries(sent)])}`,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    headers: Object.fromEntries(sent.map(([name, value]) => [name, String(value)])),
  };
};

const modernHeaders = (method: string, name?: string): Params => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  'mcp-name': name,
});

const callOf = (meta: unknown): Params => ({ method: 'tools/call', params: { name: 'mcp_whoami', _meta: meta } });

/** Envelopes of 2026-07-28 with one fault or peculiarity each. */
const envelopes: readonly Params[] = [
  {},
  ...Object.keys(envelope).map((name) => without(envelope, name)),
  ...Object.keys(envelope).map((name) => ({ [name]: envelope[name] })),
  ...badValues.flatMap((value) =>
    [...Object.values(keys), 'progressToken'].map((name) => ({ ...envelope, [name]: value })),
  ),
  ...['debug', 'Debug', 'emergency'].map((level) => ({ ...envelope, [keys.level]: level })),
  ...capabilities.map((value) => ({ ...envelope, [keys.capabilities]: value })),
  ...implementations.map((value) => ({ ...envelope, [keys.info]: value })),
];

const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

const headerSets: readonly Params[] = [
  {},
  ...Object.keys(modernHeaders('', '')).map((name) => ({
    ...modernHeaders('tools/call', 'mcp_whoami'),
    [name]: undefined,
  })),
  modernHeaders('tools/list', 'mcp_whoami'),
  modernHeaders('TOOLS/CALL', 'mcp_whoami'),
  ...[
    'other',
    '',
    'MCP_WHOAMI',
    base64('mcp_whoami'),
    base64('other'),
    '=?base64?!?=',
    '=?base64?/w==?=',
    '=?base64?bWN?=',
  ].map((name) => modernHeaders('tools/call', name)),
  ...['2025-11-25', '2025-03-26', '2027-01-01', '1999-01-01', 'abc', ' 2026-07-28 '].map((version) => ({
    ...modernHeaders('tools/call', 'mcp_whoami'),
    'mcp-protocol-version': version,
  })),
];

const byEnvelope: MessageCase[] = [
  ...envelopes.map((meta) => raw('envelope', callOf(meta), modernHeaders('tools/call', 'mcp_whoami'))),
  ...envelopes.slice(0, 12).map((meta) => raw('envelope without headers', callOf(meta), {})),
  ...headerSets.flatMap((headers) => [
    raw('headers', callOf(envelope), headers),
    raw('headers', { method: 'tools/call', params: { name: 5, _meta: envelope } }, headers),
    raw('headers', callOf({}), headers),
    raw('headers', { method: 'tools/call', params: { name: 'mcp_whoami' } }, headers),
    raw('headers', { method: 'tools/list' }, headers),
    raw('headers', { method: 'initialize', params: handshake({}) }, headers),
    raw('headers', { method: 'initialize', params: handshake({ _meta: envelope }) }, headers),
    raw('headers', { method: 'initialize', params: handshake({ _meta: without(envelope, keys.info) }) }, headers),
    raw(
      'headers',
      { method: 'initialize', params: handshake({ _meta: without(envelope, keys.capabilities) }) },
      headers,
    ),
    raw(
      'headers',
      { method: 'initialize', params: handshake({ _meta: { ...envelope, [keys.version]: '2027-01-01' } }) },
      headers,
    ),
    raw(
      'headers',
      { method: 'initialize', params: handshake({ _meta: { ...envelope, [keys.version]: '2025-11-25' } }) },
      headers,
    ),
  ]),
  ...['other', 'result', 'error', '__proto__x'].map((name) => raw('member', { method: 'ping', [name]: {} }, {})),
];

/** A few thousand messages. */
export const messageCases: readonly MessageCase[] = [...versions.flatMap(byMethod), ...byEnvelope];
