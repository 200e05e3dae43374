/** Owns the words for what a member may do in an organization; then what not, each with the reason. */
import { type ReactNode, useId } from 'react';
import { useTranslations } from 'use-intl';
import { ScopeName } from '../../../access/scope-name.tsx';
import { useScopeWords } from '../../../access/scope-words.ts';
import { formatDate } from '../../../components/dates.tsx';
import { Icon, type IconName } from '../../../components/icon.tsx';
import { missingScopeReason } from './missing-scope-reason.ts';
import type { Membership } from './people.ts';

interface GrantsProps {
  readonly membership: Membership;
  /** Every scope of the application with its words; empty until they are known. */
  readonly scopes: Parameters<typeof useScopeWords>[0];
}

export const GrantsOfMembership = ({ membership, scopes: known }: GrantsProps) => {
  const t = useTranslations('console.grants');
  const { wordsOf } = useScopeWords(known);
  const { scopes, subscription, deletesAt } = membership;
  const held = scopes.filter(({ isHeld }) => isHeld);
  const lacked = scopes.filter(({ isHeld }) => !isHeld);
  return (
    <div className="space-y-4 rounded-control bg-canvas px-4 py-4 text-sm">
      <Notes membership={membership} />
      {held.length === 0 && deletesAt === null && <p>{t('nothing')}</p>}
      {held.length > 0 && (
        <ScopeList title={t('held')}>
          {held.map(({ name }) => (
            <ScopeItem key={name} icon="check" iconClass="text-accent">
              <ScopeName scope={name} words={wordsOf(name)} />
            </ScopeItem>
          ))}
        </ScopeList>
      )}
      {lacked.length > 0 && (
        <ScopeList title={t('lacked')}>
          {lacked.map((scope) => (
            <ScopeItem key={scope.name} icon="cross" iconClass="text-soft">
              <ScopeName scope={scope.name} words={wordsOf(scope.name)} />
              <span className="block text-soft">{t(`reasons.${missingScopeReason(scope, subscription)}`)}</span>
            </ScopeItem>
          ))}
        </ScopeList>
      )}
    </div>
  );
};

/** The reason that withholds every scope, whatever role and plan grant. */
const Notes = ({ membership: { deletesAt, requireSecondFactor } }: Pick<GrantsProps, 'membership'>) => {
  const t = useTranslations('console.grants');
  return (
    <>
      {deletesAt !== null && <Note>{t('deleted', { date: formatDate(deletesAt, { dateStyle: 'medium' }) })}</Note>}
      {requireSecondFactor && <Note>{t('secondFactor')}</Note>}
    </>
  );
};

const Note = ({ children }: { readonly children: string }) => (
  <p className="flex gap-2">
    <Icon name="alert" className="mt-px size-4.5 text-caution" />
    <span className="min-w-0">{children}</span>
  </p>
);

interface ScopeListProps {
  readonly title: string;
  readonly children: ReactNode;
}

const ScopeList = ({ title, children }: ScopeListProps) => {
  const titleId = useId();
  return (
    <div className="space-y-2">
      <h3 id={titleId} className="font-semibold">
        {title}
      </h3>
      <ul aria-labelledby={titleId} className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
        {children}
      </ul>
    </div>
  );
};

interface ScopeItemProps {
  readonly icon: IconName;
  readonly iconClass: string;
  readonly children: ReactNode;
}

const ScopeItem = ({ icon, iconClass, children }: ScopeItemProps) => (
  <li className="flex min-w-0 gap-2">
    <Icon name={icon} className={`mt-px size-4.5 ${iconClass}`} />
    <span className="min-w-0">{children}</span>
  </li>
);
