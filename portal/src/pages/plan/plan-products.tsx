/** What each product includes, with the button that subscribes to it for who may. */
import { useTranslations } from 'use-intl';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Section } from '../../components/section.tsx';
import { type Billing, type BillingErrand, hasFailed, isUnderWay } from './plan-billing.ts';
import { LeavingProblem } from './plan-leaving-problem.tsx';
import type { Product, Subscription } from './plan-query.ts';
import { ScopeName } from './scope-name.tsx';

interface PlanProductsProps {
  readonly subscription: Subscription;
  readonly products: readonly Product[];
  readonly billing: Billing;
}

export const PlanProducts = ({ subscription, products, billing }: PlanProductsProps) => {
  const t = useTranslations('plan.products');
  return (
    <Section title={t('title')} lead={t('lead')}>
      <ul className="divide-y divide-line">
        {products.map((product) => (
          <ProductRow
            key={product.name}
            product={product}
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
  readonly isCurrent: boolean;
  readonly billing: Billing;
}

const ProductRow = ({ product: { name, scopes }, isCurrent, billing }: ProductRowProps) => {
  const t = useTranslations('plan');
  const isThis = (errand: BillingErrand) => errand !== 'manage' && errand.subscribeTo === name;
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 py-4 sm:px-6">
      <div className="min-w-0 flex-1 basis-64 space-y-2">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-semibold">
          <span className="min-w-0 break-words">{name}</span>
          {isCurrent && <Badge look="accent">{t('products.current')}</Badge>}
        </p>
        {scopes.length === 0 && <p className="text-sm text-soft">{t('products.nothing')}</p>}
        <ul className="grid gap-x-4 gap-y-1 text-sm text-soft sm:grid-cols-2">
          {scopes.map((scope) => (
            <li key={scope} className="flex min-w-0 gap-1.5">
              <Icon name="check" className="mt-px size-4.5 text-accent" />
              <ScopeName scope={scope} />
            </li>
          ))}
        </ul>
      </div>
      {billing.offered.includes(name) && (
        <Button
          aria-label={t('change.subscribeTo', { product: name })}
          busy={isUnderWay(billing, isThis)}
          onClick={() => billing.leaving.mutate({ subscribeTo: name })}
        >
          {t('change.subscribe')}
        </Button>
      )}
      {hasFailed(billing, isThis) && (
        <div className="w-full">
          <LeavingProblem error={billing.leaving.error} />
        </div>
      )}
    </li>
  );
};
