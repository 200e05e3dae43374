/**
 * Owns the built site: all Markdown pages and those that are printed, the files that they link to, the search, and
 * nothing that loads from elsewhere.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { extname } from 'node:path';
import { dirname, join } from 'node:path/posix';
import { rolldown } from 'rolldown';
import { printedPages } from '../printing/printed-pages.ts';
import { filesBelow } from '../source-files.ts';
import { documentOf, type Frame } from './layout.ts';
import { navigationOf, portalPage } from './navigation.ts';
import { copyPictures, hasPictures, picturesPage } from './pictures.ts';
import { isImage, placeOf } from './places.ts';
import { escapeHtml, highlighted, type RenderedPage, renderPage } from './render.ts';
import { searchEntriesOf } from './search-entries.ts';

interface SiteParts {
  /** The repository. */
  readonly root: string;
  /** The folder of the site, which is replaced. */
  readonly site: string;
  /** The gallery's folder of pictures; without them the site has no page of pictures. */
  readonly pictures: string;
}

/** @returns the number of Markdown pages, and whether the portal's pictures were there */
export const buildSite = async (parts: SiteParts): Promise<{ readonly pages: number; readonly hasPortal: boolean }> => {
  const { root, site, pictures } = parts;
  rmSync(site, { recursive: true, force: true });
  const rendered = new Map(
    filesBelow(root, '', /\.md$/).map((file) => [file, renderPage(root, file, readFileSync(join(root, file), 'utf8'))]),
  );
  for (const { file, print } of Object.values(printedPages)) rendered.set(file, renderPage(root, file, print(root)));
  const files = new Set([...rendered.values()].flatMap((page) => page.files));
  const hasPortal = hasPictures(pictures);
  if (hasPortal) {
    copyPictures(pictures, site);
    rendered.set(portalPage, picturesPage());
  }
  const titles = new Map(Array.from(rendered, ([file, { title }]) => [file, title]));
  const frame = { navigation: navigationOf([...rendered.keys()]), titles };
  for (const [file, page] of rendered) write(site, placeOf(file), documentOf(frame, file, page));
  for (const file of files) if (!rendered.has(file)) writeLinked(parts, frame, file);
  const entries = Array.from(rendered, ([file, page]) => searchEntriesOf(placeOf(file), page)).flat();
  write(site, 'search.js', `globalThis.searchEntries = ${JSON.stringify(entries)};\n`);
  copyFileSync(new URL('browser/site.css', import.meta.url), join(site, 'site.css'));
  await bundleScript(site);
  return { pages: rendered.size, hasPortal };
};

const write = (site: string, place: string, text: string): void => {
  mkdirSync(dirname(join(site, place)), { recursive: true });
  writeFileSync(join(site, place), text);
};

/** A file that is no page of the documentation: an image is copied, and a source or folder is shown. */
const writeLinked = ({ root, site }: SiteParts, frame: Frame, file: string): void => {
  const path = join(root, file);
  if (!existsSync(path)) return;
  if (isImage(file)) {
    mkdirSync(dirname(join(site, file)), { recursive: true });
    copyFileSync(path, join(site, file));
    return;
  }
  write(
    site,
    placeOf(file),
    documentOf(frame, file, statSync(path).isDirectory() ? folderPage(root, file) : sourcePage(root, file)),
  );
};

const pageWith = (title: string, body: string): RenderedPage => ({
  title,
  html: `<h1 id="top">${escapeHtml(title)}</h1>${body}`,
  headings: [{ level: 1, anchor: 'top', text: title }],
  files: [],
});

const sourcePage = (root: string, file: string): RenderedPage => {
  const text = readFileSync(join(root, file), 'utf8');
  const code = highlighted(text, extname(file).slice(1));
  return pageWith(file, `<div class="code source"><pre tabindex="0"><code>${code}</code></pre></div>`);
};

const folderPage = (root: string, folder: string): RenderedPage => {
  const names = readdirSync(join(root, folder)).sort();
  return pageWith(folder, `<ul>${names.map((name) => `<li><code>${escapeHtml(name)}</code></li>`).join('')}</ul>`);
};

/** A classic script: a page that is opened as a file loads no modules. */
const bundleScript = async (site: string): Promise<void> => {
  await using bundle = await rolldown({ input: join(import.meta.dirname, 'browser/site.ts') });
  await bundle.write({ file: join(site, 'site.js'), format: 'iife', minify: true });
};
