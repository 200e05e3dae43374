/** /account/clients: the clients that the person let into organizations. */
import { useRouter } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { ClientList } from '../../clients/client-list.tsx';
import { AccountFrame } from './account-pages.tsx';

export const OwnClientsPage = () => {
  const t = useTranslations('ownClients');
  const { apiOrigin } = useRouter().options.context;
  const address = `${apiOrigin || window.location.origin}/mcp/organization`;
  return (
    <AccountFrame title={t('title')}>
      <p className="leading-relaxed text-soft">{t('lead')}</p>
      <ClientList title={t('list')} whose="own" none={t('none', { address })} />
      <p className="text-sm leading-relaxed text-soft">{t('life')}</p>
    </AccountFrame>
  );
};
