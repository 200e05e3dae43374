/** Filters of the sessions: some always shown, the others behind a button, and those that only a link sets as chips. */
import { type RefObject, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../components/button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { FilterBar, FilterChips, FilterMenu, SearchField } from '../../../lists/filters.tsx';
import { TimeField } from '../../../lists/time-field.tsx';
import {
  audiences,
  isInstant,
  isServiceAccount,
  kinds,
  methods,
  type SessionRow,
  type SessionView,
  sortColumns,
  useAudienceName,
  useMethodName,
  type WrongFilter,
} from './sessions.ts';

interface SessionFiltersProps {
  readonly view: SessionView;
  /** A row of the list, which gives a person, an organization or a client its name. */
  readonly example: SessionRow | undefined;
  readonly searchField: RefObject<HTMLInputElement | null>;
  readonly onChange: (changed: SessionView) => void;
  readonly onSort: (sorting: Pick<SessionView, 'sort' | 'direction'>) => void;
}

const hidden = ['network', 'agent', 'issuedAfter', 'issuedBefore', 'seenAfter', 'seenBefore'] as const;

export const SessionFilters = (props: SessionFiltersProps) => {
  const { view, searchField, onChange } = props;
  const t = useTranslations('sessions');
  const hasHidden = hidden.some((name) => view[name] !== undefined);
  const [hadHidden, setHadHidden] = useState(hasHidden);
  const [isOpen, setOpen] = useState(hasHidden);
  // Set by a row or a link.
  if (hasHidden !== hadHidden) {
    setHadHidden(hasHidden);
    if (hasHidden) setOpen(true);
  }
  const moreId = useId();
  return (
    <FilterBar
      fields={
        <SearchField
          label={t('search')}
          search={view.email ?? ''}
          field={searchField}
          onSearch={(email) => onChange({ email })}
        />
      }
      more={
        isOpen && (
          <div id={moreId}>
            <MoreFilters {...props} />
          </div>
        )
      }
    >
      <Menus {...props} />
      <Chips {...props} />
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? moreId : undefined}
        className="text-link min-h-11 px-2"
        onClick={() => setOpen(!isOpen)}
      >
        {t(isOpen ? 'fewer' : 'more')}
      </button>
    </FilterBar>
  );
};

const Menus = ({ view, onChange, onSort }: SessionFiltersProps) => {
  const t = useTranslations('sessions');
  const any = useTranslations('lists')('any');
  const audienceName = useAudienceName();
  const methodName = useMethodName();
  return (
    <>
      <FilterMenu
        label={t('kind')}
        any={any}
        value={view.kind}
        choices={kinds.map((value) => ({ value, name: t(`kinds.${value}`) }))}
        onChoose={(kind) => onChange({ kind })}
      />
      <FilterMenu
        label={t('audience')}
        any={any}
        value={view.audience}
        choices={audiences.map((value) => ({ value, name: audienceName(value) }))}
        onChoose={(audience) => onChange({ audience })}
      />
      <FilterMenu
        label={t('method')}
        any={any}
        value={view.method}
        choices={methods.map((value) => ({ value, name: methodName(value) }))}
        onChoose={(method) => onChange({ method })}
      />
      {/* Where the table has no headings. */}
      <span className="lg:hidden">
        <FilterMenu
          label={t('sort')}
          any={t('newest')}
          value={view.sort}
          choices={sortColumns.map((value) => ({ value, name: t(`columns.${value}`) }))}
          onChoose={(column) => onSort(column === undefined ? {} : { sort: column })}
        />
      </span>
    </>
  );
};

/** A person, an organization and a client are set by links and rows, and removed here. */
const Chips = ({ view, example, onChange }: SessionFiltersProps) => {
  const t = useTranslations('sessions.filters');
  const organization = example?.organizationName ?? undefined;
  const client = example?.clientName ?? undefined;
  const person = example === undefined ? t('onePerson') : t('person', { email: nameOf(example) });
  const inOrganization = organization === undefined ? t('oneOrganization') : t('onlyOrganization', { organization });
  const ofClient = client === undefined ? t('oneClient') : t('onlyClient', { client });
  return (
    <FilterChips
      texts={[
        ['user', view.user && person],
        ['organization', view.organization && inOrganization],
        ['client', view.client && ofClient],
      ]}
      label={(filter) => t('remove', { filter })}
      onRemove={(name) => onChange({ [name]: undefined })}
    />
  );
};

/** A service account has the name of its tokens. */
const nameOf = (row: SessionRow): string => (isServiceAccount(row) ? (row.tokenName ?? row.userId) : row.userEmail);

const MoreFilters = ({ view, onChange }: SessionFiltersProps) => {
  const t = useTranslations('sessions.filters');
  const hintId = useId();
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      {(['network', 'agent'] as const).map((name) => (
        <div key={name} className="space-y-1.5 xl:col-span-2">
          <SearchField
            label={t(name)}
            search={view[name] ?? ''}
            describedBy={name === 'network' ? hintId : undefined}
            onSearch={(text) => onChange({ [name]: text })}
          />
          {name === 'network' && (
            <p id={hintId} className="text-sm text-soft">
              {t('networkHint')}
            </p>
          )}
        </div>
      ))}
      {(['issuedAfter', 'issuedBefore', 'seenAfter', 'seenBefore'] as const).map((name) => (
        <TimeField
          key={name}
          label={t(name)}
          instant={isInstant(view[name]) ? view[name] : undefined}
          onChange={(instant) => onChange({ [name]: instant })}
        />
      ))}
    </div>
  );
};

interface WrongFiltersProps {
  readonly wrong: readonly WrongFilter[];
  readonly onClear: () => void;
  /** Keeps the filters, and sorts as at first. */
  readonly onNewest: () => void;
}

/**
 * In place of the list: each wrong filter of the URL, and why. What is wrong with no filter by itself, such as an order
 * for too many sessions, is said in the server's words alone.
 */
export const WrongFilters = ({ wrong, onClear, onNewest }: WrongFiltersProps) => {
  const t = useTranslations('sessions');
  const clear = useTranslations('lists')('clear');
  const isWhole = wrong.every(({ name }) => name === 'filter');
  return (
    <div className="space-y-3 p-3">
      {isWhole ? (
        <Notice tone="warning">
          {wrong.map(({ reason }) => (
            <p key={reason}>{reason}</p>
          ))}
        </Notice>
      ) : (
        <Notice tone="error" title={t('wrong.title')}>
          {wrong.map(({ name, reason }) => (
            <p key={name}>
              {t(`filters.${name}`)}: {reason ?? t(name === 'kind' ? 'wrong.notAChoice' : 'wrong.notAnInstant')}
            </p>
          ))}
        </Notice>
      )}
      <Button variant="secondary" onClick={isWhole ? onNewest : onClear}>
        {isWhole ? t('newest') : clear}
      </Button>
    </div>
  );
};
