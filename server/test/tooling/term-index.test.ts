/** The index by term: what it lists, and that each line leads somewhere. */
import { readFileSync } from 'node:fs';
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

describe('The index by term', () => {
  it('has every operation, setting and RFC of the pages', () => {
    const [, fields = ''] = /^type Mutation \{\n([\s\S]*?)^\}/m.exec(schema) ?? [];
    const operations = Array.from(fields.matchAll(/^ {2}(\w+)[(:]/gm), ([, name]) => `\`${name}\``);
    const variables = Array.from(settings.matchAll(/^\| (`[A-Z_0-9]+`) \|/gm), ([, name = '']) => name);
    expect(Math.min(operations.length, variables.length)).toBeGreaterThan(50);
    expect([...operations, ...variables, 'RFC 6749', '`gatehouse doctor`'].filter((term) => !rows.has(term))).toEqual(
      [],
    );
  });

  it('leads somewhere from each term', () => {
    const empty = [...rows].filter(([, { rules, pages, code }]) => `${rules}${pages}${code}` === '');
    expect(empty.map(([term]) => term)).toEqual([]);
  });

  it.each([
    [
      'RFC 7662',
      'contract/credentials.md#introspecting-caller',
      'identity.md#post-authintrospect',
      'http/introspect.ts',
    ],
    ['CSRF', 'contract/credentials.md#csrf', '', ''],
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
