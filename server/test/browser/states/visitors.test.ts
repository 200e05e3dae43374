/** Every page and state of a visitor before the sign-in. */
import { describe, it } from 'vitest';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { openExamination, statesOf } from '../../support/browser/examined-pages.ts';
import { fixture } from '../../support/fixture.ts';

describe.skipIf(chromiumPath === null)('A state before the sign-in', () => {
  const examination = fixture(() => openExamination('visitor'));

  // Contract: portal#accessibility-of-pages — No axe findings, phone and wide, of colours also in the dark, signed out
  it.each(statesOf('visitor'))('has no findings, fits, and is a message in every language: %s', async (_, show) => {
    await examination.examine(show);
  });
});
