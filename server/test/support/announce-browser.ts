/** Runs once before the suite: reports skipped browser tests, and refuses to skip required ones. */
import { chromiumPath, isBrowserRequired } from './browser/chromium.ts';

export const setup = (): void => {
  if (chromiumPath !== null) return;
  const message = 'No Chromium found (nor CHROMIUM_PATH set)';
  if (isBrowserRequired()) throw new Error(`${message}, and TEST_REQUIRE_BROWSER=1 asks for the browser tests`);
  process.stderr.write(`${message}: the browser tests in server/test/browser are skipped.\n`);
};
