/** What the lists of the cockpit share: their frame, how many there are, and the states of waiting, failure and nothing. */
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { Section } from '../../components/section.tsx';
import { SectionWaiting } from '../../components/section-waiting.tsx';
import { McpProblem } from './gate.tsx';
import { type Gathered, gatherParts, type Part } from './queries.ts';

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
