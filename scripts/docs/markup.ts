/**
 * Owns the rule on HTML in Markdown pages. VitePress makes a template of each page: an element that is not closed, such
 * as a placeholder in angle brackets, or an expression in braces would end its build.
 */
import { type Pages, withoutCode } from './links.ts';

const elements: ReadonlySet<string> = new Set(['a', 'br', 'figcaption', 'figure', 'img', 'picture', 'source']);

const problemsOf = (page: string, markdown: string): string[] => {
  const text = withoutCode(markdown);
  const problems = Array.from(text.matchAll(/<(?<name>[a-z][\w-]*)(?=[\s/>])|\{\{/gi), ({ index, groups }) => {
    const line = text.slice(0, index).split('\n').length;
    const name = groups?.['name'];
    if (name === undefined) return [`${page}:${line} has two braces outside of code`];
    return elements.has(name) ? [] : [`${page}:${line} has an element <${name}> outside of code`];
  });
  return problems.flat();
};

/** @returns sentences */
export const markupProblems = (pages: Pages): string[] =>
  Array.from(pages, ([page, markdown]) => problemsOf(page, markdown)).flat();
