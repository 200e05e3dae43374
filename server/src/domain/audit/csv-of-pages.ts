/** A list of the audit as a file for other programs: its newest rows, read page by page. */
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
 * The first 10,000 rows of a list, with a heading.
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
