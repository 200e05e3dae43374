/**
 * Takes the pictures of `npm run gallery`: each state of each page is one test, which fails when it cannot be shown.
 */
import { describe, it } from 'vitest';
import { isSelected, stateName } from '../../../scripts/gallery/pictures.ts';
import { openBrowser } from '../support/browser/browsing.ts';
import { photograph, type Subject } from '../support/browser/photographs.ts';
import { states } from '../support/browser/states/all-states.ts';
import { fixture } from '../support/fixture.ts';

const { GALLERY_FOLDER: folder, GALLERY_ONLY: only = null, GALLERY_LANGUAGE: language = 'en' } = process.env;

const subjects = (['visitor', 'person', 'super-admin'] as const).flatMap((audience) =>
  Object.entries(states[audience]).map(([title, show]): Subject => ({ audience, title, show })),
);

describe.skipIf(folder === undefined)('The gallery', () => {
  const browsing = fixture(openBrowser);

  it.for(subjects.filter(({ audience, title }) => isSelected(stateName(audience, title), only)))(
    'has pictures: $audience, $title',
    (subject) => photograph(browsing, subject, { folder: folder ?? '', language }),
  );
});
