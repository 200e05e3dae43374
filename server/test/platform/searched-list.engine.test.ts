/** Lists that are searched by part of a text: every way to a page finds what LIKE finds, in order, each once. */
import { describe, expect, it } from 'vitest';
import { organizationsByName, peopleByNameOrAddress } from '../../src/domain/directory/directory-store.ts';
import { activeCredentialsByAddress } from '../../src/domain/session-admin/active-credentials-store.ts';
import { searchTextOf } from '../../src/domain/users/text-rules.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Page } from '../../src/kernel/paging.ts';
import { gramsOf, gramsQuery, searchedPage } from '../../src/platform/database/searched-list.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { watchDatabase } from '../support/gatehouse/watched-gatehouse.ts';

const service = serviceFixture();

const insertPeople = (emails: readonly string[], names: readonly string[]): Promise<unknown> =>
  service.sql(
    `INSERT INTO users (id, email, name) SELECT gen_random_uuid(), email, name
     FROM unnest($1::text[], $2::text[]) AS person (email, name)`,
    [emails, names],
  );

const names = [
  'Zoë Ünlü',
  'ÇAĞLAR Öz',
  '王小明',
  '👩‍🚀 Astronaut',
  "O'Brien \\ Söhne",
  '100% _real_',
  "a'b\\c d",
  '& | ! <-> :*',
  'xx',
  'x',
];

const people = fixture(async () => {
  const emails = names.map((_, index) => `person.${index}+tag%_@search-${index}.example`);
  await insertPeople(emails, names);
  return emails;
});

const searchPeople = (typed: string, first = 100, after: string | null = null) => {
  const search = searchTextOf(typed);
  if (search === null) throw new Error('An empty text is no search');
  return searchedPage(service.database, peopleByNameOrAddress, { first, after }, search, {});
};

