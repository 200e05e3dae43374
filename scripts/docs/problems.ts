/**
 * Owns the check of a built site: every link, anchor and image of every page resolves, and nothing loads from
 * elsewhere.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { filesBelow } from '../source-files.ts';

const unescaped = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));

interface Links {
  /** What a reader follows. */
  readonly followed: readonly string[];
  /** What the browser loads. */
  readonly loaded: readonly string[];
}

const linksIn = (html: string): Links => {
  const valuesOf = (pattern: RegExp): string[] =>
    Array.from(html.matchAll(pattern), ([, value = '']) => unescaped(value));
  return {
    followed: valuesOf(/<a\b[^>]*?\bhref="([^"]*)"/g),
    loaded: [...valuesOf(/\b(?:src|srcset)="([^"]*)"/g), ...valuesOf(/<link\b[^>]*?\bhref="([^"]*)"/g)],
  };
};

/** @returns sentences */
export const siteProblems = (site: string): string[] => {
  const anchors = new Map<string, ReadonlySet<string>>();
  const anchorsOf = (place: string): ReadonlySet<string> => {
    const known =
      anchors.get(place) ?? new Set(Array.from(readPage(site, place).matchAll(/\bid="([^"]+)"/g), ([, id = '']) => id));
    anchors.set(place, known);
    return known;
  };
  const isThere = (page: string, link: string): boolean => {
    const [path = '', anchor] = link.split('#');
    const place = path === '' ? page : join(dirname(page), path);
    if (place.startsWith('..') || !existsSync(join(site, place))) return false;
    return anchor === undefined || anchorsOf(place).has(decodeURIComponent(anchor));
  };
  return filesBelow(site, '', /\.html$/).flatMap((page) => {
    const { followed, loaded } = linksIn(readPage(site, page));
    const isElsewhere = (link: string): boolean => /^(?:\w+:)?\/\//.test(link);
    const inSite = [...followed, ...loaded].filter((link) => !isElsewhere(link) && !/^(?:mailto|data):/.test(link));
    return [
      ...loaded.filter(isElsewhere).map((link) => `${page} loads ${link} from elsewhere`),
      ...inSite
        .filter((link) => !isThere(page, link))
        .map((link) => `${page} links to ${link}, which is not in the site`),
    ];
  });
};

const readPage = (site: string, place: string): string => readFileSync(join(site, place), 'utf8');
