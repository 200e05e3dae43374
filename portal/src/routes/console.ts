/** Routes of the super admins' console. */
import { createRoute } from '@tanstack/react-router';
import { lazyComponent } from '../components/lazy-component.tsx';
import type { SessionView } from '../pages/console/sessions/sessions.ts';
import type { SignInsView } from '../pages/console/sign-ins/sign-ins.ts';
import { readListSearch, readPeriodSearch, textEntries } from '../url-parameters.ts';
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
  // Parsed by the page: see pages/console/sign-ins/sign-ins.ts.
  validateSearch: (search: Record<string, unknown>): SignInsView => Object.fromEntries(textEntries(search)),
  component: lazyComponent(async () => (await import('../pages/console/sign-ins/sign-ins-page.tsx')).SignInsPage),
});

const directoryPages = async () => (await import('../pages/console/directory-pages.tsx')).directoryPages;

const peopleRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: 'people',
  validateSearch: readListSearch,
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
  validateSearch: readListSearch,
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
  // Parsed by the page: see pages/console/sessions/sessions.ts.
  validateSearch: (search: Record<string, unknown>): SessionView => Object.fromEntries(textEntries(search)),
  component: lazyComponent(async () => (await import('../pages/console/sessions/sessions-page.tsx')).SessionsPage),
});

const mcpRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: 'mcp',
  // Parsed by the page: see pages/mcp/view.ts.
  validateSearch: (search: Record<string, unknown>): Record<string, string> => Object.fromEntries(textEntries(search)),
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
