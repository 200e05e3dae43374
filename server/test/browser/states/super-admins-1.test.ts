/** Every other page and state of a super admin: accessible, translated, and no wider than the screen. */
import { describe, it } from 'vitest';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { openExamination, statesOf } from '../../support/browser/examined-pages.ts';
import { fixture } from '../../support/fixture.ts';

describe.skipIf(chromiumPath === null)('A state of a super admin', () => {
  const examination = fixture(() => openExamination('super-admin'));

  // Contract: portal#accessibility-of-pages — No axe findings, phone and wide, of colours also in the dark, of a super
  //   admin
  it.each(statesOf('super-admin', { each: 2 }))(
    'has no findings, fits, and is a message in every language: %s',
    async (_, show) => {
      await examination.examine(show);
    },
  );
});
