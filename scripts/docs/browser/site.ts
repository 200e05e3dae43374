/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** What the pages of the site do: search, the menu of narrow screens, and the buttons that copy code. */
import MiniSearch, { type SearchResult } from 'minisearch';
import type { SearchEntry } from '../search-entries.ts';

declare global {
  /** Set by search.js, which is loaded at the first search. */
  var searchEntries: readonly SearchEntry[] | undefined;
}

const root = document.currentScript?.dataset['root'] ?? '';

const element = <K extends keyof HTMLElementTagNameMap>(
  name: K,
  className: string,
  text = '',
): HTMLElementTagNameMap[K] => {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
};

interface SearchIndex {
  readonly search: (text: string) => readonly SearchResult[];
  readonly entries: ReadonlyMap<string, SearchEntry>;
}

const loadIndex = (): Promise<SearchIndex> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${root}search.js`;
    script.onload = () => {
      const index = new MiniSearch<SearchEntry>({
        fields: ['heading', 'page', 'text'],
        searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
      });
      const entries = globalThis.searchEntries ?? [];
      index.addAll(entries);
      resolve({ search: (text) => index.search(text), entries: new Map(entries.map((entry) => [entry.id, entry])) });
    };
    script.onerror = () => reject(new Error('The search could not be loaded.'));
    document.head.append(script);
  });

let loaded: Promise<SearchIndex> | undefined;

/** The text around the first of the words. */
const excerptOf = (text: string, terms: readonly string[]): string => {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const begin = Math.max(0, Math.min(...places, text.length) - 60);
  return `${begin > 0 ? '… ' : ''}${text.slice(begin, begin + 180)}${begin + 180 < text.length ? ' …' : ''}`;
};

const resultOf = ({ id, page, heading, text }: SearchEntry, terms: readonly string[]): HTMLLIElement => {
  const item = element('li', '');
  const link = element('a', '');
  link.href = `${root}${id}`;
  link.append(
    element('strong', '', heading),
    element('span', 'page', page === heading ? '' : page),
    element('span', 'excerpt', excerptOf(text, terms)),
  );
  item.append(link);
  return item;
};

const makeSearch = (): HTMLDialogElement => {
  const dialog = element('dialog', 'search');
  dialog.setAttribute('aria-label', 'Search the documentation');
  const input = element('input', '');
  Object.assign(input, { type: 'search', placeholder: 'Search the documentation', autocomplete: 'off' });
  input.setAttribute('aria-label', 'Search the documentation');
  const close = element('button', 'close', 'Close');
  close.type = 'button';
  const status = element('p', 'status');
  status.setAttribute('role', 'status');
  const results = element('ol', 'results');
  const head = element('div', 'head');
  head.append(input, close);
  dialog.append(head, status, results);

  const search = async (): Promise<void> => {
    loaded ??= loadIndex();
    const { search: find, entries } = await loaded;
    const found = input.value.trim() === '' ? [] : find(input.value);
    const shown = found.slice(0, 20).flatMap(({ id, terms }) => {
      const entry = entries.get(String(id));
      return entry === undefined ? [] : [resultOf(entry, terms)];
    });
    results.replaceChildren(...shown);
    const more = found.length > shown.length ? `, the best ${shown.length} are shown` : '';
    const count = `${found.length} ${found.length === 1 ? 'section' : 'sections'}${more}`;
    status.textContent = input.value.trim() === '' ? '' : count;
  };
  const searchNow = (): void => {
    search().catch(() => {
      status.textContent = 'The search could not be loaded.';
    });
  };
  input.addEventListener('input', searchNow);
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', ({ target }) => {
    // The backdrop; or a result on this very page, which loads nothing.
    if (target === dialog || (target instanceof Element && target.closest('a') !== null)) dialog.close();
  });
  dialog.addEventListener('keydown', (event) => moveBetween(event, [input, ...results.querySelectorAll('a')]));
  document.body.append(dialog);
  return dialog;
};

/** The arrow keys lead from the field to the results, and Enter in the field to the first of them. */
const moveBetween = (event: KeyboardEvent, stops: readonly HTMLElement[]): void => {
  const at = stops.findIndex((stop) => stop.matches(':focus'));
  if (event.key === 'Enter' && at === 0) {
    stops[1]?.click();
    return;
  }
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  stops[Math.max(0, Math.min(at + step, stops.length - 1))]?.focus();
};

let dialog: HTMLDialogElement | undefined;

const openSearch = (): void => {
  dialog ??= makeSearch();
  if (!dialog.open) dialog.showModal();
  dialog.querySelector('input')?.select();
};

const isTyping = (target: EventTarget | null): boolean => target instanceof HTMLInputElement;

document.querySelector('#find')?.addEventListener('click', openSearch);
document.addEventListener('keydown', (event) => {
  const isSlash = event.key === '/' && !isTyping(event.target);
  if (!isSlash && !(event.key === 'k' && (event.ctrlKey || event.metaKey))) return;
  event.preventDefault();
  openSearch();
});

const menu = document.querySelector('#menu');
menu?.addEventListener('click', () => {
  const isOpen = document.body.classList.toggle('with-menu');
  menu.setAttribute('aria-expanded', String(isOpen));
});

/** Where a page may not use the clipboard, the code is selected for the reader to copy. @returns what was done */
const copy = async (code: HTMLElement): Promise<string> => {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return 'Copied';
  } catch {
    getSelection()?.selectAllChildren(code);
    return 'Selected';
  }
};

const copyAndTell = async (code: HTMLElement, button: HTMLButtonElement): Promise<void> => {
  button.textContent = await copy(code);
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 2000);
};

for (const code of document.querySelectorAll<HTMLElement>('.code code')) {
  const button = element('button', 'copy', 'Copy');
  button.type = 'button';
  button.addEventListener('click', () => void copyAndTell(code, button));
  code.closest('.code')?.append(button);
}

document.documentElement.classList.add('with-script');
document.querySelector('#pages [aria-current]')?.scrollIntoView({ block: 'nearest' });
