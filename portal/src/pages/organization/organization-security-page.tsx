/** /organization/security: whether the active organization requires a second factor of its members. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { NoOrganization } from '../../components/no-organization.tsx';
import { Notice, RefusalNotice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { Section } from '../../components/section.tsx';
import { FetchSecondFactorPolicyDocument, SetSecondFactorPolicyDocument } from '../../generated/graphql.ts';
import { refreshOnForbidden } from '../../session/refresh-on-forbidden.ts';
import { usePerson, useSession } from '../../session/session-context.tsx';
import type { Membership } from '../members/members.ts';

export const OrganizationSecurityPage = () => {
  const { currentMembership } = usePerson();
  if (currentMembership === null) return <NoOrganization />;
  return <OrganizationSecurity key={currentMembership.id} membership={currentMembership} />;
};

const OrganizationSecurity = ({ membership }: { readonly membership: Membership }) => {
  const t = useTranslations('organizationSecurity');
  const { organization, scopes } = membership;
  const session = useSession();
  const policy = useQuery({
    queryKey: ['second factor policy', organization.id],
    queryFn: () => session.request(FetchSecondFactorPolicyDocument, {}),
  });
  const current = policy.data?.me.currentMembership?.organization.requireSecondFactor;
  return (
    <>
      <PageHead title={t('title', { name: organization.name })} lead={t('lead')} />
      <Section title={t('section')}>
        <QueryState query={policy} />
        {current !== undefined && (
          <Policy
            name={organization.name}
            isRequired={current}
            // The layout says what is missing where it is the second factor.
            mayChange={membership.needsSecondFactor || scopes.includes('ORGANIZATION_UPDATE')}
            onChanged={policy.refetch}
          />
        )}
      </Section>
    </>
  );
};

interface PolicyProps {
  readonly name: string;
  readonly isRequired: boolean;
  readonly mayChange: boolean;
  readonly onChanged: () => Promise<unknown>;
}

const Policy = ({ name, isRequired, mayChange, onChanged }: PolicyProps) => {
  const t = useTranslations('organizationSecurity');
  const session = useSession();
  const change = useMutation({
    mutationFn: (required: boolean) => session.request(SetSecondFactorPolicyDocument, { required }),
    onSuccess: onChanged,
    onError: (error) => refreshOnForbidden(session, error),
  });
  return (
    <div className="space-y-4 px-5 py-5 sm:px-6">
      <div role="status" className="empty:mb-0">
        {change.isSuccess && (
          <Notice tone="success">
            <p className="wrap-anywhere">{t(isRequired ? 'required' : 'notRequired', { name })}</p>
          </Notice>
        )}
      </div>
      {change.isError && <RefusalNotice error={change.error} />}
      <p className="font-medium">{t(isRequired ? 'isRequired' : 'isNotRequired')}</p>
      <p className="leading-relaxed wrap-anywhere text-soft">{t('text', { name })}</p>
      {mayChange ? (
        <Button
          variant={isRequired ? 'secondary' : 'primary'}
          busy={change.isPending}
          onClick={() => change.mutate(!isRequired)}
        >
          {t(isRequired ? 'stopRequiring' : 'require')}
        </Button>
      ) : (
        <Notice tone="info">
          <p>{t('notAllowed')}</p>
        </Notice>
      )}
    </div>
  );
};
