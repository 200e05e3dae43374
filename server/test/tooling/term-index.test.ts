/** The index by term: what it lists, and that each line leads somewhere. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../../scripts/report.ts';
import { indexPage } from '../../../scripts/term-index/page.ts';

interface Row {
  readonly rules: string;
  readonly pages: string;
  readonly code: string;
}

const rows = new Map<string, Row>();

beforeAll(() => {
  for (const line of indexPage(repositoryRoot).split('\n')) {
    const [, term, rules, pages, code] = /^\| (.+?) \| (.*?) \| (.*?) \| (.*?) \|$/.exec(line) ?? [];
    if (term !== undefined && rules !== undefined && pages !== undefined && code !== undefined)
      rows.set(term, { rules, pages, code });
  }
});

const schema = readFileSync(join(repositoryRoot, 'server/schema.graphql'), 'utf8');
const settings = readFileSync(join(repositoryRoot, 'docs/configuration.md'), 'utf8');
const operations = ['Query', 'Mutation']
  .map((type) => new RegExp(`^type ${type} \\{\\n([\\s\\S]*?)^\\}`, 'm').exec(schema)?.[1] ?? '')
  .flatMap((fields) => Array.from(fields.matchAll(/^ {2}(\w+)[(:]/gm), ([, name]) => `\`${name}\``));
const variables = Array.from(settings.matchAll(/^\| (`[A-Z_0-9]+`) \|/gm), ([, name = '']) => name);

const filesOf = (term: string): readonly string[] =>
  Array.from((rows.get(term)?.code ?? '').matchAll(/`([^`]+)`/g), ([, path = '']) => path);
const exists = (path: string): boolean =>
  ['server/src', '.'].some((folder) => existsSync(join(repositoryRoot, folder, path)));

describe('The index by term', () => {
  it('has every operation, setting and RFC of the pages', () => {
    expect(Math.min(operations.length, variables.length)).toBeGreaterThan(50);
    expect([...operations, ...variables, 'RFC 6749', '`gatehouse doctor`'].filter((term) => !rows.has(term))).toEqual(
      [],
    );
  });

  it('has no field of an input among the operations', () => {
    const names = [...rows.keys()].filter((term) => /^`[a-z]\w*`$/.test(term));
    expect(names.toSorted()).toEqual(operations.toSorted());
  });

  it('leads from each term to a rule or a page', () => {
    const empty = [...rows].filter(([, { rules, pages }]) => `${rules}${pages}` === '');
    expect(empty.map(([term]) => term)).toEqual([]);
  });

  it('leads from each operation and setting to code, and nowhere to a file that does not exist', () => {
    expect([...operations, ...variables].filter((term) => filesOf(term).length === 0)).toEqual([]);
    expect([...rows.keys()].filter((term) => !filesOf(term).every(exists))).toEqual([]);
  });

  it('leads from each operation to its domain, but for those that read the request alone', () => {
    const alone = operations.filter((term) => !filesOf(term).some((path) => path.startsWith('domain/')));
    expect(alone).toEqual(['`actor`', '`application`', '`me`', '`platformMcpCatalog`', '`products`']);
  });

  it('leads from each setting to code that reads it, but for the one that has only one value', () => {
    const unread = variables.filter((term) => filesOf(term).every((path) => path === 'config/variables.ts'));
    expect(unread).toEqual(['`MCP_BEARER_ACCEPTED_AUDIENCES`']);
  });

  it.each([
    [
      'RFC 7662',
      'contract/credentials.md#introspecting-caller',
      'identity.md#post-authintrospect',
      'http/introspect.ts',
    ],
    ['CSRF', 'contract/credentials.md#csrf', '', ''],
    ['DNS rebinding', 'contract/platform-mcp.md#order-of-refusals', '', 'http-kit/origins.ts'],
    [
      'DPoP',
      'contract/platform-mcp.md#bearer-token-of-a-call',
      'features.md#what-it-does-not-have',
      'authenticate-request.ts',
    ],
    ['HSTS', 'contract/requests.md#security-headers', '', 'http-kit/request-hooks.ts'],
    ['Resource indicator', 'contract/platform-mcp.md#resource-parameter', '', 'domain/oauth/resources.ts'],
    [
      'Embedded database',
      'contract/operation.md#embedded-database-under-faults',
      '',
      'platform/database/embedded/embedded.ts',
    ],
    ['E-mail verification', 'contract/accounts.md#email-verification', '', 'domain/accounts/verify-email.ts'],
    ['`FRONTEND_URL`', 'contract/requests.md#one-origin', '', 'http-kit/origins.ts'],
    ['`SMTP_PLAINTEXT`', '', 'operations.md#encryption-on-the-way', 'config/problems.ts'],
    ['`renameOrganization`', 'contract/organizations.md#name-of-an-organization', '', 'own-organizations.ts'],
    ['`switchOrganization`', 'contract/credentials.md#switch-of-organization', '', 'switch-organization.ts'],
    ['Passkey', 'contract/accounts.md#sign-in-with-a-passkey', 'storage.md#passkeys', 'own-passkeys.ts'],
    ['`TRUST_PROXY`', 'contract/application.md#address-of-the-client', 'identity.md#the-address-of-the-client', ''],
  ])('leads from %s to what is most about it', (term, rule, page, file) => {
    const row = rows.get(term);
    expect(row?.rules).toContain(rule);
    expect(row?.pages).toContain(page);
    expect(row?.code).toContain(file);
  });
});
