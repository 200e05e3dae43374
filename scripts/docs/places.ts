/** Owns where a file of the repository is in the site, and how one page of the site links to another. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path/posix';

/** `docs/x.md` is `docs/x.html`, a README is the index of its folder, and any other file a page below `source/`. */
export const placeOf = (file: string): string => {
  if (!file.endsWith('.md')) return `source/${file}.html`;
  return file.endsWith('README.md') ? `${file.slice(0, -'README.md'.length)}index.html` : file.replace(/md$/, 'html');
};

/** The address of a place of the site on the page at another. */
export const addressFrom = (page: string, place: string): string => relative(dirname(page), place) || place;

const isElsewhere = (target: string): boolean => /^(?:[a-z][a-z+.-]*:|\/\/)/i.test(target);

interface Target {
  /** For `href` or `src`. */
  readonly address: string;
  /** The file of the repository it leads to, without one for other sites and the page itself. */
  readonly file?: string;
}

/**
 * @param file the Markdown page with the link; @param root of the repository
 * @param target as it is written in the page
 */
export const targetOf = (root: string, file: string, target: string): Target => {
  if (isElsewhere(target) || target.startsWith('#')) return { address: target };
  const [path = '', anchor] = target.split('#');
  const named = join(dirname(file), decodeURIComponent(path)).replace(/\/$/, '');
  const readme = join(named, 'README.md');
  const isFolder = existsSync(join(root, named)) && statSync(join(root, named)).isDirectory();
  const found = isFolder && existsSync(join(root, readme)) ? readme : named;
  const place = isImage(found) ? found : placeOf(found);
  const suffix = anchor === undefined ? '' : `#${anchor}`;
  return { address: `${addressFrom(placeOf(file), place)}${suffix}`, file: found };
};

/** Copied as they are. */
export const isImage = (file: string): boolean => /\.(?:png|svg|jpe?g|webp|gif)$/.test(file);