const pagesOf = async <Row>(read: (after: string | null) => Promise<Page<Row>>): Promise<Row[]> => {
  const rows: Row[] = [];
  let after: string | null = null;
  do {
    const page: Page<Row> = await read(after);
    rows.push(...page.nodes);
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  return rows;
};

/** What contains the text, in any case, without a pattern. */
const containing = (typed: string): Promise<string[]> =>
  service.sql.column<string>(
    'SELECT email FROM users WHERE strpos(email, $1) > 0 OR strpos(lower(name), $1) > 0 ORDER BY email',
    [typed.toLowerCase()],
  );

const partsOf = (text: string): string[] => {
  const characters = [...text];
  return characters.flatMap((_, from) =>
    [1, 2, 3, 4, 7, 12].map((length) => characters.slice(from, from + length).join('')),
  );
};

describe('A search by part of a text', () => {
  // Contract: platform-mcp#table-of-tools — users_search
  it('finds every part of every name and address, of one character and of many, whatever the characters mean', async () => {
    const texts = new Set([...names, ...people.slice(0, 2)].flatMap(partsOf));
    for (const text of texts) {
      const found = await searchPeople(text);
      expect([text, found.nodes.map(({ email }) => email)]).toEqual([text, await containing(text)]);
      expect((await found.total()).totalCount).toBe(found.nodes.length);
    }
    expect(texts.size).toBeGreaterThan(200);
  });

  // Contract: requests#searched-texts — A search for %, _, one letter or a text that nothing contains
  it('takes signs of patterns and queries literally, and finds nothing that only resembles the text', async () => {
    const none = ['%%', '__', 'person_0', "' | 'x", ':*', 'zzzz', 'x'.repeat(254), '王明', '\u0301', "'\\''", '\ud83d'];
    for (const text of none) {
      expect([text, (await searchPeople(text)).nodes]).toEqual([
        text,
        text === ':*' ? [expect.objectContaining({ name: '& | ! <-> :*' })] : [],
      ]);
    }
  });

  // Contract: platform-mcp#table-of-tools — Every way to a page of a search finds the same
  it('finds the same in the next rows, in more of them and by the index, in pages of any size', async () => {
    const [rare, common] = ['qj7', 'wv8'];
    const emails = Array.from({ length: 1400 }, (_, index) => {
      const kinds = [index % 2 === 0 ? common : '', index % 150 === 0 || index > 1350 ? rare : ''].join('');
      return `a${String(index).padStart(4, '0')}.${kinds}@many.example`;
    });
    await insertPeople(
      emails,
      emails.map(() => 'Many'),
    );
    for (const text of [rare, common, `${common}@many`, 'many', 'a0999', 'no such text']) {
      const expected = await containing(text);
      const [one] = (await searchPeople(text, 1)).nodes;
      expect([text, one?.email]).toEqual([text, expected[0]]);
      for (const first of [40, 100]) {
        const rows = await pagesOf((after) => searchPeople(text, first, after));
        expect([text, first, rows.map(({ email }) => email)]).toEqual([text, first, expected]);
        expect(await (await searchPeople(text, first)).total()).toEqual({
          totalCount: expected.length,
          totalCountIsCapped: false,
        });
      }
    }
    await service.sql('DELETE FROM users WHERE email = ANY ($1)', [emails]);
  });

  it('asks the index only for what is not among the next rows', async () => {
    const watched = watchDatabase(service.database);
    const search = async (text: string, first: number): Promise<string[]> => {
      watched.asked.length = 0;
      const searchText = searchTextOf(text) ?? { text, pattern: '' };
      await searchedPage(watched.database, peopleByNameOrAddress, { first }, searchText, {});
      return watched.asked.map((name) => name.replace('directory.search_people_', ''));
    };
    expect(people).toHaveLength(names.length);
    expect(await search('person', 1)).toEqual(['near']);
    expect(await search('person', 9)).toEqual(['near']);
    expect(await search('person.4+tag', 9)).toEqual(['near', 'rarest_grams', 'few']);
    expect(await search('no such text', 9)).toEqual(['near', 'rarest_grams', 'few', 'candidates']);
  });
});

describe('Other searched lists', () => {
  it('finds organizations by part of their name, those of one name each once', async () => {
    const name = `Şirket "${newId()}" Ltd`;
    await service.sql('INSERT INTO organizations (id, name) SELECT gen_random_uuid(), $1 FROM generate_series(1, 7)', [
      name,
    ]);
    const ids = await service.sql.column<string>('SELECT id FROM organizations WHERE name = $1 ORDER BY id', [name]);
    for (const text of [name, name.slice(3, 20).toUpperCase(), 'irket "', 'ŞI']) {
      const search = searchTextOf(text) ?? { text, pattern: '' };
      const page = await searchedPage(service.database, organizationsByName, { first: 50 }, search, {});
      const named = await service.sql.column<string>(
        'SELECT id FROM organizations WHERE strpos(lower(name), $1) > 0 ORDER BY name, id',
        [text.toLowerCase()],
      );
      expect([text, page.nodes.map(({ id }) => id)]).toEqual([text, named]);
    }
    const all = await pagesOf((after) =>
      searchedPage(
        service.database,
        organizationsByName,
        { first: 2, after },
        searchTextOf(name) ?? { text: '', pattern: '' },
        {},
      ),
    );
    expect(all.map(({ id }) => id)).toEqual(ids);
  });

  it('has names for the statements of all filters that PostgreSQL does not shorten', async () => {
    const search = searchTextOf('nobody') ?? { text: '', pattern: '' };
    const filter = { organization: newId(), audience: 'api', kind: 'user_refresh' } as const;
    const page = await searchedPage(service.database, activeCredentialsByAddress, { first: 1 }, search, filter);
    expect([page.nodes, await page.total()]).toEqual([[], { totalCount: 0, totalCountIsCapped: false }]);
  });
});

describe('The parts of a text', () => {
  it('are three characters each, from its beginning to its end, and few for a long text', () => {
    expect(gramsOf('abc')).toEqual(['abc']);
    expect(gramsOf('ab👩c')).toEqual(['ab👩', 'b👩c']);
    const long = gramsOf(Array.from({ length: 100 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join(''));
    expect([long.length, long[0]?.codePointAt(0), long.at(-1)?.codePointAt(0)]).toEqual([16, 0x4e00, 0x4e00 + 97]);
  });

  it('are what the index has', async () => {
    const text = String.raw`a'b\c :* & x`;
    const found = await service.sql.value<boolean>('SELECT text_grams($1) @@ $2::tsquery AS is_found', [
      `before ${text} after`,
      gramsQuery(gramsOf(text)),
    ]);
    expect(found).toBe(true);
  });
});
