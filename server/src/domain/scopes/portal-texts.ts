/** The texts of the portal that the definition of an application replaces. */
import { type Language, languages } from '../../kernel/languages.ts';
import {
  loadCompiler,
  type PortalOverrides,
  portalTextFault,
  portalTextsFile,
  readPortalMessages,
} from '../../platform/portal-texts.ts';
import type { Application } from './application.ts';
import { fault, suggestion } from './definition-fault.ts';
import type { Definition } from './definition-schema.ts';
import { requireLanguage } from './mail-texts.ts';

/** @throws DefinitionRefused: there is no such language */
export const definedPortalTexts = (messages: Definition['messages']): PortalOverrides =>
  Object.fromEntries(
    Object.entries(messages).flatMap(([tag, { portal }]): [Language, Readonly<Record<string, string>>][] =>
      Object.keys(portal).length === 0 ? [] : [[requireLanguage(tag), portal]],
    ),
  );

/** Of one language, as every page loads them. All messages at their own length take less than half of it. */
const maxKibibytes = 256;

/**
 * Checks the texts; the compiler is loaded only where there are any.
 * @param directory the built portal
 * @throws DefinitionRefused: no such message, no ICU message, a foreign placeholder, too long, or no portal is built
 */
export const checkPortalTexts = async (
  { portalTexts }: Pick<Application, 'portalTexts'>,
  directory: string,
): Promise<void> => {
  const replaced = languages.flatMap((language) => {
    const texts = portalTexts[language];
    return texts === undefined ? [] : [{ language, texts }];
  });
  const [first] = replaced;
  if (first === undefined) return;
  const messages = await readPortalMessages(directory);
  if (messages === null) {
    throw fault(
      ['messages', first.language, 'portal'],
      'the portal is not built here, and lists no messages that these texts could be checked against.',
    );
  }
  const compile = await loadCompiler();
  for (const { language, texts } of replaced) {
    const path = ['messages', language, 'portal'];
    for (const [key, text] of Object.entries(texts)) {
      const english = messages.get(key);
      if (english === undefined) throw fault([...path, key], `no such text${suggestion(key, [...messages.keys()])}`);
      const found = portalTextFault(text, english, compile);
      if (found !== null) throw fault([...path, key], found);
    }
    const kibibytes = Math.ceil(Buffer.byteLength(portalTextsFile(texts, language, compile)) / 1024);
    if (kibibytes > maxKibibytes) {
      throw fault(path, `the texts take ${kibibytes} KiB, and a language may have ${maxKibibytes} KiB of them.`);
    }
  }
};
