/** Owns the links of Markdown pages: which there are, and the rule that each leads to a file and a heading. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { anchorsIn } from './anchors.ts';
import { portalPage } from './navigation.ts';
import { isElsewhere, printedFolder } from './places.ts';

interface Link {
  readonly target: string;
  readonly line: number;
}

/** Markdown of pages, by their paths in the repository. */
export type Pages = ReadonlyMap<string, string>;

const linkForms: readonly RegExp[] = [
  /\[[^\]]*\]\(\s*<?(?<target>[^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g,
  /^\s*\[[^\]]+\]:\s*<?(?<target>[^\s>]+)/gm,
  /<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)="(?<target>[^"\s]+)/g,
];

const keepNewlines = (text: string): string => text.replace(/[^\n]/g, ' ');

/** Examples in code are no links. Lines stay where they are. */
export const withoutCode = (text: string): string =>
  text.replace(/^(?<fence>```|~~~)[\s\S]*?^\k<fence>/gm, keepNewlines).replace(/`[^`\n]+`/g, keepNewlines);

/** Those to files of the repository. */
export const linksIn = (markdown: string): readonly Link[] => {
  const text = withoutCode(markdown);
  return linkForms
    .flatMap((form) =>
      [...text.matchAll(form)].map((match) => ({
        target: match.groups?.['target'] ?? '',
        line: text.slice(0, match.index).split('\n').length,
      })),
    )
    .filter(({ target }) => !isElsewhere(target));
};

/** To which the links of a page are relative: the pictures of the portal's, to where it is written. */
const folderOf = (page: string): string => dirname(page === portalPage ? join(printedFolder, page) : page);

/** @returns sentences: each link to no file, and each anchor that is no heading of the page it leads to */
export const linkProblems = (root: string, pages: Pages): string[] => {
  const anchors = new Map<string, ReadonlySet<string>>();
  const anchorsOf = (file: string): ReadonlySet<string> => {
    const known = anchors.get(file) ?? anchorsIn(pages.get(file) ?? '');
    anchors.set(file, known);
    return known;
  };
  const problemOf = (page: string, target: string): string | null => {
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : join(folderOf(page), decodeURIComponent(path));
    if (file.startsWith('..')) return 'leads out of the repository';
    if (!pages.has(file) && !existsSync(join(root, file))) return 'leads to no file';
    if (anchor === undefined || !file.endsWith('.md')) return null;
    if (!pages.has(file) && statSync(join(root, file)).isDirectory()) return null;
    return anchorsOf(file).has(anchor) ? null : 'leads to no heading of that page';
  };
  return Array.from(pages, ([page, markdown]) =>
    linksIn(markdown).flatMap(({ target, line }) => {
      const problem = problemOf(page, target);
      return problem === null ? [] : [`${page}:${line} links to ${target}, which ${problem}`];
    }),
  ).flat();
};
