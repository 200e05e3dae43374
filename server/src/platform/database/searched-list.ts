/**
 * Owns lists of millions of rows that are searched by part of a text, in pages (decision 0039).
 *
 * A text that many rows contain is found by reading the list from the cursor on; one that few contain, by an index.
 * PostgreSQL would choose by an estimate, and a named statement keeps its choice for other texts. So the choice is made
 * here, by what was found: among the next rows of the list, then among more of them if it was likely to be there, and
 * then by the index. Each statement has one plan.
 */
import { type Page, type PageRequest, pageOf } from '../../kernel/paging.ts';
import { type Queryable, type SqlValue, type Statement, statement } from './database.ts';
import { type Counting, countingText, countRows, type ListOrder, readCursorOf } from './filtered-list.ts';

/** The part of a text that is searched for. */
export interface SearchText {
  /** In lower case. */
  readonly text: string;
  /** A LIKE pattern that finds it anywhere. */
  readonly pattern: string;
}

/** Placeholders and conditions of the statements of a list. */
export interface SearchParts {
  readonly pattern: string;
  /** For `text_grams(…) @@`. */
  readonly grams: string;
  /** One condition for each value of the filter. */
  readonly conditions: readonly string[];
  /** The condition for the rows after the cursor. */
  readonly after: string;
  readonly limit: string;
}

/** Further columns that a listing selects beside the row. */
interface Found {
  /** The place of the row among those that were read, from 1. */
  readonly place?: number;
  readonly total?: number;
  /** Whether the index found more candidates than were read. */
  readonly isCut?: boolean;
}

/** A list of `Row`s, and the values that it can be filtered by besides; a null value matches every row. */
export interface SearchedList<Row, Filter> {
  /** Start of the names of the statements. */
  readonly name: string;
  readonly conditions: readonly (readonly [keyof Filter & string, (value: string) => string])[];
  readonly order: ListOrder<Row>;
  /** Lists those that match among the next rows of the list, with their `place`. @param rows how many are read */
  readonly near: (parts: Omit<SearchParts, 'grams'>, rows: number) => string;
  /** Some rows that are searched, each as `text`. */
  readonly sample: string;
  /** The rows that the index finds, without the filter. */
  readonly candidates: (parts: Pick<SearchParts, 'pattern' | 'grams'>) => string;
  /** Lists all that match, by the index, with their `total` and `isCut`. @param most how many candidates are read */
  readonly indexed: (parts: SearchParts, most: number | null) => string;
  /** The rows to count where many match: reads the table. */
  readonly scanned: (parts: Pick<SearchParts, 'pattern' | 'conditions'>) => string;
  /** The rows to count where few match: reads the index. */
  readonly indexedRows: (parts: Pick<SearchParts, 'pattern' | 'grams' | 'conditions'>) => string;
}

/** Each row that is read and does not match costs 2 µs, each that the index finds 4 µs. */
const nearRows = 1000;
const moreRows = 16_000;
/** So many of the near rows match if a page is likely among more of them. */
const likely = 5;
/** Reading so many candidates costs as much as reading more rows. */
const fewCandidates = 10_000;
/** If a larger share of the rows match, reading the table finds enough to count sooner than the index does. */
const largeShare = 0.05;

/** Reads a page. @throws Refusal BAD_USER_INPUT: names `first` or `after` */
export const searchedPage = async <Row, Filter extends Readonly<Record<keyof Filter, SqlValue>>>(
  queryable: Queryable,
  list: SearchedList<Row, Filter>,
  request: PageRequest,
  { text, pattern }: SearchText,
  filter: Filter,
): Promise<Page<Row>> => {
  const { limit, cursor } = readCursorOf(list.order, request);
  const asked = list.conditions.filter(([field]) => filter[field] !== null);
  const values = [pattern, ...asked.map(([field]) => filter[field])];
  const statements = statementsOf(list, asked);
  const grams = () => queryOf(queryable, statements.rarest, text);
  const listed = await readRows(queryable, statements, {
    values: [...values, ...cursor, limit],
    pattern,
    grams,
    limit,
  });
  const countByIndex = async () => countRows(queryable, statements.countIndexed, [...values, await grams()]);
  const countByTable = () => countRows(queryable, statements.countScanned, values);
  return pageOf(listed, request, countOf(listed, { countByIndex, countByTable }), list.order.keysOf);
};

