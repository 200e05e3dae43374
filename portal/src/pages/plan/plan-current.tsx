/** The plan as it stands: its state in words, until when, and who can change it. */
import { useTranslations } from 'use-intl';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Instant } from '../../components/instant.tsx';
import { Section } from '../../components/section.tsx';
import { formatDate } from '../../dates.ts';
import { type Billing, type BillingErrand, hasFailed, isUnderWay } from './plan-billing.ts';
import { LeavingProblem } from './plan-leaving-problem.tsx';
import type { PlanMembership, Subscription } from './plan-query.ts';

const looks = {
  NONE: 'plain',
  ACTIVE: 'accent',
  TRIALING: 'accent',
  PAST_DUE: 'caution',
  CANCELED: 'caution',
} as const satisfies Record<Subscription['status'], string>;

const isManaging = (errand: BillingErrand): boolean => errand === 'manage';

interface CurrentPlanProps {
  readonly membership: PlanMembership;
  readonly billing: Billing;
}

export const CurrentPlan = ({ membership, billing }: CurrentPlanProps) => {
  const t = useTranslations('plan');
  const { name, subscription } = membership.organization;
  const { status, product } = subscription;
  return (
    <Section title={t('current.title')} foot={<Change organization={name} billing={billing} />}>
      <div className="space-y-2 px-5 py-5 sm:px-6">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-lg font-semibold break-words">
          <span className="min-w-0 break-words">
            {product ?? (status === 'NONE' ? t('current.none') : t('current.unnamed'))}
          </span>
          <Badge look={looks[status]}>{t(`${status}.badge`)}</Badge>
        </p>
        <p className="leading-relaxed text-soft">
          {t(`${status}.meaning`)} <Period subscription={subscription} />
        </p>
      </div>
      {hasFailed(billing, isManaging) && (
        <div className="px-3 pb-3">
          <LeavingProblem error={billing.leaving.error} />
        </div>
      )}
    </Section>
  );
};

const Period = ({ subscription }: { readonly subscription: Subscription }) => {
  const t = useTranslations('plan.current');
  const { status, currentPeriodEndsAt } = subscription;
  if (currentPeriodEndsAt === null) return null;
  const end = new Date(currentPeriodEndsAt);
  const date = formatDate(end, { dateStyle: 'long' });
  const isPast = end.getTime() < Date.now();
  const text = status === 'TRIALING' ? (isPast ? 'trialEnded' : 'trialEnds') : isPast ? 'periodEnded' : 'periodEnds';
  return <Instant at={currentPeriodEndsAt}>{t(text, { date })}</Instant>;
};

const Change = ({ organization, billing }: { readonly organization: string; readonly billing: Billing }) => {
  const t = useTranslations('plan.change');
  if (billing.who === 'operator') return <p className="leading-relaxed text-soft">{t('askOperator')}</p>;
  if (billing.who === 'owner') {
    return <p className="min-w-0 leading-relaxed break-words text-soft">{t('askOwner', { organization })}</p>;
  }
  if (!billing.canManage) {
    const next = billing.hasJustPaid ? t('awaited') : t(billing.offered.length > 0 ? 'choose' : 'noOther');
    return <p className="leading-relaxed text-soft">{next}</p>;
  }
  return (
    <>
      <p className="min-w-0 flex-1 basis-64 leading-relaxed text-soft">{t('manageLead')}</p>
      <Button look="quiet" busy={isUnderWay(billing, isManaging)} onClick={() => billing.leaving.mutate('manage')}>
        {t('manage')}
      </Button>
    </>
  );
};
