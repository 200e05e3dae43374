/** Accessibility of every page and state of a signed-in user. */
import { afterAll, describe, it } from 'vitest';
import { states } from '../../support/browser/all-states.ts';
import { signedInVisitor } from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { examine, openExaminedStage } from '../../support/browser/examined-pages.ts';
import { fixture } from '../../support/fixture.ts';

describe.skipIf(chromiumPath === null)('Accessibility, signed in', () => {
  const examined = fixture(openExaminedStage);
  afterAll(() => examined.stage.close());
  // Specification: Portal — No axe findings, phone and wide, of colours also in the dark, signed in
  it.each(Object.entries(states.person))('has no findings: %s', async (_, show) => {
    await examine(examined.stage, await signedInVisitor(examined.stage, examined.email), show);
  });
});
