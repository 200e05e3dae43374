/**
 * Owns lists with an optional filter, in pages: their statements, order, cursor and total.
 *
 * A statement contains only the requested conditions, so that it is planned for them: one plan for all combinations
 * would read and sort everything for each page. The name of a statement lists its conditions.
 */
import { isId } from '../../kernel/ids.ts';
import { maxCounted, type Page, type PageRequest, pageOf, readPageRequest } from '../../kernel/paging.ts';
import { type Queryable, type SqlValue, type Statement, statement } from './database.ts';

/** A list of `Row`s, and the values that it can be filtered by; a null value matches every row. */
export type FilteredList<Row, Filter> = ListBasis<Row, Filter> &
  (RowsInOrder | { readonly texts: (parts: ListParts<Filter>) => ListTexts });

interface ListBasis<Row, Filter> {
  /** Start of the name of the statement that lists the rows, or counts them. */
  readonly name: (verb: 'list' | 'count') => string;
  /** The condition for each value, from its placeholder. */
  readonly conditions: readonly (readonly [keyof Filter & string, (value: string) => string])[];
  readonly order: ListOrder<Row>;
}

/** A list whose rows are read in its order; any other one has texts of its own. */
interface RowsInOrder {
  /** FROM and WHERE of both statements. */
  readonly source: string;
  /** The text that lists the rows, from the `FROM … LIMIT …` of a page. */
  readonly select: (page: string) => string;
}

/** The parts of the statements of a list. */
export interface ListParts<Filter> {
  /** The fields of the filter that are not null. */
  readonly fields: readonly (keyof Filter & string)[];
  readonly conditions: readonly string[];
  /** The condition for the rows after the cursor. */
  readonly after: string;
  /** The placeholder of the number of rows. */
  readonly limit: string;
}

interface ListTexts {
  readonly listing: string;
  readonly counting: string;
}

/** An order by values that no two rows share; a cursor consists of those of one row. */
export interface ListOrder<Row> {
  readonly orderBy: string;
  readonly keysOf: (row: Row) => readonly string[];
  readonly areKeys: readonly ((text: string) => boolean)[];
  /**
   * Condition for the rows after a cursor, from the placeholders of its values; all are null for the first page. One
   * comparison, without an OR, for which a generic plan finds the place in an index, however far on.
   */
  readonly after: (...keys: string[]) => string;
}

/** The statement that counts the rows of a list. */
export type Counting = Statement<{ readonly total: number }, readonly SqlValue[]>;

/** Its total counts up to `maxCounted` rows that match. @throws Refusal BAD_USER_INPUT: names `first` or `after` */
export const filteredPage = async <Row, Filter extends Readonly<Record<keyof Filter, SqlValue>>>(
  queryable: Queryable,
  list: FilteredList<Row, Filter>,
  request: PageRequest,
  filter: Filter,
): Promise<Page<Row>> => {
  const { limit, cursor } = readCursorOf(list.order, request);
  const asked = list.conditions.filter(([field]) => filter[field] !== null);
  const values = asked.map(([field]) => filter[field]);
  const { listing, counting } = statementsOf(list, asked);
  const rows = await queryable.many(listing, [...values, ...cursor, limit]);
  return pageOf(rows, request, () => countRows(queryable, counting, values), list.order.keysOf);
};

/** The values of a page request: the number of rows to fetch, and one value for each key of the order. */
export const readCursorOf = <Row>(
  { areKeys }: Pick<ListOrder<Row>, 'areKeys'>,
  request: PageRequest,
): { readonly limit: number; readonly cursor: readonly (string | null)[] } => {
  const { limit, after } = readPageRequest(request, areKeys);
  return { limit, cursor: areKeys.map((_, index) => after?.[index] ?? null) };
};

export const countRows = async (
  queryable: Queryable,
  counting: Counting,
  values: readonly SqlValue[],
): Promise<number> => (await queryable.one(counting, values)).total;

const statementsOf = <Row, Filter>(
  list: FilteredList<Row, Filter>,
  asked: FilteredList<Row, Filter>['conditions'],
): { readonly listing: Statement<Row, readonly SqlValue[]>; readonly counting: Counting } => {
  const { name, order } = list;
  const fields = asked.map(([field]) => field);
  const conditions = asked.map(([, condition], index) => condition(`$${index + 1}`));
  const [limit = '', ...keys] = [order.areKeys.length, ...order.areKeys.keys()].map(
    (key) => `$${asked.length + key + 1}`,
  );
  const texts = 'texts' in list ? list.texts : inListOrder(list, order.orderBy);
  const { listing, counting } = texts({ fields, conditions, after: order.after(...keys), limit });
  const suffix = fields.map((field) => `_${field}`).join('');
  return {
    listing: statement<Row, readonly SqlValue[]>(`${name('list')}${suffix}`, listing),
    counting: statement<{ readonly total: number }, readonly SqlValue[]>(`${name('count')}${suffix}`, counting),
  };
};

/** Both statements read in the order of the list, so that the index which finds a page also finds the rows to count. */
const inListOrder =
  ({ source, select }: RowsInOrder, orderBy: string) =>
  ({ conditions, after, limit }: Omit<ListParts<never>, 'fields'>): ListTexts => {
    const matching = [source, ...conditions].join(' AND ');
    return {
      listing: select(`${matching} AND ${after} ORDER BY ${orderBy} LIMIT ${limit}`),
      counting: countingText(`SELECT ${matching} ORDER BY ${orderBy}`),
    };
  };

/** The text that counts the rows of a query. @param most by default as far as a total goes */
export const countingText = (query: string, most = maxCounted + 1): string =>
  `SELECT count(*)::integer AS total FROM (${query} LIMIT ${most}) AS counted`;

/** An instant in microseconds since 1970: a Date would truncate them, and a cursor would skip rows of a millisecond. */
export const microsOf = (instant: string): string => `(extract(epoch FROM ${instant}) * 1000000)::bigint::text`;

/** By an instant and, for those of one instant, by id. @param microsOfRow what `microsOf` selected */
export const newestFirst = <Row extends { readonly id: string }>(
  instant: string,
  id: string,
  microsOfRow: (row: Row) => string,
): ListOrder<Row> => ({
  orderBy: `${instant} DESC, ${id} DESC`,
  keysOf: (row) => [microsOfRow(row), row.id],
  areKeys: [(text) => /^\d{1,16}$/.test(text), isId],
  after: (micros, lastId) =>
    `(${instant}, ${id}) < (coalesce(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', 'infinity'),
       coalesce(${lastId}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))`,
});

/** The order of a chain, newest first. @param position the column, a bigint from 1 that is unique in the list */
export const newestInChain = <Row extends { readonly position: number }>(position: string): ListOrder<Row> => ({
  orderBy: `${position} DESC`,
  keysOf: (row) => [String(row.position)],
  areKeys: [(text) => /^\d{1,15}$/.test(text)],
  after: (last) => `${position} < coalesce(${last}::bigint, 9223372036854775807)`,
});

/** The order by address, which is unique and never empty. @param email the column */
export const byEmail = <Row extends { readonly email: string }>(email: string): ListOrder<Row> => ({
  orderBy: email,
  keysOf: (row) => [row.email],
  areKeys: [() => true],
  after: (last) => `${email} > coalesce(${last}::text, '')`,
});
