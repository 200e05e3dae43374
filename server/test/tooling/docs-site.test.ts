/** The documentation as a site: every page is built, every link leads somewhere, and nothing loads from elsewhere. */
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { navigationOf } from '../../../scripts/docs/navigation.ts';
import { copyPictures, hasPictures, picturesPage } from '../../../scripts/docs/pictures.ts';
import { siteProblems } from '../../../scripts/docs/problems.ts';
import { renderPage } from '../../../scripts/docs/render.ts';
import { siteServer } from '../../../scripts/docs/serve.ts';
import { buildSite } from '../../../scripts/docs/site.ts';
import { looks, pictureName, stateName } from '../../../scripts/gallery/pictures.ts';
import { printedPages } from '../../../scripts/printing/printed-pages.ts';
import { repositoryRoot } from '../../../scripts/report.ts';
import { filesBelow } from '../../../scripts/source-files.ts';
import { states } from '../support/browser/states/all-states.ts';
import { RawConnection } from '../support/clients/raw-http.ts';
import { fixture, testFixture } from '../support/fixture.ts';

const namesOf = (state: string): readonly string[] => looks.map((look) => pictureName(state, look));

describe('The site of the documentation', () => {
  const built = fixture(
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'gatehouse-site-'));
      const site = join(folder, 'site');
      const result = await buildSite({ root: repositoryRoot, site, pictures: join(folder, 'no-pictures') });
      return { folder, site, result };
    },
    ({ folder }) => rmSync(folder, { recursive: true }),
  );
  const read = (place: string): string => readFileSync(join(built.site, place), 'utf8');

  it('has each page of the repository, without the portal when there are no pictures of it', () => {
    const printed = Object.keys(printedPages).length;
    expect(built.result).toEqual({
      pages: filesBelow(repositoryRoot, '', /\.md$/).length + printed,
      hasPortal: false,
    });
    for (const place of ['index.html', 'docs/decisions/index.html', 'packages/client/index.html', 'CHANGELOG.html']) {
      expect(read(place)).toContain('<nav class="pages"');
    }
    expect(read('index.html')).not.toContain('the-portal.html');
  });

  it('has the pages that are printed from code, in its navigation and its search', () => {
    expect(read('docs/traceability.html')).toContain('<h2 id="credential-pair">');
    expect(read('docs/mutants.html')).toContain('<td>An operation that needs a scope is refused without it.</td>');
    for (const place of ['docs/traceability.html', 'docs/mutants.html']) {
      expect(read('index.html')).toContain(`<a href="${place}">`);
      expect(read('search.js')).toContain(`"id":"${place}","page":`);
    }
    expect(read('search.js')).toContain('"id":"docs/traceability.html#credential-pair"');
  });

  it('leads from every link, anchor and image to its target, and loads nothing from elsewhere', () => {
    expect(siteProblems(built.site)).toEqual([]);
  });

  it('is checked by a check that finds what leads nowhere or elsewhere', () => {
    const page = join(built.site, 'broken.html');
    writeFileSync(
      page,
      `<a href="missing.html">a</a><a href="index.html#no-such-part">b</a><a href="../out.html">c</a>
<img src="missing.png"><script src="https://cdn.example/a.js"></script><link rel="stylesheet" href="//cdn.example/a.css">`,
    );
    try {
      expect(siteProblems(built.site)).toEqual([
        'broken.html loads https://cdn.example/a.js from elsewhere',
        'broken.html loads //cdn.example/a.css from elsewhere',
        ...['missing.html', 'index.html#no-such-part', '../out.html', 'missing.png'].map(
          (link) => `broken.html links to ${link}, which is not in the site`,
        ),
      ]);
    } finally {
      rmSync(page);
    }
  });

  it('shows a source that a page links to, and escapes it', () => {
    expect(read('docs/architecture.html')).toContain('href="../source/server/src/');
    expect(read('source/server/src/kernel/errors.ts.html')).toContain('&gt;');
  });

  it('has a search entry for each section', () => {
    expect(read('search.js')).toContain('"id":"docs/operations.html#a-person-who-is-locked-out","page":"Operations"');
  });

  it('begins with a way for each kind of reader', () => {
    const cards = /<ul class="readers">.*?<\/ul>/s.exec(read('index.html'))?.[0] ?? '';
    const titles = Array.from(cards.matchAll(/<strong>(.*?)<\/strong>/g), ([, title]) => title);
    expect(titles).toEqual([
      'Build an application',
      'Run it in production',
      'Answer at night',
      'Own an organization',
      'Look a rule up',
      'Contribute',
    ]);
  });

  it('is served with types, and nothing outside of it is', async () => {
    const server = siteServer(built.site).listen(0, '127.0.0.1');
    await testFixture({ close: () => server.close() });
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const index = await fetch(`${origin}/docs/decisions/`);
    expect([index.status, index.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    for (const path of ['/missing.html', '/..%2f..%2fetc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/%00', '/%ff']) {
      expect((await fetch(`${origin}${path}`)).status).toBe(404);
    }
  });

  it('is served whatever the target of a request is', async () => {
    const server = siteServer(built.site).listen(0, '127.0.0.1');
    await testFixture({ close: () => server.close() });
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const statusOf = async (target: string): Promise<string | undefined> => {
      const connection = await RawConnection.open(origin);
      connection.write(`GET ${target} HTTP/1.1\r\nHost: site\r\nConnection: close\r\n\r\n`);
      return /^HTTP\/1\.1 (\d+)/.exec(await connection.closed())?.[1];
    };
    for (const target of ['//', '/', `${origin}/index.html`, '//index.html', '///', '/?//']) {
      expect([target, await statusOf(target)]).toEqual([target, '200']);
    }
    for (const target of ['//[', '//missing/', 'http://[/', '*']) {
      expect([target, await statusOf(target)]).toEqual([target, '404']);
    }
  });
});

