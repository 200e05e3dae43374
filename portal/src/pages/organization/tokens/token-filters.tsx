/** Filters of the tokens of an organization: kind, status, expiry, use, service account, and a person set in a row. */
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { FilterBar, FilterChips, FilterMenu } from '../../../lists/filters.tsx';
import { oneOf } from '../../../lists/list-view.ts';
import { useSession } from '../../../session/session-context.tsx';
import type { Token } from '../../../tokens/tokens.ts';
import { serviceAccountsQuery } from './queries.ts';
import { expiryDays, tokenKinds, tokenStatuses, unusedDays, useTokenView } from './view.ts';

interface TokenFiltersProps {
  /** Those that are shown, which give a filtered person a name. */
  readonly tokens: readonly Token[];
}

export const TokenFilters = ({ tokens }: TokenFiltersProps) => {
  const t = useTranslations('organizationTokens');
  const status = useTranslations('tokens.statuses');
  const any = useTranslations('lists')('any');
  const { view, change } = useTokenView();
  return (
    <FilterBar>
      <FilterMenu
        label={t('kind')}
        any={any}
        value={view.kind}
        choices={tokenKinds.map((kind) => ({ value: kind, name: t(`kinds.${kind}`) }))}
        onChoose={(kind) => change({ kind: oneOf(tokenKinds, kind) })}
      />
      <FilterMenu
        label={t('status')}
        any={any}
        value={view.status}
        choices={tokenStatuses.map((each) => ({ value: each, name: status(each) }))}
        onChoose={(each) => change({ status: oneOf(tokenStatuses, each) })}
      />
      <FilterMenu
        label={t('expires')}
        any={any}
        value={view.expires}
        choices={expiryDays.map((days) => ({ value: days, name: t('withinDays', { days: Number(days) }) }))}
        onChoose={(days) => {
          const expires = oneOf(expiryDays, days);
          // Those that ended expire no more.
          change(expires === undefined ? { expires } : { expires, status: view.status ?? 'ACTIVE' });
        }}
      />
      <FilterMenu
        label={t('unused')}
        any={any}
        value={view.unused}
        choices={unusedDays.map((days) => ({ value: days, name: t('forDays', { days: Number(days) }) }))}
        onChoose={(days) => change({ unused: oneOf(unusedDays, days) })}
      />
      <AccountFilter />
      <PersonChip tokens={tokens} />
    </FilterBar>
  );
};

const AccountFilter = () => {
  const t = useTranslations('organizationTokens');
  const any = useTranslations('lists')('any');
  const { view, change } = useTokenView();
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
  const { view, change } = useTokenView();
  const email = tokens.find(({ userId }) => userId === view.user)?.userEmail ?? undefined;
  return (
    <FilterChips
      texts={[['user', view.user && (email === undefined ? t('onePerson') : t('person', { email }))]]}
      label={(filter) => t('removeFilter', { filter })}
      onRemove={(name) => change({ [name]: undefined })}
    />
  );
};
