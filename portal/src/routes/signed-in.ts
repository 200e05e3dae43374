/** Routes of a person's own pages and those of the active organization, and below them the console. */
import { createRoute, notFound } from '@tanstack/react-router';
import { lazyComponent } from '../components/lazy-component.tsx';
import type { MemberView } from '../pages/members/members.ts';
import {
  readAccountSearch,
  readCheckoutSearch,
  readReauthenticateSearch,
  readRedirectSearch,
  readTexts,
} from '../url-parameters.ts';
import { consoleRoutes } from './console.ts';
import { type RouterContext, signedInRoute } from './parents.tsx';

const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  component: lazyComponent(async () => (await import('../pages/account/home-page.tsx')).HomePage),
});

const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account',
  validateSearch: readAccountSearch,
  component: lazyComponent(async () => (await import('../pages/account/account-page.tsx')).AccountPage),
});

const securityRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/security',
  validateSearch: readRedirectSearch,
  component: lazyComponent(async () => (await import('../pages/account/security-page.tsx')).SecurityPage),
});

/** Pages that are not there without MACHINE_TOKENS_ENABLED. */
const requireMachineTokens = ({ context }: { readonly context: RouterContext }): void => {
  if (!context.hasMachineTokens) throw notFound();
};

const ownTokensRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/tokens',
  beforeLoad: requireMachineTokens,
  component: lazyComponent(async () => (await import('../pages/account/tokens/tokens-page.tsx')).OwnTokensPage),
});

/** Pages that are not there without ORGANIZATION_MCP_ENABLED. */
const requireOrganizationMcp = ({ context }: { readonly context: RouterContext }): void => {
  if (!context.hasOrganizationMcp) throw notFound();
};

const ownClientsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/clients',
  beforeLoad: requireOrganizationMcp,
  component: lazyComponent(async () => (await import('../pages/account/clients-page.tsx')).OwnClientsPage),
});

const dataRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/data',
  component: lazyComponent(async () => (await import('../pages/account/data-page.tsx')).DataPage),
});

const reauthenticateRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/reauthenticate',
  validateSearch: readReauthenticateSearch,
  component: lazyComponent(async () => (await import('../step-up/reauthenticate-page.tsx')).ReauthenticatePage),
});

const membersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/members',
  validateSearch: (search: Record<string, unknown>): MemberView => readTexts(search),
  component: lazyComponent(async () => (await import('../pages/members/members-page.tsx')).MembersPage),
});

const newOrganizationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/organizations/new',
  component: lazyComponent(
    async () => (await import('../pages/organization/new-organization-page.tsx')).NewOrganizationPage,
  ),
});

const deleteOrganizationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/organization/delete',
  component: lazyComponent(
    async () => (await import('../pages/organization/delete-organization-page.tsx')).DeleteOrganizationPage,
  ),
});

const organizationSecurityRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/organization/security',
  component: lazyComponent(
    async () => (await import('../pages/organization/organization-security-page.tsx')).OrganizationSecurityPage,
  ),
});

const organizationTokensRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/organization/tokens',
  validateSearch: readTexts,
  beforeLoad: requireMachineTokens,
  component: lazyComponent(
    async () => (await import('../pages/organization/tokens/tokens-page.tsx')).OrganizationTokensPage,
  ),
});

const organizationClientsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/organization/clients',
  beforeLoad: requireOrganizationMcp,
  component: lazyComponent(
    async () => (await import('../pages/organization/clients/organization-clients-page.tsx')).OrganizationClientsPage,
  ),
});

const auditRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/organization/audit',
  validateSearch: readTexts,
  component: lazyComponent(async () => (await import('../pages/organization/audit/audit-page.tsx')).AuditPage),
});

const planRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/plan',
  validateSearch: readCheckoutSearch,
  component: lazyComponent(async () => (await import('../pages/plan/plan-page.tsx')).PlanPage),
});

export const signedInRoutes = signedInRoute.addChildren([
  homeRoute,
  accountRoute,
  securityRoute,
  ownTokensRoute,
  ownClientsRoute,
  dataRoute,
  reauthenticateRoute,
  membersRoute,
  newOrganizationRoute,
  deleteOrganizationRoute,
  organizationSecurityRoute,
  organizationTokensRoute,
  organizationClientsRoute,
  auditRoute,
  planRoute,
  consoleRoutes,
]);
