/** The view of a list: its filters, kept in the URL so that a reload and a link show the same. */
import { trimPathRight, useMatch, useRouter, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { readTexts } from '../url-parameters.ts';

/** The parameters of a URL. */
export type Address = Readonly<Record<string, string | undefined>>;

/** Maximum length that the server accepts. */
const maxTextLength = 254;

/** A text of the URL; undefined without a visible character. */
export const textOf = (candidate: string | undefined): string | undefined =>
  candidate === undefined || candidate.trim() === '' ? undefined : candidate.slice(0, maxTextLength);

/** An id in its normal form; undefined for any other text. */
export const idOf = (candidate: string | undefined): string | undefined => {
  const normal = candidate?.trim().toLowerCase();
  return normal !== undefined && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(normal) ? normal : undefined;
};

/** An instant as ISO 8601 in UTC; undefined for any other text. */
export const instantOf = (candidate: string | undefined): string | undefined => {
  const moment = new Date(candidate ?? '');
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
};

/** The value of this name; undefined where there is none. */
export const oneOf = <Value extends string>(values: readonly Value[], name: string | undefined): Value | undefined =>
  values.find((value) => value === name);

/** The search parameters of a view, without empty filters. */
export const toSearchParams = (view: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(view).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''),
  );

/**
 * Whether a filter is set. The section of a page is none.
 * @internal A test covers the cases that no request reaches.
 */
export const isFiltered = (view: object): boolean =>
  Object.entries(view).some(([name, value]) => name !== 'section' && value !== undefined);

export interface ListView<View> {
  readonly view: View;
  readonly isFiltered: boolean;
  readonly change: (changed: Partial<View>) => void;
  /** Clears all filters; the section stays. */
  readonly clear: () => void;
}

/**
 * The view in the URL of this page, and what changes it.
 * @param read reads the URL; the same function for every rendering, as is `write`
 */
export const useListView = <View extends object>(
  read: (address: Address) => View,
  write: (view: View) => Record<string, string> = toSearchParams,
): ListView<View> => {
  const view = read(readTexts(useSearch({ strict: false })));
  const router = useRouter();
  const page = useMatch({ strict: false, select: ({ pathname }) => trimPathRight(pathname) });
  const changes = useMemo(() => {
    // Computed from the latest URL: a debounced search must not undo another filter.
    const go = (next: (latest: Address) => View): void => {
      // The list is shown until the page to which the person is on the way has loaded.
      if (trimPathRight(router.latestLocation.pathname) !== page) return;
      void router.navigate({
        to: '.',
        search: (latest: Record<string, unknown>) => write(next(readTexts(latest))),
        replace: true,
        resetScroll: false,
      });
    };
    return {
      change: (changed: Partial<View>): void => go((latest) => ({ ...read(latest), ...changed })),
      clear: (): void => go(({ section }) => read({ section })),
    };
  }, [router, page, read, write]);
  return { view, isFiltered: isFiltered(view), ...changes };
};

export interface SearchView {
  readonly search?: string | undefined;
}

const readSearchView = ({ search }: Address): SearchView => ({ search: textOf(search) });

/** The view of a list that has one search field. */
export const useSearchView = (): ListView<SearchView> => useListView(readSearchView);
