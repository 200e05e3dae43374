/** Filters of the governance page: e-mail address, audience, person and organization; and invalid filters in the URL. */
import { getRouteApi } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { FilterChip, FilterMenu, SearchField } from '../../components/filters.tsx';
import { Notice } from '../../components/notice.tsx';
import {
  type ActiveSession,
  type GovernanceFilter,
  knownAudiences,
  useAudienceName,
  type WrongFilter,
} from './active-sessions.ts';

const route = getRouteApi('/signed-in/admin/super/sessions');

interface GovernanceFiltersProps {
  readonly filter: GovernanceFilter;
  /** A session that is shown, so that a person or organization in the address has a name. */
  readonly example: ActiveSession | undefined;
  readonly field: RefObject<HTMLInputElement | null>;
}

export const GovernanceFilters = ({ filter, example, field }: GovernanceFiltersProps) => {
  const t = useTranslations('governance');
  const audienceName = useAudienceName();
  const navigate = route.useNavigate();
  // From what the address says by then: a search that waits for a pause in the typing must not undo another filter.
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
          any={t('any')}
          value={filter.audience}
          choices={knownAudiences.map((audience) => ({ value: audience, name: audienceName(audience) }))}
          onChoose={(value) => change({ audience: value })}
        />
        <Narrowed filter={filter} example={example} onRemove={change} field={field} />
      </div>
      {filter.user === undefined && filter.organization === undefined && (
        <p className="text-sm text-soft">{t('hint')}</p>
      )}
    </div>
  );
};

interface NarrowedProps {
  readonly filter: GovernanceFilter;
  readonly example: ActiveSession | undefined;
  readonly onRemove: (changed: GovernanceFilter) => void;
  readonly field: RefObject<HTMLInputElement | null>;
}

/** The one person and the one organization, each with the way back to all. */
const Narrowed = ({ filter, example, onRemove, field }: NarrowedProps) => {
  const t = useTranslations('governance.narrowed');
  const email = example?.userId === filter.user ? example?.userEmail : undefined;
  const organization = example?.organizationId === filter.organization ? example?.organizationName : undefined;
  const person = email === undefined ? t('onePerson') : t('person', { email });
  const place = organization ? t('organization', { organization }) : t('oneOrganization');
  const remove = (changed: GovernanceFilter) => () => {
    onRemove(changed);
    // The button that had the focus goes with what it removed.
    field.current?.focus();
  };
  return (
    <>
      {filter.user !== undefined && (
        <FilterChip words={person} label={t('remove', { filter: person })} onRemove={remove({ user: undefined })} />
      )}
      {filter.organization !== undefined && (
        <FilterChip
          words={place}
          label={t('remove', { filter: place })}
          onRemove={remove({ organization: undefined })}
        />
      )}
    </>
  );
};

interface ClearFiltersProps {
  /** The button that had the focus goes with what it cleared. */
  readonly onCleared: () => void;
}

export const ClearFilters = ({ onCleared }: ClearFiltersProps) => {
  const t = useTranslations('governance');
  const navigate = route.useNavigate();
  const clear = () => {
    void navigate({ search: {}, replace: true });
    onCleared();
  };
  return (
    <Button look="quiet" onClick={clear}>
      {t('clear')}
    </Button>
  );
};

interface WrongFiltersProps extends ClearFiltersProps {
  readonly wrong: readonly WrongFilter[];
}

export const WrongFilters = ({ wrong, onCleared }: WrongFiltersProps) => {
  const t = useTranslations('governance.wrong');
  return (
    <div className="space-y-3 p-3">
      <Notice tone="problem" title={t('title')}>
        {wrong.map(({ name, reason }) => (
          <p key={name}>
            {t(name)}: {reason ?? t(name === 'audience' ? 'notAnAudience' : 'notAnId')}
          </p>
        ))}
      </Notice>
      <ClearFilters onCleared={onCleared} />
    </div>
  );
};
