/**
 * The table of sessions, dense on a wide screen and one block for each on a narrow one. Only the rows near the window
 * are rendered, so that ten thousand cost what forty do.
 */
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { SignedInIcon } from '../../../components/signed-in-icon.tsx';
import { mostChosen, type Selection, useTableKeys } from './selection.ts';
import { SessionMenu, useSessionMenu } from './session-menu.tsx';
import { SessionRowCells, useRowWords } from './session-row.tsx';
import { nextSorting, type SessionRow, type SessionView, type SortColumn, sortingOf } from './sessions.ts';

declare module 'react' {
  interface CSSProperties {
    /** Heights of what is not rendered before and after the rows. */
    '--before'?: string;
    '--after'?: string;
  }
}

interface SessionTableProps {
  readonly rows: readonly SessionRow[];
  /** The number of all rows, loaded or not. */
  readonly total: number;
  readonly busy: boolean;
  readonly view: SessionView;
  readonly canRevoke: boolean;
  readonly choice: Selection;
  readonly searchField: RefObject<HTMLInputElement | null>;
  readonly onSort: (sorting: Pick<SessionView, 'sort' | 'direction'>) => void;
  /** The end of the loaded rows is near. */
  readonly onEnd: () => void;
  readonly onFilter: (changed: SessionView) => void;
  readonly onEndOne: (row: SessionRow) => void;
  readonly onEverywhere: (row: SessionRow) => void;
  readonly onEndChosen: () => void;
  /** Ends all that match, when a filter is set. */
  readonly onEndAll: () => void;
}

/** Estimates in pixels; each row is measured. */
const rowHeight = 61;
const rowsBeyond = 12;
/** The height of the bar that stays in sight above the rows, in pixels. */
const barHeight = 66;

/** The top of the rows in the page, in pixels: below the headings. */
const topOf = (table: HTMLTableElement | null): number =>
  table === null ? 0 : table.offsetTop + (table.tBodies[0]?.offsetTop ?? 0);

/** Pixels at the end of the window that the consent banner covers (`consent/consent-banner.tsx`). */
const coveredAtEnd = (): number => Number.parseFloat(document.documentElement.style.scrollPaddingBottom) || 0;

/** The rows near the window, and the heights in pixels of those before and after them. */
const useRowsInSight = (rows: readonly SessionRow[], onEnd: () => void) => {
  const table = useRef<HTMLTableElement>(null);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: rowsBeyond,
    scrollMargin: topOf(table.current),
    scrollPaddingStart: barHeight,
    scrollPaddingEnd: coveredAtEnd(),
    getItemKey: (index) => rows[index]?.sessionFamilyId ?? index,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - rowsBeyond) onEnd();
  }, [last, rows.length, onEnd]);
  const before = (items[0]?.start ?? virtual.options.scrollMargin) - virtual.options.scrollMargin;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0) + virtual.options.scrollMargin;
  return { table, virtual, items, before, after };
};

export const SessionTable = (props: SessionTableProps) => {
  const { rows, total, busy, choice, searchField, onEnd, onEndChosen, onEndAll } = props;
  const { canRevoke, onFilter, onEndOne, onEverywhere } = props;
  const words = useRowWords();
  const menu = useSessionMenu();
  const { chosen, active, toggle, activate, takeFocus } = choice;
  const t = useTranslations('sessions');
  const { table, virtual, items, before, after } = useRowsInSight(rows, onEnd);
  const onSearch = useCallback(() => searchField.current?.focus(), [searchField]);
  const onMove = useCallback((index: number) => virtual.scrollToIndex(index, { align: 'auto' }), [virtual]);
  useTableKeys({ rows, choice, onSearch, onMove, onEndChosen, onEndAll });
  return (
    <>
      <table
        ref={table}
        aria-label={t('label')}
        aria-busy={busy}
        aria-rowcount={total + 1}
        className="block w-full table-fixed text-start text-sm lg:table"
      >
        <TableHead {...props} />
        <tbody
          // Before and after take the space of the rows that are not rendered.
          className="block before:block before:h-(--before) after:block after:h-(--after) lg:table-row-group"
          style={{ '--before': `${before}px`, '--after': `${after}px` }}
        >
          {items.map(({ index, key }) => {
            const row = rows[index];
            return (
              row !== undefined && (
                <tr
                  key={key}
                  ref={virtual.measureElement}
                  data-index={index}
                  aria-rowindex={index + 2}
                  aria-selected={chosen.has(row.sessionFamilyId)}
                  className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3 border-b border-line px-5 py-3 aria-selected:bg-tint lg:table-row lg:px-0"
                >
                  <SessionRowCells
                    row={row}
                    index={index}
                    canRevoke={canRevoke}
                    isChosen={chosen.has(row.sessionFamilyId)}
                    active={active?.sessionFamilyId === row.sessionFamilyId ? active : undefined}
                    toggle={toggle}
                    activate={activate}
                    takeFocus={takeFocus}
                    words={words}
                    isMenuOpen={menu.isOpen && menu.row?.sessionFamilyId === row.sessionFamilyId}
                    onMenu={menu.open}
                  />
                </tr>
              )
            );
          })}
        </tbody>
      </table>
      <SessionMenu
        menu={menu}
        canRevoke={canRevoke}
        onFilter={onFilter}
        onEndOne={onEndOne}
        onEverywhere={onEverywhere}
      />
    </>
  );
};

