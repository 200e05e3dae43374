/** Exports that no source file imports, with the reason why each stays exported. */

export interface ListedExports {
  readonly reason: string;
  /** Names by the file that exports them. */
  readonly exports: Readonly<Record<string, readonly string[]>>;
}

export const listedExports: readonly ListedExports[] = [
  {
    reason: 'The build of the portal puts its use into the code (portal/scripts/messages/plugin.ts).',
    exports: {
      'portal/src/languages/catalogue.ts': ['withMessages'],
    },
  },
  {
    reason: 'Adopters import them from the package (server/entry/embed.mjs, server/entry/world.mjs).',
    exports: {
      'server/src/embed.ts': ['ToolError', 'defineApplication', 'defineTool', 'isRefusal', 'startGatehouse'],
      'server/src/world.ts': ['startWorld'],
    },
  },
  {
    reason: 'The guards (contract/organizations.md#guards): each must be available to operations, and is tested alone.',
    exports: {
      'server/src/graphql/guards.ts': ['admin', 'adminOrSuperAdmin', 'scopes', 'superAdmin'],
    },
  },
  {
    reason: 'The order of checks: a test holds each surface against its list.',
    exports: {
      'server/src/graphql/endpoint.ts': ['orderOfChecks'],
      'server/src/http/oauth/token.ts': ['orderOfChecks'],
      'server/src/mcp/admission.ts': ['orderOfChecks'],
    },
  },
  {
    reason: 'Closed lists and limits: a test goes through each entry, or to each side of the limit.',
    exports: {
      'scripts/migrations/problems.ts': ['newestOfFirstRelease'],
      'server/src/app/routes.ts': ['listedRoutes'],
      'server/src/graphql/graphiql.ts': ['firstQuery'],
      'server/src/graphql/validation.ts': ['maxValidationWork'],
      'server/src/kernel/errors.ts': ['connectionRules', 'externalRefusalCodes', 'refusalStatus'],
      'server/src/platform/database/embedded/embedded-stream.ts': ['greeting'],
      'server/src/platform/database/statement.ts': ['declaredStatements'],
    },
  },
  {
    reason: 'Decisions without input or output: unit tests cover the cases that no request reaches.',
    exports: {
      'portal/src/components/dates.tsx': ['dateFormatter'],
      'portal/src/lists/list-view.ts': ['isFiltered'],
      'portal/src/lists/paged-list.ts': ['mergePages'],
      'portal/src/lists/time-field.tsx': ['fromLocalTime', 'toLocalTime'],
      'portal/src/pages/console/sessions/sessions.ts': ['readSessionView'],
      'portal/src/pages/mcp/connect.tsx': ['guidesFor'],
      'portal/src/pages/mcp/view.ts': ['readMcpView'],
      'portal/src/pages/plan/plan.ts': ['planChanges'],
      'scripts/imports/scan.ts': ['scan'],
      'server/src/cli/workers/metrics-exchange.ts': ['joinMetrics'],
      'server/src/graphql/validation.ts': ['validationWork'],
      'server/src/platform/guarded-fetch.ts': ['freshSecondsOf'],
      'server/src/platform/oidc/openid-provider.ts': ['isEmailAuthoritative', 'promptOf', 'requireUsableMetadata'],
    },
  },
  {
    reason: 'Parts that a test runs alone, with a clock, storage, database or client of its own.',
    exports: {
      'portal/src/components/lazy-component.tsx': ['createLazyState'],
      'portal/src/consent/consent.ts': ['createConsent'],
      'portal/src/session/drafts.ts': ['clearDraftsOfOthers', 'createDrafts', 'saveWhenSessionEnds'],
      'server/src/cli/clean-up.ts': ['cleanUp'],
      'server/src/cli/doctor/check-database.ts': ['serverFindings'],
      'server/src/domain/sessions/sign-in.ts': ['consumeSignInPermits'],
      'server/src/http-kit/request-pace.ts': ['RequestPace'],
      'server/src/http/external-sign-in/attempt-cookies.ts': ['signValue'],
      'server/src/platform/database/embedded/embedded-cleanup.ts': ['cleanUp'],
      'server/src/platform/database/embedded/embedded.ts': ['inMemory'],
      'server/src/platform/database/searched-list.ts': ['gramsOf', 'gramsQuery'],
      'server/src/platform/mail/check-text.ts': ['parseText', 'placeholdersOf'],
      'server/src/http/pages/words.ts': ['loadPageTexts'],
      'server/src/platform/mail/compose.ts': ['loadTexts'],
      'server/src/platform/mail/mails.ts': ['mailKeys'],
      'server/src/platform/mail/outbox.ts': ['claimDueMails'],
      'server/src/platform/observability/logger.ts': ['gatherLines'],
      'server/src/platform/observability/open-metrics.ts': ['prometheusText', 'pushMetrics'],
      'server/src/platform/rate-limit/rate-limits.ts': ['unlimited'],
    },
  },
  {
    reason: 'Types of what tests build or receive.',
    exports: {
      'portal/src/session/drafts.ts': ['Drafts'],
      'server/src/domain/external-sign-in/link-identity.ts': ['LinkOutcome', 'LinkRequest'],
      'server/src/graphql/documents.ts': ['Documents'],
      'server/src/graphql/endpoint.ts': ['GraphqlOptions'],
      'server/src/http-kit/request-bodies.ts': ['BodyOptions'],
      'server/src/platform/database/embedded/embedded-cleanup.ts': ['CleanupSession'],
      'server/src/platform/database/open.ts': ['DatabaseOptions'],
      'server/src/platform/mail/mails.ts': ['MailKey'],
      'server/src/platform/oidc/openid-provider.ts': ['OpenIdProviderOptions'],
    },
  },
  {
    reason:
      'The pictures of the gallery are taken on the stage of the tests (server/test/support/browser/photographs.ts).',
    exports: { 'scripts/gallery/pictures.ts': ['isSelected', 'stateName', 'viewports'] },
  },
];
