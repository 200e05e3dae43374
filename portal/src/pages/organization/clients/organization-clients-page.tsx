/** /organization/clients: the clients that members let into the active organization, and its policy for them. */
import { useTranslations } from 'use-intl';
import { ClientList } from '../../../clients/client-list.tsx';
import { NoOrganization } from '../../../components/no-organization.tsx';
import { Notice } from '../../../components/notice.tsx';
import { PageHeading } from '../../../components/page.tsx';
import { usePerson } from '../../../session/session-context.tsx';
import type { Membership } from '../../members/members.ts';
import { McpPolicySection } from './mcp-policy.tsx';

export const OrganizationClientsPage = () => {
  const { currentMembership } = usePerson();
  if (currentMembership === null) return <NoOrganization />;
  return <OrganizationClients key={currentMembership.id} membership={currentMembership} />;
};

const OrganizationClients = ({ membership }: { readonly membership: Membership }) => {
  const t = useTranslations('organizationClients');
  const { organization, scopes, needsSecondFactor } = membership;
  return (
    <>
      <div className="space-y-2">
        <PageHeading title={t('title', { name: organization.name })} />
        <p className="leading-relaxed text-soft">{t('lead')}</p>
      </div>
      {scopes.includes('MCP_MANAGE') ? (
        <>
          <ClientList title={t('list')} whose="everybody" none={t('none')} />
          <McpPolicySection />
        </>
      ) : (
        // The layout says what is missing where it is the second factor.
        !needsSecondFactor && (
          <Notice tone="info">
            <p>{t('notAllowed')}</p>
          </Notice>
        )
      )}
    </>
  );
};
