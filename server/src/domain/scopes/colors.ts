/** Contrast of colours (WCAG 2.2, "relative luminance" and "contrast ratio"), and the dark form of a brand's colour. */

const white = '#ffffff';

type Channels = readonly [red: number, green: number, blue: number];

const channelsOf = (color: string): Channels => [channelAt(color, 1), channelAt(color, 3), channelAt(color, 5)];

const channelAt = (color: string, at: number): number => Number.parseInt(color.slice(at, at + 2), 16);

const linear = (channel: number): number => {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

const luminance = ([red, green, blue]: Channels): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

/** @returns the contrast ratio, 1 to 21. @param left `#rrggbb` @param right `#rrggbb` */
export const contrast = (left: string, right: string): number => {
  const [one, other] = [luminance(channelsOf(left)), luminance(channelsOf(right))];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
};

/** @param color `#rrggbb` */
export const contrastOnWhite = (color: string): number => contrast(color, white);

/** @param share of the other colour, 0 to 1 */
export const mix = (color: string, share: number, other: string): string => {
  const [red, green, blue] = channelsOf(other);
  const [ownRed, ownGreen, ownBlue] = channelsOf(color);
  return `#${hex(ownRed + (red - ownRed) * share)}${hex(ownGreen + (green - ownGreen) * share)}${hex(ownBlue + (blue - ownBlue) * share)}`;
};

const hex = (channel: number): string => Math.round(channel).toString(16).padStart(2, '0');

/** Mixed with as little white as is readable on a dark surface. @param surface `#rrggbb`, the lightest one */
export const darkFormOf = (color: string, surface: string): string => {
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = mix(color, share, white);
    if (contrast(mixed, surface) >= 4.5) return mixed;
  }
  return white;
};
