/** The portal's accent colours, light and dark, that follow from a brand's; texts have 4.5:1 (WCAG 2.2, 1.4.3). */
import { sha256 } from '../../kernel/secrets.ts';
import { contrast, darkFormOf, mix } from './colors.ts';

/** Values of the portal's custom properties (`portal/src/styles.css`), each `#rrggbb`. */
interface Palette {
  readonly accent: string;
  readonly 'accent-strong': string;
  readonly 'on-accent': string;
  readonly tint: string;
  /** The drawing beside the public pages. It carries no text. */
  readonly gate: string;
  readonly 'gate-light': string;
  readonly 'gate-bright': string;
  readonly 'gate-glow': string;
}

/** Surfaces of the portal that text in the accent stands on, beside the tint. */
const surfaces = { light: ['#ffffff', '#f6f7f5'], dark: ['#151d1a', '#0e1412'] } as const;

const [white, black] = ['#ffffff', '#000000'];
const readable = 4.5;

/** Mixed with as little black as makes it readable on every one of these backgrounds. */
const darkened = (color: string, backgrounds: readonly string[]): string => {
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = mix(color, share, black);
    if (backgrounds.every((background) => contrast(mixed, background) >= readable)) return mixed;
  }
  return black;
};

const lightestOf = (colors: readonly string[]): string =>
  colors.reduce((lightest, color) => (contrast(color, black) > contrast(lightest, black) ? color : lightest));

/** @param color `#rrggbb`, at least 4.5:1 against white */
export const themeOf = (color: string): { readonly light: Palette; readonly dark: Palette } => {
  const gate = {
    gate: mix(color, 0.72, black),
    'gate-light': mix(color, 0.65, white),
    'gate-bright': mix(color, 0.88, white),
    'gate-glow': mix(color, 0.4, white),
  };
  return { light: { ...lightOf(color), ...gate }, dark: { ...darkOf(color), ...gate } };
};

type AccentColors = Pick<Palette, 'accent' | 'accent-strong' | 'on-accent' | 'tint'>;

const lightOf = (color: string): AccentColors => {
  const tint = mix(color, 0.91, white);
  const accent = darkened(color, [...surfaces.light, tint]);
  return { accent, 'accent-strong': mix(accent, 0.22, black), 'on-accent': white, tint };
};

const darkOf = (color: string): AccentColors => {
  const [surface] = surfaces.dark;
  const tint = mix(surface, 0.22, color);
  const accent = darkFormOf(color, lightestOf([...surfaces.dark, tint]));
  const strong = mix(accent, 0.22, white);
  return { accent, 'accent-strong': strong, 'on-accent': darkened(mix(color, 0.75, black), [accent, strong]), tint };
};

const declarations = (palette: Palette): string =>
  Object.entries(palette)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

/** The selector counts more than that of the stylesheet whose properties it sets, so their order does not matter. */
export const themeStylesheet = (color: string): string => {
  const { light, dark } = themeOf(color);
  return `:root:root{${declarations(light)}}
@media(prefers-color-scheme:dark){:root:root{${declarations(dark)}}}
`;
};

/** The path at which the service serves the stylesheet; it changes with the content. */
export const themePath = (color: string): string =>
  `/brand/theme-${sha256(themeStylesheet(color)).toString('hex').slice(0, 16)}.css`;
