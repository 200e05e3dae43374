/** A table of rows: columns with headings on a wide screen, one block for each row on a narrow one. */
import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly key: string;
  readonly heading: string;
  /** A width class, such as `sm:w-1/3`. */
  readonly width?: string;
  /** Leaves the heading to screen readers, above cells that explain themselves. */
  readonly isHeadingHidden?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  /** Accessible name. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The content below a row, over all columns; null for none. */
  readonly below?: (row: Row) => ReactNode;
  readonly busy?: boolean;
}

export const DataTable = <Row,>({ label, columns, rows, keyOf, below, busy = false }: DataTableProps<Row>) => (
  <table aria-label={label} aria-busy={busy} className="block w-full table-fixed text-start sm:table">
    <thead className="sr-only sm:not-sr-only">
      <tr className="border-b border-line text-sm text-soft">
        {columns.map(({ key, heading, width = '', isHeadingHidden = false }) => (
          <th key={key} scope="col" className={`text-start font-medium ${width} ${cellClass}`}>
            <span className={isHeadingHidden ? 'sr-only' : undefined}>{heading}</span>
          </th>
        ))}
      </tr>
    </thead>
    <tbody className="block divide-y divide-line sm:table-row-group">
      {rows.map((row) => (
        <Row key={keyOf(row)} row={row} columns={columns} below={below?.(row) ?? null} />
      ))}
    </tbody>
  </table>
);

interface RowProps<Entry> {
  readonly row: Entry;
  readonly columns: readonly Column<Entry>[];
  readonly below: ReactNode;
}

/** No line divides a row from what stands below it. */
const Row = <Entry,>({ row, columns, below }: RowProps<Entry>) => (
  <>
    <tr className={`block px-5 py-3 sm:table-row ${below === null ? '' : 'border-b-0'}`}>
      {columns.map(({ key, cell }) => (
        <td key={key} className={`text-[0.9375rem] wrap-anywhere ${cellClass}`}>
          {cell(row)}
        </td>
      ))}
    </tr>
    {below !== null && (
      <tr className="block px-5 pb-5 sm:table-row">
        <td colSpan={columns.length} className="block sm:table-cell sm:px-6 sm:pb-5">
          {below}
        </td>
      </tr>
    )}
  </>
);

const cellClass = 'block py-1 align-top sm:table-cell sm:px-3 sm:py-3 sm:first:ps-6 sm:last:pe-6';
