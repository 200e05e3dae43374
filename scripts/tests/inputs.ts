/**
 * Owns on which files, and folders with a slash at the end, the outcome of a suite depends that runs for some changes
 * only (`whenChanged`). At night each runs.
 */

/** What the tests of all suites are made of. */
const tests = ['server/test/support/', 'server/vitest.config.ts', 'scripts/tests/', 'package-lock.json'];

/** Published clients meet what this service has of MCP and OAuth. Our own clients of both are in every run. */
export const inputsOfClients: readonly string[] = [
  ...tests,
  'server/test/real-clients/',
  'server/src/app.ts',
  'server/src/app/',
  'server/src/embed.ts',
  'server/src/mcp/',
  'server/src/http-kit/',
  'server/src/http/fallbacks.ts',
  'server/src/http/introspect.ts',
  'server/src/http/oauth/',
  'server/src/http/pages/',
  'server/src/kernel/errors.ts',
  'server/src/domain/access/',
  'server/src/domain/client-onboarding/',
  'server/src/domain/connected-clients/',
  'server/src/domain/credentials/',
  'server/src/domain/oauth/',
  'server/src/domain/organization-tools/',
  'server/src/domain/tools/',
  'examples/',
  'packages/node/',
];

/** What the published packages contain and need. */
const packaged = [
  ...tests,
  'examples/',
  'packages/',
  'portal/package.json',
  'portal/scripts/',
  'portal/vite.config.ts',
  'scripts/',
  'server/entry/',
  'server/package.json',
  'server/test/real-clients/',
  'server/test/shipping/',
  'server/tsconfig.json',
  'server/tsconfig.build.json',
  'server/src/app.ts',
  'server/src/app/',
  'server/src/cli/',
  'server/src/testing/',
  'server/src/actor.d.ts',
  'server/src/application-definition.d.ts',
  'server/src/embed.ts',
  'server/src/gatehouse.d.ts',
  'server/src/main.ts',
  'server/src/testing-support.d.ts',
  'server/src/world.ts',
  'tsconfig.base.json',
  'package.json',
];

/** These sources find files and packages beside themselves, other ones once they are compiled. */
const locating = [
  'server/src/config/value-shapes.ts',
  'server/src/graphql/graphiql.ts',
  'server/src/platform/database/embedded/',
  'server/src/platform/passwords/',
];

export const inputsOfPackages: readonly string[] = [...packaged, ...locating];

/** The package for tests of adopters starts the service in their process, creates people, and moves instants. */
export const inputsOfTesting: readonly string[] = [
  ...packaged,
  ...locating,
  'server/migrations/',
  'server/src/config/',
  'server/src/domain/accounts/',
  'server/src/domain/credentials/',
  'server/src/domain/oauth/',
  'server/src/domain/organizations/',
  'server/src/domain/scopes/',
  'server/src/domain/tools/',
  'server/src/domain/users/',
  'server/src/http-kit/cookies.ts',
  'server/src/platform/database/',
  'server/src/platform/mail/',
];

/** The afternoon fills in forms of the portal by their labels, and reads the mailbox. */
export const inputsOfAfternoon: readonly string[] = [
  ...packaged,
  'docs/afternoon.md',
  'portal/src/',
  'server/src/http/mailbox.ts',
  'server/texts/',
];

/** `npm run docs` runs a good part of the scripts. */
export const inputsOfSite: readonly string[] = [...tests, 'site/', 'scripts/', 'server/test/site/'];

export const inputsOfTooling: readonly string[] = [
  ...tests,
  'scripts/',
  'deploy/',
  'server/test/tooling/',
  'server/test/gallery/',
  'portal/vite.config.ts',
  'vitest.config.ts',
  // Read or edited by its tests.
  'CONTRIBUTING.md',
  'Dockerfile',
  'docs/configuration.md',
  'docs/contract/',
  'server/schema.graphql',
  'server/src/domain/sessions/own-account.ts',
  'server/src/graphql/operations.ts',
  'server/src/graphql/types/account/own-account.ts',
];
