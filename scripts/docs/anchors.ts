/** Owns the headings of Markdown pages, and their anchors as code hosts give them: links work there and in the site. */

/** Lower case, punctuation gone, spaces to hyphens. @param heading Markdown or plain text */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/\[(?<text>[^\]]*)\]\([^)]*\)/g, '$<text>')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

interface Heading {
  readonly level: number;
  readonly text: string;
}

/** Examples in code have none. */
export const headingsOf = (markdown: string): readonly Heading[] =>
  [
    ...markdown
      .replace(/^(?<fence>```|~~~)[\s\S]*?^\k<fence>/gm, '')
      .matchAll(/^(?<marks>#{1,6})\s+(?<text>.+?)\s*#*$/gm),
  ].map(({ groups }) => ({ level: groups?.['marks']?.length ?? 0, text: groups?.['text'] ?? '' }));

/** The anchors to which links can lead: of headings, and of elements of HTML. */
export const anchorsIn = (markdown: string): ReadonlySet<string> => {
  const explicit = markdown.matchAll(/<[a-z]+\b[^>]*?\b(?:id|name)="(?<anchor>[^"]+)"/g);
  return new Set([
    ...headingsOf(markdown).map(({ text }) => anchorOf(text)),
    ...[...explicit].map(({ groups }) => groups?.['anchor'] ?? ''),
  ]);
};
