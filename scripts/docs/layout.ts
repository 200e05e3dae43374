/** Owns the frame of every page of the site: header with search, navigation, contents, and the neighbours. */
import { parentOf, type Section } from './navigation.ts';
import { addressFrom, placeOf } from './places.ts';
import { escapeHtml, type RenderedPage } from './render.ts';

export interface Frame {
  readonly navigation: readonly Section[];
  /** Titles of the pages, by their paths in the repository. */
  readonly titles: ReadonlyMap<string, string>;
}

/** @param file path in the repository, which decides where the page is @returns a whole document */
export const documentOf = (frame: Frame, file: string, page: RenderedPage): string => {
  const place = placeOf(file);
  const link = (target: string): string => addressFrom(place, target);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${titleOf(page)}</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="${link('site.css')}">
<script src="${link('site.js')}" data-root="${link('index.html').replace(/index\.html$/, '')}" defer></script></head>
<body><a class="skip" href="#content">Skip to the content</a>
<header><a class="brand" href="${link('index.html')}">Gatehouse</a>
<button type="button" class="find" id="find" aria-haspopup="dialog">Search <kbd>/</kbd></button>
<button type="button" class="menu" id="menu" aria-expanded="false" aria-controls="pages">Menu</button></header>
<div class="columns"><nav class="pages" id="pages" aria-label="Pages">${navigation(frame, file)}</nav>
<main id="content" tabindex="-1"><article>${file === 'README.md' ? withReaders(frame, page.html, link) : page.html}</article>
${neighbours(frame, file)}</main>${contents(page)}</div></body></html>
`;
};

const titleOf = ({ title }: RenderedPage): string =>
  title === 'Gatehouse' ? 'Gatehouse documentation' : `${escapeHtml(title)} · Gatehouse`;

const addressOfEntry = (file: string, page: string): string => {
  const [path = '', anchor] = page.split('#');
  return `${addressFrom(placeOf(file), placeOf(path))}${anchor === undefined ? '' : `#${anchor}`}`;
};

const labelOf = ({ titles }: Frame, { page, label }: Section['entries'][number]): string =>
  escapeHtml(label ?? titles.get(page) ?? page);

const navigation = (frame: Frame, file: string): string =>
  frame.navigation
    .map(({ title, entries }) => {
      const items = entries.map((entry) => {
        const mark = entry.page === parentOf(file) ? ' aria-current="page"' : '';
        return `<li><a href="${addressOfEntry(file, entry.page)}"${mark}>${labelOf(frame, entry)}</a></li>`;
      });
      return `<h2>${title}</h2><ul>${items.join('')}</ul>`;
    })
    .join('');

/** The first page begins with the ways for the kinds of readers, after its first paragraph. */
const withReaders = (frame: Frame, html: string, link: (place: string) => string): string => {
  const cards = frame.navigation.flatMap(({ title, reader, entries: [first] }) =>
    reader === undefined || first === undefined
      ? []
      : [
          `<li><a href="${link(placeOf(first.page))}"><strong>${title}</strong></a><p>${reader}</p>
<p class="first">Begin with ${labelOf(frame, first)}</p></li>`,
        ],
  );
  return html.replace('</p>', `</p><ul class="readers">${cards.join('')}</ul>`);
};

const contents = ({ headings }: RenderedPage): string => {
  const parts = headings.filter(({ level }) => level === 2);
  if (parts.length < 2) return '';
  const items = parts.map(({ anchor, text }) => `<li><a href="#${anchor}">${escapeHtml(text)}</a></li>`);
  return `<aside aria-labelledby="contents"><h2 id="contents">On this page</h2><ul>${items.join('')}</ul></aside>`;
};

/** The page before and the page after, in the order of the navigation. */
const neighbours = (frame: Frame, file: string): string => {
  const entries = frame.navigation.flatMap((section) => section.entries).filter(({ page }) => !page.includes('#'));
  const index = entries.findIndex(({ page }) => page === file);
  if (index === -1) return '';
  const linkTo = (entry: Section['entries'][number] | undefined, word: string): string =>
    entry === undefined
      ? ''
      : `<a class="${word.toLowerCase()}" href="${addressOfEntry(file, entry.page)}"><span>${word}</span> ${labelOf(frame, entry)}</a>`;
  const links = `${linkTo(entries[index - 1], 'Previous')}${linkTo(entries[index + 1], 'Next')}`;
  return `<nav class="neighbours" aria-label="Neighbouring pages">${links}</nav>`;
};
