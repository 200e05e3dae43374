/** Owns the anchors of headings: those that code hosts give them, so that a link works there and in the site. */

/** Lower case, punctuation gone, spaces to hyphens. @param heading Markdown or plain text */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/\[(?<text>[^\]]*)\]\([^)]*\)/g, '$<text>')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
