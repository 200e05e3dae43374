/** Owns the order of the site: its sections, one for each kind of reader, and the pages of each. */
import { contractPages } from '../traceability/contract-pages.ts';

interface Entry {
  /** Path of the Markdown page in the repository, with an anchor where only a part of it is meant. */
  readonly page: string;
  /** The title of the page when omitted. */
  readonly label?: string;
}

export interface Section {
  readonly title: string;
  /** For whom, on the first page; sections without one are not on it. */
  readonly reader?: string;
  readonly entries: readonly Entry[];
}

/** The page that is made of the gallery's pictures; the site has it when they were made. */
export const portalPage = 'docs/the-portal.md';

const at = (...pages: readonly string[]): readonly Entry[] => pages.map((page) => ({ page }));

const sections: readonly Section[] = [
  {
    title: 'Begin here',
    entries: [
      { page: 'README.md', label: 'What Gatehouse is' },
      ...at('docs/features.md', 'docs/comparison.md', 'CHANGELOG.md', 'SECURITY.md'),
    ],
  },
  {
    title: 'Build an application',
    reader: 'You have an afternoon, and a product that needs accounts, organizations and plans.',
    entries: [
      ...at('docs/afternoon.md', 'docs/application.md', 'docs/mails.md', 'docs/identity.md', 'docs/added-routes.md'),
      { page: 'packages/client/README.md', label: 'Package for front ends' },
      { page: 'packages/react/README.md', label: 'Package for React' },
      ...at('docs/react.md'),
      { page: 'packages/node/README.md', label: 'Package for back ends' },
      { page: 'packages/testing/README.md', label: 'Package for tests' },
    ],
  },
  {
    title: 'Start from an example',
    entries: [
      { page: 'examples/react-vite/README.md', label: 'React with Vite' },
      { page: 'examples/next/README.md', label: 'Next.js' },
      { page: 'examples/express/README.md', label: 'Express' },
      { page: 'examples/fastify/README.md', label: 'Fastify' },
      { page: 'examples/hono/README.md', label: 'Hono' },
      { page: 'examples/python/README.md', label: 'Python' },
      { page: 'examples/go/README.md', label: 'Go' },
      { page: 'examples/nginx/README.md', label: 'nginx' },
      { page: 'examples/caddy/README.md', label: 'Caddy' },
      { page: 'examples/mcp-tools/README.md', label: 'MCP tools' },
      { page: 'examples/mcp-server/README.md', label: 'MCP server' },
    ],
  },
  {
    title: 'Run it in production',
    reader: 'Your team runs it on PostgreSQL and Redis, behind a proxy, with dashboards and alerts.',
    entries: at(
      'docs/operations.md',
      'docs/high-availability.md',
      'docs/configuration.md',
      'docs/upgrading.md',
      'docs/limits.md',
      'docs/performance.md',
      'docs/storage.md',
      'docs/secret-scanning.md',
    ),
  },
  {
    title: 'Answer at night',
    reader: 'You are a super admin, something is wrong, and it is late.',
    entries: [
      ...at('docs/watching.md', 'docs/console.md'),
      { page: 'docs/operations.md#a-person-who-is-locked-out', label: 'A person who is locked out' },
      ...at('docs/events.md', 'docs/mcp.md', 'docs/mcp-conformance.md'),
    ],
  },
  {
    title: 'Own an organization',
    reader: 'You invite members, choose roles and a plan, and answer for their data.',
    entries: at(portalPage, 'docs/privacy.md'),
  },
  {
    title: 'Look a rule up',
    reader: 'You want to know what exactly holds: for an integration, a review or a test.',
    entries: [
      { page: 'docs/index-by-term.md' },
      { page: 'docs/contract/README.md', label: 'All rules' },
      ...contractPages.map((name) => ({ page: `docs/contract/${name}.md` })),
    ],
  },
  {
    title: 'Contribute',
    reader: 'You want to change Gatehouse, or to know why it is as it is.',
    entries: at(
      'CONTRIBUTING.md',
      'docs/architecture.md',
      'docs/decisions/README.md',
      'docs/testing.md',
      'docs/faults.md',
      'docs/traceability.md',
      'docs/mutants.md',
      'server/README.md',
    ),
  },
];

/** The page of all decisions lists each; any other page has its place in the navigation. */
const isPlaced = (page: string): boolean => !/^docs\/decisions\/\d/.test(page);

/**
 * The sections with the pages that exist; those that no section lists form the last one.
 *
 * @param pages paths of all Markdown pages
 */
export const navigationOf = (pages: readonly string[]): Section[] => {
  const existing = new Set(pages);
  const placed = sections.map((section) => ({
    ...section,
    entries: section.entries.filter(({ page }) => existing.has(page.replace(/#.*/, ''))),
  }));
  const listed = new Set(placed.flatMap(({ entries }) => entries.map(({ page }) => page)));
  const more = pages.filter((page) => !listed.has(page) && isPlaced(page));
  return [...placed, { title: 'More', entries: at(...more) }].filter(({ entries }) => entries.length > 0);
};
