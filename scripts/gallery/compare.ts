/** Owns the comparison of two folders of pictures, pixel by pixel. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { picturesIn } from './pictures.ts';

export interface Difference {
  readonly picture: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** Of its pixels, from above 0 to 1. */
  readonly share: number;
}

interface Folders {
  readonly before: string;
  readonly after: string;
  /** Where the pictures of the differences are written, under the names of the pictures. */
  readonly differences: string;
}

/**
 * Antialiased edges and colours that no eye tells apart count as equal, so that another build of the same browser can
 * pass.
 *
 * @param only part of the names of the states; null for all
 * @returns what differs, by name; an unchanged picture is left out
 */
export const compareFolders = (folders: Folders, only: string | null = null): Difference[] => {
  const [before, after] = [picturesIn(folders.before, only), picturesIn(folders.after, only)];
  const former = new Set(before);
  const present = new Set(after);
  return [
    ...before.filter((picture) => !present.has(picture)).map((picture) => whole(picture, 'removed')),
    ...after.flatMap((picture) => (former.has(picture) ? changeOf(folders, picture) : [whole(picture, 'added')])),
  ].sort((left, right) => left.picture.localeCompare(right.picture));
};

const whole = (picture: string, kind: Difference['kind']): Difference => ({ picture, kind, share: 1 });

const changeOf = ({ before, after, differences }: Folders, picture: string): readonly Difference[] => {
  const [former, present] = [readFileSync(join(before, picture)), readFileSync(join(after, picture))];
  if (former.equals(present)) return [];
  const { share, png } = compare(PNG.sync.read(former), PNG.sync.read(present));
  if (share === 0) return [];
  const file = join(differences, picture);
  if (!existsSync(dirname(file))) mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, PNG.sync.write(png));
  return [{ picture, kind: 'changed', share }];
};

/** A page that became longer is compared as far as both go; the rest counts as changed. */
const compare = (former: PNG, present: PNG): { readonly share: number; readonly png: PNG } => {
  const width = Math.max(former.width, present.width);
  const height = Math.max(former.height, present.height);
  const png = new PNG({ width, height });
  const [left, right] = [onCanvas(former, width, height), onCanvas(present, width, height)];
  const changed = pixelmatch(left.data, right.data, png.data, width, height, { threshold: 0.1 });
  return { share: changed / (width * height), png };
};

/** The picture in the corner of a transparent one: no page has transparent pixels. */
const onCanvas = (picture: PNG, width: number, height: number): PNG => {
  if (picture.width === width && picture.height === height) return picture;
  const canvas = new PNG({ width, height, fill: true });
  PNG.bitblt(picture, canvas, 0, 0, picture.width, picture.height, 0, 0);
  return canvas;
};
