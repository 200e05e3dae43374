/** The application's texts, which replace those of the portal in every part of the messages. */
import type { Language } from './languages.ts';
import { type FetchPart, merge } from './loaded-messages.ts';

/**
 * @param paths of the files of its texts, each with its language at the end: `/assets/own-texts-0123456789abcdef.de`
 * @param fetchFile as for the portal's own parts
 * @returns a `fetchPart` whose parts have its texts. Where those cannot be loaded, the portal's own are shown, and
 *   the next part tries again
 */
export const withReplacedTexts = (
  paths: readonly string[],
  fetchPart: FetchPart,
  fetchFile: (path: string) => ReturnType<FetchPart>,
): FetchPart => {
  const loads = new Map<Language, ReturnType<FetchPart>>();
  const loaded = new Map<Language, Awaited<ReturnType<FetchPart>>>();
  const load = async (language: Language): Promise<void> => {
    const path = paths.find((each) => each.endsWith(`.${language}`));
    if (path === undefined) return;
    const loading = loads.get(language) ?? fetchFile(path);
    loads.set(language, loading);
    try {
      loaded.set(language, await loading);
    } catch {
      if (loads.get(language) === loading) loads.delete(language);
    }
  };
  return async (part, language) => {
    const [messages] = await Promise.all([fetchPart(part, language), load(language)]);
    // Those that another part has loaded meanwhile count too: this part must not put the built-in ones in their place.
    merge(messages, loaded.get(language) ?? {});
    return messages;
  };
};
