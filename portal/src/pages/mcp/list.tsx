/** Parts that the lists of the cockpit share: words, the search field, and the chips of a person and a client. */
import { useTranslations } from 'use-intl';
import { FilterChips, SearchField } from '../../lists/filters.tsx';
import { ListFrame, type ListFrameProps } from '../../lists/list-frame.tsx';
import { ConsoleQueryProblem } from '../console/scope-gate.tsx';
import { useMcpView } from './view.ts';

interface McpListProps<Row> extends Omit<ListFrameProps<Row>, 'problem' | 'shown' | 'onClear' | 'total'> {
  /** The total as a sentence. */
  readonly total: (count: number) => string;
}

export const McpList = <Row,>({ total, none, ...props }: McpListProps<Row>) => {
  const t = useTranslations('mcp.list');
  const { isFiltered, clear } = useMcpView();
  return (
    <ListFrame
      {...props}
      problem={ConsoleQueryProblem}
      total={(count, isCapped) => (isCapped ? t('moreThan', { total: total(count) }) : total(count))}
      shown={(counts, isCapped) => t(isCapped ? 'shownOfMoreThan' : 'shownOf', counts)}
      none={isFiltered ? t('none') : none}
      onClear={isFiltered ? clear : undefined}
    />
  );
};

export const McpSearch = ({ label }: { readonly label: string }) => {
  const { view, change } = useMcpView();
  return <SearchField label={label} search={view.search ?? ''} onSearch={(search) => change({ search })} />;
};

interface McpFilterChipsProps {
  /** Name of the filtered client, if a visible row has it. */
  readonly client?: string | undefined;
  /** E-mail address of the filtered person, if a visible row has it. */
  readonly email?: string | undefined;
}

export const McpFilterChips = ({ client, email }: McpFilterChipsProps) => {
  const t = useTranslations('mcp.list');
  const { view, change } = useMcpView();
  return (
    <FilterChips
      texts={[
        ['user', view.user && (email === undefined ? t('onePerson') : t('onlyPerson', { email }))],
        ['client', view.client && (client === undefined ? t('oneClient') : t('onlyClient', { client }))],
      ]}
      label={(filter) => t('remove', { filter })}
      onRemove={(name) => change({ [name]: undefined })}
    />
  );
};