const columns = [
  ['person', 'person', 'lg:w-[25%]'],
  ['device', undefined, 'lg:w-[20%]'],
  ['issued', 'issued', 'lg:w-[17%]'],
  ['seen', 'seen', 'lg:w-[17%]'],
  ['expires', 'expires', 'lg:w-[11%]'],
] as const satisfies readonly (readonly [string, SortColumn | undefined, string])[];

const headClass = 'px-2 py-2.5 text-start font-medium';

const TableHead = ({ rows, view, choice, canRevoke, onSort }: SessionTableProps) => {
  const t = useTranslations('sessions');
  const count = Math.min(rows.length, mostChosen);
  const isAll = count > 0 && choice.chosen.size === count;
  return (
    <thead className="hidden lg:table-header-group">
      <tr className="border-b border-line text-soft" aria-rowindex={1}>
        {canRevoke && (
          <th scope="col" className={`lg:w-12 ps-6 ${headClass}`}>
            <input
              type="checkbox"
              aria-label={t('chooseAll', { count })}
              checked={isAll}
              className="size-4.5 accent-accent"
              onChange={() => (isAll ? choice.clear() : choice.chooseFirst(rows))}
            />
          </th>
        )}
        {columns.map(([column, sort, width]) => (
          <SortableHead key={column} column={column} sort={sort} width={width} view={view} onSort={onSort} />
        ))}
        <th scope="col" className={`lg:w-14 ${headClass}`}>
          <span className="sr-only">{t('columns.actions')}</span>
        </th>
      </tr>
    </thead>
  );
};

interface SortableHeadProps extends Pick<SessionTableProps, 'view' | 'onSort'> {
  readonly column: (typeof columns)[number][0];
  /** Undefined for a column without an order. */
  readonly sort: SortColumn | undefined;
  readonly width: string;
}

const SortableHead = ({ column, sort, width, view, onSort }: SortableHeadProps) => {
  const t = useTranslations('sessions');
  const name = t(`columns.${column}`);
  const sorting = sortingOf(view);
  if (sort === undefined) {
    return (
      <th scope="col" className={`${width} ${headClass}`}>
        {name}
      </th>
    );
  }
  const isSorted = sorting.column === sort;
  const direction = sorting.direction === 'ASC' ? 'ascending' : 'descending';
  return (
    <th scope="col" aria-sort={isSorted ? direction : 'none'} className={`${width} ${headClass}`}>
      <button
        type="button"
        aria-label={t('sortBy', { column: name })}
        className={`inline-flex items-center gap-1 rounded hover:text-ink ${isSorted ? 'text-ink' : ''}`}
        onClick={() => onSort(nextSorting(view, sort))}
      >
        {name}
        {isSorted ? (
          <span aria-hidden="true">{sorting.direction === 'ASC' ? '↑' : '↓'}</span>
        ) : (
          <SignedInIcon name="chevrons" className="size-3.5 opacity-60" />
        )}
      </button>
    </th>
  );
};
