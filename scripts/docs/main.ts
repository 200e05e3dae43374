/**
 * `npm run docs`: builds the documentation as a static site in site/dist with VitePress, which npm has installed in
 * site/ before, and serves it on the loopback, at the port of `--port` (4010). `--build` only builds.
 */
import { spawnSync } from 'node:child_process';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { picturesFolder } from '../gallery/gallery.ts';
import { report, repositoryRoot } from '../report.ts';
import { linkProblems } from './links.ts';
import { markupProblems } from './markup.ts';
import { pagesFromCode, repositoryPages, writePages } from './site-pages.ts';

const { values } = parseArgs({ options: { build: { type: 'boolean' }, port: { type: 'string', default: '4010' } } });
const site = join(repositoryRoot, 'site');

/** @param args of Node, in the folder of the site */
const run = (...args: readonly string[]): void => {
  const { status, error } = spawnSync(process.execPath, args, { cwd: site, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`${args.join(' ')} failed${error === undefined ? '' : `: ${error.message}`}`);
};

const pictures = relative(repositoryRoot, picturesFolder(join(repositoryRoot, 'gallery'), 'en'));
const fromCode = pagesFromCode(repositoryRoot, pictures);
const pages = new Map([...repositoryPages(repositoryRoot), ...fromCode]);
writePages(repositoryRoot, pages, fromCode);
const problems = [...linkProblems(repositoryRoot, pages), ...markupProblems(pages)];
report(problems, `All links of ${pages.size} pages have a target.`);
if (problems.length > 0) process.exit();
run('node_modules/vitepress/bin/vitepress.js', 'build');
if (values.build !== true) run('node_modules/vite/bin/vite.js', 'preview', '--port', values.port);
