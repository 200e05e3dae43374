/** Owns where a file of the repository is in the site of the documentation, and where a link of a page leads. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';

/** The pages that `npm run docs` writes: those that are printed from code, and sources that pages link to. */
export const printedFolder = 'site/printed';

/** The place of a Markdown page: a README is the index of its folder. @param file path in the repository */
export const placeOf = (file: string): string => file.replace(/(?<=^|\/)README\.md$/, 'index.md');

/** The place of a file or folder that is no page, and is shown as one. VitePress omits names that begin with a dot. */
export const sourcePlaceOf = (file: string): string => `source/${file.replace(/(?<=^|\/)\./g, '_')}.md`;

/** The address of a place in the site, from its root. */
export const addressOf = (place: string): string =>
  `/${place.replace(/(?<=^|\/)index\.md$/, '').replace(/md$/, 'html')}`;

export const isElsewhere = (target: string): boolean => /^(?:[a-z][a-z+.-]*:|\/\/)/i.test(target);

/** Vite copies it beside the pages that show it. */
const isImage = (file: string): boolean => /\.(?:png|svg|jpe?g|webp|gif)$/.test(file);

/**
 * The path in the repository to which a link of a page leads, which need not exist. A folder means its README.
 *
 * @param root of the repository; @param file the page with the link; @param target as it is written there
 * @returns null for other sites, and for the page itself
 */
export const linkedFile = (root: string, file: string, target: string): string | null => {
  if (isElsewhere(target) || target.startsWith('#')) return null;
  const named = join(dirname(file), decodeURIComponent(target.replace(/#.*/, ''))).replace(/\/$/, '');
  const readme = join(named, 'README.md');
  return existsSync(join(root, readme)) ? readme : named;
};

/** Whether a linked file gets a page of its own that shows it. */
export const isSource = (root: string, file: string): boolean =>
  !file.startsWith('..') && !file.endsWith('.md') && !isImage(file) && existsSync(join(root, file));

export const isFolder = (root: string, file: string): boolean => statSync(join(root, file)).isDirectory();

/** What a link leads to in the site: an address from its root, or the target unchanged. */
export const addressOfLink = (root: string, file: string, target: string): string => {
  const linked = linkedFile(root, file, target);
  if (linked === null) return target;
  const place = isSource(root, linked) ? sourcePlaceOf(linked) : placeOf(linked);
  return `${addressOf(place)}${/#.*/.exec(target)?.[0] ?? ''}`;
};
