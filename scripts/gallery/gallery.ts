/**
 * Owns the gallery's folder: the pictures of the last run, those of the run before, their differences, and the index.
 */
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareFolders, type Difference } from './compare.ts';
import { indexPage } from './index-page.ts';
import type { GalleryOptions } from './options.ts';
import { picturesIn } from './pictures.ts';

/** Takes the selected pictures into a folder. @returns whether every state could be shown */
export type Photograph = (folder: string, options: GalleryOptions) => Promise<boolean>;

interface GalleryResult {
  readonly isComplete: boolean;
  /** Null when there was nothing to compare with. */
  readonly differences: readonly Difference[] | null;
  readonly index: string;
}

/** Folder of one language's pictures, below the gallery's. */
export const picturesFolder = (gallery: string, language: string): string => join(gallery, language, 'pictures');

/**
 * Photographs the selected states, and compares them with the former run or the folder of `--against`. Pictures that
 * `--only` leaves out stay as they are, and are not compared.
 *
 * @param gallery its folder, made when it is missing
 */
export const makeGallery = async (
  gallery: string,
  options: GalleryOptions,
  photograph: Photograph,
): Promise<GalleryResult> => {
  const folder = join(gallery, options.language);
  const pictures = picturesFolder(gallery, options.language);
  const [former, differencesFolder] = [join(folder, 'former'), join(folder, 'differences')];
  if (options.against !== null && !existsSync(options.against)) {
    throw new Error(`--against names ${options.against}, which does not exist`);
  }
  for (const old of [former, differencesFolder]) rmSync(old, { recursive: true, force: true });
  if (existsSync(options.against ?? pictures)) cpSync(options.against ?? pictures, former, { recursive: true });
  for (const picture of picturesIn(pictures, options.only)) rmSync(join(pictures, picture));
  mkdirSync(pictures, { recursive: true });
  const isComplete = await photograph(pictures, options);
  const hasFormer = picturesIn(former, options.only).length > 0;
  const differences = hasFormer
    ? compareFolders({ before: former, after: pictures, differences: differencesFolder }, options.only)
    : null;
  const index = join(folder, 'index.html');
  writeFileSync(index, indexPage(options.language, picturesIn(pictures), differences ?? []));
  return { isComplete, differences, index };
};

const percent = (share: number): string => `${(share * 100).toFixed(share < 0.0001 ? 4 : 2)} %`;

const lineOf = ({ picture, kind, share }: Difference): string =>
  kind === 'changed' ? `changed  ${picture}  ${percent(share)} of its pixels` : `${kind.padEnd(7)}  ${picture}`;

/** What the command prints at its end. */
export const summaryOf = ({ isComplete, differences, index }: GalleryResult): string =>
  [
    ...(differences ?? []).map(lineOf),
    ...(isComplete ? [] : ['Some states could not be shown; their errors are above.']),
    differences === null
      ? 'There were no former pictures to compare with.'
      : `${differences.length} ${differences.length === 1 ? 'picture differs' : 'pictures differ'}.`,
    `The pictures: ${index}`,
  ].join('\n');

/** 1 when a state could not be shown; with `--check` also when a picture differs, or when none was there to compare. */
export const exitCodeOf = ({ isComplete, differences }: GalleryResult, { isCheck }: GalleryOptions): 0 | 1 => {
  if (!isComplete) return 1;
  return isCheck && differences?.length !== 0 ? 1 : 0;
};
