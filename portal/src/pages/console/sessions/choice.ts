/** Which sessions are chosen, which row the keyboard is at, and the keys that change both. */
import { useEffect, useState } from 'react';
import type { SessionRow } from './sessions.ts';

/** So many can be ended by one call. */
export const mostChosen = 500;

export interface Choice {
  readonly chosen: ReadonlySet<string>;
  /** Index of the row that the keys act on; -1 before the first key. */
  readonly active: number;
  readonly toggle: (sessionFamilyId: string) => void;
  readonly chooseFirst: (rows: readonly SessionRow[]) => void;
  readonly clear: () => void;
  readonly activate: (index: number) => void;
}

export const useChoice = (): Choice => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState(-1);
  return {
    chosen,
    active,
    toggle: (id) =>
      setChosen((before) => {
        if (before.has(id)) return new Set([...before].filter((other) => other !== id));
        return before.size < mostChosen ? new Set([...before, id]) : before;
      }),
    chooseFirst: (rows) => setChosen(new Set(rows.slice(0, mostChosen).map(({ sessionFamilyId }) => sessionFamilyId))),
    clear: () => setChosen(new Set()),
    activate: setActive,
  };
};

interface Keys {
  readonly rows: readonly SessionRow[];
  readonly choice: Choice;
  readonly onSearch: () => void;
  readonly onMove: (index: number) => void;
  readonly onEndChosen: () => void;
}

/**
 * j and k move, x chooses, e ends what is chosen, / searches, Escape clears the choice; none of them while a person types
 * or a dialog is open.
 */
export const useTableKeys = ({ rows, choice, onSearch, onMove, onEndChosen }: Keys): void => {
  useEffect(() => {
    const move = (by: number): void => {
      const next = Math.min(Math.max(choice.active + by, 0), rows.length - 1);
      if (next < 0) return;
      choice.activate(next);
      onMove(next);
    };
    const actions: Readonly<Record<string, () => void>> = {
      j: () => move(1),
      k: () => move(-1),
      x: () => {
        const row = rows[choice.active];
        if (row !== undefined) choice.toggle(row.sessionFamilyId);
      },
      e: () => {
        if (choice.chosen.size > 0) onEndChosen();
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
  }, [rows, choice, onSearch, onMove, onEndChosen]);
};

/** Where a key is text, or belongs to a dialog or a menu. A checkbox takes no text. */
const isElsewhere = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  (target.closest('[role=dialog], [role=alertdialog], [role=menu]') !== null ||
    target.closest('textarea, select, [contenteditable], input:not([type=checkbox])') !== null);
