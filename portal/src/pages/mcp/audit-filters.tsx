/** Filters of the audit log: outcome, tool, time range, correlation id, person and client. */
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import { useTranslations } from 'use-intl';
import { FilterMenu } from '../../components/filters.tsx';
import { Field } from '../../forms/field.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useConsolePermission } from '../console/permissions.ts';
import { TimeField } from '../console/time-field.tsx';
import { McpFilterChips } from './list.tsx';
import { catalogueQuery, type ToolAudit } from './queries.ts';
import { isId, toolOutcomes, useMcpView, useViewChanges } from './view.ts';

interface McpAuditFiltersProps {
  readonly field: RefObject<HTMLInputElement | null>;
  /** The visible calls, which give filtered people, clients and tools a name. */
  readonly audits: readonly ToolAudit[];
}

export const McpAuditFilters = ({ field, audits }: McpAuditFiltersProps) => {
  const t = useTranslations('mcp.audits');
  const any = useTranslations('lists')('any');
  const view = useMcpView();
  const { change } = useViewChanges();
  const tools = useToolNames(audits, view.tool);
  return (
    <>
      <CorrelationField key={view.correlation} field={field} />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TimeField label={t('from')} instant={view.from} onChange={(from) => change({ from })} />
        <TimeField label={t('to')} instant={view.to} onChange={(to) => change({ to })} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <FilterMenu
          label={t('outcome')}
          any={any}
          value={view.outcome}
          choices={toolOutcomes.map((value) => ({ value, name: t(`outcomes.${value}`) }))}
          onChoose={(value) => change({ outcome: toolOutcomes.find((outcome) => outcome === value) })}
        />
        <FilterMenu
          label={t('tool')}
          any={any}
          value={view.tool}
          choices={tools.map((tool) => ({ value: tool, name: tool }))}
          onChoose={(tool) => change({ tool })}
        />
        <McpFilterChips
          field={field}
          client={audits.find(({ clientId }) => clientId === view.client)?.clientName ?? undefined}
          email={audits.find(({ actorUserId }) => actorUserId === view.user)?.actorEmail}
        />
      </div>
    </>
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

const CorrelationField = ({ field }: { readonly field: RefObject<HTMLInputElement | null> }) => {
  const t = useTranslations('mcp.audits');
  const { correlation } = useMcpView();
  const { change } = useViewChanges();
  const [text, setText] = useState(correlation ?? '');
  const [isInvalid, setInvalid] = useState(false);
  const send = (typed: string): void => {
    const id = typed.trim().toLowerCase();
    setInvalid(id !== '' && !isId(id));
    if (id === '' || isId(id)) change({ correlation: id === '' ? undefined : id });
  };
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send(text);
        }}
      >
        <Field
          ref={field}
          type="search"
          label={t('correlation')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck="false"
          problem={isInvalid ? t('correlationShape') : undefined}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setInvalid(false);
            // A complete id is applied at once; a partial one cannot match.
            if (event.target.value.trim() === '' || isId(event.target.value.trim().toLowerCase())) {
              send(event.target.value);
            }
          }}
        />
      </form>
    </search>
  );
};
