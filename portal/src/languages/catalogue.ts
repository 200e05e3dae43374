/**
 * The messages that are loaded, of the language that is shown. Each dynamically imported module has a part of its own,
 * made by the build (`scripts/messages/plugin.ts`) and loaded at the same time as the module.
 */
import { chooseLanguage, formattingLocale } from './choice.ts';
import { allLanguages, factsOf, type Language } from './languages.ts';

/** Messages by namespace and key, compiled. */
export interface MessageTree {
  readonly [key: string]: unknown;
}

export interface Shown {
  readonly language: Language;
  /** Of dates, numbers and plurals. */
  readonly locale: string;
  /** One object for the life of the language: parts are added to it before anything renders them. */
  readonly messages: MessageTree;
}

type FetchPart = (part: string, language: Language) => Promise<MessageTree>;

export interface Catalogue {
  readonly shown: () => Shown;
  readonly subscribe: (listener: () => void) => () => void;
  /** Loads a part once. @throws when it cannot be loaded; the next call tries again */
  readonly add: (part: string) => Promise<void>;
  /** Shows another language, when every part in use is loaded. @throws when one cannot be loaded: nothing changes */
  readonly switchTo: (language: Language) => Promise<void>;
}

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Compiled messages are texts and lists; groups of them are objects. */
const merge = (into: Record<string, unknown>, added: MessageTree): void => {
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

const fetchBuiltPart: FetchPart = async (part, language) => {
  const response = await fetch(`${import.meta.env.BASE_URL}assets/${part}.${language}.json`);
  if (!response.ok) throw new Error(`The messages ${part} could not be loaded in ${language}: ${response.status}`);
  const messages: unknown = await response.json();
  if (!isTree(messages)) throw new Error(`The messages ${part} are not an object`);
  return messages;
};

const rememberedKey = 'gatehouse-language';

/** Storage that is switched off remembers nothing. */
const remembered = (): string | null => {
  try {
    return localStorage.getItem(rememberedKey);
  } catch {
    return null;
  }
};

const remember = (language: Language): void => {
  try {
    localStorage.setItem(rememberedKey, language);
  } catch {
    // The choice holds for this page.
  }
};

/** Takes `lang` out of the address, so that a later choice is not undone by a reload. */
const takeAskedLanguage = (): string | null => {
  const url = new URL(window.location.href);
  const asked = url.searchParams.get('lang');
  if (asked === null) return null;
  url.searchParams.delete('lang');
  window.history.replaceState(window.history.state, '', url);
  return asked;
};

const firstLanguage = (): Language => {
  const asked = takeAskedLanguage();
  const language = chooseLanguage({ asked, remembered: remembered(), accepted: navigator.languages });
  if (asked !== null && chooseLanguage({ asked, remembered: null, accepted: [] }) === language) remember(language);
  return language;
};

const describe = ({ language }: Shown): void => {
  document.documentElement.lang = language;
  document.documentElement.dir = factsOf(language).direction;
};

/** The catalogue of this page. */
let own: Catalogue | undefined;

const startCatalogue = (): Catalogue => {
  const localeOf = (language: Language) => formattingLocale(language, navigator.languages);
  const catalogue = createCatalogue(firstLanguage(), localeOf, fetchBuiltPart);
  const update = () => describe(catalogue.shown());
  catalogue.subscribe(update);
  update();
  return catalogue;
};

export const catalogue = (): Catalogue => (own ??= startCatalogue());

/** Shows a language from now on, in this browser. @throws when it cannot be loaded */
export const chooseFromNowOn = async (tag: string): Promise<void> => {
  const language = allLanguages.find((known) => known === tag);
  if (language === undefined) return;
  await catalogue().switchTo(language);
  remember(language);
};

/**
 * Loads a module and its messages at the same time. The build puts this around every dynamic import of a module that
 * shows messages, so no source calls it.
 */
export const withMessages = async <Module>(part: string, load: () => Promise<Module>): Promise<Module> => {
  const [module] = await Promise.all([load(), catalogue().add(part)]);
  return module;
};
