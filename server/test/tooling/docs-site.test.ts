/** The pages of the documentation site before VitePress builds them: their links, places, navigation and pictures. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linkProblems } from '../../../scripts/docs/links.ts';
import { markupProblems } from '../../../scripts/docs/markup.ts';
import { navigationOf, portalPage } from '../../../scripts/docs/navigation.ts';
import { hasPictures, picturesPage } from '../../../scripts/docs/pictures.ts';
import { addressOfLink, printedFolder } from '../../../scripts/docs/places.ts';
import { writePages } from '../../../scripts/docs/site-pages.ts';
import { looks, pictureName, stateName } from '../../../scripts/gallery/pictures.ts';
import { repositoryRoot } from '../../../scripts/report.ts';
import { filesBelow } from '../../../scripts/source-files.ts';
import { states } from '../support/browser/states/all-states.ts';
import { testFixture } from '../support/fixture.ts';

const namesOf = (state: string): readonly string[] => looks.map((look) => pictureName(state, look));

const temporaryFolder = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-site-'));
  await testFixture({ close: () => rmSync(folder, { recursive: true }) });
  return folder;
};

describe('The links of pages', () => {
  const problemsOf = (pages: Readonly<Record<string, string>>): string[] =>
    linkProblems(repositoryRoot, new Map(Object.entries(pages)));

  it('are refused when they lead to no file, to no heading or out of the repository', () => {
    const page = '[a](missing.md) [b](#no-such-part)\n\n[c](../../out.md) ![d](missing.png) [e](../README.md#none)\n';
    expect(problemsOf({ 'README.md': '# Gatehouse\n', 'docs/page.md': page })).toEqual([
      'docs/page.md:1 links to missing.md, which leads to no file',
      'docs/page.md:1 links to #no-such-part, which leads to no heading of that page',
      'docs/page.md:3 links to ../../out.md, which leads out of the repository',
      'docs/page.md:3 links to missing.png, which leads to no file',
      'docs/page.md:3 links to ../README.md#none, which leads to no heading of that page',
    ]);
  });

  it('may lead to a page that is printed, to sources, and to other sites', () => {
    const page = '[a](printed.md#part) [b](../server/package.json) [c](https://c.example/) `[d](missing.md)`\n';
    expect(problemsOf({ 'docs/page.md': page, 'docs/printed.md': '## Part\n' })).toEqual([]);
  });

  it('lead to pages and sources as they are in the site', () => {
    const addressOf = (target: string): string => addressOfLink(repositoryRoot, 'docs/page.md', target);
    expect(addressOf('../README.md#b')).toBe('/#b');
    expect(addressOf('testing.md')).toBe('/docs/testing.html');
    expect(addressOf('decisions/')).toBe('/docs/decisions/');
    expect(addressOf('../server/package.json')).toBe('/source/server/package.json.html');
    expect(addressOf('../site/.vitepress/config.ts')).toBe('/source/site/_vitepress/config.ts.html');
    expect(addressOf('https://e.example/')).toBe('https://e.example/');
    expect(addressOf('#part')).toBe('#part');
  });
});

describe('The HTML of pages', () => {
  it('is refused when a placeholder or an expression in braces is outside of code', () => {
    const page = 'Open /verify/<token>.\n\n`<token>` `{{ x }}` <https://a.example/> <a id="b"></a>\n\n{{ secret }}\n';
    expect(markupProblems(new Map([['page.md', page]]))).toEqual([
      'page.md:1 has an element <token> outside of code',
      'page.md:5 has two braces outside of code',
    ]);
  });
});

describe('The elements of pages', () => {
  it.each([
    ['Text </div> tail.', 'an element <div> outside of code'],
    ['Text </a> tail.', 'a </a> that closes nothing'],
    ['A <a href="b.md">link', 'a <a> that its paragraph does not close'],
    ['A <a href="b.md">link\n\nover two paragraphs</a>', 'a <a> that its paragraph does not close'],
    ['<figure><a id="b"></figure></a>', 'a </figure> that closes nothing'],
    ['A break</br>', 'a </br> that closes nothing'],
  ])('are refused without their other half: %j', (page, problem) => {
    expect(markupProblems(new Map([['page.md', page]]))[0]).toBe(`page.md:1 has ${problem}`);
  });

  it('may be in each other, and some have no end', () => {
    const page =
      '<figure>\n<picture><source srcset="a.png"><img src="a.png"></picture>\n</figure>\n\n<a id="b"></a>B<br>\n';
    expect(markupProblems(new Map([['page.md', page]]))).toEqual([]);
  });
});

describe('The images of pages', () => {
  it('are files of the repository', () => {
    const page = [
      '![a](a.png) `![b](https://b.example/b.png)` <img src="c.png" alt="https://c.example/"> [d](https://d.example/)',
      '[![e](https://e.example/e.svg)](https://e.example/)',
      '![f][f] ![g](//g.example/g.png)',
      '<img src=\'https://h.example/h.png\'> <source srcset="i.png, //i.example/i.png 2x">',
    ].join('\n');
    expect(markupProblems(new Map([['page.md', page]]))).toEqual(
      [2, 3, 3, 4, 4].map((line) => `page.md:${line} has an image that is no file of the repository`),
    );
  });
});

describe('The pages that are written for the site', () => {
  it('are those from code, and each source or folder that a page links to', async () => {
    const root = await temporaryFolder();
    mkdirSync(join(root, 'server/src'), { recursive: true });
    writeFileSync(join(root, 'server/src/a.ts'), 'const a = `<b>`;\n');
    const page = '[a](../server/src/a.ts) [b](../server/src) [c](page.md)\n';
    writePages(root, new Map([['docs/page.md', page]]), new Map([['docs/printed.md', '# Printed\n']]));
    expect(filesBelow(join(root, printedFolder), '', /./)).toEqual([
      'docs/printed.md',
      'source/server/src.md',
      'source/server/src/a.ts.md',
    ]);
    writePages(root, new Map(), new Map());
    expect(filesBelow(join(root, printedFolder), '', /./)).toEqual([]);
  });
});

describe('The page of the portal', () => {
  it('shows pictures that the gallery takes, and all of them or none', async () => {
    const root = await temporaryFolder();
    const gallery = join(root, 'gallery');
    for (const [audience, shown] of Object.entries(states)) {
      mkdirSync(join(gallery, audience), { recursive: true });
      for (const name of Object.keys(shown).flatMap((title) => namesOf(stateName(audience, title)))) {
        writeFileSync(join(gallery, name), name);
      }
    }
    expect(hasPictures(gallery)).toBe(true);
    const pages = new Map([[portalPage, picturesPage('gallery')]]);
    expect([...linkProblems(root, pages), ...markupProblems(pages)]).toEqual([]);
    const shown = Array.from(picturesPage('gallery').matchAll(/src="([^"]+)"/g), ([, path = '']) => path);
    expect(shown).toHaveLength(48);
    for (const path of shown) expect(existsSync(join(root, printedFolder, 'docs', path))).toBe(true);
    rmSync(join(root, printedFolder, 'docs', shown[0] ?? ''));
    expect(hasPictures(gallery)).toBe(false);
    expect(linkProblems(root, pages)).toEqual([
      expect.stringMatching(/^docs\/the-portal\.md:\d+ .* leads to no file$/),
    ]);
  });
});

describe('The navigation', () => {
  it('lists a page that no section names at the end, and a decision below the page of all', () => {
    const titles = (pages: readonly string[]) =>
      navigationOf(pages).map(({ title, entries }) => [title, entries.map(({ page }) => page)]);
    expect(titles(['README.md', 'docs/decisions/README.md', 'docs/decisions/0001-a.md', 'docs/other.md'])).toEqual([
      ['Begin here', ['README.md']],
      ['Contribute', ['docs/decisions/README.md']],
      ['More', ['docs/other.md']],
    ]);
  });
});
