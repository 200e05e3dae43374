/** The tokens of an organization: filters in the URL, pages, and what those who manage tokens can do with each. */
import { useTranslations } from 'use-intl';
import { Button } from '../../../components/button.tsx';
import { ListFrame } from '../../../lists/list-frame.tsx';
import { usePagedList } from '../../../lists/paged-list.ts';
import { usePerson, useSession } from '../../../session/session-context.tsx';
import { TokenButtons, TokenDialogs, TokenResult, useTokenActions } from '../../../tokens/token-actions.tsx';
import { TokenRow } from '../../../tokens/token-row.tsx';
import { isEnded, type Token } from '../../../tokens/tokens.ts';
import type { Membership } from '../../members/members.ts';
import { type Decisions, RefuseDialog, useDecisions } from './decisions.tsx';
import { organizationTokensQuery } from './queries.ts';
import { TokenFilters } from './token-filters.tsx';
import { useTokenView } from './view.ts';

export const TokenList = ({ membership }: { readonly membership: Membership }) => {
  const t = useTranslations('organizationTokens');
  const { view, isFiltered, clear } = useTokenView();
  const { id } = usePerson();
  const list = usePagedList(organizationTokensQuery(useSession(), view), 'id');
  const actions = useTokenActions();
  const decisions = useDecisions(actions);
  return (
    <>
      <ListFrame
        title={t('sections.tokens')}
        list={list}
        filters={<TokenFilters tokens={list.rows} />}
        result={<TokenResult actions={actions} />}
        shown={(counts) => t('shownOf', counts)}
        all={(total) => t('total', { total })}
        none={t(isFiltered ? 'noMatches' : 'none')}
        onClear={isFiltered ? clear : undefined}
      >
        {(tokens, isBusy) => (
          <ul aria-busy={isBusy} className="divide-y divide-line">
            {tokens.map((token) => (
              <TokenRow key={token.id} token={token} owner={<Owner token={token} />}>
                {isEnded(token) ? undefined : (
                  <>
                    <Decide token={token} decisions={decisions} membership={membership} />
                    {/* To refuse a token is to revoke it. */}
                    {!mayDecide(token, membership, id) && (
                      <TokenButtons token={token} actions={actions} mayRotate={token.kind === 'SERVICE'} />
                    )}
                  </>
                )}
              </TokenRow>
            ))}
          </ul>
        )}
      </ListFrame>
      <TokenDialogs actions={actions} />
      <RefuseDialog decisions={decisions} focusAfter={actions.resultNotice} />
    </>
  );
};

/** Whose a token is; pressing the person shows only their tokens. */
const Owner = ({ token: { userId, userEmail } }: { readonly token: Token }) => {
  const t = useTranslations('organizationTokens');
  const { change } = useTokenView();
  if (userId === null) return t('ofAccount');
  // Without an address they left, and have another one.
  const person = userEmail ?? t('formerMember');
  return (
    <button
      type="button"
      aria-label={userEmail === null ? t('onlyFormerMember') : t('onlyPerson', { email: userEmail })}
      className="text-link text-start wrap-anywhere"
      onClick={() => change({ user: userId })}
    >
      {person}
    </button>
  );
};

/** Only an owner decides on a token of their own. */
const mayDecide = ({ status, userId }: Token, { role }: Membership, ownId: string): boolean =>
  status === 'PENDING' && (userId !== ownId || role === 'OWNER');

interface DecideProps {
  readonly token: Token;
  readonly decisions: Decisions;
  readonly membership: Membership;
}

const Decide = ({ token, decisions, membership }: DecideProps) => {
  const t = useTranslations('organizationTokens');
  const { id } = usePerson();
  if (token.status !== 'PENDING') return null;
  if (!mayDecide(token, membership, id)) {
    return <p className="w-full text-sm text-soft">{t('decideOwn')}</p>;
  }
  const names = { name: token.name, email: token.userEmail ?? '' };
  return (
    <>
      <Button
        aria-label={t('approveOne', names)}
        busy={decisions.isApproving(token)}
        onClick={() => decisions.approve(token)}
      >
        {t('approve')}
      </Button>
      <Button
        variant="danger-secondary"
        aria-label={t('refuseOne', names)}
        onClick={() => decisions.askToRefuse(token)}
      >
        {t('refuse')}
      </Button>
      {decisions.problemOf(token)}
    </>
  );
};
