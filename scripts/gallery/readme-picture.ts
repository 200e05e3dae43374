/**
 * Makes docs/images/portal.png, the picture of the README, from a running `npm start` with new data: members as an
 * owner, the page of an invitation, and the mailbox in the dark.
 *      node scripts/gallery/readme-picture.ts [http://localhost:4000]
 */
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../server/test/support/browser/chromium.ts';
import { repositoryRoot } from '../report.ts';

const [, , url = 'http://localhost:4000'] = process.argv;
const picture = join(repositoryRoot, 'docs/images/portal.png');

/** Of the demo data. */
const [owner, password] = ['ada@acme.example', 'Demo.gate1'];
const invited = { email: 'noor@acme.example', name: 'Noor Haddad', password: 'Noor.gate1' };

/** A page of a new person, as an image in a `data:` URL. */
const photograph = async (
  browser: Browser,
  options: BrowserContextOptions,
  open: (page: Page) => Promise<unknown>,
): Promise<string> => {
  const context = await browser.newContext({ deviceScaleFactor: 2, colorScheme: 'light', ...options });
  const page = await context.newPage();
  await open(page);
  // The question about analytics, which each new browser is asked.
  const decline = page.getByRole('button', { name: 'Decline' });
  if (await decline.isVisible()) await decline.click();
  await page.evaluate("document.documentElement.style.scrollbarGutter = 'auto'; window.scrollTo(0, 0)");
  await page.evaluate('document.fonts.ready.then(() => true)');
  const image = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  await context.close();
  return `data:image/png;base64,${image.toString('base64')}`;
};

const openMembers = async (page: Page): Promise<void> => {
  await page.goto(`${url}/signin?redirect=/members`);
  await page.locator('input[type=email]').fill(owner);
  await page.locator('input[type=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText(invited.email, { exact: true }).waitFor();
};

const openInvitation = async (page: Page): Promise<void> => {
  await page.goto(`${url}/dev/mailbox`);
  const mail = page.locator('article', { hasText: invited.email });
  await page.goto((await mail.locator('a[href*="/invitation/"]').first().getAttribute('href')) ?? '');
  await page.getByLabel('Name').fill(invited.name);
  await page.locator('input[type=password]').fill(invited.password);
};

const openMailbox = async (page: Page): Promise<void> => {
  await page.goto(`${url}/dev/mailbox`);
  await page.evaluate("document.querySelector('details').open = true");
  await page.locator('iframe').first().contentFrame().locator('a').first().waitFor();
};

const browser = await chromium.launch({
  executablePath: findChromium() ?? '',
  args: ['--no-sandbox', '--hide-scrollbars'],
});
try {
  const members = await photograph(browser, { viewport: { width: 960, height: 1024 } }, openMembers);
  const invitation = await photograph(browser, { viewport: { width: 1160, height: 701 } }, openInvitation);
  const dark = { colorScheme: 'dark', viewport: { width: 1000, height: 652 } } as const;
  const mailbox = await photograph(browser, dark, openMailbox);
  const page = await browser.newPage({ viewport: { width: 1600, height: 960 } });
  await page.setContent(`<style>
    body { margin: 0; background: #e4e1ee }
    img { position: absolute; border-radius: 14px; box-shadow: 0 10px 40px #2a1d5229 }
  </style>
  <img src="${members}" style="left: 48px; top: 48px; width: 810px; height: 864px">
  <img src="${invitation}" style="left: 890px; top: 48px; width: 662px; height: 400px">
  <img src="${mailbox}" style="left: 890px; top: 480px; width: 662px; height: 432px">`);
  await page.screenshot({ path: picture });
} finally {
  await browser.close();
}