interface Counts {
  readonly countByIndex: () => Promise<number>;
  readonly countByTable: () => Promise<number>;
}

/** The total that the index gave, or the cheaper way to it. */
const countOf = (listed: readonly Found[], { countByIndex, countByTable }: Counts): (() => Promise<number>) => {
  const { total, place } = listed.at(-1) ?? {};
  if (total !== undefined) return async () => total;
  return place !== undefined && listed.length / place >= largeShare ? countByTable : countByIndex;
};

type Listing<Row> = Statement<Row & Found, readonly SqlValue[]>;

interface Listings<Row> {
  readonly near: Listing<Row>;
  readonly more: Listing<Row>;
  readonly few: Listing<Row>;
  readonly all: Listing<Row>;
  readonly candidates: Counting;
}

interface Request {
  readonly values: readonly SqlValue[];
  readonly pattern: string;
  readonly grams: () => Promise<string>;
  readonly limit: number;
}

const readRows = async <Row>(
  queryable: Queryable,
  listings: Listings<Row>,
  request: Request,
): Promise<readonly (Row & Found)[]> => {
  const { values, limit } = request;
  const near = await queryable.many(listings.near, values);
  if (near.length >= limit) return near;
  const few = near.length < likely ? await readFew(queryable, listings, request) : null;
  if (few !== null) return few;
  const more = await queryable.many(listings.more, values);
  return more.length >= limit ? more : queryable.many(listings.all, [...values, await request.grams()]);
};

/** The rows that the index finds; null if it has more candidates. */
const readFew = async <Row>(
  queryable: Queryable,
  { few, candidates }: Listings<Row>,
  { values, pattern, grams }: Request,
): Promise<readonly (Row & Found)[] | null> => {
  const query = await grams();
  const rows = await queryable.many(few, [...values, query]);
  const isCut = rows[0]?.isCut ?? (await countRows(queryable, candidates, [pattern, query])) > fewCandidates;
  return isCut ? null : rows;
};

const statementsOf = <Row, Filter>(list: SearchedList<Row, Filter>, asked: SearchedList<Row, Filter>['conditions']) => {
  const { name, order } = list;
  const placeholders = Array.from({ length: asked.length + order.areKeys.length + 3 }, (_, index) => `$${index + 1}`);
  const [pattern = '', ...others] = placeholders;
  const conditions = asked.map(([, condition], index) => condition(others[index] ?? ''));
  const [limit = '', grams = ''] = others.slice(asked.length + order.areKeys.length);
  const parts = { pattern, conditions, after: order.after(...others.slice(asked.length)), limit };
  const suffix = asked.map(([field]) => `_${field}`).join('');
  const listing = (kind: string, text: string): Listing<Row> => statement(`${name}_${kind}${suffix}`, text);
  const counting = (kind: string, rows: string): Counting =>
    statement(`${name}_count_${kind}${suffix}`, countingText(rows));
  const counted = { pattern, conditions, grams: others[asked.length] ?? '' };
  return {
    near: listing('near', list.near(parts, nearRows)),
    more: listing('more', list.near(parts, moreRows)),
    few: listing('few', list.indexed({ ...parts, grams }, fewCandidates)),
    all: listing('all', list.indexed({ ...parts, grams }, null)),
    rarest: statement(`${name}_rarest_grams`, rarestText(list.sample)) satisfies Rarest,
    candidates: statement<{ readonly total: number }, readonly SqlValue[]>(
      `${name}_candidates`,
      countingText(list.candidates({ pattern, grams: '$2' }), fewCandidates + 1),
    ),
    countScanned: counting('scanned', list.scanned(counted)),
    countIndexed: counting('indexed', list.indexedRows(counted)),
  };
};

/** A table whose own columns are searched. */
interface SearchedTable {
  /** With its alias. */
  readonly table: string;
  readonly alias: string;
  /** The text whose parts its index has: the index is on `text_grams` of it. */
  readonly text: string;
  readonly matches: (pattern: string) => string;
  readonly orderBy: string;
  /** The id, and the columns of the order. */
  readonly keys: string;
  /** The rows of a page, from a query of whole rows and further columns, which it selects too. */
  readonly select: (page: string, further: readonly string[]) => string;
}

/** One candidate more than are read, which tells that there are more. */
export const upTo = (most: number | null): string => (most === null ? '' : ` LIMIT ${most + 1}`);

