/** What the person may do in the organization, one row a scope, each with the reasons that the server gives. */
import { useTranslations } from 'use-intl';
import { Icon } from '../../components/icon.tsx';
import { Section } from '../../components/section.tsx';
import { hindrance, type PlanMembership, type Product } from './plan-query.ts';
import { ScopeName } from './scope-name.tsx';

interface PlanAllowancesProps {
  readonly membership: PlanMembership;
  readonly products: readonly Product[];
}

export const PlanAllowances = ({ membership, products }: PlanAllowancesProps) => {
  const t = useTranslations('plan.allowed');
  const { role, organization, scopeExplanations } = membership;
  return (
    <Section title={t('title')} lead={t(`lead.${role}`, { organization: organization.name })}>
      <ul className="divide-y divide-line">
        {scopeExplanations.map((explanation) => (
          <Allowance
            key={explanation.scope}
            explanation={explanation}
            hindrance={hindrance(explanation.scope, organization.subscription, products)}
          />
        ))}
      </ul>
    </Section>
  );
};

interface AllowanceProps {
  readonly explanation: PlanMembership['scopeExplanations'][number];
  readonly hindrance: ReturnType<typeof hindrance>;
}

const Allowance = ({ explanation: { scope, granted, reasons }, hindrance: cause }: AllowanceProps) => {
  const t = useTranslations('plan.allowed');
  return (
    <li className="flex gap-3 px-5 py-3.5 sm:px-6">
      <Icon name={granted ? 'check' : 'cross'} className={`mt-0.5 size-5 ${granted ? 'text-accent' : 'text-soft'}`} />
      <div className="min-w-0 flex-1 space-y-1">
        <p className={`font-medium ${granted ? '' : 'text-soft'}`}>
          <ScopeName scope={scope} /> <span className="sr-only">({granted ? t('granted') : t('withheld')})</span>
        </p>
        <details className="text-sm text-soft">
          <summary className="w-fit rounded hover:text-ink">
            {granted ? t('reasons') : t(`hindrances.${cause}`)}
          </summary>
          <ul className="mt-1.5 list-disc space-y-1 pl-5 break-words">
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </details>
      </div>
    </li>
  );
};
