/**
 * `npm run docs`: builds the documentation as a static site in site/dist with VitePress, which it installs in site/ the
 * first time, and serves it on the loopback, at the port of `--port` (4010). `--build` only builds.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { picturesFolder } from '../gallery/gallery.ts';
import { report, repositoryRoot } from '../report.ts';
import { linkProblems } from './links.ts';
import { markupProblems } from './markup.ts';
import { pagesFromCode, repositoryPages, writePages } from './site-pages.ts';

const { values } = parseArgs({ options: { build: { type: 'boolean' }, port: { type: 'string', default: '4010' } } });
const site = join(repositoryRoot, 'site');

const run = (command: string, ...args: readonly string[]): void => {
  const { status, error } = spawnSync(command, args, {
    cwd: site,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (status !== 0)
    throw new Error(`${[command, ...args].join(' ')} failed${error === undefined ? '' : `: ${error.message}`}`);
};

/** npm writes down what it has installed. */
const isInstalled = (): boolean => {
  const installed = join(site, 'node_modules/.package-lock.json');
  const versionIn = (file: string): unknown => {
    const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, { version?: string }> };
    return packages['node_modules/vitepress']?.version;
  };
  return existsSync(installed) && versionIn(installed) === versionIn(join(site, 'package-lock.json'));
};

if (!isInstalled()) {
  process.stdout.write('VitePress is installed in site/, once, with 130 packages.\n');
  run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
}
const pictures = relative(repositoryRoot, picturesFolder(join(repositoryRoot, 'gallery'), 'en'));
const fromCode = pagesFromCode(repositoryRoot, pictures);
const pages = new Map([...repositoryPages(repositoryRoot), ...fromCode]);
writePages(repositoryRoot, pages, fromCode);
const problems = [...linkProblems(repositoryRoot, pages), ...markupProblems(pages)];
report(problems, `All links of ${pages.size} pages have a target.`);
if (problems.length > 0) process.exit();
run(process.execPath, 'node_modules/vitepress/bin/vitepress.js', 'build');
if (values.build !== true) run(process.execPath, 'node_modules/vite/bin/vite.js', 'preview', '--port', values.port);
