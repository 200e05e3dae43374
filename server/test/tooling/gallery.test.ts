/** The comparison of the gallery's pictures, and what a run keeps, with pictures that are drawn here. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PNG } from 'pngjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exitCodeOf, makeGallery, type Photograph, summaryOf } from '../../../scripts/gallery/gallery.ts';
import { type GalleryOptions, readOptions } from '../../../scripts/gallery/options.ts';
import { isSelected, stateName } from '../../../scripts/gallery/pictures.ts';

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'gatehouse-gallery-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
};

interface Drawing {
  readonly height?: number;
  /** The first pixels, black on white. */
  readonly black?: number;
}

const draw = ({ height = 10, black = 0 }: Drawing = {}): Buffer => {
  const png = new PNG({ width: 10, height });
  png.data.fill(255);
  for (let pixel = 0; pixel < black; pixel += 1) png.data.fill(0, pixel * 4, pixel * 4 + 3);
  return PNG.sync.write(png);
};

const all = readOptions([]);

/** A run that takes these pictures, where they are selected by the caller. */
const run = (gallery: string, pictures: Readonly<Record<string, Drawing>>, options: GalleryOptions = all) => {
  const photograph: Photograph = async (into) => {
    for (const [name, drawing] of Object.entries(pictures)) {
      mkdirSync(dirname(join(into, name)), { recursive: true });
      writeFileSync(join(into, name), draw(drawing));
    }
    return true;
  };
  return makeGallery(gallery, options, photograph);
};

const [home, members] = ['person/home.wide-light.png', 'person/members.wide-light.png'];

describe('The gallery', () => {
  it('has nothing to compare at first, and finds no difference in equal pictures', async () => {
    const gallery = folder();
    const first = await run(gallery, { [home]: {} });
    expect(first.differences).toBeNull();
    const second = await run(gallery, { [home]: {} });
    expect(second.differences).toEqual([]);
    expect(summaryOf(second)).toContain('0 pictures differ.');
  });

  it('tells added, removed and changed pictures, with their share of changed pixels and a picture of these', async () => {
    const gallery = folder();
    await run(gallery, { [home]: {}, [members]: {} });
    const again = await run(gallery, { [home]: { black: 25 }, 'visitor/new.phone-dark.png': {} });
    expect(again.differences).toEqual([
      { picture: home, kind: 'changed', share: 0.25 },
      { picture: members, kind: 'removed', share: 1 },
      { picture: 'visitor/new.phone-dark.png', kind: 'added', share: 1 },
    ]);
    expect(summaryOf(again)).toContain(`changed  ${home}  25.00 % of its pixels`);
    expect(PNG.sync.read(readFileSync(join(gallery, 'en/differences', home)))).toMatchObject({ width: 10, height: 10 });
    const index = readFileSync(again.index, 'utf8');
    expect(index).toContain('25.000 % changed');
    for (const name of [`pictures/${home}`, `former/${home}`, `differences/${home}`, `former/${members}`]) {
      expect(index).toContain(`src="${name}"`);
      expect(existsSync(join(gallery, 'en', name))).toBe(true);
    }
  });

  it('counts the pixels that a longer page has more', async () => {
    const gallery = folder();
    await run(gallery, { [home]: { height: 10 } });
    expect((await run(gallery, { [home]: { height: 20 } })).differences).toEqual([
      { picture: home, kind: 'changed', share: 0.5 },
    ]);
  });

  it('keeps and does not compare the pictures that --only leaves out', async () => {
    const gallery = folder();
    await run(gallery, { [home]: {}, [members]: {} });
    const result = await run(gallery, { [members]: { black: 1 } }, { ...all, only: 'Members' });
    expect(result.differences).toMatchObject([{ picture: members, kind: 'changed' }]);
    expect(existsSync(join(gallery, 'en/pictures', home))).toBe(true);
    const gone = await run(gallery, {}, { ...all, only: 'members' });
    expect(gone.differences).toMatchObject([{ picture: members, kind: 'removed' }]);
  });

  it('compares with the folder of --against, and keeps the pictures of each language apart', async () => {
    const gallery = folder();
    await run(gallery, { [home]: {} });
    const against = join(gallery, 'en/pictures');
    const german = await run(gallery, { [home]: { black: 10 } }, { ...all, language: 'de', against });
    expect(german.differences).toEqual([{ picture: home, kind: 'changed', share: 0.1 }]);
    await expect(run(gallery, {}, { ...all, against: join(gallery, 'missing') })).rejects.toThrow(/--against/);
    expect(existsSync(join(against, home))).toBe(true);
  });

  it('ends with 1 for a difference when --check is given, and for a state that could not be shown', () => {
    const differences = [{ picture: home, kind: 'added', share: 1 }] as const;
    const check = { ...all, isCheck: true };
    const complete = { isComplete: true, index: '' };
    expect(exitCodeOf({ ...complete, differences }, all)).toBe(0);
    expect(exitCodeOf({ ...complete, differences }, check)).toBe(1);
    expect(exitCodeOf({ ...complete, differences: [] }, check)).toBe(0);
    expect(exitCodeOf({ ...complete, differences: null }, check)).toBe(1);
    expect(exitCodeOf({ ...complete, differences: null }, all)).toBe(0);
    expect(exitCodeOf({ ...complete, isComplete: false, differences: [] }, all)).toBe(1);
  });

  it.each([null, 'sessions', 'Sessions, none', 'super-admin/sessions', 'admin/'])('selects a state by %s', (text) => {
    expect(isSelected(stateName('super-admin', 'sessions, none found'), text)).toBe(true);
    expect(isSelected(stateName('person', 'home'), text)).toBe(text === null);
  });

  it('reads its options, and refuses others', () => {
    expect(readOptions(['--only', 'home', '--language', 'pt-BR', '--check'])).toEqual({
      only: 'home',
      language: 'pt-BR',
      against: null,
      isCheck: true,
    });
    expect(() => readOptions(['--language', '../elsewhere'])).toThrow(/language tag/);
    expect(() => readOptions(['--fast'])).toThrow(/--fast/);
  });
});
