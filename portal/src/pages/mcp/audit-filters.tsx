/** Filters of the audit log: outcome, tool, time range, correlation id, person and client. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { FilterBar, FilterMenu, SearchForm } from '../../lists/filters.tsx';
import { idOf, oneOf } from '../../lists/list-view.ts';
import { TimeField } from '../../lists/time-field.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useConsolePermission } from '../console/permissions.ts';
import { McpFilterChips } from './list.tsx';
import { catalogueQuery, type ToolAudit } from './queries.ts';
import { toolOutcomes, useMcpView } from './view.ts';

interface McpAuditFiltersProps {
  /** The visible calls, which give filtered people, clients and tools a name. */
  readonly audits: readonly ToolAudit[];
}

export const McpAuditFilters = ({ audits }: McpAuditFiltersProps) => {
  const t = useTranslations('mcp.audits');
  const any = useTranslations('lists')('any');
  const { view, change } = useMcpView();
  const tools = useToolNames(audits, view.tool);
  return (
    <FilterBar
      fields={
        <>
          <CorrelationField />
          <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
            <TimeField label={t('from')} instant={view.from} onChange={(from) => change({ from })} />
            <TimeField label={t('to')} instant={view.to} onChange={(to) => change({ to })} />
          </div>
        </>
      }
    >
      <FilterMenu
        label={t('outcome')}
        any={any}
        value={view.outcome}
        choices={toolOutcomes.map((value) => ({ value, name: t(`outcomes.${value}`) }))}
        onChoose={(outcome) => change({ outcome: oneOf(toolOutcomes, outcome) })}
      />
      <FilterMenu
        label={t('tool')}
        any={any}
        value={view.tool}
        choices={tools.map((tool) => ({ value: tool, name: tool }))}
        onChoose={(tool) => change({ tool })}
      />
      <McpFilterChips
        client={audits.find(({ clientId }) => clientId === view.client)?.clientName ?? undefined}
        email={audits.find(({ actorUserId }) => actorUserId === view.user)?.actorEmail}
      />
    </FilterBar>
  );
};

/** Names of the tools in the catalogue, if the person may see it, in the visible calls, and in the URL. */
const useToolNames = (audits: readonly ToolAudit[], chosen: string | undefined): readonly string[] => {
  const canSee = useConsolePermission('catalog')?.granted === true;
  const catalogue = useQuery({ ...catalogueQuery(useSession()), enabled: canSee });
  const names = [
    ...(catalogue.data ?? []).map(({ name }) => name),
    ...audits.map(({ tool }) => tool),
    ...(chosen === undefined ? [] : [chosen]),
  ];
  return [...new Set(names)].sort();
};

const CorrelationField = () => {
  const t = useTranslations('mcp.audits');
  const { view, change } = useMcpView();
  const [of, setOf] = useState(view.correlation);
  const [text, setText] = useState(view.correlation ?? '');
  const [isInvalid, setInvalid] = useState(false);
  // Set elsewhere, such as by a link.
  if (of !== view.correlation) {
    setOf(view.correlation);
    if (idOf(text) !== view.correlation) setText(view.correlation ?? '');
  }
  const send = (typed: string): void => {
    const correlation = idOf(typed);
    const isEmpty = typed.trim() === '';
    setInvalid(correlation === undefined && !isEmpty);
    if (correlation !== undefined || isEmpty) change({ correlation });
  };
  return (
    <SearchForm
      label={t('correlation')}
      problem={isInvalid ? t('correlationShape') : undefined}
      text={text}
      onType={(typed) => {
        setText(typed);
        setInvalid(false);
        // A complete id is applied at once; a partial one cannot match.
        if (typed.trim() === '' || idOf(typed) !== undefined) send(typed);
      }}
      onSend={() => send(text)}
    />
  );
};
