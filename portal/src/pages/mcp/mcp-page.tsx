/** /admin/super/mcp: the cockpit of Platform MCP, for super admins, one section at a time. */
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, Suspense } from 'react';
import { IntlProvider, useLocale, useMessages, useTranslations } from 'use-intl';
import { buttonClass } from '../../components/button.tsx';
import { lazyPart } from '../../components/lazy-component.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHeading } from '../../components/page.tsx';
import { SectionWaiting } from '../../components/section.tsx';
import { navigationLinkClass } from '../../layout/signed-in-layout.tsx';
import { mcp } from '../../messages/mcp.ts';
import { usePerson } from '../../session/session-context.tsx';
import { type McpSection, mcpSections, readMcpView, toAddress } from './view.ts';

const route = getRouteApi('/signed-in/admin/super/mcp');

/** The words of the cockpit are many, and arrive with it. */
const McpWords = ({ children }: { readonly children: ReactNode }) => (
  <IntlProvider locale={useLocale()} messages={{ ...useMessages(), mcp }}>
    {children}
  </IntlProvider>
);

export const McpPage = () => (
  <McpWords>
    <Cockpit />
  </McpWords>
);

const sections: Readonly<Record<McpSection, ComponentType>> = {
  connect: lazyPart(async () => (await import('./connect.tsx')).McpConnect),
  connections: lazyPart(async () => (await import('./connections.tsx')).McpConnections),
  audits: lazyPart(async () => (await import('./audits.tsx')).McpAudits),
  catalogue: lazyPart(async () => (await import('./catalogue.tsx')).McpCatalogue),
  users: lazyPart(async () => (await import('./users.tsx')).McpUsers),
  clients: lazyPart(async () => (await import('./clients.tsx')).McpClients),
};

const Cockpit = () => {
  const t = useTranslations('mcp');
  const { isSuperAdmin } = usePerson();
  const { mcpUrl } = route.useRouteContext();
  const { section } = readMcpView(route.useSearch());
  if (!isSuperAdmin) return <Closed />;
  const Shown = sections[section];
  return (
    <>
      <div className="space-y-2">
        <PageHeading title={`${t(`sections.${section}`)} · ${t('title')}`}>{t('title')}</PageHeading>
        <p className="text-soft">{t('lead')}</p>
      </div>
      <SectionLinks />
      {mcpUrl === undefined && (
        <Notice tone="news" title={t('off.title')}>
          <p>{t('off.text')}</p>
        </Notice>
      )}
      <Suspense fallback={<SectionWaiting />}>
        <Shown />
      </Suspense>
    </>
  );
};

const SectionLinks = () => {
  const t = useTranslations('mcp.sections');
  const { section: shown } = readMcpView(route.useSearch());
  return (
    <nav aria-label={t('label')} className="flex flex-wrap gap-1 border-b border-line">
      {mcpSections.map((section) => (
        <Link
          key={section}
          from="/admin/super/mcp"
          to="."
          search={toAddress({ section })}
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

const Closed = () => {
  const t = useTranslations();
  return (
    <div className="space-y-6">
      <PageHeading title={t('mcp.closed.title')} />
      <p className="leading-relaxed text-soft">{t('mcp.closed.text')}</p>
      <Link to="/" className={buttonClass('primary')}>
        {t('common.toStart')}
      </Link>
    </div>
  );
};
