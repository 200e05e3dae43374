/**
 * Owns what the lists of both audits share: the list as a file for other programs, and the rules for a range of time
 * and for the name of a tool.
 */
import { csvOf } from '../../kernel/csv.ts';
import type { Page, PageRequest } from '../../kernel/paging.ts';
import { waitLimits, withNewDeadline } from '../../platform/database/deadlines.ts';

export interface CsvFile {
  readonly csv: string;
  /** Without the heading. */
  readonly rows: number;
  /** Whether more rows match than a file has. */
  readonly isCut: boolean;
}

const maxRows = 10_000;
const rowsOfPage = 100;

/**
 * The newest 10,000 rows of a list, read page by page, with a heading.
 * @param columns fields of a row, whose names are the headings
 * @throws as `read`
 */
export const csvOfPages = <Name extends string>(columns: readonly Name[], read: ReadPage<Name>): Promise<CsvFile> =>
  withNewDeadline(() => readAll(columns, read), waitLimits.bulkMillis);

type Cell = string | number | Date | null;
type Row<Name extends string> = Readonly<Record<Name, Cell>>;
type ReadPage<Name extends string> = (request: PageRequest) => Promise<Page<Row<Name>>>;

const readAll = async <Name extends string>(columns: readonly Name[], read: ReadPage<Name>): Promise<CsvFile> => {
  const found: Row<Name>[] = [];
  let request: PageRequest | null = { first: rowsOfPage };
  while (request !== null && found.length < maxRows) {
    const { nodes, pageInfo }: Page<Row<Name>> = await read(request);
    found.push(...nodes);
    request = pageInfo.hasNextPage ? { first: rowsOfPage, after: pageInfo.endCursor } : null;
  }
  const cells = found.map((row) => columns.map((name) => textOf(row[name])));
  return { csv: csvOf([columns, ...cells]), rows: found.length, isCut: request !== null };
};

const textOf = (cell: Cell): string | null => {
  if (cell === null) return null;
  return cell instanceof Date ? cell.toISOString() : String(cell);
};

/** Why a range of time matches nothing; null for one that may, and for one that is open. */
export const rangeReason = (from: Date | null, to: Date | null): string | null =>
  from !== null && to !== null && from > to ? 'The time range ends before it begins.' : null;

/** A name to compare with: PostgreSQL refuses a text with NUL. No tool has a name with U+FFFD either. */
export const storableToolName = (name: string | null): string | null => name?.replaceAll('\u0000', '\ufffd') ?? null;
