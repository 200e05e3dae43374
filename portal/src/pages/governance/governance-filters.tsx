/**
 * Filters of the governance page: e-mail address, audience, person and organization; and invalid filters in the URL.
 */
import { getRouteApi } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { FilterChip, FilterMenu, SearchField } from '../../components/filters.tsx';
import { Notice } from '../../components/notice.tsx';
import {
  type ActiveSession,
  type GovernanceFilter,
  type InvalidFilter,
  knownAudiences,
  useAudienceName,
} from './active-sessions.ts';

const route = getRouteApi('/signed-in/admin/super/sessions');

interface GovernanceFiltersProps {
  readonly filter: GovernanceFilter;
  /** A visible session, which gives the filtered person or organization a name. */
  readonly example: ActiveSession | undefined;
  readonly field: RefObject<HTMLInputElement | null>;
}

export const GovernanceFilters = ({ filter, example, field }: GovernanceFiltersProps) => {
  const t = useTranslations('governance');
  const any = useTranslations('lists')('any');
  const audienceName = useAudienceName();
  const navigate = route.useNavigate();
  // Computed from the latest URL: a debounced search must not undo another filter.
  const change = (changed: GovernanceFilter): void =>
    void navigate({ search: (latest) => ({ ...latest, ...changed }), replace: true, resetScroll: false });
  return (
    <div className="space-y-4 border-b border-line px-5 py-4 sm:px-6">
      <SearchField
        label={t('search')}
        search={filter.email ?? ''}
        field={field}
        onSearch={(email) => change({ email: email === '' ? undefined : email })}
      />
      <div className="flex flex-wrap items-center gap-2">
        <FilterMenu
          label={t('audience')}
          any={any}
          value={filter.audience}
          choices={knownAudiences.map((audience) => ({ value: audience, name: audienceName(audience) }))}
          onChoose={(value) => change({ audience: value })}
        />
        <FilterChips filter={filter} example={example} onRemove={change} field={field} />
      </div>
      {filter.user === undefined && filter.organization === undefined && (
        <p className="text-sm text-soft">{t('hint')}</p>
      )}
    </div>
  );
};

interface FilterChipsProps {
  readonly filter: GovernanceFilter;
  readonly example: ActiveSession | undefined;
  readonly onRemove: (changed: GovernanceFilter) => void;
  readonly field: RefObject<HTMLInputElement | null>;
}

/** Chips of the person and organization filters, which remove them. */
const FilterChips = ({ filter, example, onRemove, field }: FilterChipsProps) => {
  const t = useTranslations('governance.filters');
  const email = example?.userId === filter.user ? example?.userEmail : undefined;
  const organization = example?.organizationId === filter.organization ? example?.organizationName : undefined;
  const person = email === undefined ? t('onePerson') : t('person', { email });
  const organizationLabel = organization ? t('organization', { organization }) : t('oneOrganization');
  const remove = (changed: GovernanceFilter) => () => {
    onRemove(changed);
    // The focused chip is unmounted.
    field.current?.focus();
  };
  return (
    <>
      {filter.user !== undefined && (
        <FilterChip text={person} label={t('remove', { filter: person })} onRemove={remove({ user: undefined })} />
      )}
      {filter.organization !== undefined && (
        <FilterChip
          text={organizationLabel}
          label={t('remove', { filter: organizationLabel })}
          onRemove={remove({ organization: undefined })}
        />
      )}
    </>
  );
};

interface InvalidFiltersProps {
  readonly invalid: readonly InvalidFilter[];
  readonly onClear: () => void;
}

/** Shown in place of the list: each invalid filter in the URL, and why. */
export const InvalidFilters = ({ invalid, onClear }: InvalidFiltersProps) => {
  const clear = useTranslations('lists')('clear');
  const t = useTranslations('governance.invalidFilters');
  return (
    <div className="space-y-3 p-3">
      <Notice tone="error" title={t('title')}>
        {invalid.map(({ name, reason }) => (
          <p key={name}>
            {t(name)}: {reason ?? t(name === 'audience' ? 'notAnAudience' : 'notAnId')}
          </p>
        ))}
      </Notice>
      <Button variant="secondary" onClick={onClear}>
        {clear}
      </Button>
    </div>
  );
};
