/** `npm run check:migrations`: the version before survives each migration that came after the first release. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { laterMigrations, migrationProblems } from '../migrations/problems.ts';
import { report, repositoryRoot } from '../report.ts';

const folder = join(repositoryRoot, 'server/migrations');
const files = globSync('*.sql', { cwd: folder })
  .sort()
  .map((file) => join(folder, file));

const later = laterMigrations(files);

report(
  migrationProblems(later),
  later.length === 0
    ? `Nothing to examine: all ${files.length} migrations make the first release.`
    : `The version before survives each of the ${later.length} migrations after the first release.`,
);
