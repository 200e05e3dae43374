/** Finds the Chromium of the browser tests; with TEST_REQUIRE_BROWSER=1 a missing one fails the run. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first one is headless, and costs a browser test a third less. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const fixedPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Path of the browser, or null. CHROMIUM_PATH comes before an installed one. */
export const findChromium = (env: NodeJS.ProcessEnv = process.env): string | null => {
  const named = env['CHROMIUM_PATH'];
  if (named !== undefined) return isExecutable(named) ? named : null;
  const directories = (env['PATH'] ?? '').split(delimiter).filter((directory) => directory !== '');
  const candidates = names.flatMap((name) => directories.map((directory) => join(directory, name)));
  return [...candidates, ...fixedPlaces].find(isExecutable) ?? null;
};

/** For `describe.skipIf(chromiumPath === null)`, and for Playwright's `executablePath`. */
export const chromiumPath: string | null = findChromium();

export const isBrowserRequired = (env: NodeJS.ProcessEnv = process.env): boolean => env['TEST_REQUIRE_BROWSER'] === '1';
