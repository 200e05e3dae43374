/**
 * Moves the stylesheet link below the static shell, so that a slow network shows the shell at once: a stylesheet blocks
 * the rendering of what follows it.
 */
import type { Plugin } from 'vite';

const stylesheet = /\s*<link rel="stylesheet"[^>]*>/g;
const place = '<div id="consent"';

export const stylesAfterShell = (): Plugin => ({
  name: 'gatehouse-styles-after-shell',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (page) => {
      const links = page.match(stylesheet) ?? [];
      if (links.length === 0 || !page.includes(place))
        throw new Error('The page has no stylesheet, or no place for it');
      return page
        .replace(stylesheet, '')
        .replace(place, () => `${links.map((link) => link.trim()).join('')}\n    ${place}`);
    },
  },
});
