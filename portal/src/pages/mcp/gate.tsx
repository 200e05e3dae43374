/** A section of the cockpit that takes a scope: who lacks it is told which one and why, and asks for nothing. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { Notice, RetryNotice } from '../../components/notice.tsx';
import { SectionWaiting } from '../../components/section.tsx';
import { hasCode } from '../../session/refusal.ts';
import { useSession } from '../../session/session-context.tsx';
import { allMcpRights, type McpRight, type McpRights, mcpRightsQuery } from './queries.ts';

interface McpGateProps {
  readonly takes: keyof McpRights;
  readonly children: ReactNode;
}

export const McpGate = ({ takes, children }: McpGateProps) => {
  const rights = useQuery(mcpRightsQuery(useSession()));
  if (rights.data !== undefined) {
    const right = rights.data[takes];
    return right.granted ? children : <Missing right={right} />;
  }
  if (!rights.isError) return <SectionWaiting />;
  return <RetryNotice error={rights.error} busy={rights.isFetching} onRetry={() => void rights.refetch()} />;
};

/** A right of the person, once it is known. */
export const useMcpRight = (name: keyof McpRights): McpRight | undefined =>
  useQuery(mcpRightsQuery(useSession())).data?.[name];

/** Whether the person holds a scope; undefined for one that this portal does not know. */
export const useHolds = (): ((scope: string) => boolean | undefined) => {
  const rights = useQuery(mcpRightsQuery(useSession())).data;
  const known = Object.values(rights ?? {}).filter((right) => typeof right === 'object');
  return (scope) => known.find((right) => right.scope === scope)?.granted;
};

const Missing = ({ right }: { readonly right: McpRight }) => {
  const t = useTranslations('mcp.missing');
  return (
    <Notice tone="news" title={t('title')}>
      <p>{t('takes', { scope: right.scope })}</p>
      <Reasons right={right} />
    </Notice>
  );
};

export const Reasons = ({ right }: { readonly right: McpRight }) => (
  <ul className="list-disc space-y-1 pl-5">
    {right.reasons.map((reason) => (
      <li key={reason}>{reason}</li>
    ))}
  </ul>
);

interface McpProblemProps {
  readonly error: unknown;
  readonly busy: boolean;
  readonly onRetry: () => void;
}

/**
 * A list that could not be fetched. Who has lost its scope meanwhile is told by the gate, once it knows; the usual words
 * for what is not allowed speak of roles and plans.
 */
export const McpProblem = ({ error, busy, onRetry }: McpProblemProps) => {
  const t = useTranslations('mcp');
  const queries = useQueryClient();
  const isForbidden = hasCode(error, 'FORBIDDEN');
  useEffect(() => {
    if (isForbidden) void queries.invalidateQueries(allMcpRights);
  }, [isForbidden, queries]);
  if (!isForbidden) return <RetryNotice error={error} busy={busy} onRetry={onRetry} />;
  return (
    <div className="space-y-3">
      <Notice tone="problem" title={t('changed.title')}>
        <p>{t('changed.text')}</p>
      </Notice>
      <Button look="quiet" busy={busy} onClick={onRetry}>
        {t('list.lookAgain')}
      </Button>
    </div>
  );
};
