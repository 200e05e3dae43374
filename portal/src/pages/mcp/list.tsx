/** The list that the cockpit's sections share: filters, total, loading, failure and empty state. */
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode, RefObject } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { FilterChip, SearchField } from '../../components/filters.tsx';
import { Section, SectionWaiting } from '../../components/section.tsx';
import { McpProblem } from './gate.tsx';
import { type Gathered, gatherParts, type Part } from './queries.ts';
import { useMcpView, useViewChanges } from './view.ts';

type Parts<Node> = UseInfiniteQueryResult<InfiniteData<Part<Node>, unknown>>;

interface McpListProps<Node> {
  readonly title: string;
  readonly lead: string;
  readonly list: Parts<Node>;
  readonly keyOf: (node: Node) => string;
  /** How many there are, in words. */
  readonly total: (count: number) => string;
  /** What stands there when there is nothing at all. */
  readonly none: string;
  /** Back to everything, where filters are set. */
  readonly onClear: (() => void) | undefined;
  readonly filters?: ReactNode;
  /** News of what was done here. */
  readonly news?: ReactNode;
  readonly children: (nodes: readonly Node[], isBusy: boolean) => ReactNode;
}

export const McpList = <Node,>(props: McpListProps<Node>) => {
  const { title, lead, list, keyOf, filters, news, children } = props;
  const gathered = gatherParts(list.data?.pages, keyOf);
  return (
    <Section
      title={title}
      lead={lead}
      foot={list.hasNextPage && gathered !== undefined ? <Foot list={list} gathered={gathered} /> : undefined}
    >
      {filters !== undefined && <div className="space-y-4 border-b border-line px-5 py-4 sm:px-6">{filters}</div>}
      {news}
      {list.isError && (
        <div className="p-3">
          <McpProblem error={list.error} busy={list.isFetching} onRetry={() => void list.refetch()} />
        </div>
      )}
      {list.isPending && <SectionWaiting />}
      {gathered !== undefined && (
        <>
          <Summary
            words={props.total(gathered.total)}
            busy={list.isRefetching}
            onLookAgain={() => void list.refetch()}
          />
          {gathered.nodes.length === 0 ? (
            <Nothing none={props.none} onClear={props.onClear} />
          ) : (
            children(gathered.nodes, list.isPlaceholderData)
          )}
        </>
      )}
    </Section>
  );
};

const Foot = <Node,>({ list, gathered }: { readonly list: Parts<Node>; readonly gathered: Gathered<Node> }) => {
  const t = useTranslations('mcp.list');
  return (
    <>
      <p role="status" className="text-soft">
        {t('shownOf', { shown: gathered.nodes.length, total: gathered.total })}
      </p>
      <Button look="quiet" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {t('showMore')}
      </Button>
    </>
  );
};

interface SummaryProps {
  readonly words: string;
  readonly busy: boolean;
  readonly onLookAgain: () => void;
}

const Summary = ({ words, busy, onLookAgain }: SummaryProps) => {
  const t = useTranslations('mcp.list');
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-5 py-3 sm:px-6">
      <p role="status" className="font-medium">
        {words}
      </p>
      <Button look="quiet" busy={busy} onClick={onLookAgain}>
        {t('lookAgain')}
      </Button>
    </div>
  );
};

interface NothingProps {
  readonly none: string;
  readonly onClear: (() => void) | undefined;
}

const Nothing = ({ none, onClear }: NothingProps) => {
  const t = useTranslations('mcp.list');
  return (
    <div className="space-y-3 px-5 py-8 text-center sm:px-6">
      <p className="text-soft">{onClear === undefined ? none : t('none')}</p>
      {onClear !== undefined && (
        <Button look="quiet" onClick={onClear}>
          {t('clear')}
        </Button>
      )}
    </div>
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

interface McpNarrowedProps {
  /** Takes the focus: the button that had it goes with what it removed. */
  readonly field: RefObject<HTMLInputElement | null>;
  /** The name of the only client, as far as the list knows it. */
  readonly client?: string | undefined;
  /** The address of the only person, as far as the list knows it. */
  readonly email?: string | undefined;
}

export const McpNarrowed = ({ field, client, email }: McpNarrowedProps) => {
  const t = useTranslations('mcp.list');
  const view = useMcpView();
  const { change } = useViewChanges();
  const person = email === undefined ? t('onePerson') : t('onlyPerson', { email });
  const program = client === undefined ? t('oneClient') : t('onlyClient', { client });
  const remove = (changed: { user?: undefined; client?: undefined }) => () => {
    change(changed);
    field.current?.focus();
  };
  return (
    <>
      {view.user !== undefined && (
        <FilterChip words={person} label={t('remove', { filter: person })} onRemove={remove({ user: undefined })} />
      )}
      {view.client !== undefined && (
        <FilterChip words={program} label={t('remove', { filter: program })} onRemove={remove({ client: undefined })} />
      )}
    </>
  );
};
