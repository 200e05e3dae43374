/** /organization/clients: the clients that members let into the active organization, and its policy for them. */
import { useTranslations } from 'use-intl';
import { ClientList } from '../../../clients/client-list.tsx';
import { OrganizationPage } from '../organization-page.tsx';
import { McpPolicySection } from './mcp-policy.tsx';

export const OrganizationClientsPage = () => {
  const t = useTranslations('organizationClients');
  return (
    <OrganizationPage
      scope="MCP_MANAGE"
      title={(name) => t('title', { name })}
      lead={t('lead')}
      notAllowed={t('notAllowed')}
    >
      {() => (
        <>
          <ClientList title={t('list')} whose="everybody" none={t('none')} />
          <McpPolicySection />
        </>
      )}
    </OrganizationPage>
  );
};
