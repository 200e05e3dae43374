/** Filters of the tokens of an organization: kind, status, expiry, use, service account, and a person set in a row. */
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { FilterChip, FilterMenu } from '../../../components/filters.tsx';
import { useSession } from '../../../session/session-context.tsx';
import type { Token } from '../../../tokens/tokens.ts';
import { serviceAccountsQuery } from './queries.ts';
import { expiryDays, tokenKinds, tokenStatuses, unusedDays, useTokenView, useViewChanges } from './view.ts';

/** The value of this name, if there is one. */
const known = <Value extends string>(values: readonly Value[], name: string | undefined): Value | undefined =>
  values.find((value) => value === name);

interface TokenFiltersProps {
  /** Those that are shown, which give a filtered person a name. */
  readonly tokens: readonly Token[];
}

export const TokenFilters = ({ tokens }: TokenFiltersProps) => {
  const t = useTranslations('organizationTokens');
  const status = useTranslations('tokens.statuses');
  const any = useTranslations('lists')('any');
  const view = useTokenView();
  const { change } = useViewChanges();
  return (
    <div className="flex flex-wrap gap-2 border-b border-line px-5 py-4 sm:px-6">
      <FilterMenu
        label={t('kind')}
        any={any}
        value={view.kind}
        choices={tokenKinds.map((kind) => ({ value: kind, name: t(`kinds.${kind}`) }))}
        onChoose={(kind) => change({ kind: known(tokenKinds, kind) })}
      />
      <FilterMenu
        label={t('status')}
        any={any}
        value={view.status}
        choices={tokenStatuses.map((each) => ({ value: each, name: status(each) }))}
        onChoose={(each) => change({ status: known(tokenStatuses, each) })}
      />
      <FilterMenu
        label={t('expires')}
        any={any}
        value={view.expires}
        choices={expiryDays.map((days) => ({ value: days, name: t('withinDays', { days: Number(days) }) }))}
        onChoose={(days) => {
          const expires = known(expiryDays, days);
          // Those that ended expire no more.
          change(expires === undefined ? { expires } : { expires, status: view.status ?? 'ACTIVE' });
        }}
      />
      <FilterMenu
        label={t('unused')}
        any={any}
        value={view.unused}
        choices={unusedDays.map((days) => ({ value: days, name: t('forDays', { days: Number(days) }) }))}
        onChoose={(days) => change({ unused: known(unusedDays, days) })}
      />
      <AccountFilter />
      <PersonChip tokens={tokens} />
    </div>
  );
};

const AccountFilter = () => {
  const t = useTranslations('organizationTokens');
  const any = useTranslations('lists')('any');
  const view = useTokenView();
  const { change } = useViewChanges();
  const accounts = useQuery(serviceAccountsQuery(useSession())).data ?? [];
  if (accounts.length === 0 && view.account === undefined) return null;
  return (
    <FilterMenu
      label={t('account')}
      any={any}
      value={view.account}
      choices={accounts.map(({ id, name }) => ({ value: id, name }))}
      onChoose={(account) => change({ account })}
    />
  );
};

const PersonChip = ({ tokens }: TokenFiltersProps) => {
  const t = useTranslations('organizationTokens');
  const { user } = useTokenView();
  const { change } = useViewChanges();
  if (user === undefined) return null;
  const email = tokens.find(({ userId }) => userId === user)?.userEmail ?? undefined;
  const text = email === undefined ? t('onePerson') : t('person', { email });
  return (
    <FilterChip text={text} label={t('removeFilter', { filter: text })} onRemove={() => change({ user: undefined })} />
  );
};
