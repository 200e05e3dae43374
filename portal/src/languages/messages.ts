/**
 * Owns the type of all messages. They are data in `messages/`, a folder for each language with the same files by
 * subject, in ICU syntax; English is the source. What a module shows is loaded with it: see `docs/languages.md`.
 */
import type { Messages } from '../generated/messages.ts';

// Makes the compiler check every key and placeholder.
declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages;
  }
}

export type { Messages };
