/** Routes of the super admins' console. */
import { createRoute } from '@tanstack/react-router';
import { lazyComponent } from '../components/lazy-component.tsx';
import type { SearchView } from '../lists/list-view.ts';
import type { SessionView } from '../pages/console/sessions/sessions.ts';
import type { SignInsView } from '../pages/console/sign-ins/sign-ins.ts';
import { readPeriodSearch, readTexts } from '../url-parameters.ts';
import { signedInRoute } from './parents.tsx';

const consoleRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/admin/super',
  component: lazyComponent(async () => (await import('../pages/console/console-layout.tsx')).ConsoleLayout),
});

const overviewRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/',
  validateSearch: readPeriodSearch,
  component: lazyComponent(async () => (await import('../pages/console/overview/overview-page.tsx')).OverviewPage),
});

const signInsRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: 'sign-ins',
  validateSearch: (search: Record<string, unknown>): SignInsView => readTexts(search),
  component: lazyComponent(async () => (await import('../pages/console/sign-ins/sign-ins-page.tsx')).SignInsPage),
});

const directoryPages = async () => (await import('../pages/console/directory-pages.tsx')).directoryPages;

const peopleRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: 'people',
  validateSearch: (search: Record<string, unknown>): SearchView => readTexts(search),
  component: lazyComponent(async () => (await directoryPages()).PeoplePage),
});

const personRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: 'people/$userId',
  component: lazyComponent(async () => (await directoryPages()).PersonPage),
});

const organizationsRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: 'organizations',
  validateSearch: (search: Record<string, unknown>): SearchView => readTexts(search),
  component: lazyComponent(async () => (await directoryPages()).OrganizationsPage),
});

const organizationRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: 'organizations/$organizationId',
  component: lazyComponent(async () => (await directoryPages()).OrganizationPage),
});

const sessionsRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: 'sessions',
  validateSearch: (search: Record<string, unknown>): SessionView => readTexts(search),
  component: lazyComponent(async () => (await import('../pages/console/sessions/sessions-page.tsx')).SessionsPage),
});

const mcpRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: 'mcp',
  validateSearch: readTexts,
  component: lazyComponent(async () => (await import('../pages/mcp/mcp-page.tsx')).McpPage),
});

export const consoleRoutes = consoleRoute.addChildren([
  overviewRoute,
  signInsRoute,
  peopleRoute,
  personRoute,
  organizationsRoute,
  organizationRoute,
  sessionsRoute,
  mcpRoute,
]);
