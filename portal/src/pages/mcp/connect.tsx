/** Setup guides: how each popular MCP client is connected to this server, with its real URL. */
import { useTranslations } from 'use-intl';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { CopyButton, ViewLink } from './rows.tsx';
import { useMcpUrl } from './view.ts';

export const McpConnect = () => {
  const t = useTranslations('mcp.connect');
  const url = useMcpUrl();
  // The page says above that it is switched off, and how to switch it on.
  if (url === undefined) return null;
  return (
    <>
      <Section title={t('title')} lead={t('lead')}>
        <div className="space-y-4 px-5 py-4 sm:px-6">
          <Copied name={t('address')} text={url} label={t('copyAddress')} />
          <Notice tone="news" title={t('warning.title')}>
            <p>{t('warning.text')}</p>
          </Notice>
          <p className="text-sm text-soft">
            {t('trouble')} <ViewLink view={{ section: 'connections' }}>{t('toConnections')}</ViewLink>
          </p>
        </div>
      </Section>
      <Section title={t('guides')}>
        <div className="divide-y divide-line">
          {guidesFor(url).map((guide) => (
            <GuideOf key={guide.client} guide={guide} />
          ))}
        </div>
      </Section>
    </>
  );
};

const GuideOf = ({ guide }: { readonly guide: Guide }) => {
  const t = useTranslations('mcp.connect');
  const { client, steps, redirects = [], note } = guide;
  const name = t(`names.${client}`);
  return (
    <details className="px-5 py-4 sm:px-6">
      <summary className="w-fit rounded font-semibold">{name}</summary>
      <div className="mt-3 space-y-4">
        {steps.map(({ words, copied }) => {
          const step = t(`steps.${words}`);
          return <Copied key={words} name={step} text={copied} label={t('copyStep', { client: name, step })} />;
        })}
        {redirects.length > 0 && (
          <p className="text-sm leading-relaxed text-soft">{t('redirects', { client: name })}</p>
        )}
        {redirects.map((uri) => (
          <Copied key={uri} text={uri} label={t('copyRedirect', { uri })} />
        ))}
        {note !== undefined && <p className="text-sm leading-relaxed text-soft">{t(`notes.${note}`)}</p>}
      </div>
    </details>
  );
};

interface CopiedProps {
  readonly name?: string;
  readonly text: string;
  /** Names the button that copies it. */
  readonly label: string;
}

/** A text to copy: it is selected whole at a click, and its button copies it. */
const Copied = ({ name, text, label }: CopiedProps) => (
  <div className="space-y-1.5">
    {name !== undefined && <p className="text-[0.9375rem]">{name}</p>}
    <div className="flex flex-wrap items-center gap-2">
      <code className="min-w-0 flex-1 rounded-control bg-canvas px-3 py-2 font-mono text-sm wrap-anywhere whitespace-pre-wrap select-all">
        {text}
      </code>
      <CopyButton text={text} label={label} />
    </div>
  </div>
);

/** The name that clients show this server by. */
const name = 'gatehouse';

type GuidedClient = 'claudeCode' | 'claude' | 'vsCode' | 'cursor' | 'codex' | 'gemini' | 'inspector' | 'remote';

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

interface Guide {
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
