/** Pages at another address than that of the portal, and what new-password fields tell password managers. */
import { describe, expect, it } from 'vitest';
import { field, isSignInPage, openStage } from '../support/browser/browser.ts';
import { chromiumPath } from '../support/browser/chromium.ts';
import { fixture } from '../support/fixture.ts';

describe.skipIf(chromiumPath === null)('The portal', () => {
  const stage = fixture(openStage);

  it('says that a page was opened at another address, and leads to the same page at the right one', async () => {
    const right = new URL(stage.service.portalUrl);
    const wrong = new URL('/signin?redirect=/members', right);
    wrong.hostname = right.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
    const { page } = await stage.newVisitor();
    await page.goto(wrong.href);
    await isSignInPage(page);
    await page.getByText('This is not the address of this service').waitFor();
    await page.getByRole('link', { name: right.origin }).click();
    await page.waitForURL(`${right.origin}/signin?redirect=/members`);
    await isSignInPage(page);
    expect(await page.getByText('This is not the address of this service').count()).toBe(0);
  });

  it('tells password managers the rules of a new password, and none for the present one', async () => {
    const { page } = await stage.newVisitor();
    await page.goto('/signup');
    expect(await field(page, 'Password').getAttribute('passwordrules')).toBe(
      'minlength: 8; maxlength: 40; required: upper; required: lower; required: digit; required: [@.#$!%*?&]; allowed: ascii-printable;',
    );
    await page.goto('/signin');
    expect(await field(page, 'Password').getAttribute('passwordrules')).toBeNull();
  });
});
