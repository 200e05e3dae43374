/** The search that a section begins with; it stands in the address. */
import type { RefObject } from 'react';
import { SearchField } from '../../components/search-field.tsx';
import { useMcpView, useViewChanges } from './view.ts';

interface McpSearchProps {
  readonly label: string;
  readonly field: RefObject<HTMLInputElement | null>;
}

export const McpSearch = ({ label, field }: McpSearchProps) => {
  const { search = '' } = useMcpView();
  const { change } = useViewChanges();
  return <SearchField label={label} search={search} field={field} onSearch={(text) => change({ search: text })} />;
};
