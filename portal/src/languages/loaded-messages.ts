/** The messages that are loaded, of the language that is shown; independent of the browser. */
import type { Language } from './languages.ts';

/** Messages by namespace and key, compiled. */
interface MessageTree {
  readonly [key: string]: unknown;
}

export interface Shown {
  readonly language: Language;
  /** The locale of dates, numbers and plurals. */
  readonly locale: string;
  /** One object for the life of the language: parts are added to it before anything renders them. */
  readonly messages: MessageTree;
}

export type FetchPart = (part: string, language: Language) => Promise<Record<string, unknown>>;

interface Catalogue {
  readonly shown: () => Shown;
  readonly subscribe: (listener: () => void) => () => void;
  /** Loads a part once. @throws when it cannot be loaded; the next call tries again */
  readonly add: (part: string) => Promise<void>;
  /** Shows another language, when every part in use is loaded. @throws when one cannot be loaded: nothing changes */
  readonly switchTo: (language: Language) => Promise<void>;
}

export const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Compiled messages are texts and lists; groups of them are objects. */
export const merge = (into: Record<string, unknown>, added: MessageTree): void => {
  for (const [key, value] of Object.entries(added)) {
    const present = into[key];
    if (isTree(present) && isTree(value)) merge(present, value);
    else into[key] = value;
  }
};

export const createCatalogue = (first: Language, localeOf: (language: Language) => string, fetchPart: FetchPart) => {
  const used = new Set<string>();
  const listeners = new Set<() => void>();
  const trees = new Map<Language, Record<string, unknown>>();
  const loads = new Map<string, Promise<void>>();
  const treeOf = (language: Language) => {
    const tree = trees.get(language) ?? {};
    trees.set(language, tree);
    return tree;
  };
  const show = (language: Language): Shown => ({ language, locale: localeOf(language), messages: treeOf(language) });
  let shown = show(first);

  const load = (part: string, language: Language): Promise<void> => {
    const key = `${part} ${language}`;
    const loading = loads.get(key) ?? fetchPart(part, language).then((messages) => merge(treeOf(language), messages));
    loads.set(key, loading);
    loading.catch(() => loads.delete(key));
    return loading;
  };

  const add = async (part: string): Promise<void> => {
    used.add(part);
    const { language } = shown;
    await load(part, language);
    // The language was switched meanwhile.
    if (shown.language !== language) await load(part, shown.language);
  };

  let wanted = first;

  /** Also the parts that are asked for while others load. */
  const loadAll = async (language: Language): Promise<void> => {
    const { size } = used;
    await Promise.all(Array.from(used, (part) => load(part, language)));
    if (used.size > size) await loadAll(language);
  };

  const switchTo = async (language: Language): Promise<void> => {
    wanted = language;
    await loadAll(language);
    // Another one was chosen meanwhile.
    if (wanted !== language) return;
    shown = show(language);
    for (const listener of listeners) listener();
  };

  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return { shown: () => shown, subscribe, add, switchTo } satisfies Catalogue;
};
