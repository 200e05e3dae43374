/** Owns the rendering of one Markdown page: its HTML, its headings, and the files that it links to. */
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import graphql from 'highlight.js/lib/languages/graphql';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { Marked, type Tokens } from 'marked';
import { anchorOf } from './anchors.ts';
import { targetOf } from './places.ts';

for (const [name, language] of Object.entries({ bash, go, graphql, json, python, sql, typescript, xml, yaml })) {
  hljs.registerLanguage(name, language);
}
// The grammars of bash and TypeScript bring `sh`, `ts`, `tsx`; JavaScript is TypeScript without types.
hljs.registerAliases(['js', 'jsx', 'mjs', 'javascript'], { languageName: 'typescript' });

interface Heading {
  readonly level: number;
  readonly anchor: string;
  /** Plain text. */
  readonly text: string;
}

export interface RenderedPage {
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  /** Files of the repository that the page links to or shows. */
  readonly files: readonly string[];
}

export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);

/** @param language a name or alias of the registered ones; code of any other is shown without colours */
export const highlighted = (code: string, language: string): string =>
  hljs.getLanguage(language) === undefined ? escapeHtml(code) : hljs.highlight(code, { language }).value;

/** Tags and entities of rendered Markdown, gone. */
export const plainText = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

/** Anchors of one page: a repeated heading gets a number, as code hosts number it. */
const numberedAnchors = (): ((text: string) => string) => {
  const counts = new Map<string, number>();
  return (text) => {
    const anchor = anchorOf(text);
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  };
};

/** @param root of the repository; @param file path of the page in it */
export const renderPage = (root: string, file: string, markdown: string): RenderedPage => {
  const headings: Heading[] = [];
  const files = new Set<string>();
  const nextAnchor = numberedAnchors();
  const follow = (target: string): string => {
    const { address, file: found } = targetOf(root, file, target);
    if (found !== undefined) files.add(found);
    return escapeHtml(address);
  };
  const marked = new Marked({
    renderer: {
      heading({ depth, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const text = plainText(inner);
        const anchor = nextAnchor(text);
        headings.push({ level: depth, anchor, text });
        const isLink = depth > 1 && !inner.includes('<a ');
        return `<h${depth} id="${anchor}">${isLink ? `<a href="#${anchor}">${inner}</a>` : inner}</h${depth}>\n`;
      },
      link({ href, title, tokens }) {
        const hint = title === null || title === undefined ? '' : ` title="${escapeHtml(title)}"`;
        return `<a href="${follow(href)}"${hint}>${this.parser.parseInline(tokens)}</a>`;
      },
      image: ({ href, text }) => `<img src="${follow(href)}" alt="${escapeHtml(text)}" loading="lazy">`,
      code: ({ text, lang }) => codeBlock(text, lang ?? ''),
      tablecell(cell) {
        return tableCell(cell, this.parser.parseInline(cell.tokens));
      },
    },
    hooks: { postprocess: (html) => html.replace(/<table>[\s\S]*?<\/table>/g, scrollable) },
  });
  const html = marked.parse(markdown, { async: false });
  const title = headings[0]?.text ?? file;
  return { title, html, headings, files: [...files] };
};

/** A scrolling box is reached by the keyboard. */
const codeBlock = (text: string, language: string): string =>
  `<div class="code"><pre tabindex="0"><code>${highlighted(text, language)}</code></pre></div>\n`;

const scrollable = (table: string): string => `<div class="table" tabindex="0">${table}</div>`;

/** An empty heading of a column is no heading. */
const tableCell = ({ header, align }: Tokens.TableCell, inner: string): string => {
  const tag = header && inner !== '' ? 'th' : 'td';
  return `<${tag}${align === null ? '' : ` class="${align}"`}>${inner}</${tag}>\n`;
};
