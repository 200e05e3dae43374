/** /plan: the subscription of the active organization, what it permits the person, and how it can be changed. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { NoOrganization } from '../../components/no-organization.tsx';
import { Notice, RetryNotice } from '../../components/notice.tsx';
import { PageHeading, PageLoading } from '../../components/page.tsx';
import { isPaidFor } from '../../components/paid-for.ts';
import { usePerson, useSession } from '../../session/session-context.tsx';
import { type PlanMembership, type Product, planQuery, type Scope, type Subscription, useBilling } from './plan.ts';
import { CurrentPlan, GrantedScopes, PlanProducts } from './plan-sections.tsx';

const route = getRouteApi('/signed-in/plan');

export const PlanPage = () => {
  const t = useTranslations('plan');
  const person = usePerson();
  const active = person.currentMembership;
  return (
    <>
      <div className="space-y-2">
        <PageHeading title={t('title')} />
        {active !== null && (
          <p className="leading-relaxed wrap-anywhere text-soft">
            {t('lead', { organization: active.organization.name })}
          </p>
        )}
      </div>
      {active === null ? <NoOrganization /> : <Plan organizationId={active.organization.id} />}
    </>
  );
};

const Plan = ({ organizationId }: { readonly organizationId: string }) => {
  const { checkout } = route.useSearch();
  const session = useSession();
  const plan = useQuery(planQuery(session, organizationId));
  // The person's scopes depend on the plan, on other pages too.
  const reload = () => void Promise.all([plan.refetch(), session.refetch()]);
  const membership = plan.data?.me.currentMembership ?? undefined;
  return (
    <>
      {checkout !== undefined && (
        <CheckoutNotice
          outcome={checkout === 'done' && isBought(membership?.organization.subscription) ? 'confirmed' : checkout}
          busy={plan.isFetching}
          onReload={reload}
        />
      )}
      {plan.isError && <RetryNotice error={plan.error} busy={plan.isFetching} onRetry={reload} />}
      {plan.isPending && <PageLoading />}
      {plan.data !== undefined && membership !== undefined && (
        <PlanSections membership={membership} products={plan.data.products} scopes={plan.data.application.scopes} />
      )}
    </>
  );
};

/** Whether the payment provider's event has arrived: its subscriptions have a period. */
const isBought = (subscription: Subscription | undefined): boolean =>
  subscription !== undefined && isPaidFor(subscription.status) && subscription.currentPeriodEndsAt !== null;

interface PlanSectionsProps {
  readonly membership: PlanMembership;
  readonly products: readonly Product[];
  readonly scopes: readonly Scope[];
}

const PlanSections = ({ membership, products, scopes }: PlanSectionsProps) => {
  const { checkout } = route.useSearch();
  const billing = useBilling(membership, products, checkout === 'done');
  return (
    <>
      <CurrentPlan membership={membership} products={products} billing={billing} />
      <GrantedScopes membership={membership} products={products} scopes={scopes} />
      <PlanProducts
        subscription={membership.organization.subscription}
        products={products}
        scopes={scopes}
        billing={billing}
      />
    </>
  );
};

interface CheckoutNoticeProps {
  readonly outcome: 'done' | 'confirmed' | 'cancelled';
  readonly busy: boolean;
  readonly onReload: () => void;
}

/** The result of a checkout. The plan changes only once the provider's webhook has arrived. */
const CheckoutNotice = ({ outcome, busy, onReload }: CheckoutNoticeProps) => {
  const t = useTranslations('plan.checkout');
  return (
    <Notice tone={outcome === 'confirmed' ? 'success' : 'info'} title={t(`${outcome}.title`)}>
      <p>{t(`${outcome}.text`)}</p>
      {outcome === 'done' && (
        <Button variant="secondary" busy={busy} onClick={onReload}>
          {t('reload')}
        </Button>
      )}
    </Notice>
  );
};
