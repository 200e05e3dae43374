/**
 * What the console shows only with a scope: without it the reasons are shown and no query is sent.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { Reasons } from '../../access/reasons.tsx';
import { Button } from '../../components/button.tsx';
import { Notice, RetryNotice, type RetryNoticeProps } from '../../components/notice.tsx';
import { SectionLoading } from '../../components/section.tsx';
import { hasCode } from '../../session/refusal.ts';
import { useSession } from '../../session/session-context.tsx';
import {
  allConsolePermissions,
  type ConsolePermission,
  type ConsoleScope,
  consolePermissionsQuery,
} from './permissions.ts';

interface ScopeGateProps {
  readonly requires: ConsoleScope;
  readonly children: ReactNode;
}

export const ScopeGate = ({ requires, children }: ScopeGateProps) => {
  const permissions = useQuery(consolePermissionsQuery(useSession()));
  if (permissions.data !== undefined) {
    const permission = permissions.data[requires];
    return permission.granted ? children : <MissingScope permission={permission} />;
  }
  if (!permissions.isError) return <SectionLoading />;
  return (
    <RetryNotice error={permissions.error} busy={permissions.isFetching} onRetry={() => void permissions.refetch()} />
  );
};

const MissingScope = ({ permission }: { readonly permission: ConsolePermission }) => {
  const t = useTranslations('console.missing');
  return (
    <Notice tone="info" title={t('title')}>
      <p>{t('requires', { scope: permission.scope })}</p>
      <Reasons reasons={permission.reasons} />
    </Notice>
  );
};

/**
 * A failed query of the console. On FORBIDDEN the permissions are fetched again, and the gate then explains the missing
 * scope. The general FORBIDDEN message speaks of roles and plans, which do not apply here.
 */
export const ConsoleQueryProblem = ({ error, busy = false, onRetry }: RetryNoticeProps) => {
  const t = useTranslations('console.changed');
  const reload = useTranslations('lists')('reload');
  const queries = useQueryClient();
  const isForbidden = hasCode(error, 'FORBIDDEN');
  useEffect(() => {
    if (isForbidden) void queries.invalidateQueries(allConsolePermissions);
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
