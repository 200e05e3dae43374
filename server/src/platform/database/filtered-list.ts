/**
 * Owns lists with an optional filter, in pages: the text of their statements, their order, their cursor and their total.
 *
 * A statement contains only the requested conditions, so that it is planned for them: a prepared plan for all
 * combinations at once would read and sort everything for each page. The name of a statement lists its conditions, so a
 * list has at most two names for each subset of its conditions.
 */
import { isId } from '../../kernel/ids.ts';
import { maxCounted, type Page, type PageRequest, pageOf, readPageRequest } from '../../kernel/paging.ts';
import type { Queryable } from './database.ts';
import { type SqlValue, statement } from './statement.ts';

/** A list of `Row`s, and the values that it can be filtered by; a null value matches every row. */
export interface FilteredList<Row, Filter> {
  /** Start of the name of the statement that lists the rows, or counts them. */
  readonly name: (verb: 'list' | 'count') => string;
  /** FROM and WHERE of both statements. */
  readonly source: string;
  /** The condition for each value, from its placeholder. */
  readonly conditions: readonly (readonly [keyof Filter & string, (value: string) => string])[];
  readonly order: ListOrder<Row>;
  /** The text that lists the rows, from the `FROM … LIMIT …` of a page. */
  readonly select: (page: string) => string;
}

/** An order by values that no two rows share; a cursor consists of those of one row. */
interface ListOrder<Row> {
  readonly orderBy: string;
  readonly keysOf: (row: Row) => readonly string[];
  readonly areKeys: readonly ((text: string) => boolean)[];
  /** Condition for the rows after a cursor, from the placeholders of its values; all are null for the first page. */
  readonly after: (...keys: string[]) => string;
}

/** Reads a page, and counts the rows that match up to `maxCounted`. @throws Refusal BAD_USER_INPUT: names `first` or `after` */
export const filteredPage = async <Row, Filter extends Readonly<Record<keyof Filter, SqlValue>>>(
  queryable: Queryable,
  list: FilteredList<Row, Filter>,
  request: PageRequest,
  filter: Filter,
): Promise<Page<Row>> => {
  const { limit, after } = readPageRequest(request, list.order.areKeys);
  const cursor = list.order.areKeys.map((_, index) => after?.[index] ?? null);
  const asked = list.conditions.filter(([field]) => filter[field] !== null);
  const values = asked.map(([field]) => filter[field]);
  const { listing, counting } = statementsOf(list, asked);
  const rows = await queryable.many(listing, [...values, ...cursor, limit]);
  const { total } = await queryable.one(counting, values);
  return pageOf(rows, request, total, list.order.keysOf);
};

const statementsOf = <Row, Filter>(
  { name, source, order, select }: FilteredList<Row, Filter>,
  asked: FilteredList<Row, Filter>['conditions'],
) => {
  const suffix = asked.map(([field]) => `_${field}`).join('');
  const matching = [source, ...asked.map(([, condition], index) => condition(`$${index + 1}`))].join(' AND ');
  const [limit, ...keys] = [order.areKeys.length, ...order.areKeys.keys()].map((key) => `$${asked.length + key + 1}`);
  const page = `${matching} AND ${order.after(...keys)} ORDER BY ${order.orderBy} LIMIT ${limit}`;
  return {
    listing: statement<Row, readonly SqlValue[]>(`${name('list')}${suffix}`, select(page)),
    counting: statement<{ readonly total: number }, readonly SqlValue[]>(
      `${name('count')}${suffix}`,
      // In the order of the list, so that the index which finds a page also finds the rows to count.
      `SELECT count(*)::integer AS total FROM (SELECT ${matching} ORDER BY ${order.orderBy} LIMIT ${maxCounted + 1}) AS counted`,
    ),
  };
};

/** An instant in microseconds since 1970: a Date would truncate them, and a cursor would skip rows of a millisecond. */
export const microsOf = (instant: string): string => `(extract(epoch FROM ${instant}) * 1000000)::bigint::text`;

/**
 * The order by an instant and, for those of one instant, by id.
 * @param microsOfRow what `microsOf` selected
 */
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

/** The order by address, which is unique. @param email the column */
export const byEmail = <Row extends { readonly email: string }>(email: string): ListOrder<Row> => ({
  orderBy: email,
  keysOf: (row) => [row.email],
  areKeys: [() => true],
  after: (last) => `(${last}::text IS NULL OR ${email} > ${last})`,
});
