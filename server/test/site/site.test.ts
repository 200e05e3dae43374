/**
 * The site of the documentation as a reader has it: what `npm run docs -- --build` has built is served as
 * `npm run docs` serves it, and in Chromium it is searched, shown in either scheme, and loads nothing from elsewhere.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasPictures } from '../../../scripts/docs/pictures.ts';
import { picturesFolder } from '../../../scripts/gallery/gallery.ts';
import { printedPages } from '../../../scripts/printing/printed-pages.ts';
import { repositoryRoot } from '../../../scripts/report.ts';
import { filesBelow } from '../../../scripts/source-files.ts';
import { findings, overflowAt360 } from '../support/browser/accessibility.ts';
import { openBrowser } from '../support/browser/browsing.ts';
import { chromiumPath } from '../support/browser/chromium.ts';
import { fixture } from '../support/fixture.ts';
import { freePort } from '../support/servers/listen.ts';

/** One of each kind: cards and an image, code, tables, a list of all decisions, a printed page, a source. */
const kinds = [
  '',
  'docs/afternoon.html',
  'docs/configuration.html',
  'docs/comparison.html',
  'docs/decisions/',
  'docs/mutants.html',
  'source/server/package.json.html',
];

const dist = join(repositoryRoot, 'site/dist');

/** The server of the built site, once it listens. @throws Error with its output when it ends before */
const startSite = async () => {
  const port = await freePort();
  const site = spawn(process.execPath, ['node_modules/vite/bin/vite.js', 'preview', '--port', String(port)], {
    cwd: join(repositoryRoot, 'site'),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(site, 'exit');
  let output = '';
  const url = `http://127.0.0.1:${port}/`;
  await new Promise<void>((resolve, reject) => {
    const read = (text: Buffer): void => {
      output += text.toString();
      if (output.includes(url)) resolve();
    };
    site.stdout.on('data', read);
    site.stderr.on('data', read);
    exited.then(() => reject(new Error(`The server of the site has ended:\n${output}`)), reject);
  });
  const close = async (): Promise<void> => {
    site.kill();
    await exited;
  };
  return { url, close };
};

describe.skipIf(chromiumPath === null)('The site of the documentation', () => {
  const site = fixture(startSite);
  const browsing = fixture(openBrowser);

  const open = async (place: string): Promise<Page> => {
    const { page } = await browsing.newVisitor(site.url);
    await page.goto(place, { waitUntil: 'networkidle' });
    return page;
  };

  it('has each page of the repository and those that are printed, and no other but sources', () => {
    const pages = filesBelow(dist, '', /\.html$/).filter((place) => !/^source\/|^404/.test(place));
    const ofPictures = hasPictures(picturesFolder(join(repositoryRoot, 'gallery'), 'en')) ? 1 : 0;
    const files = filesBelow(repositoryRoot, '', /\.md$/).length;
    expect(pages).toHaveLength(files + Object.keys(printedPages).length + ofPictures);
    expect(pages).toEqual(
      expect.arrayContaining(['index.html', 'docs/decisions/index.html', 'docs/traceability.html', 'CHANGELOG.html']),
    );
  });

  it('has what each of its pages links to and loads', () => {
    const files = new Set(filesBelow(dist, '', /./).map((file) => `/${file}`));
    const missing = filesBelow(dist, '', /\.html$/).flatMap((page) =>
      Array.from(readFileSync(join(dist, page), 'utf8').matchAll(/\s(?:href|src)="(\/[^"#?]*)/g), ([, target = '']) =>
        files.has(decodeURIComponent(target.replace(/\/$/, '/index.html'))) ? [] : [`${page} names ${target}`],
      ).flat(),
    );
    expect(files.size).toBeGreaterThan(250);
    expect(missing).toEqual([]);
  });

  it('is served with types, and says what is missing', async () => {
    const index = await fetch(`${site.url}docs/decisions/`);
    expect([index.status, index.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/html\b/)]);
    for (const path of ['missing.html', '..%2f..%2fetc/passwd', '%2e%2e/%2e%2e/etc/passwd']) {
      expect((await fetch(`${site.url}${path}`)).status).toBe(404);
    }
  });

  it('survives a target without a path, and one that is no text', async () => {
    const { hostname, port } = new URL(site.url);
    for (const target of ['//', '//?x', '/%', '//%']) {
      const socket = connect(Number(port), hostname);
      socket.write(`GET ${target} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`);
      expect(await text(socket), target).toMatch(/^HTTP\/1\.1 [245]/);
    }
    expect((await fetch(`${site.url}docs/decisions/`)).status).toBe(200);
  });

  it.each(kinds)('has no findings and is not wider than a phone: /%s', async (place) => {
    const page = await open(place);
    expect(await findings(page)).toEqual([]);
    expect(await overflowAt360(page)).toBe(0);
  });

  it('begins with a way for each kind of reader', async () => {
    const page = await open('');
    const titles = await page.locator('.readers li strong').allTextContents();
    expect(titles).toEqual([
      'Build an application',
      'Run it in production',
      'Answer at night',
      'Own an organization',
      'Look a rule up',
      'Contribute',
    ]);
    await page.locator('.readers').getByRole('link', { name: 'Run it in production' }).click();
    await page.getByRole('heading', { level: 1, name: 'Operations' }).waitFor();
  });

  it('shows the pages that are printed from code in its navigation', async () => {
    const page = await open('');
    const navigation = page.getByRole('navigation', { name: 'Sidebar Navigation' });
    for (const name of ['Index', 'From the contract to the tests', 'Mutants']) {
      await navigation.getByRole('link', { name, exact: true }).waitFor();
    }
    await navigation.getByRole('link', { name: 'Mutants' }).click();
    await page.getByRole('cell', { name: 'An operation that needs a scope is refused without it.' }).waitFor();
  });

  it('shows a source that a page links to', async () => {
    const page = await open('docs/added-routes.html');
    await page.getByRole('link', { name: 'gatehouse.d.ts' }).first().click();
    await page.waitForURL('**/source/server/src/gatehouse.d.ts.html');
    await page.getByText('export declare function startGatehouse(added?: AddedParts): Promise<Gatehouse>;').waitFor();
  });

  it('finds a section by its words, leads there by keyboard alone, and loads nothing but its own files', async () => {
    const { page, context } = await browsing.newVisitor(site.url);
    const urls: string[] = [];
    context.on('request', (request) => urls.push(request.url()));
    await page.goto('docs/afternoon.html', { waitUntil: 'networkidle' });
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox').fill('person locked out');
    await page
      .getByRole('option', { name: /A person who is locked out/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/operations.html#a-person-who-is-locked-out');
    await page.getByRole('heading', { level: 2, name: 'A person who is locked out' }).waitFor();
    expect(urls.filter((url) => !url.startsWith(site.url) && !url.startsWith('data:'))).toEqual([]);
  });

  it('finds what is printed, and says when nothing is found', async () => {
    const page = await open('');
    await page.keyboard.press('/');
    await page.getByRole('searchbox').fill('contract to the tests credential pair');
    await page
      .getByRole('option', { name: /From the contract to the tests.*Credential pair/s })
      .first()
      .waitFor();
    await page.getByRole('searchbox').fill('xylophonist');
    await page.getByText('No results for').waitFor();
  });

  it('has the scheme of the reader’s system, and the one that the reader chooses', async () => {
    const page = await open('');
    await page.emulateMedia({ colorScheme: 'dark' });
    const background = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await expect.poll(background).toBe('rgb(27, 27, 31)');
    await page.getByRole('switch').first().click();
    await expect.poll(background).toBe('rgb(255, 255, 255)');
  });

  it('copies a command', async () => {
    const { page, context } = await browsing.newVisitor(site.url);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('', { waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Copy Code' }).first().click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('npm start');
  });

  it('has its pages behind a button on a phone', async () => {
    const page = await open('docs/limits.html');
    await page.setViewportSize({ width: 390, height: 844 });
    const link = page.getByRole('link', { name: 'Upgrading', exact: true }).first();
    await page.getByRole('button', { name: 'Menu' }).click();
    await link.click();
    await page.getByRole('heading', { level: 1, name: 'Upgrading' }).waitFor();
  });
});
