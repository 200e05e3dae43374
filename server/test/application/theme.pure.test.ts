/** The theme of a brand's colour: every pair of text and background that portal, pages and mails use, in numbers. */
import { describe, expect, it } from 'vitest';
import { contrast, contrastOnWhite } from '../../src/domain/scopes/colors.ts';
import { themeOf, themePath, themeStylesheet } from '../../src/domain/scopes/theme.ts';

/** Colours of the portal that the theme leaves as they are (`portal/src/styles.css`). */
const fixed = {
  light: { surface: '#ffffff', canvas: '#f6f7f5', ink: '#13201c', soft: '#51605a', danger: '#b3261e' },
  dark: { surface: '#151d1a', canvas: '#0e1412', ink: '#e9efec', soft: '#a4b2ac', danger: '#f3a59d' },
} as const;

type Scheme = keyof typeof fixed;
type Palette = ReturnType<typeof themeOf>[Scheme];

/** Text and what it stands on. */
const pairsOf = (scheme: Scheme, palette: Palette): readonly (readonly [text: string, background: string])[] => {
  const { surface, canvas, ink, soft, danger } = fixed[scheme];
  const { accent, 'accent-strong': strong, 'on-accent': onAccent, tint } = palette;
  return [
    ...[surface, canvas, tint].map((background) => [accent, background] as const),
    ...[surface, canvas].map((background) => [strong, background] as const),
    ...[accent, strong].map((background) => [onAccent, background] as const),
    ...[ink, soft, danger].map((text) => [text, tint] as const),
  ];
};

/** The last five have barely 4.5:1 to white, which a definition requires. */
const colors = [
  '#5b2ee5',
  '#0f6b58',
  '#000000',
  '#000080',
  '#7a0000',
  '#3b3b00',
  '#0000ff',
  '#767676',
  '#e60000',
  '#008000',
  '#0071d8',
  '#a66000',
];

describe('The theme of a colour', () => {
  // Contract: application#brand-of-an-application — brand.color: every text in it has 4.5:1, light and dark
  it.each(colors)('has 4.5:1 between each text and its background: %s', (color) => {
    expect(contrastOnWhite(color)).toBeGreaterThanOrEqual(4.5);
    const theme = themeOf(color);
    for (const scheme of ['light', 'dark'] as const) {
      for (const [text, background] of pairsOf(scheme, theme[scheme])) {
        expect(contrast(text, background), `${scheme}: ${text} on ${background}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  it('is the colour itself where it is readable as it stands', () => {
    expect(themeOf('#5b2ee5').light.accent).toBe('#5b2ee5');
  });

  it('is served under a path that changes with it', () => {
    expect(themePath('#5b2ee5')).toMatch(/^\/brand\/theme-[0-9a-f]{16}\.css$/);
    expect(themePath('#5b2ee5')).not.toBe(themePath('#5b2ee4'));
    expect(themeStylesheet('#5b2ee5')).toContain('--accent:#5b2ee5;');
  });
});
