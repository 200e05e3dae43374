/**
 * `npm run check:docs`, second part: every relative link and image of every Markdown page leads to a file that
 * exists, and every anchor to a heading of that file.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { anchorsIn } from '../docs/anchors.ts';
import { report, repositoryRoot } from '../report.ts';
import { filesBelow } from '../source-files.ts';

interface Link {
  readonly target: string;
  readonly line: number;
}

const linkForms: readonly RegExp[] = [
  /\[[^\]]*\]\(\s*<?(?<target>[^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g,
  /^\s*\[[^\]]+\]:\s*<?(?<target>[^\s>]+)/gm,
  /<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)="(?<target>[^"\s]+)/g,
];

const keepNewlines = (text: string): string => text.replace(/[^\n]/g, ' ');

/** Examples in code are no links. */
const withoutCode = (text: string): string =>
  text.replace(/^(?<fence>```|~~~)[\s\S]*?^\k<fence>/gm, keepNewlines).replace(/`[^`\n]+`/g, keepNewlines);

const linksIn = (text: string): Link[] =>
  linkForms.flatMap((form) =>
    [...text.matchAll(form)].map((match) => ({
      target: match.groups?.['target'] ?? '',
      line: text.slice(0, match.index).split('\n').length,
    })),
  );

const problemOf = (page: string, target: string): string | null => {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : join(dirname(page), decodeURIComponent(path));
  const place = join(repositoryRoot, file);
  if (file.startsWith('..')) return 'leads out of the repository';
  if (!existsSync(place)) return 'leads to no file';
  if (anchor === undefined || !file.endsWith('.md') || statSync(place).isDirectory()) return null;
  return anchorsIn(readFileSync(place, 'utf8')).has(anchor) ? null : 'leads to no heading of that page';
};

const isElsewhere = (target: string): boolean => /^(?:[a-z][a-z+.-]*:|\/\/)/i.test(target);

const problemsIn = (page: string): string[] =>
  linksIn(withoutCode(readFileSync(join(repositoryRoot, page), 'utf8')))
    .filter(({ target }) => !isElsewhere(target))
    .flatMap(({ target, line }) => {
      const problem = problemOf(page, target);
      return problem === null ? [] : [`${page}:${line} links to ${target}, which ${problem}`];
    });

const pages = filesBelow(repositoryRoot, '', /\.md$/);
report(pages.flatMap(problemsIn), `All links of ${pages.length} pages have a target.`);
