/** /admin/super/mcp: the cockpit of Platform MCP, for super admins, one section at a time. */
import { Link } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page.tsx';
import { SectionLoading } from '../../components/section.tsx';
import { navigationLinkClass } from '../../layout/signed-in-layout.tsx';
import { toSearchParams } from '../../lists/list-view.ts';
import { type McpSection, mcpSections, useMcpUrl, useMcpView } from './view.ts';

const sections: Readonly<Record<McpSection, ComponentType>> = {
  connect: lazyComponent(async () => (await import('./connect.tsx')).McpConnect),
  connections: lazyComponent(async () => (await import('./connections.tsx')).McpConnections),
  audits: lazyComponent(async () => (await import('./audits.tsx')).McpAudits),
  catalogue: lazyComponent(async () => (await import('./catalogue.tsx')).McpCatalogue),
  users: lazyComponent(async () => (await import('./users.tsx')).McpUsers),
  clients: lazyComponent(async () => (await import('./clients.tsx')).McpClients),
};

export const McpPage = (): ReactNode => {
  const t = useTranslations('mcp');
  const mcpUrl = useMcpUrl();
  const { section } = useMcpView().view;
  const Shown = sections[section];
  return (
    <>
      <PageHead title={`${t(`sections.${section}`)} · ${t('title')}`} lead={t('lead')}>
        {t('title')}
      </PageHead>
      <SectionLinks />
      {mcpUrl === undefined && (
        <Notice tone="info" title={t('off.title')}>
          <p>{t('off.text')}</p>
        </Notice>
      )}
      <Suspense fallback={<SectionLoading />}>
        <Shown />
      </Suspense>
    </>
  );
};

const SectionLinks = () => {
  const t = useTranslations('mcp.sections');
  const { section: shown } = useMcpView().view;
  return (
    <nav aria-label={t('label')} className="flex flex-wrap gap-1 border-b border-line">
      {mcpSections.map((section) => (
        <Link
          key={section}
          from="/admin/super/mcp"
          to="."
          search={toSearchParams({ section })}
          resetScroll={false}
          aria-current={section === shown ? 'page' : undefined}
          data-status={section === shown ? 'active' : undefined}
          className={navigationLinkClass}
        >
          {t(section)}
        </Link>
      ))}
    </nav>
  );
};
