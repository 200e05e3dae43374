/**
 * `npm run docs:page`: prints the pages that are not in git, as Markdown.
 *
 *     npm run --silent docs:page -- traceability mutants
 */
import { repositoryRoot } from '../report.ts';
import { printedPages } from './printed-pages.ts';

const names = process.argv.slice(2);
const chosen = names.flatMap((name) => printedPages[name] ?? []);
if (chosen.length === 0 || chosen.length < names.length) {
  process.stderr.write(`usage: npm run --silent docs:page -- ${Object.keys(printedPages).join('|')} …\n`);
  process.exitCode = 2;
} else {
  process.stdout.write(chosen.map(({ print }) => print(repositoryRoot)).join('\n'));
}
