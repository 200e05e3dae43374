/** `npm run check:migrations`: the version before survives each migration that came after the first release. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { migrationProblems } from './migrations/problems.ts';
import { report, repositoryRoot } from './report.ts';

const folder = join(repositoryRoot, 'server/migrations');
const files = globSync('*.sql', { cwd: folder })
  .sort()
  .map((file) => join(folder, file));

report(migrationProblems(files), `The version before survives each of ${files.length} migrations.`);
