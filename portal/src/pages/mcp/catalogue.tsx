/** The catalogue of tools: what each does, the scopes it requires, and whether the person holds them. */
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Badge } from '../../components/badge.tsx';
import { Icon } from '../../components/icon.tsx';
import { WholeList } from '../../lists/whole-list.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useConsolePermission, useScopeCheck } from '../console/permissions.ts';
import { ConsoleQueryProblem, ScopeGate } from '../console/scope-gate.tsx';
import { catalogueQuery, type McpTool } from './queries.ts';
import { ViewLink } from './rows.tsx';

export const McpCatalogue = () => (
  <ScopeGate requires="catalog">
    <Catalogue />
  </ScopeGate>
);

const Catalogue = () => {
  const t = useTranslations('mcp.catalogue');
  const tools = useQuery(catalogueQuery(useSession()));
  return (
    <WholeList
      title={t('title')}
      lead={t('lead')}
      query={tools}
      rows={tools.data}
      problem={ConsoleQueryProblem}
      none={t('none')}
    >
      {(tool) => <Tool key={tool.name} tool={tool} />}
    </WholeList>
  );
};

const Tool = ({ tool }: { readonly tool: McpTool }) => {
  const t = useTranslations('mcp.catalogue');
  const canSeeCalls = useConsolePermission('audit')?.granted === true;
  return (
    <li className="space-y-2 px-5 py-4 sm:px-6">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h3 className="font-semibold">{tool.title}</h3>
        <code className="font-mono text-sm text-soft wrap-anywhere">{tool.name}</code>
        <Effect tool={tool} />
      </div>
      <p className="leading-relaxed">{tool.description}</p>
      <Scopes tool={tool} />
      <details>
        <summary className="w-fit rounded text-sm text-soft hover:text-ink">{t('schema')}</summary>
        <pre className="mt-2 rounded-control bg-canvas px-3 py-2 font-mono text-sm wrap-anywhere whitespace-pre-wrap">
          {formatJson(tool.inputSchema)}
        </pre>
      </details>
      {canSeeCalls && (
        <p className="text-sm">
          <ViewLink view={{ section: 'audits', tool: tool.name }}>{t('calls', { tool: tool.name })}</ViewLink>
        </p>
      )}
    </li>
  );
};

const Effect = ({ tool: { readOnly, destructive } }: { readonly tool: McpTool }) => {
  const t = useTranslations('mcp.catalogue');
  if (readOnly) return <Badge>{t('readOnly')}</Badge>;
  return <Badge variant="caution">{t(destructive ? 'destructive' : 'changes')}</Badge>;
};

/** The scopes that the tool requires, and whether the person holds them. */
const Scopes = ({ tool: { requiredScopes } }: { readonly tool: McpTool }) => {
  const t = useTranslations('mcp.catalogue');
  const isHeldScope = useScopeCheck();
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm">
      <span className="text-soft">{t('scopes')}</span>
      {requiredScopes.map((scope) => (
        <span key={scope} className="inline-flex items-center gap-1">
          <code className="rounded-md bg-canvas px-1.5 py-0.5 font-mono text-xs">{scope}</code>
          <ScopeMark isPaused={isHeldScope(scope)} />
        </span>
      ))}
    </p>
  );
};

const ScopeMark = ({ isPaused }: { readonly isPaused: boolean | undefined }) => {
  const t = useTranslations('mcp.catalogue');
  if (isPaused === undefined) return null;
  return (
    <span className={`inline-flex items-center gap-1 ${isPaused ? 'text-accent' : 'text-caution'}`}>
      <Icon name={isPaused ? 'check' : 'cross'} className="size-3.5" />
      {t(isPaused ? 'held' : 'notHeld')}
    </span>
  );
};

/** Indents JSON; other text is returned unchanged. */
const formatJson = (schema: string): string => {
  try {
    return JSON.stringify(JSON.parse(schema), null, 2);
  } catch {
    return schema;
  }
};
