/**
 * Measures the gzipped download of each page: entry, layout and page chunk, their static imports, styles, and the
 * messages of the language with the most. Fails when a page exceeds its budget. Run after a build.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { type Language, offeredLanguages } from '../src/languages/languages.ts';

const Manifest = z.record(
  z.string(),
  z.object({ file: z.string(), imports: z.optional(z.array(z.string())), css: z.optional(z.array(z.string())) }),
);

interface Budget {
  readonly page: string;
  readonly source: string;
  readonly kibibytes: number;
  /** The lazily loaded layout of the page. */
  readonly frame?: string;
}

const signedInFrame = 'src/layout/signed-in-layout.tsx';

const budgets: readonly Budget[] = [
  { page: 'sign-in', source: 'src/pages/sign-in/sign-in-page.tsx', kibibytes: 97 },
  { page: 'sign-up', source: 'src/pages/sign-up/sign-up-page.tsx', kibibytes: 97 },
  { page: 'verify', source: 'src/pages/sign-up/verify-page.tsx', kibibytes: 97 },
  { page: 'invitation', source: 'src/pages/invitation/invitation-page.tsx', kibibytes: 97 },
  { page: 'home', source: 'src/pages/account/home-page.tsx', kibibytes: 150, frame: signedInFrame },
  { page: 'account', source: 'src/pages/account/account-page.tsx', kibibytes: 150, frame: signedInFrame },
  { page: 'security', source: 'src/pages/account/security-page.tsx', kibibytes: 150, frame: signedInFrame },
  { page: 'data', source: 'src/pages/account/data-page.tsx', kibibytes: 150, frame: signedInFrame },
  { page: 'reauthenticate', source: 'src/step-up/reauthenticate-page.tsx', kibibytes: 150, frame: signedInFrame },
  { page: 'members', source: 'src/pages/members/members-page.tsx', kibibytes: 150, frame: signedInFrame },
  {
    page: 'new organization',
    source: 'src/pages/organization/new-organization-page.tsx',
    kibibytes: 150,
    frame: signedInFrame,
  },
  { page: 'own tokens', source: 'src/pages/account/tokens/tokens-page.tsx', kibibytes: 150, frame: signedInFrame },
  {
    page: 'tokens',
    source: 'src/pages/organization/tokens/tokens-page.tsx',
    kibibytes: 150,
    frame: signedInFrame,
  },
  { page: 'own clients', source: 'src/pages/account/clients-page.tsx', kibibytes: 150, frame: signedInFrame },
  {
    page: 'clients',
    source: 'src/pages/organization/clients/organization-clients-page.tsx',
    kibibytes: 150,
    frame: signedInFrame,
  },
  { page: 'plan', source: 'src/pages/plan/plan-page.tsx', kibibytes: 150, frame: signedInFrame },
  { page: 'mcp', source: 'src/pages/mcp/mcp-page.tsx', kibibytes: 170, frame: signedInFrame },
  { page: 'sessions', source: 'src/pages/console/sessions/sessions-page.tsx', kibibytes: 170, frame: signedInFrame },
];

const dist = new URL('../dist/', import.meta.url);
const manifest = Manifest.parse(JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8')));

const filesOf = (source: string, files = new Set<string>()): Set<string> => {
  const chunk = manifest[source];
  if (chunk === undefined) throw new Error(`The build has no chunk for ${source}`);
  if (files.has(chunk.file)) return files;
  files.add(chunk.file);
  for (const sheet of chunk.css ?? []) files.add(sheet);
  for (const imported of chunk.imports ?? []) filesOf(imported, files);
  return files;
};

/** As `compressed-files.ts` compresses, and the server sends. */
const gzippedBytes = (file: string): number => gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).byteLength;

const assets = readdirSync(new URL('assets/', dist));

/** Files of messages are named after their module: see `messages/plugin.ts`. A module without messages has none. */
const messagesOf = (source: string, language: Language): readonly string[] => {
  const name = source === 'index.html' ? 'main' : parse(source).name;
  const pattern = new RegExp(`^${name}-[0-9a-f]{8}\\.${language}\\.json$`);
  return assets.filter((file) => pattern.test(file)).map((file) => `assets/${file}`);
};

const totalBytes = (files: Iterable<string>): number => [...files].reduce((sum, file) => sum + gzippedBytes(file), 0);

if (messagesOf('index.html', 'en').length !== 1) throw new Error('The build has no messages of the entry');

for (const { page, source, kibibytes, frame = 'index.html' } of budgets) {
  const files = filesOf(source, filesOf(frame, filesOf('index.html')));
  const sources = new Set(['index.html', frame, source]);
  const inLanguages = offeredLanguages.map((language) =>
    totalBytes([...sources].flatMap((loaded) => messagesOf(loaded, language))),
  );
  const size = (totalBytes(files) + Math.max(...inLanguages)) / 1024;
  const isOver = size > kibibytes;
  console.log(
    `${page.padEnd(16)} ${size.toFixed(1).padStart(6)} KiB of ${kibibytes} KiB${isOver ? '  OVER BUDGET' : ''}`,
  );
  if (isOver) process.exitCode = 1;
}
