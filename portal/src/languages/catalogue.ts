/**
 * The language of this page and its messages. Each dynamically imported module has a part of its own,
 * made by the build (`scripts/messages/plugin.ts`) and loaded at the same time as the module.
 */

import { allLanguages, type Language, traitsOf } from './languages.ts';
import { createCatalogue, type FetchPart, isTree, type Shown } from './loaded-messages.ts';
import { chooseLanguage, formattingLocale } from './preference.ts';
import { rememberedLanguage, rememberLanguage } from './remembered.ts';
import { withReplacedTexts } from './replaced-texts.ts';

const fetchFile = async (path: string) => {
  const response = await fetch(`${path}.json`);
  if (!response.ok) throw new Error(`The messages ${path} could not be loaded: ${response.status}`);
  const messages: unknown = await response.json();
  if (!isTree(messages)) throw new Error(`The messages ${path} are not an object`);
  return messages;
};

const fetchBuiltPart: FetchPart = (part, language) =>
  fetchFile(`${import.meta.env.BASE_URL}assets/${part}.${language}`);

/** The server puts the paths of the files of replaced texts into the page, if there are any. */
const ownPaths = (): readonly string[] =>
  document.querySelector('meta[name="gatehouse-texts"]')?.getAttribute('content')?.split(' ') ?? [];

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
  const remembered = rememberedLanguage();
  const language = chooseLanguage({ asked, remembered, accepted: navigator.languages });
  const isChosen = asked !== null || remembered !== null;
  if (isChosen && chooseLanguage({ asked, remembered, accepted: [] }) === language) rememberLanguage(language);
  return language;
};

const describe = ({ language }: Shown): void => {
  document.documentElement.lang = language;
  document.documentElement.dir = traitsOf(language).direction;
};

/** The catalogue of this page. */
let own: ReturnType<typeof createCatalogue> | undefined;

const startCatalogue = () => {
  const localeOf = (language: Language) => formattingLocale(language, navigator.languages);
  const fetchPart = withReplacedTexts(ownPaths(), fetchBuiltPart, fetchFile);
  const catalogue = createCatalogue(firstLanguage(), localeOf, fetchPart);
  const update = () => describe(catalogue.shown());
  catalogue.subscribe(update);
  update();
  return catalogue;
};

export const catalogue = () => (own ??= startCatalogue());

/** Shows a language from now on, in this browser. @throws when it cannot be loaded */
export const chooseFromNowOn = async (tag: string): Promise<void> => {
  const language = allLanguages.find((known) => known === tag);
  if (language === undefined) return;
  await catalogue().switchTo(language);
  rememberLanguage(language);
};

/**
 * Loads a module and its messages at the same time. The build puts this around every dynamic import of a module that
 * shows messages, so no source calls it.
 * @public The build of the portal puts its use into the code.
 */
export const withMessages = async <Module>(part: string, load: () => Promise<Module>): Promise<Module> => {
  const [module] = await Promise.all([load(), catalogue().add(part)]);
  return module;
};
