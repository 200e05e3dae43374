/**
 * `npm run docs`: builds the documentation as a static site in docs/site, which opens without a server. With `--serve`
 * it also serves the site on the loopback, at the port of `--port` (4010).
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { picturesFolder } from '../gallery/gallery.ts';
import { report, repositoryRoot } from '../report.ts';
import { siteProblems } from './problems.ts';
import { siteServer } from './serve.ts';
import { buildSite } from './site.ts';

const { values } = parseArgs({ options: { serve: { type: 'boolean' }, port: { type: 'string', default: '4010' } } });
const site = join(repositoryRoot, 'docs/site');
const pictures = picturesFolder(join(repositoryRoot, 'gallery'), 'en');
const { pages, hasPortal } = await buildSite({ root: repositoryRoot, site, pictures });
if (!hasPortal) process.stdout.write('Without the pictures of the portal: `npm run gallery` takes them.\n');
report(siteProblems(site), `${pages} pages: ${join(site, 'index.html')}`);
if (values.serve === true) {
  siteServer(site).listen(Number(values.port), '127.0.0.1', () => {
    process.stdout.write(`The site is served on http://127.0.0.1:${values.port}\n`);
  });
}
