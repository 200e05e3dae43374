/**
 * Part of `npm run check:docs`: the index in docs/architecture.md names only files that exist, and each file of GraphQL
 * types.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path/posix';
import { report, repositoryRoot } from '../report.ts';
import { filesBelow } from '../source-files.ts';

const page = 'docs/architecture.md';
const index = '\n## Where to find the code of a rule\n';

const [, rows = ''] = readFileSync(join(repositoryRoot, page), 'utf8').split(index, 2);
const names = new Set(Array.from(rows.matchAll(/`(?:[\w./-]*\/)?([\w-]+\.(?:tsx?|sql))`/g), ([, name = '']) => name));

const trees = ['server/src', 'server/migrations', 'portal/src', 'packages', 'scripts'];
const files = trees.flatMap((tree) => filesBelow(repositoryRoot, tree, /\.(?:tsx?|sql)$/));
const existing = new Set(files.map((file) => basename(file)));
const unnamed = files.filter((file) => file.startsWith('server/src/graphql/types/') && !names.has(basename(file)));

report(
  [
    ...[...names].filter((name) => !existing.has(name)).map((name) => `${page} names ${name}, which does not exist`),
    ...unnamed.map((file) => `${page} does not name ${file}`),
  ],
  `The index of ${page} names ${names.size} files, and all of them exist.`,
);
