/** /admin/super/sign-ins: the attempts to sign in of the last days, filtered by the URL. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { FilterChip, FilterMenu, SearchField } from '../../../components/filters.tsx';
import { PageHeading } from '../../../components/page.tsx';
import { useSession } from '../../../session/session-context.tsx';
import { success, useMethodLabel, useReasonLabel } from '../../account/sign-ins/labels.ts';
import { ConsoleList } from '../console-list.tsx';
import { ScopeGate } from '../scope-gate.tsx';
import { TimeField } from '../time-field.tsx';
import { readSignInsView, type SignInRow, type SignInsView, signInsQuery } from './sign-ins.ts';
import { SignInsTable } from './sign-ins-table.tsx';

const route = getRouteApi('/signed-in/admin/super/sign-ins');

export const SignInsPage = (): ReactNode => {
  const t = useTranslations('consoleSignIns');
  return (
    <>
      <div className="space-y-2">
        <PageHeading title={t('title')} />
        <p className="text-soft">{t('lead')}</p>
      </div>
      <ScopeGate requires="sessions">
        <SignIns />
      </ScopeGate>
    </>
  );
};

const SignIns = () => {
  const t = useTranslations('consoleSignIns');
  const view = readSignInsView(route.useSearch());
  const list = useInfiniteQuery(signInsQuery(useSession(), view));
  const navigate = route.useNavigate();
  const change = (changed: SignInsView): void =>
    void navigate({
      search: (latest) => readSignInsView({ ...latest, ...changed }),
      replace: true,
      resetScroll: false,
    });
  const isFiltered = Object.keys(view).length > 0;
  return (
    <div className="rounded-card border border-line bg-surface">
      <Filters view={view} example={list.data?.pages[0]?.nodes[0]} onChange={change} />
      <ConsoleList
        list={list}
        keyOf={({ id }) => id}
        total={(total) => t('total', { total })}
        moreThan={(total) => t('moreThan', { total })}
        none={t('none')}
        onClear={isFiltered ? () => void navigate({ search: {}, replace: true }) : undefined}
      >
        {(rows, isBusy) => <SignInsTable rows={rows} busy={isBusy} hasPerson />}
      </ConsoleList>
    </div>
  );
};

const methods = ['password', 'google', 'passkey', 'invitation'] as const;

/** Codes of refusals that a super admin looks for. */
const refusals = ['INVALID_CREDENTIALS', 'SECOND_FACTOR_REQUIRED', 'ACCOUNT_SUSPENDED', 'EMAIL_NOT_VERIFIED'] as const;

interface FiltersProps {
  readonly view: SignInsView;
  /** A row of the list, which gives a filtered person a name. */
  readonly example: SignInRow | undefined;
  readonly onChange: (changed: SignInsView) => void;
}

const Filters = ({ view, example, onChange }: FiltersProps) => {
  const t = useTranslations('consoleSignIns');
  const any = useTranslations('lists')('any');
  const methodOf = useMethodLabel();
  const reasonOf = useReasonLabel();
  const field = useRef<HTMLInputElement>(null);
  const person = example?.userEmail ? t('person', { email: example.userEmail }) : t('onePerson');
  return (
    <div className="space-y-4 border-b border-line px-5 py-4 sm:px-6">
      <div className="grid gap-4 sm:grid-cols-3">
        <SearchField
          label={t('network')}
          search={view.network ?? ''}
          field={field}
          onSearch={(network) => onChange({ network })}
        />
        <TimeField label={t('from')} instant={view.from} onChange={(from) => onChange({ from: from ?? '' })} />
        <TimeField label={t('to')} instant={view.to} onChange={(to) => onChange({ to: to ?? '' })} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <FilterMenu
          label={t('outcome')}
          any={any}
          value={view.outcome}
          choices={[
            { value: success, name: t('success') },
            ...refusals.map((code) => ({ value: code, name: reasonOf(code) })),
          ]}
          onChoose={(outcome) => onChange({ outcome: outcome ?? '' })}
        />
        <FilterMenu
          label={t('method')}
          any={any}
          value={view.method}
          choices={methods.map((method) => ({ value: method, name: methodOf(method) }))}
          onChoose={(method) => onChange({ method: method ?? '' })}
        />
        {view.user !== undefined && (
          <FilterChip
            text={person}
            label={t('remove', { filter: person })}
            onRemove={() => {
              onChange({ user: '' });
              field.current?.focus();
            }}
          />
        )}
      </div>
    </div>
  );
};
