/** The list that the cockpit's sections share: filters, total, loading, failure and empty state. */
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode, RefObject } from 'react';
import { useTranslations } from 'use-intl';
import { FilterChip, SearchField } from '../../components/filters.tsx';
import { EmptyList, ListFooter, ListSummary, QueryState } from '../../components/list.tsx';
import { Section } from '../../components/section.tsx';
import { ConsoleQueryProblem } from '../console/scope-gate.tsx';
import { type ListPage, mergePages } from './queries.ts';
import { useMcpView, useViewChanges } from './view.ts';

type ListQuery<Node> = UseInfiniteQueryResult<InfiniteData<ListPage<Node>, unknown>>;

interface McpListProps<Node> {
  readonly title: string;
  readonly lead: string;
  readonly list: ListQuery<Node>;
  readonly keyOf: (node: Node) => string;
  /** The total as a sentence. */
  readonly total: (count: number) => string;
  /** Text of the empty list without filters. */
  readonly none: string;
  /** Clears the filters; undefined when none is set. */
  readonly onClear: (() => void) | undefined;
  readonly filters?: ReactNode;
  /** Result of an action in the list. */
  readonly result?: ReactNode;
  readonly children: (nodes: readonly Node[], isBusy: boolean) => ReactNode;
}

export const McpList = <Node,>(props: McpListProps<Node>) => {
  const { title, lead, list, keyOf, filters, result, children } = props;
  const t = useTranslations('mcp.list');
  const merged = mergePages(list.data?.pages, keyOf);
  return (
    <Section
      title={title}
      lead={lead}
      footer={
        list.hasNextPage && merged !== undefined ? (
          <ListFooter
            text={t(merged.isTotalCapped ? 'shownOfMoreThan' : 'shownOf', {
              shown: merged.nodes.length,
              total: merged.total,
            })}
            list={list}
          />
        ) : undefined
      }
    >
      {filters !== undefined && <div className="space-y-4 border-b border-line px-5 py-4 sm:px-6">{filters}</div>}
      {result}
      <QueryState query={list} problem={ConsoleQueryProblem} />
      {merged !== undefined && (
        <>
          <ListSummary
            text={
              merged.isTotalCapped ? t('moreThan', { total: props.total(merged.total) }) : props.total(merged.total)
            }
            list={list}
          />
          {merged.nodes.length === 0 ? (
            <EmptyList
              text={props.onClear === undefined ? props.none : t('none')}
              clear={props.onClear === undefined ? undefined : { onClear: props.onClear }}
            />
          ) : (
            children(merged.nodes, list.isPlaceholderData)
          )}
        </>
      )}
    </Section>
  );
};

interface McpSearchProps {
  readonly label: string;
  readonly field: RefObject<HTMLInputElement | null>;
}

export const McpSearch = ({ label, field }: McpSearchProps) => {
  const { search = '' } = useMcpView();
  const { change } = useViewChanges();
  return <SearchField label={label} search={search} field={field} onSearch={(text) => change({ search: text })} />;
};

interface McpFilterChipsProps {
  /** Receives the focus, because the focused chip is unmounted. */
  readonly field: RefObject<HTMLInputElement | null>;
  /** Name of the filtered client, if a visible row has it. */
  readonly client?: string | undefined;
  /** E-mail address of the filtered person, if a visible row has it. */
  readonly email?: string | undefined;
}

/** Chips of the person and client filters, which remove them. */
export const McpFilterChips = ({ field, client, email }: McpFilterChipsProps) => {
  const t = useTranslations('mcp.list');
  const view = useMcpView();
  const { change } = useViewChanges();
  const person = email === undefined ? t('onePerson') : t('onlyPerson', { email });
  const clientLabel = client === undefined ? t('oneClient') : t('onlyClient', { client });
  const remove = (changed: { user?: undefined; client?: undefined }) => () => {
    change(changed);
    field.current?.focus();
  };
  return (
    <>
      {view.user !== undefined && (
        <FilterChip text={person} label={t('remove', { filter: person })} onRemove={remove({ user: undefined })} />
      )}
      {view.client !== undefined && (
        <FilterChip
          text={clientLabel}
          label={t('remove', { filter: clientLabel })}
          onRemove={remove({ client: undefined })}
        />
      )}
    </>
  );
};
