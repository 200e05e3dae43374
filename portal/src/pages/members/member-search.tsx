/** The search in the member list. */
import { getRouteApi } from '@tanstack/react-router';
import type { Ref } from 'react';
import { useTranslations } from 'use-intl';
import { SearchField } from '../../components/search-field.tsx';

const route = getRouteApi('/signed-in/members');

interface MemberSearchProps {
  readonly search: string;
  readonly field: Ref<HTMLInputElement>;
}

export const MemberSearch = ({ search, field }: MemberSearchProps) => {
  const t = useTranslations('members');
  const navigate = route.useNavigate();
  return (
    <SearchField
      label={t('search')}
      search={search}
      field={field}
      onSearch={(wanted) =>
        void navigate({ search: wanted === '' ? {} : { search: wanted }, replace: true, resetScroll: false })
      }
    />
  );
};
