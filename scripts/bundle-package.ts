/** Adds the bundle of the service to server/dist, as the image contains it: `node scripts/bundle-package.ts`. */
import { join } from 'node:path';
import { repositoryRoot } from './report.ts';
import { writeBundle } from './service-bundle.ts';

await writeBundle(join(repositoryRoot, 'server', 'dist', 'code'));
