/** The language that a person has chosen for their account. */
import { type Language, languageOf } from '../../kernel/languages.ts';
import type { FindLanguage } from '../../platform/mail/outbox.ts';
import { findLanguageOfAddresses } from './users-store.ts';

/** A stored language; null for none, and for one that this release does not have. */
export const storedLanguage = (stored: string | null): Language | null => (stored === null ? null : languageOf(stored));

export const findLanguageOfMail: FindLanguage = async (transaction, addresses) =>
  storedLanguage((await transaction.maybeOne(findLanguageOfAddresses, [addresses]))?.language ?? null);
