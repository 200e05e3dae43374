/** /admin/super/sign-ins: the attempts to sign in of the last days, filtered by the URL. */
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { PageHead } from '../../../components/page.tsx';
import { FilterBar, FilterChips, FilterMenu, SearchField } from '../../../lists/filters.tsx';
import { instantOf, type ListView } from '../../../lists/list-view.ts';
import { usePagedList } from '../../../lists/paged-list.ts';
import { TimeField } from '../../../lists/time-field.tsx';
import { useSession } from '../../../session/session-context.tsx';
import { success, useMethodLabel, useReasonLabel } from '../../account/sign-ins/labels.ts';
import { ConsoleList } from '../console-list.tsx';
import { ScopeGate } from '../scope-gate.tsx';
import { type SignInRow, type SignInsView, signInsQuery, useSignInsView } from './sign-ins.ts';
import { SignInsTable } from './sign-ins-table.tsx';

export const SignInsPage = (): ReactNode => {
  const t = useTranslations('consoleSignIns');
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')} />
      <ScopeGate requires="sessions">
        <SignIns />
      </ScopeGate>
    </>
  );
};

const SignIns = () => {
  const t = useTranslations('consoleSignIns');
  const filters = useSignInsView();
  const list = usePagedList(signInsQuery(useSession(), filters.view), 'id');
  return (
    <ConsoleList
      list={list}
      filters={<Filters filters={filters} example={list.rows[0]} />}
      total={(total, isCapped) => t(isCapped ? 'moreThan' : 'total', { total })}
      none={t('none')}
      onClear={filters.isFiltered ? filters.clear : undefined}
    >
      {(rows, isBusy) => <SignInsTable rows={rows} busy={isBusy} hasPerson />}
    </ConsoleList>
  );
};

const methods = ['password', 'google', 'passkey', 'invitation'] as const;

/** Codes of refusals that a super admin looks for. */
const refusals = ['INVALID_CREDENTIALS', 'SECOND_FACTOR_REQUIRED', 'ACCOUNT_SUSPENDED', 'EMAIL_NOT_VERIFIED'] as const;

interface FiltersProps {
  readonly filters: ListView<SignInsView>;
  /** A row of the list, which gives a filtered person a name. */
  readonly example: SignInRow | undefined;
}

const Filters = ({ filters: { view, change }, example }: FiltersProps) => {
  const t = useTranslations('consoleSignIns');
  const any = useTranslations('lists')('any');
  const methodOf = useMethodLabel();
  const reasonOf = useReasonLabel();
  const person = example?.userEmail ? t('person', { email: example.userEmail }) : t('onePerson');
  return (
    <FilterBar
      fields={
        <div className="grid gap-4 sm:grid-cols-3">
          <SearchField label={t('network')} search={view.network ?? ''} onSearch={(network) => change({ network })} />
          <TimeField label={t('from')} instant={instantOf(view.from)} onChange={(from) => change({ from })} />
          <TimeField label={t('to')} instant={instantOf(view.to)} onChange={(to) => change({ to })} />
        </div>
      }
    >
      <FilterMenu
        label={t('outcome')}
        any={any}
        value={view.outcome}
        choices={[
          { value: success, name: t('success') },
          ...refusals.map((code) => ({ value: code, name: reasonOf(code) })),
        ]}
        onChoose={(outcome) => change({ outcome })}
      />
      <FilterMenu
        label={t('method')}
        any={any}
        value={view.method}
        choices={methods.map((method) => ({ value: method, name: methodOf(method) }))}
        onChoose={(method) => change({ method })}
      />
      <FilterChips
        texts={[['user', view.user && person]]}
        label={(filter) => t('remove', { filter })}
        onRemove={(name) => change({ [name]: undefined })}
      />
    </FilterBar>
  );
};
