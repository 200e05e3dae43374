/** The texts of mails that the definition of an application replaces. */
import { isLanguage, type Language, languages } from '../../kernel/languages.ts';
import type { MailOverrides } from '../../platform/mail/compose.ts';
import { valuesOfTexts } from '../../platform/mail/mails.ts';
import type { Application } from './application.ts';
import { fault, suggestion } from './definition-fault.ts';
import type { Definition } from './definition-schema.ts';

/** @throws DefinitionRefused: there is no such language, or no such text */
export const definedMailTexts = (messages: Definition['messages']): MailOverrides =>
  Object.fromEntries(
    Object.entries(messages).map(([tag, { mails }]): [Language, Readonly<Record<string, string>>] => {
      const language = requireLanguage(tag);
      const unknown = Object.keys(mails).find((key) => !valuesOfTexts.has(key));
      if (unknown === undefined) return [language, mails];
      throw fault(['messages', tag, 'mails', unknown], `no such text${suggestion(unknown, [...valuesOfTexts.keys()])}`);
    }),
  );

/** @throws DefinitionRefused: there is no such language */
export const requireLanguage = (tag: string): Language => {
  if (isLanguage(tag)) return tag;
  throw fault(['messages', tag], `there is no such language, but ${languages.join(', ')}.`);
};

/**
 * Checks the texts themselves; what that takes is loaded only where there are any.
 * @throws DefinitionRefused: a text is no ICU message, or has a placeholder that its mail does not
 */
export const checkMailTexts = async ({ mailTexts }: Pick<Application, 'mailTexts'>): Promise<void> => {
  const replaced = languages.flatMap((language) =>
    Object.entries(mailTexts[language] ?? {}).map(([key, text]) => ({ language, key, text })),
  );
  if (replaced.length === 0) return;
  const { textFault } = await import('../../platform/mail/check-text.ts');
  for (const { language, key, text } of replaced) {
    const found = textFault(text, language, valuesOfTexts.get(key) ?? {});
    if (found !== null) throw fault(['messages', language, 'mails', key], found);
  }
};
