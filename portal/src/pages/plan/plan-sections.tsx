/** Sections of the plan page: the current plan, the scopes of the person, and the products with their buttons. */
import { useTranslations } from 'use-intl';
import { ScopeName } from '../../access/scope-name.tsx';
import { useScopeWords } from '../../access/scope-words.ts';
import { usePlainRole, useRoleTitle } from '../../components/application.tsx';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { formatDate, Instant } from '../../components/dates.tsx';
import { Icon } from '../../components/icon.tsx';
import { Notice, RefusalNotice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { hasCode } from '../../session/refusal.ts';
import {
  type Billing,
  type BillingTarget,
  denialReason,
  hasFailed,
  isRedirecting,
  type PlanMembership,
  type Product,
  type Scope,
  type Subscription,
} from './plan.ts';

const variants = {
  NONE: 'plain',
  ACTIVE: 'accent',
  TRIALING: 'accent',
  PAST_DUE: 'caution',
  CANCELED: 'caution',
} as const satisfies Record<Subscription['status'], string>;

const isManaging = (target: BillingTarget): boolean => target === 'manage';

interface CurrentPlanProps {
  readonly membership: PlanMembership;
  readonly products: readonly Product[];
  readonly billing: Billing;
}

export const CurrentPlan = ({ membership, products, billing }: CurrentPlanProps) => {
  const t = useTranslations('plan');
  const { name, subscription } = membership.organization;
  const { status, product } = subscription;
  const current = products.find((each) => each.name === product);
  return (
    <Section title={t('current.title')} footer={<PlanChange organization={name} billing={billing} />}>
      <div className="space-y-2 px-5 py-5 sm:px-6">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-lg font-semibold wrap-anywhere">
          <span className="min-w-0 wrap-anywhere">
            {current?.title ?? product ?? (status === 'NONE' ? t('current.none') : t('current.unnamed'))}
          </span>
          <Badge variant={variants[status]}>{t(`${status}.badge`)}</Badge>
          {current !== undefined && <Seats product={current} />}
        </p>
        <p className="leading-relaxed text-soft">
          {t(`${status}.meaning`)} <PeriodEnd subscription={subscription} />
        </p>
      </div>
      {hasFailed(billing, isManaging) && (
        <div className="px-3 pb-3">
          <RedirectProblem error={billing.redirect.error} />
        </div>
      )}
    </Section>
  );
};

const Seats = ({ product: { members } }: { readonly product: Product }) => {
  const t = useTranslations('plan.products');
  return members !== null && <span className="text-sm font-normal text-soft">{t('members', { count: members })}</span>;
};

const PeriodEnd = ({ subscription }: { readonly subscription: Subscription }) => {
  const t = useTranslations('plan.current');
  const { status, currentPeriodEndsAt } = subscription;
  if (currentPeriodEndsAt === null) return null;
  const end = new Date(currentPeriodEndsAt);
  const date = formatDate(end, { dateStyle: 'long' });
  const isPast = end.getTime() < Date.now();
  const text = status === 'TRIALING' ? (isPast ? 'trialEnded' : 'trialEnds') : isPast ? 'periodEnded' : 'periodEnds';
  return <Instant at={currentPeriodEndsAt}>{t(text, { date })}</Instant>;
};

const PlanChange = ({ organization, billing }: { readonly organization: string; readonly billing: Billing }) => {
  const t = useTranslations('plan.change');
  if (billing.changeableBy === 'operator') return <p className="leading-relaxed text-soft">{t('askOperator')}</p>;
  if (billing.changeableBy === 'owner') {
    return <p className="min-w-0 leading-relaxed wrap-anywhere text-soft">{t('askOwner', { organization })}</p>;
  }
  if (!billing.canManage) {
    const next = billing.hasJustPaid ? t('awaited') : t(billing.offered.length > 0 ? 'choose' : 'noOther');
    return <p className="leading-relaxed text-soft">{next}</p>;
  }
  return (
    <>
      <p className="min-w-0 flex-1 basis-64 leading-relaxed text-soft">{t('manageLead')}</p>
      <Button
        variant="secondary"
        busy={isRedirecting(billing, isManaging)}
        onClick={() => billing.redirect.mutate('manage')}
      >
        {t('manage')}
      </Button>
    </>
  );
};

interface GrantedScopesProps {
  readonly membership: PlanMembership;
  readonly products: readonly Product[];
  readonly scopes: readonly Scope[];
}

export const GrantedScopes = ({ membership, products, scopes }: GrantedScopesProps) => {
  const t = useTranslations('plan.allowed');
  const { wordsOf } = useScopeWords(scopes);
  const { role, organization, scopeExplanations } = membership;
  const lead = usePlainRole()(role) ?? 'other';
  const title = useRoleTitle()(role);
  return (
    <Section title={t('title')} lead={t(`lead.${lead}`, { organization: organization.name, role: title })}>
      <ul className="divide-y divide-line">
        {scopeExplanations.map((explanation) => (
          <ScopeRow
            key={explanation.scope}
            explanation={explanation}
            words={wordsOf(explanation.scope)}
            denialReason={denialReason(explanation.scope, organization.subscription, products)}
          />
        ))}
      </ul>
    </Section>
  );
};

interface ScopeRowProps {
  readonly explanation: PlanMembership['scopeExplanations'][number];
  readonly words: string | undefined;
  readonly denialReason: ReturnType<typeof denialReason>;
}

const ScopeRow = ({ explanation: { scope, granted, reasons }, words, denialReason: cause }: ScopeRowProps) => {
  const t = useTranslations('plan.allowed');
  return (
    <li className="flex gap-3 px-5 py-3.5 sm:px-6">
      <Icon name={granted ? 'check' : 'cross'} className={`mt-0.5 size-5 ${granted ? 'text-accent' : 'text-soft'}`} />
      <div className="min-w-0 flex-1 space-y-1">
        <p className={`font-medium ${granted ? '' : 'text-soft'}`}>
          <ScopeName scope={scope} words={words} />{' '}
          <span className="sr-only">({granted ? t('granted') : t('forbidden')})</span>
        </p>
        <details className="text-sm text-soft">
          <summary className="w-fit rounded hover:text-ink">
            {granted ? t('reasons') : t(`denialReasons.${cause}`)}
          </summary>
          <ul className="mt-1.5 list-disc space-y-1 ps-5 wrap-anywhere">
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </details>
      </div>
    </li>
  );
};

interface PlanProductsProps {
  readonly subscription: Subscription;
  readonly products: readonly Product[];
  readonly scopes: readonly Scope[];
  readonly billing: Billing;
}

export const PlanProducts = ({ subscription, products, scopes, billing }: PlanProductsProps) => {
  const t = useTranslations('plan.products');
  return (
    <Section title={t('title')} lead={t('lead')}>
      <ul className="divide-y divide-line">
        {products.map((product) => (
          <ProductRow
            key={product.name}
            product={product}
            scopes={scopes}
            isCurrent={subscription.status !== 'CANCELED' && product.name === subscription.product}
            billing={billing}
          />
        ))}
      </ul>
    </Section>
  );
};

interface ProductRowProps {
  readonly product: Product;
  /** Every scope of the application. */
  readonly scopes: readonly Scope[];
  readonly isCurrent: boolean;
  readonly billing: Billing;
}

const ProductRow = ({ product, scopes, isCurrent, billing }: ProductRowProps) => {
  const t = useTranslations('plan');
  const { wordsOf } = useScopeWords(scopes);
  const { name, title } = product;
  const isTarget = (target: BillingTarget) => target !== 'manage' && target.subscribeTo === name;
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 py-4 sm:px-6">
      <div className="min-w-0 flex-1 basis-64 space-y-2">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-semibold">
          <span className="min-w-0 wrap-anywhere">{title}</span>
          {isCurrent && <Badge variant="accent">{t('products.current')}</Badge>}
          <Seats product={product} />
        </p>
        {product.scopes.length === 0 && <p className="text-sm text-soft">{t('products.nothing')}</p>}
        <ul className="grid gap-x-4 gap-y-1 text-sm text-soft sm:grid-cols-2">
          {product.scopes.map((scope) => (
            <li key={scope} className="flex min-w-0 gap-1.5">
              <Icon name="check" className="mt-px size-4.5 text-accent" />
              <ScopeName scope={scope} words={wordsOf(scope)} />
            </li>
          ))}
        </ul>
      </div>
      {billing.offered.includes(name) && (
        <Button
          aria-label={t('change.subscribeTo', { product: title })}
          busy={isRedirecting(billing, isTarget)}
          onClick={() => billing.redirect.mutate({ subscribeTo: name })}
        >
          {t('change.subscribe')}
        </Button>
      )}
      {hasFailed(billing, isTarget) && (
        <div className="w-full">
          <RedirectProblem error={billing.redirect.error} />
        </div>
      )}
    </li>
  );
};

/** Why the payment provider could not be opened, shown beside the pressed button. */
const RedirectProblem = ({ error }: { readonly error: unknown }) => {
  const t = useTranslations('plan.change');
  // Refusals about the plan are expected and get a text of their own.
  if (!hasCode(error, 'BAD_USER_INPUT') && !hasCode(error, 'NOT_FOUND')) return <RefusalNotice error={error} />;
  return (
    <Notice tone="warning">
      <p>{error.code === 'NOT_FOUND' ? t('nothingPaid') : (error.fields['product'] ?? t('notForSale'))}</p>
    </Notice>
  );
};
