import { chromium } from 'playwright-core';
const [,, out, password, ...paths] = process.argv;
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: ['--no-sandbox'] });
for (const [name, viewport, scheme] of [['wide', { width: 1280, height: 860 }, 'light'], ['phone', { width: 390, height: 844 }, 'dark'],['widedark', { width: 1280, height: 860 }, 'dark']]) {
  const context = await browser.newContext({ viewport, colorScheme: scheme, locale: process.env.LOCALE ?? 'en-GB' });
  const page = await context.newPage();
  page.on('console', (m) => m.type() === 'error' && console.log('console', m.text()));
  await page.goto('http://localhost:4000/signin');
  await page.getByLabel('E-mail').fill(process.env.EMAIL ?? 'admin@example.com');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.locator('form button[type=submit]').click();
  await page.waitForURL('http://localhost:4000/');
  for (const path of paths) {
    let [url, act] = path.split('@@');
    if (url.includes('$FIRST')) url = new URL(await page.locator('main table a').first().getAttribute('href'), page.url()).pathname;
    await page.goto('http://localhost:4000' + url);
    await page.waitForTimeout(900);
    if (act) { await (new Function('page', `return (async () => {${act}})()`))(page); await page.waitForTimeout(700); }
    await page.screenshot({ path: `${out}/${name}-${paths.indexOf(path)}.png` });
  }
  await context.close();
}
await browser.close();
