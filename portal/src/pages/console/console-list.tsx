/** The lists of the console: with its words for how many are shown, and with a search field of their own. */
import { useTranslations } from 'use-intl';
import { FilterBar, SearchField } from '../../lists/filters.tsx';
import { ListFrame, type ListFrameProps } from '../../lists/list-frame.tsx';
import { useSearchView } from '../../lists/list-view.ts';
import { ConsoleQueryProblem } from './scope-gate.tsx';

type ConsoleListProps<Row> = Omit<ListFrameProps<Row>, 'problem' | 'shown'>;

export const ConsoleList = <Row,>(props: ConsoleListProps<Row>) => {
  const t = useTranslations('console.list');
  return (
    <ListFrame
      {...props}
      problem={ConsoleQueryProblem}
      shown={(counts, isCapped) => t(isCapped ? 'shownOfMoreThan' : 'shownOf', counts)}
    />
  );
};

interface SearchableListProps<Row> extends Omit<ConsoleListProps<Row>, 'filters' | 'none' | 'onClear'> {
  readonly label: string;
}

/** A list with one search field, whose text is the parameter `search` of the URL. */
export const SearchableList = <Row,>({ label, ...props }: SearchableListProps<Row>) => {
  const none = useTranslations('console.list')('none');
  const { view, isFiltered, change, clear } = useSearchView();
  const field = <SearchField label={label} search={view.search ?? ''} onSearch={(search) => change({ search })} />;
  return (
    <ConsoleList
      {...props}
      filters={<FilterBar fields={field} />}
      none={none}
      onClear={isFiltered ? clear : undefined}
    />
  );
};
