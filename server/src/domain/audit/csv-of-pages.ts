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
 * @param columns the value of each column, by its heading
 * @throws as `read`
 */
export const csvOfPages = <Row>(
  columns: Readonly<Record<string, (row: Row) => string | null>>,
  read: (request: PageRequest) => Promise<Page<Row>>,
): Promise<CsvFile> => withNewDeadline(() => readAll(columns, read), waitLimits.bulkMillis);

const readAll = async <Row>(
  columns: Readonly<Record<string, (row: Row) => string | null>>,
  read: (request: PageRequest) => Promise<Page<Row>>,
): Promise<CsvFile> => {
  const found: Row[] = [];
  let request: PageRequest | null = { first: rowsOfPage };
  while (request !== null && found.length < maxRows) {
    const { nodes, pageInfo }: Page<Row> = await read(request);
    found.push(...nodes);
    request = pageInfo.hasNextPage ? { first: rowsOfPage, after: pageInfo.endCursor } : null;
  }
  const cells = found.map((row) => Object.values(columns).map((cellOf) => cellOf(row)));
  return { csv: csvOf([Object.keys(columns), ...cells]), rows: found.length, isCut: request !== null };
};