/** The columns `total` and `isCut`. @param matching the name of the query of all that match */
export const totalsOf = (matching: string, candidates: string, most: number | null): string =>
  `(SELECT count(*) FROM ${matching})::integer AS total,
       ${most === null ? 'false' : `(SELECT count(*) FROM ${candidates}) > ${most}`} AS "isCut"`;

/** The texts of a list of the rows of one table. */
export const searchedTable = ({
  table,
  alias,
  text,
  matches,
  orderBy,
  keys,
  select,
}: SearchedTable): Pick<
  SearchedList<never, never>,
  'near' | 'sample' | 'candidates' | 'indexed' | 'scanned' | 'indexedRows'
> => {
  const byIndex = (search: Pick<SearchParts, 'pattern' | 'grams'>) =>
    `FROM ${table} WHERE text_grams(${text}) @@ ${search.grams}::tsquery AND ${matches(search.pattern)}`;
  return {
    near: ({ pattern, after, limit }, rows) =>
      select(
        `SELECT ${alias}.* FROM (
       SELECT ${alias}.*, row_number() OVER (ORDER BY ${orderBy})::integer AS place FROM ${table}
       WHERE ${after} ORDER BY ${orderBy} LIMIT ${rows}) AS ${alias}
     WHERE ${matches(pattern)} ORDER BY ${orderBy} LIMIT ${limit}`,
        ['place'],
      ),
    indexed: ({ after, limit, ...search }, most) =>
      `WITH matching AS MATERIALIZED (SELECT ${keys} ${byIndex(search)}${upTo(most)})
   ${select(
     `SELECT ${alias}.*, page.total, page."isCut" FROM (
       SELECT ${alias}.id, ${totalsOf('matching', 'matching', most)} FROM matching ${alias}
       WHERE ${after} ORDER BY ${orderBy} LIMIT ${limit}) AS page
     JOIN ${table} ON ${alias}.id = page.id`,
     ['total', '"isCut"'],
   )}`,
    scanned: ({ pattern }) => `SELECT FROM ${table} WHERE ${matches(pattern)}`,
    sample: `SELECT ${text} AS text FROM ${table}`,
    candidates: (search) => `SELECT ${byIndex(search)}`,
    indexedRows: (search) => `SELECT ${byIndex(search)}`,
  };
};

// The parts of a text by which the index finds it.

const gramLength = 3;
/** The number of parts, evenly spread, that tell a long text from others. */
const mostGrams = 16;
/** The index intersects lists of rows: a list of nearly all rows costs time and excludes nothing. */
const usedGrams = 3;
const sampledRows = 300;

/**
 * Parts of a text that is as long as a part, as `text_grams` of the migrations splits it.
 * @internal A test runs it alone.
 */
export const gramsOf = (text: string): readonly string[] => {
  const characters = [...text];
  const last = characters.length - gramLength;
  const count = Math.min(last + 1, mostGrams);
  const places = Array.from({ length: count }, (_, index) => Math.floor((index * last) / Math.max(1, count - 1)));
  return [...new Set(places.map((place) => characters.slice(place, place + gramLength).join('')))];
};

/**
 * The query for texts with all of these parts.
 * @internal A test runs it alone.
 */
export const gramsQuery = (grams: readonly string[]): string => grams.map(quoted).join(' & ');

/** The query for the index: the rarest parts of a text, or the beginning of a part, for a shorter text. */
export const queryOf = async (queryable: Queryable, rarest: Rarest, text: string): Promise<string> => {
  if ([...text].length < gramLength) return `${quoted(text)}:*`;
  const grams = gramsOf(text);
  if (grams.length <= usedGrams) return gramsQuery(grams);
  return gramsQuery((await queryable.many(rarest, [grams])).map(({ gram }) => gram));
};

type Rarest = Statement<{ readonly gram: string }, readonly [grams: readonly string[]]>;

/** The parts that the fewest of some rows have. Any choice finds the same rows; a rare part finds them sooner. */
export const rarestText = (sample: string): string =>
  `WITH sample AS MATERIALIZED (${sample} LIMIT ${sampledRows})
   SELECT gram FROM unnest($1::text[]) WITH ORDINALITY AS wanted (gram, place)
   ORDER BY (SELECT count(*) FROM sample WHERE strpos(sample.text, gram) > 0), place LIMIT ${usedGrams}`;

/** A lexeme in the text of a tsquery, which quotes, backslashes, spaces and operators would otherwise divide. */
const quoted = (lexeme: string): string => `'${lexeme.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
