/**
 * Which files the build joins. Each file costs a slow line a request of its own, and a file of a page that a person
 * never opens costs them its bytes: the entry is one file, and what the public pages share is one more.
 */

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Rolldown } from 'vite';
import { dynamicImport, staticModules } from './messages/needed-messages.ts';

const publicRoutes = fileURLToPath(new URL('../src/routes/public.ts', import.meta.url));

/** The portal's own modules that the public pages consist of. */
const publicModules = (): ReadonlySet<string> => {
  const source = readFileSync(publicRoutes, 'utf8');
  const found = new Set<string>();
  for (const [, path = ''] of source.matchAll(dynamicImport))
    staticModules(resolve(dirname(publicRoutes), path), found);
  return found;
};

export const chunkGroups = (): Rolldown.CodeSplittingGroup[] => {
  const ofPublicPages = publicModules();
  return [
    { name: 'index', tags: ['$initial'], priority: 2 },
    { name: 'public-pages', test: (id) => ofPublicPages.has(id), minShareCount: 2, priority: 1 },
  ];
};
