/** The language that a person has chosen for their account; its SQL. */
import { type Language, languageOf } from '../../kernel/languages.ts';
import { statement } from '../../platform/database/database.ts';
import type { FindLanguage } from '../../platform/mail/outbox.ts';

/** A stored language; null for none, and for one that this release does not have. */
export const storedLanguage = (stored: string | null): Language | null => (stored === null ? null : languageOf(stored));

export const findLanguageOfMail: FindLanguage = async (transaction, addresses) =>
  storedLanguage((await transaction.maybeOne(findLanguageOfAddresses, [addresses]))?.language ?? null);

/** @param language null for none */
export const setLanguageOfUser = statement<unknown, [userId: string, language: string | null]>(
  'users.set_language',
  'UPDATE users SET language = $2 WHERE id = $1',
);

/** The language of the first of these addresses whose account has one. */
const findLanguageOfAddresses = statement<{ readonly language: string }, [emails: readonly string[]]>(
  'users.find_language',
  `SELECT u.language FROM unnest($1::text[]) WITH ORDINALITY AS a (email, place) JOIN users u ON u.email = a.email
   WHERE u.language IS NOT NULL ORDER BY a.place LIMIT 1`,
);
