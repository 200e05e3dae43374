/**
 * Owns the pages of the site of the documentation: those of the repository, which VitePress reads where they are, and
 * those that are written for it: printed from code, the portal in pictures, and the sources that pages link to.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { dirname, join } from 'node:path/posix';
import { printedPages } from '../printing/printed-pages.ts';
import { filesBelow } from '../source-files.ts';
import { linksIn, type Pages } from './links.ts';
import { portalPage } from './navigation.ts';
import { hasPictures, picturesPage } from './pictures.ts';
import { isFolder, isSource, linkedFile, printedFolder, sourcePlaceOf } from './places.ts';

/** The Markdown pages of the repository. @param root its folder */
export const repositoryPages = (root: string): Pages =>
  new Map(filesBelow(root, '', /\.md$/).map((file) => [file, readFileSync(join(root, file), 'utf8')]));

/**
 * The pages that are not in git.
 *
 * @param pictures the gallery's folder of pictures, as a path in the repository: without them there is no page of them
 * @throws Error when the code of the repository does not allow a page
 */
export const pagesFromCode = (root: string, pictures: string): Pages => {
  const printed = Object.values(printedPages).map(({ file, print }) => [file, print(root)] as const);
  const portal = hasPictures(join(root, pictures)) ? [[portalPage, picturesPage(pictures)] as const] : [];
  return new Map([...printed, ...portal]);
};

/** Longer than any run of backticks in a source. */
const fence = '``````';

/** The name of a language that the highlighter knows. */
const languageOf = (file: string): string => {
  const extension = extname(file).slice(1);
  return extension === '' ? 'txt' : extension === 'conf' ? 'nginx' : extension;
};

const sourcePage = (root: string, file: string): string => {
  const content = isFolder(root, file)
    ? readdirSync(join(root, file))
        .toSorted()
        .map((name) => `- \`${name}\``)
        .join('\n')
    : `${fence}${languageOf(file)}\n${readFileSync(join(root, file), 'utf8').trimEnd()}\n${fence}`;
  return `---\nsearch: false\n---\n\n# \`${file}\`\n\n${content}\n`;
};

/** Every file and folder that is no page and that a page links to, as a page at its place. */
const sourcePages = (root: string, pages: Pages): Pages => {
  const files = Array.from(pages, ([page, markdown]) =>
    linksIn(markdown).flatMap(({ target }) => linkedFile(root, page, target) ?? []),
  ).flat();
  const sources = [...new Set(files)].filter((file) => isSource(root, file));
  return new Map(sources.map((file) => [sourcePlaceOf(file), sourcePage(root, file)]));
};

/**
 * Replaces the pages that are written for the site.
 *
 * @param pages all pages of the site; @param fromCode those of them that are not in git
 */
export const writePages = (root: string, pages: Pages, fromCode: Pages): void => {
  const folder = join(root, printedFolder);
  rmSync(folder, { recursive: true, force: true });
  for (const [place, markdown] of [...fromCode, ...sourcePages(root, pages)]) {
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    writeFileSync(join(folder, place), markdown);
  }
};
