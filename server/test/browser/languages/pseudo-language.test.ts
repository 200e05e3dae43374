/**
 * Every page and state in the pseudo-language and in Arabic: all text is a message, and nothing is wider than the
 * screen.
 */
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { signedInVisitor, type Visitor } from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { clientStates } from '../../support/browser/client-states.ts';
import { personConsentStates, visitorConsentStates } from '../../support/browser/consent-states.ts';
import { consoleStates } from '../../support/browser/console-states.ts';
import { openExaminedStage } from '../../support/browser/examined-pages.ts';
import { collectData, overflowAt, switchTo, untranslated } from '../../support/browser/languages.ts';
import { mcpStates } from '../../support/browser/mcp-states.ts';
import { personStates, type Show, visitorStates } from '../../support/browser/page-states.ts';
import { providerPersonStates, providerVisitorStates } from '../../support/browser/provider-states.ts';
import { superAdminStates } from '../../support/browser/super-admin-states.ts';
import { tokenStates } from '../../support/browser/token-states.ts';
import { fixture } from '../../support/fixture.ts';

/** An open menu follows its button some frames after the width or the direction has changed. */
const fitsIn = (page: Page, width: number): Promise<void> => expect.poll(() => overflowAt(page, width)).toBe(0);

describe.skipIf(chromiumPath === null)('Languages', () => {
  const examined = fixture(openExaminedStage);
  afterAll(() => examined.stage.close());

  const examine = async (visitor: Visitor, show: Show): Promise<void> => {
    const { page } = visitor;
    const dataOf = collectData(visitor);
    // The state before left its language with the account.
    await examined.stage.service.sql('UPDATE users SET language = NULL');
    await show(page, examined.stage);
    // A mail, which the server writes.
    if (page.url() === 'about:blank' || page.url().includes('/dev/mailbox')) return;
    await switchTo(page, 'en-XA');
    expect(await untranslated(page, await dataOf())).toEqual([]);
    await fitsIn(page, 360);
    await switchTo(page, 'ja');
    await fitsIn(page, 360);
    await switchTo(page, 'ar');
    await fitsIn(page, 360);
    await fitsIn(page, 1280);
  };

  it.each(Object.entries({ ...visitorStates, ...providerVisitorStates, ...visitorConsentStates }))(
    'find nothing untranslated or too wide before the sign-in: %s',
    async (_, show) => examine(await examined.stage.newVisitor(), show),
  );

  it.each(
    Object.entries({
      ...personStates,
      ...providerPersonStates,
      ...personConsentStates,
      ...tokenStates,
      ...clientStates,
    }),
  )('find nothing untranslated or too wide: %s', async (_, show) =>
    examine(await signedInVisitor(examined.stage, examined.email), show),
  );

  it.each(Object.entries({ ...superAdminStates, ...consoleStates, ...mcpStates }))(
    'find nothing untranslated or too wide for a super admin: %s',
    async (_, show) => examine(await signedInVisitor(examined.stage, examined.superAdmin), show),
  );
});
