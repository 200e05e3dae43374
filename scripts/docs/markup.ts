/**
 * Owns the rule on HTML and images in Markdown pages. VitePress makes a template of each page: an element that is not
 * closed, such as a placeholder in angle brackets, or an expression in braces would end its build. Images are files of
 * the repository, so that a page loads nothing from elsewhere.
 */
import { type Pages, withoutCode } from './links.ts';

const elements: ReadonlySet<string> = new Set(['a', 'br', 'figcaption', 'figure', 'img', 'picture', 'source']);

/** Those without an end tag. */
const voidElements: ReadonlySet<string> = new Set(['br', 'img', 'source']);

/** The text from where it breaks the rule, and how. */
type Finding = readonly [index: number, problem: string];

const wordForms: readonly (readonly [RegExp, string])[] = [
  [/\{\{/g, 'two braces outside of code'],
  [/!\[[^\]]*\](?!\(\s*<?(?!https?:|\/\/))/gi, 'an image that is no file of the repository'],
  [/\bsrc(?:set)?\s*=\s*["']?[^"'>]*?(?:https?:|\/\/)/gi, 'an image that is no file of the repository'],
];

const wordFindings = (text: string): Finding[] =>
  wordForms.flatMap(([form, problem]) => Array.from(text.matchAll(form), ({ index }): Finding => [index, problem]));

const unknownElements = (text: string): Finding[] =>
  Array.from(
    text.matchAll(/<\/?(?<name>[a-z][\w-]*)(?=[\s/>])/gi),
    ({ index, groups: { name = '' } = {} }): Finding[] =>
      elements.has(name) ? [] : [[index, `an element <${name}> outside of code`]],
  ).flat();

/** A blank line ends a paragraph, and so does the template with what is open in it. */
const unpairedTags = (text: string): Finding[] => {
  const open: { readonly name: string; readonly finding: Finding }[] = [];
  const alone: Finding[] = [];
  const endParagraph = (): void => void alone.push(...open.splice(0).map(({ finding }) => finding));
  for (const { index, groups = {} } of text.matchAll(/\n\s*\n|<(?<end>\/?)(?<name>[a-z]+)(?:\s[^<>]*)?>/g)) {
    const { end, name } = groups;
    if (name === undefined) endParagraph();
    else if (end === '' && elements.has(name) && !voidElements.has(name))
      open.push({ name, finding: [index, `a <${name}> that its paragraph does not close`] });
    else if (end === '/' && elements.has(name) && open.pop()?.name !== name)
      alone.push([index, `a </${name}> that closes nothing`]);
  }
  endParagraph();
  return alone;
};

const problemsOf = (page: string, markdown: string): string[] => {
  const text = withoutCode(markdown);
  return [wordFindings, unknownElements, unpairedTags]
    .flatMap((find) => find(text))
    .toSorted(([a], [b]) => a - b)
    .map(([index, problem]) => `${page}:${text.slice(0, index).split('\n').length} has ${problem}`);
};

/** @returns sentences */
export const markupProblems = (pages: Pages): string[] =>
  Array.from(pages, ([page, markdown]) => problemsOf(page, markdown)).flat();
