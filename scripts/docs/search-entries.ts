/** Owns what the search finds: each section of a page, with its text. */
import { plainText, type RenderedPage } from './render.ts';

export interface SearchEntry {
  /** Address in the site, with the anchor of the section. */
  readonly id: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

/** @param place of the page in the site */
export const searchEntriesOf = (place: string, { title, html }: RenderedPage): SearchEntry[] =>
  html
    .split(/(?=<h[1-4] id=")/)
    .filter((part) => /^<h[1-4] id="/.test(part))
    .map((part) => {
      const [, level = '', anchor = '', inner = '', body = ''] =
        /^<h([1-4]) id="([^"]*)">([\s\S]*?)<\/h\1>([\s\S]*)$/.exec(part) ?? [];
      return {
        id: level === '1' ? place : `${place}#${anchor}`,
        page: title,
        heading: plainText(inner),
        text: plainText(body.replace(/<\/(?:t[dh]|p|li|pre)>/g, ' '))
          .replace(/\s+/g, ' ')
          .trim(),
      };
    });
