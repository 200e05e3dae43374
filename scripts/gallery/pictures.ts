/** Owns the names of the gallery's pictures: a state's audience and title, and the look it was photographed in. */
import { filesBelow } from '../source-files.ts';

type Scheme = 'light' | 'dark';
type Width = 'wide' | 'phone';

export interface Look {
  readonly scheme: Scheme;
  readonly width: Width;
}

/** Neighbours differ in one setting. */
export const looks: readonly Look[] = [
  { width: 'wide', scheme: 'light' },
  { width: 'wide', scheme: 'dark' },
  { width: 'phone', scheme: 'dark' },
  { width: 'phone', scheme: 'light' },
];

/**
 * In CSS pixels.
 * @internal The tests of the gallery take its pictures.
 */
export const viewports: Readonly<Record<Width, { readonly width: number; readonly height: number }>> = {
  wide: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
};

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/**
 * The part of a picture's name that its four looks share, such as `visitor/sign-in-refused`.
 * @internal The tests of the gallery take its pictures.
 */
export const stateName = (audience: string, title: string): string => `${audience}/${slugOf(title)}`;

/** Path of a picture below the folder of all pictures. */
export const pictureName = (state: string, { width, scheme }: Look): string => `${state}.${width}-${scheme}.png`;

/** @returns the state of a picture, and its look */
export const partsOf = (picture: string): { readonly state: string; readonly look: string } => {
  const [state = '', look = ''] = picture.split('.', 2);
  return { state, look };
};

/**
 * @param text a part of a state's name or title, in any case, such as `person/home`; null selects all
 * @internal The tests of the gallery take its pictures.
 */
export const isSelected = (state: string, text: string | null): boolean =>
  text === null || state.includes(text.split('/').map(slugOf).join('/'));

/** The pictures in a folder that the text selects; none when there is no folder. */
export const picturesIn = (folder: string, text: string | null = null): string[] =>
  filesBelow(folder, '', /\.png$/).filter((picture) => isSelected(partsOf(picture).state, text));