describe('The page of the portal', () => {
  it('shows pictures that the gallery takes, and all of them or none', async () => {
    const root = mkdtempSync(join(tmpdir(), 'gatehouse-portal-'));
    await testFixture({ close: () => rmSync(root, { recursive: true }) });
    const [gallery, site] = [join(root, 'gallery'), join(root, 'site')];
    for (const [audience, shown] of Object.entries(states)) {
      mkdirSync(join(gallery, audience), { recursive: true });
      for (const name of Object.keys(shown).flatMap((title) => namesOf(stateName(audience, title)))) {
        writeFileSync(join(gallery, name), name);
      }
    }
    expect(hasPictures(gallery)).toBe(true);
    copyPictures(gallery, site);
    const shown = Array.from(picturesPage().html.matchAll(/(?:src|srcset)="([^"]+)"/g), ([, path = '']) => path);
    expect(shown).toHaveLength(48);
    for (const path of shown) expect(existsSync(join(site, 'docs', path))).toBe(true);
    rmSync(join(gallery, shown[0]?.replace('portal/', '') ?? ''));
    expect(hasPictures(gallery)).toBe(false);
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

describe('A page', () => {
  const render = (markdown: string) => renderPage(repositoryRoot, 'docs/page.md', markdown);

  it('gives a repeated heading an anchor of its own', () => {
    expect(render('# A\n\n## B `c`\n\n## B `c`\n').headings.map(({ anchor }) => anchor)).toEqual(['a', 'b-c', 'b-c-1']);
  });

  it('links to pages and sources as they are in the site', () => {
    const { html, files } = render(
      '[a](../README.md#b) [c](decisions/) [d](../server/package.json) [e](https://e.example/)',
    );
    expect(Array.from(html.matchAll(/href="([^"]*)"/g), ([, href]) => href)).toEqual([
      '../index.html#b',
      'decisions/index.html',
      '../source/server/package.json.html',
      'https://e.example/',
    ]);
    expect(files).toEqual(['README.md', 'docs/decisions/README.md', 'server/package.json']);
  });

  it('escapes code, of known and of unknown languages', () => {
    expect(render('```ts\na<b>()\n```\n\n```nginx\n<b>\n```\n').html).not.toContain('<b>');
  });
});
