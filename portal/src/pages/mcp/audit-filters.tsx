/** Filters of the audit log: outcome, tool, time range, correlation id, person and client. */
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { FilterMenu } from '../../components/filters.tsx';
import { Field } from '../../forms/field.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useMcpRight } from './gate.tsx';
import { McpNarrowed } from './list.tsx';
import { catalogueQuery, type ToolAudit } from './queries.ts';
import { isId, toolOutcomes, useMcpView, useViewChanges } from './view.ts';

interface McpAuditFiltersProps {
  readonly field: RefObject<HTMLInputElement | null>;
  /** The calls that are shown, so that a person, client or tool in the address has a name. */
  readonly audits: readonly ToolAudit[];
}

export const McpAuditFilters = ({ field, audits }: McpAuditFiltersProps) => {
  const t = useTranslations('mcp.audits');
  const any = useTranslations('mcp.list')('any');
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
        <McpNarrowed
          field={field}
          client={audits.find(({ clientId }) => clientId === view.client)?.clientName ?? undefined}
          email={audits.find(({ actorUserId }) => actorUserId === view.user)?.actorEmail}
        />
      </div>
    </>
  );
};

/** The tools of the catalogue, for who may see it, and those that the shown calls and the address name. */
const useToolNames = (audits: readonly ToolAudit[], chosen: string | undefined): readonly string[] => {
  const maySee = useMcpRight('catalog')?.granted === true;
  const catalogue = useQuery({ ...catalogueQuery(useSession()), enabled: maySee });
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
  const [isOdd, setOdd] = useState(false);
  const send = (typed: string): void => {
    const id = typed.trim().toLowerCase();
    setOdd(id !== '' && !isId(id));
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
          spellCheck={false}
          problem={isOdd ? t('correlationShape') : undefined}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setOdd(false);
            // A whole id is pasted at once, and nothing shorter finds anything.
            if (event.target.value.trim() === '' || isId(event.target.value.trim().toLowerCase())) {
              send(event.target.value);
            }
          }}
        />
      </form>
    </search>
  );
};

interface TimeFieldProps {
  readonly label: string;
  readonly instant: string | undefined;
  readonly onChange: (instant: string | undefined) => void;
}

/** A local time of the person; the address has the instant. It counts once it is complete. */
const TimeField = ({ label, instant, onChange }: TimeFieldProps) => {
  const [text, setText] = useState(toLocalTime(instant));
  useEffect(() => setText(toLocalTime(instant)), [instant]);
  return (
    <Field
      type="datetime-local"
      label={label}
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        const next = fromLocalTime(event.target.value);
        if (next !== undefined || event.target.value === '') onChange(next);
      }}
    />
  );
};

/** Empty for no instant. */
export const toLocalTime = (instant: string | undefined): string => {
  if (instant === undefined) return '';
  const moment = new Date(instant);
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length);
};

/** Undefined for a time that is not complete, or lies beyond the years that people mean. */
export const fromLocalTime = (text: string): string | undefined => {
  const moment = new Date(text);
  if (text === '' || Number.isNaN(moment.getTime())) return undefined;
  const year = moment.getFullYear();
  return year < 2000 || year > 9998 ? undefined : moment.toISOString();
};
