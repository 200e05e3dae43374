/** Which sessions are chosen, which row the keyboard is at, and the keys that change both. */
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type ActiveRow, nextRow } from './active-row.ts';
import type { SessionRow } from './sessions.ts';

/** So many can be ended by one call. */
export const mostChosen = 500;

export interface Selection {
  readonly chosen: ReadonlySet<string>;
  /**
   * Undefined before the first key, and another object after each. It stays the same session when rows come or go above
   * it.
   */
  readonly active: ActiveRow | undefined;
  readonly toggle: (sessionFamilyId: string) => void;
  readonly chooseFirst: (rows: readonly SessionRow[]) => void;
  readonly clear: () => void;
  /** The row has the focus already. */
  readonly activate: (sessionFamilyId: string, index: number) => void;
  /** The row takes the focus as soon as it is rendered. */
  readonly moveTo: (sessionFamilyId: string, index: number) => void;
  /** Whether the active row is to take the focus: once for each move, never because it was scrolled into sight. */
  readonly takeFocus: () => boolean;
}

/** @param criteria the filter in the URL: another one begins with no session chosen */
export const useSelection = (criteria: string): Selection => {
  const [of, setOf] = useState(criteria);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState<ActiveRow>();
  if (of !== criteria) {
    setOf(criteria);
    setChosen(new Set());
    setActive(undefined);
  }
  const wantsFocus = useRef(false);
  const toggle = useCallback(
    (id: string) =>
      setChosen((before) => {
        if (before.has(id)) return new Set([...before].filter((other) => other !== id));
        return before.size < mostChosen ? new Set([...before, id]) : before;
      }),
    [],
  );
  const chooseFirst = useCallback(
    (rows: readonly SessionRow[]) =>
      setChosen(new Set(rows.slice(0, mostChosen).map(({ sessionFamilyId }) => sessionFamilyId))),
    [],
  );
  const clear = useCallback(() => setChosen(new Set()), []);
  const activate = useCallback((sessionFamilyId: string, index: number) => setActive({ sessionFamilyId, index }), []);
  const moveTo = useCallback((sessionFamilyId: string, index: number) => {
    wantsFocus.current = true;
    setActive({ sessionFamilyId, index });
  }, []);
  const takeFocus = useCallback(() => {
    const wanted = wantsFocus.current;
    wantsFocus.current = false;
    return wanted;
  }, []);
  return useMemo(
    () => ({ chosen, active, toggle, chooseFirst, clear, activate, moveTo, takeFocus }),
    [chosen, active, toggle, chooseFirst, clear, activate, moveTo, takeFocus],
  );
};

interface Keys {
  readonly rows: readonly SessionRow[];
  readonly choice: Selection;
  readonly onSearch: () => void;
  readonly onMove: (index: number) => void;
  readonly onEndChosen: () => void;
  readonly onEndAll: () => void;
}

/**
 * j and k move, x chooses, e ends what is chosen, E while none is chosen all that match, / searches, Escape clears the
 * choice; none of them while a person types or a dialog is open.
 */
export const useTableKeys = ({ rows, choice, onSearch, onMove, onEndChosen, onEndAll }: Keys): void => {
  // A layout effect: the keys that follow at once must act on the rows and the choice of now.
  useLayoutEffect(() => {
    const move = (by: number): void => {
      const next = nextRow(rows, choice.active, by);
      const row = rows[next];
      if (row === undefined) return;
      choice.moveTo(row.sessionFamilyId, next);
      onMove(next);
    };
    const actions: Readonly<Record<string, () => void>> = {
      j: () => move(1),
      k: () => move(-1),
      x: () => {
        const row = rows.find(({ sessionFamilyId }) => sessionFamilyId === choice.active?.sessionFamilyId);
        if (row !== undefined) choice.toggle(row.sessionFamilyId);
      },
      e: () => {
        if (choice.chosen.size > 0) onEndChosen();
      },
      E: () => {
        if (choice.chosen.size === 0) onEndAll();
      },
      '/': onSearch,
      Escape: choice.clear,
    };
    const onKey = (event: KeyboardEvent): void => {
      const act = actions[event.key];
      if (act === undefined || event.metaKey || event.ctrlKey || event.altKey || isElsewhere(event.target)) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [rows, choice, onSearch, onMove, onEndChosen, onEndAll]);
};

/** Where a key is text, or belongs to a dialog or a menu. A checkbox takes no text. */
const isElsewhere = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  (target.closest('[role=dialog], [role=alertdialog], [role=menu]') !== null ||
    target.closest('textarea, select, [contenteditable], input:not([type=checkbox])') !== null);
