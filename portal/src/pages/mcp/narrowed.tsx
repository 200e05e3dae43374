/** The one person and the one client that a section is narrowed to, each with the way back to all. */
import type { RefObject } from 'react';
import { useTranslations } from 'use-intl';
import { FilterChip } from '../../components/filter-menu.tsx';
import { useMcpView, useViewChanges } from './view.ts';

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
