/**
 * Permissions in the cockpit: a section is rendered only with its scope; otherwise the reasons are shown and no query
 * is sent.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { Reasons } from '../../components/list.tsx';
import { Notice, RetryNotice, type RetryNoticeProps } from '../../components/notice.tsx';
import { SectionLoading } from '../../components/section.tsx';
import { hasCode } from '../../session/refusal.ts';
import { useSession } from '../../session/session-context.tsx';
import { allMcpPermissions, type McpPermission, type McpPermissions, mcpPermissionsQuery } from './queries.ts';

interface McpGateProps {
  readonly requires: keyof McpPermissions;
  readonly children: ReactNode;
}

export const McpGate = ({ requires, children }: McpGateProps) => {
  const permissions = useQuery(mcpPermissionsQuery(useSession()));
  if (permissions.data !== undefined) {
    const permission = permissions.data[requires];
    return permission.granted ? children : <MissingScope permission={permission} />;
  }
  if (!permissions.isError) return <SectionLoading />;
  return (
    <RetryNotice error={permissions.error} busy={permissions.isFetching} onRetry={() => void permissions.refetch()} />
  );
};

/** The person's permission, once it is loaded. */
export const useMcpPermission = (name: keyof McpPermissions): McpPermission | undefined =>
  useQuery(mcpPermissionsQuery(useSession())).data?.[name];

/** Whether the person holds a scope; undefined for a scope that the portal does not query. */
export const useScopeCheck = (): ((scope: string) => boolean | undefined) => {
  const permissions = useQuery(mcpPermissionsQuery(useSession())).data;
  const known = Object.values(permissions ?? {}).filter((permission) => typeof permission === 'object');
  return (scope) => known.find((permission) => permission.scope === scope)?.granted;
};

const MissingScope = ({ permission }: { readonly permission: McpPermission }) => {
  const t = useTranslations('mcp.missing');
  return (
    <Notice tone="info" title={t('title')}>
      <p>{t('requires', { scope: permission.scope })}</p>
      <Reasons reasons={permission.reasons} />
    </Notice>
  );
};

/**
 * A failed query of the cockpit. On FORBIDDEN the permissions are fetched again, and the gate then explains the missing
 * scope. The general FORBIDDEN message speaks of roles and plans, which do not apply here.
 */
export const McpQueryProblem = ({ error, busy = false, onRetry }: RetryNoticeProps) => {
  const t = useTranslations('mcp.changed');
  const reload = useTranslations('lists')('reload');
  const queries = useQueryClient();
  const isForbidden = hasCode(error, 'FORBIDDEN');
  useEffect(() => {
    if (isForbidden) void queries.invalidateQueries(allMcpPermissions);
  }, [isForbidden, queries]);
  if (!isForbidden) return <RetryNotice error={error} busy={busy} onRetry={onRetry} />;
  return (
    <div className="space-y-3">
      <Notice tone="error" title={t('title')}>
        <p>{t('text')}</p>
      </Notice>
      <Button variant="secondary" busy={busy} onClick={onRetry}>
        {reload}
      </Button>
    </div>
  );
};
