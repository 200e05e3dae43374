/**
 * How each popular MCP client is told of this server, as their own documentation says: a command, a file, or a form.
 * Only the facts stand here; the words around them stand in messages/mcp.ts under `connect`.
 */

/** The name that clients show this server by. */
const name = 'gatehouse';

export type GuidedClient = 'claudeCode' | 'claude' | 'vsCode' | 'cursor' | 'codex' | 'gemini' | 'inspector' | 'remote';

type StepWords =
  | 'terminal'
  | 'claudeCodeSignIn'
  | 'claudeConnector'
  | 'vsCodeFile'
  | 'cursorFile'
  | 'cursorLink'
  | 'codexSignIn'
  | 'geminiSignIn'
  | 'inspectorConnect'
  | 'remoteFile';

export interface Guide {
  readonly client: GuidedClient;
  /** What is copied at each step: a command, the content of a file, or an address. */
  readonly steps: readonly { readonly words: StepWords; readonly copied: string }[];
  /** Redirect URIs beside loopback that the client comes back to, and that the server has to be told of. */
  readonly redirects?: readonly string[];
  readonly note?: 'claude' | 'cursor';
}

/** @param url the address of Platform MCP, absolute */
export const guidesFor = (url: string): readonly Guide[] => [
  {
    client: 'claudeCode',
    steps: [
      { words: 'terminal', copied: `claude mcp add --transport http ${name} ${url}` },
      { words: 'claudeCodeSignIn', copied: '/mcp' },
    ],
  },
  {
    client: 'claude',
    steps: [{ words: 'claudeConnector', copied: url }],
    redirects: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
    note: 'claude',
  },
  {
    client: 'vsCode',
    steps: [
      { words: 'terminal', copied: `code --add-mcp '${JSON.stringify({ name, type: 'http', url })}'` },
      { words: 'vsCodeFile', copied: file({ servers: { [name]: { type: 'http', url } } }) },
    ],
  },
  {
    client: 'cursor',
    steps: [
      { words: 'cursorFile', copied: file({ mcpServers: { [name]: { url } } }) },
      { words: 'cursorLink', copied: cursorLink(url) },
    ],
    redirects: ['cursor://anysphere.cursor-mcp/oauth/callback', 'https://www.cursor.com/agents/mcp/oauth/callback'],
    note: 'cursor',
  },
  {
    client: 'codex',
    steps: [
      { words: 'terminal', copied: `codex mcp add ${name} --url ${url}` },
      { words: 'codexSignIn', copied: `codex mcp login ${name}` },
    ],
  },
  {
    client: 'gemini',
    steps: [
      { words: 'terminal', copied: `gemini mcp add --transport http ${name} ${url}` },
      { words: 'geminiSignIn', copied: `/mcp auth ${name}` },
    ],
  },
  {
    client: 'inspector',
    steps: [
      { words: 'terminal', copied: 'npx @modelcontextprotocol/inspector' },
      { words: 'inspectorConnect', copied: url },
    ],
  },
  {
    client: 'remote',
    steps: [
      {
        words: 'remoteFile',
        copied: file({ mcpServers: { [name]: { command: 'npx', args: remoteArguments(url) } } }),
      },
    ],
  },
];

const file = (content: unknown): string => JSON.stringify(content, null, 2);

/** Opens Cursor, which asks whether to add the server. */
const cursorLink = (url: string): string =>
  `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${encodeURIComponent(btoa(JSON.stringify({ url })))}`;

/** mcp-remote refuses plain HTTP to other machines unless it is told that their network is trusted. */
const remoteArguments = (url: string): readonly string[] => {
  const { protocol, hostname } = new URL(url);
  const isTrusted = protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1';
  return ['-y', 'mcp-remote', url, ...(isTrusted ? [] : ['--allow-http'])];
};
