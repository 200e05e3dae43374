/** Accessibility of every page and state of a signed-in user. */
import { afterAll, describe, it } from 'vitest';
import { signedInVisitor } from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { personConsentStates } from '../../support/browser/consent-states.ts';
import { examine, openExaminedStage } from '../../support/browser/examined-pages.ts';
import { personStates } from '../../support/browser/page-states.ts';
import { providerPersonStates } from '../../support/browser/provider-states.ts';
import { fixture } from '../../support/fixture.ts';

describe.skipIf(chromiumPath === null)('Accessibility, signed in', () => {
  const examined = fixture(openExaminedStage);
  afterAll(() => examined.stage.close());

  const states = { ...personStates, ...providerPersonStates, ...personConsentStates };
  // Specification: Portal — No axe findings, phone and wide, of colours also in the dark, signed in
  it.each(Object.entries(states))('has no findings: %s', async (_, show) => {
    await examine(examined.stage, await signedInVisitor(examined.stage, examined.email), show);
  });
});
