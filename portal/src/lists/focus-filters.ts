/** The focus after a control is unmounted that has removed filters. */

/** Gives the focus to the first control of the filters of a list. */
export const focusFilters = (bar: Element | null): void => bar?.querySelector<HTMLElement>('input, button')?.focus();
