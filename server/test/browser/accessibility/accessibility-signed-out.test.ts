/** Accessibility of every page and state of a visitor before sign-in. */
import { afterAll, describe, it } from 'vitest';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { visitorConsentStates } from '../../support/browser/consent-states.ts';
import { examine, openExaminedStage } from '../../support/browser/examined-pages.ts';
import { visitorStates } from '../../support/browser/page-states.ts';
import { providerVisitorStates } from '../../support/browser/provider-states.ts';
import { fixture } from '../../support/fixture.ts';

describe.skipIf(chromiumPath === null)('Accessibility, signed out', () => {
  const examined = fixture(openExaminedStage);
  afterAll(() => examined.stage.close());

  const states = { ...visitorStates, ...providerVisitorStates, ...visitorConsentStates };
  // Specification: Portal — No axe findings, phone and wide, of colours also in the dark, signed out
  it.each(Object.entries(states))('has no findings: %s', async (_, show) => {
    await examine(examined.stage, await examined.stage.newVisitor(), show);
  });
});
