/** Prints the English messages as a type: the compiler checks each key and placeholder that a component uses. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sourceLanguage } from '../../src/languages/languages.ts';
import { readMessages } from './message-files.ts';

const file = fileURLToPath(new URL('../../src/generated/messages.ts', import.meta.url));
mkdirSync(dirname(file), { recursive: true });
// A text in JSON is a type of TypeScript.
writeFileSync(file, `export type Messages = ${JSON.stringify(readMessages(sourceLanguage), null, 2)};\n`);
