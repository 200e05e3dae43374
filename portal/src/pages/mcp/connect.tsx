/** Setup guides: how each popular MCP client is connected to this server, with its real URL. */
import { useTranslations } from 'use-intl';
import { CopyButton } from '../../components/copy-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { ViewLink } from './rows.tsx';
import { useMcpUrl } from './view.ts';

export const McpConnect = () => {
  const t = useTranslations('mcp.connect');
  const url = useMcpUrl();
  // The page explains above that Platform MCP is disabled.
  if (url === undefined) return null;
  return (
    <>
      <Section title={t('title')} lead={t('lead')}>
        <div className="space-y-4 px-5 py-4 sm:px-6">
          <CopyableText name={t('address')} text={url} label={t('copyAddress')} />
          <Notice tone="info" title={t('warning.title')}>
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
            <GuideDetails key={guide.client} guide={guide} />
          ))}
        </div>
      </Section>
    </>
  );
};

const GuideDetails = ({ guide }: { readonly guide: Guide }) => {
  const t = useTranslations('mcp.connect');
  const { client, steps, redirects = [], note } = guide;
  const name = t(`names.${client}`);
  return (
    <details className="px-5 py-4 sm:px-6">
      <summary className="w-fit rounded font-semibold">{name}</summary>
      <div className="mt-3 space-y-4">
        {steps.map(({ label, snippet }) => {
          const step = t(`steps.${label}`);
          return <CopyableText key={label} name={step} text={snippet} label={t('copyStep', { client: name, step })} />;
        })}
        {redirects.length > 0 && (
          <p className="text-sm leading-relaxed text-soft">{t('redirects', { client: name })}</p>
        )}
        {redirects.map((uri) => (
          <CopyableText key={uri} text={uri} label={t('copyRedirect', { uri })} />
        ))}
        {note !== undefined && <p className="text-sm leading-relaxed text-soft">{t(`notes.${note}`)}</p>}
      </div>
    </details>
  );
};

interface CopyableTextProps {
  readonly name?: string;
  readonly text: string;
  /** Accessible name of the copy button. */
  readonly label: string;
}

/** A text that is selected as a whole on click, with a copy button. */
const CopyableText = ({ name, text, label }: CopyableTextProps) => (
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

/** The server name in the clients' configuration. */
const name = 'gatehouse';

type GuideClient = 'claudeCode' | 'claude' | 'vsCode' | 'cursor' | 'codex' | 'gemini' | 'inspector' | 'remote';

type StepLabel =
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
  readonly client: GuideClient;
  /** The snippet of each step: a command, a file, or a URL. */
  readonly steps: readonly { readonly label: StepLabel; readonly snippet: string }[];
  /** Redirect URIs other than loopback, which the server's allow list needs. */
  readonly redirects?: readonly string[];
  readonly note?: 'claude' | 'cursor';
}

/**
 * Steps from the documentation of each client. The surrounding text is in messages/mcp.ts under `connect`.
 * @param url absolute URL of Platform MCP
 */
export const guidesFor = (url: string): readonly Guide[] => [
  {
    client: 'claudeCode',
    steps: [
      { label: 'terminal', snippet: `claude mcp add --transport http ${name} ${url}` },
      { label: 'claudeCodeSignIn', snippet: '/mcp' },
    ],
  },
  {
    client: 'claude',
    steps: [{ label: 'claudeConnector', snippet: url }],
    redirects: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
    note: 'claude',
  },
  {
    client: 'vsCode',
    steps: [
      { label: 'terminal', snippet: `code --add-mcp '${JSON.stringify({ name, type: 'http', url })}'` },
      { label: 'vsCodeFile', snippet: file({ servers: { [name]: { type: 'http', url } } }) },
    ],
  },
  {
    client: 'cursor',
    steps: [
      { label: 'cursorFile', snippet: file({ mcpServers: { [name]: { url } } }) },
      { label: 'cursorLink', snippet: cursorLink(url) },
    ],
    redirects: ['cursor://anysphere.cursor-mcp/oauth/callback', 'https://www.cursor.com/agents/mcp/oauth/callback'],
    note: 'cursor',
  },
  {
    client: 'codex',
    steps: [
      { label: 'terminal', snippet: `codex mcp add ${name} --url ${url}` },
      { label: 'codexSignIn', snippet: `codex mcp login ${name}` },
    ],
  },
  {
    client: 'gemini',
    steps: [
      { label: 'terminal', snippet: `gemini mcp add --transport http ${name} ${url}` },
      { label: 'geminiSignIn', snippet: `/mcp auth ${name}` },
    ],
  },
  {
    client: 'inspector',
    steps: [
      { label: 'terminal', snippet: 'npx @modelcontextprotocol/inspector' },
      { label: 'inspectorConnect', snippet: url },
    ],
  },
  {
    client: 'remote',
    steps: [
      {
        label: 'remoteFile',
        snippet: file({ mcpServers: { [name]: { command: 'npx', args: remoteArguments(url) } } }),
      },
    ],
  },
];

const file = (content: unknown): string => JSON.stringify(content, null, 2);

/** A deep link that opens Cursor and asks to add the server. */
const cursorLink = (url: string): string =>
  `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${encodeURIComponent(btoa(JSON.stringify({ url })))}`;

/** mcp-remote requires a flag for plain HTTP to other machines. */
const remoteArguments = (url: string): readonly string[] => {
  const { protocol, hostname } = new URL(url);
  const isTrusted = protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1';
  return ['-y', 'mcp-remote', url, ...(isTrusted ? [] : ['--allow-http'])];
};
