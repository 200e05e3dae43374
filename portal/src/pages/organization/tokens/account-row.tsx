/** A service account in the list: its details, its tokens, and the forms that change it and create a token for it. */
import { useQuery } from '@tanstack/react-query';
import { Suspense, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Badge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { formatDate, Instant } from '../../../components/dates.tsx';
import { Detail, DetailList, useTimeAgo } from '../../../components/detail-list.tsx';
import { lazyComponent } from '../../../components/lazy-component.tsx';
import { QueryState } from '../../../components/query-state.tsx';
import { SectionLoading } from '../../../components/section.tsx';
import { useSession } from '../../../session/session-context.tsx';
import { ScopesInWords } from '../../../tokens/scopes-in-words.tsx';
import { type TokenActions, TokenButtons } from '../../../tokens/token-actions.tsx';
import { TokenRow } from '../../../tokens/token-row.tsx';
import { isEnded } from '../../../tokens/tokens.ts';
import type { Membership } from '../../members/members.ts';
import { type ServiceAccount, tokensOfAccountQuery } from './queries.ts';

const AccountForm = lazyComponent(async () => (await import('./account-form.tsx')).AccountForm);
const ServiceTokenForm = lazyComponent(async () => (await import('./service-token-form.tsx')).ServiceTokenForm);

interface AccountRowProps {
  readonly account: ServiceAccount;
  readonly membership: Membership;
  readonly actions: TokenActions;
  readonly onDelete: () => void;
}

type Open = 'form' | 'token';

/** Live tokens of a service account at most. */
const mostTokens = 2;

export const AccountRow = ({ account, membership, actions, onDelete }: AccountRowProps) => {
  const t = useTranslations('serviceAccounts');
  const refusals = useTranslations('tokens.refusals');
  const [open, setOpen] = useState<Open>();
  const whyFull = useId();
  const { name, description, liveTokens } = account;
  const isFull = liveTokens >= mostTokens;
  const show = (next: Open): void => {
    actions.showResult(undefined);
    setOpen(next);
  };
  const close = (): void => setOpen(undefined);
  return (
    <li className="space-y-4 px-5 py-4 sm:px-6">
      <div className="space-y-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
          <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
          <Badge variant={liveTokens > 0 ? 'accent' : 'plain'}>{t('tokens', { count: liveTokens })}</Badge>
        </p>
        {description !== '' && (
          <p className="text-sm text-soft wrap-anywhere">
            <bdi>{description}</bdi>
          </p>
        )}
      </div>
      <AccountFacts account={account} />
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="secondary"
          aria-label={t('createTokenFor', { name })}
          aria-describedby={isFull ? whyFull : undefined}
          disabled={isFull}
          onClick={() => show('token')}
        >
          {t('createToken')}
        </Button>
        <Button variant="secondary" aria-label={t('editOne', { name })} onClick={() => show('form')}>
          {t('edit')}
        </Button>
        <Button variant="danger-secondary" aria-label={t('deleteOne', { name })} onClick={onDelete}>
          {t('delete')}
        </Button>
        {isFull && (
          <p id={whyFull} className="basis-full text-sm text-soft">
            {refusals('limitOfAccount')}
          </p>
        )}
      </div>
      {open !== undefined && (
        <div className="rounded-card border border-line">
          <Suspense fallback={<SectionLoading />}>
            {open === 'form' ? (
              <AccountForm
                account={account}
                membership={membership}
                onSaved={(saved) => {
                  close();
                  actions.showResult(t('wasSaved', { name: saved.name }));
                }}
                onClose={close}
              />
            ) : (
              <ServiceTokenForm
                account={account}
                onCreated={(issued) => {
                  close();
                  actions.showSecret(issued);
                }}
                onClose={close}
              />
            )}
          </Suspense>
        </div>
      )}
      <AccountTokens account={account} actions={actions} />
    </li>
  );
};

const AccountFacts = ({ account }: Pick<AccountRowProps, 'account'>) => {
  const t = useTranslations('serviceAccounts');
  const common = useTranslations('tokens');
  const timeAgo = useTimeAgo();
  const { createdAt, createdByEmail, lastUsedAt, scopes } = account;
  const date = formatDate(createdAt, { dateStyle: 'medium' });
  return (
    <DetailList>
      <Detail name={common('scopes')}>
        <ScopesInWords scopes={scopes} />
      </Detail>
      <Detail name={t('created')}>
        <Instant at={createdAt}>
          {createdByEmail === null ? date : t('createdBy', { date, email: createdByEmail })}
        </Instant>
      </Detail>
      <Detail name={t('lastUsed')}>
        {lastUsedAt === null ? common('neverUsed') : <Instant at={lastUsedAt}>{timeAgo(lastUsedAt)}</Instant>}
      </Detail>
    </DetailList>
  );
};

const AccountTokens = ({ account, actions }: Pick<AccountRowProps, 'account' | 'actions'>) => {
  const t = useTranslations('serviceAccounts');
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        className="text-link min-h-11 text-start wrap-anywhere"
        onClick={() => setOpen(!isOpen)}
      >
        {t('tokensOf', { name: account.name })}
      </button>
      <div id={id}>{isOpen && <TokensOfAccount account={account} actions={actions} />}</div>
    </div>
  );
};

const TokensOfAccount = ({ account, actions }: Pick<AccountRowProps, 'account' | 'actions'>) => {
  const t = useTranslations('serviceAccounts');
  const tokens = useQuery(tokensOfAccountQuery(useSession(), account.id));
  return (
    <div className="rounded-card border border-line">
      <QueryState query={tokens} />
      {tokens.data?.length === 0 && <p className="px-5 py-4 text-soft sm:px-6">{t('noTokens')}</p>}
      <ul aria-label={t('tokensOf', { name: account.name })} className="divide-y divide-line">
        {tokens.data?.map((token) => (
          <TokenRow key={token.id} token={token} owner={null}>
            {isEnded(token) ? undefined : <TokenButtons token={token} actions={actions} mayRotate />}
          </TokenRow>
        ))}
      </ul>
    </div>
  );
};
