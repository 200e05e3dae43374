/** Consent of a super admin in a browser: from the client's link through the sign-in to the question, and back. */

import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSuperAdminAccount } from '../../support/actors/super-admins.ts';
import { findings, overflowAt360 } from '../../support/browser/accessibility.ts';
import { button, expireAccess, fillSignIn, heading, openStage } from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { tabTo } from '../../support/browser/keyboard.ts';
import type { Visitor } from '../../support/browser/visitors.ts';
import { authorizationQuery, registerClient } from '../../support/clients/authorization.ts';
import { register } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';
import { listen } from '../../support/servers/listen.ts';

/** A client on this computer: listens, and keeps the received requests. */
interface Listener {
  readonly redirectUri: string;
  readonly reported: Readonly<Record<string, string>>[];
  close(): Promise<void>;
}

const listenAsClient = async (): Promise<Listener> => {
  const reported: Record<string, string>[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (pathname === '/callback') reported.push(Object.fromEntries(searchParams));
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><link rel="icon" href="data:,"><h1>Back</h1>');
  });
  const { url, close } = await listen(server);
  return { redirectUri: `${url}/callback`, reported, close };
};

describe.skipIf(chromiumPath === null).each(['one origin', 'two origins'] as const)(
  'Consent in a browser, %s',
  (portal) => {
    let clientId: string;
    const stage = fixture(() => openStage({ portal }));
    const listener = fixture(listenAsClient);
    beforeAll(async () => {
      clientId = await registerClient(stage.service, 'Test Client', ['http://127.0.0.1/callback']);
    });

    const link = (state: string, changes = {}): string => {
      const query = authorizationQuery(clientId, { redirect_uri: listener.redirectUri, state, ...changes });
      return `${stage.service.url}/auth/mcp/authorize?${query}`;
    };

    const isAsked = (page: Page): Promise<void> => heading(page, 'Allow Test Client to act for you?').waitFor();
    const isBack = (page: Page): Promise<void> => heading(page, 'Back').waitFor();
    const reportedOf = (state: string) => listener.reported.filter((answer) => answer['state'] === state);

    /** A super admin at the question, after the portal's sign-in. */
    const signInAndBeAsked = async (state: string, changes = {}): Promise<Visitor> => {
      const email = await createSuperAdminAccount(stage.service);
      const visitor = await stage.newVisitor();
      await visitor.page.goto(link(state, changes));
      await heading(visitor.page, 'Sign in').waitFor();
      await fillSignIn(visitor.page, email);
      await isAsked(visitor.page);
      return visitor;
    };

    // Contract: platform-mcp#signed-out-browser — The portal navigates with a full page load, and back to the client
    it('leads from the client through the sign-in to the question, and back with a code', async () => {
      const { page } = await signInAndBeAsked('allowed');
      await button(page, 'Allow').click();
      await isBack(page);
      expect(reportedOf('allowed')).toEqual([
        { code: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as unknown, state: 'allowed', iss: stage.service.url },
      ]);
    });

    it('leads back with access_denied when the person refuses', async () => {
      const { page } = await signInAndBeAsked('refused');
      await button(page, 'Refuse').click();
      await isBack(page);
      expect(reportedOf('refused')).toEqual([
        expect.objectContaining({ error: 'access_denied', state: 'refused', iss: stage.service.url }),
      ]);
    });

    it('shows the question at once to a signed-in user', async () => {
      const { page } = await signInAndBeAsked('first');
      await page.goto(link('second'));
      await isAsked(page);
      await button(page, 'Allow').click();
      await isBack(page);
      expect(reportedOf('second')).toHaveLength(1);
      expect(reportedOf('first')).toEqual([]);
    });

    // Contract: platform-mcp#signed-out-browser — An expired access token on the way
    it('renews an expired access token by itself, and returns without a loop', async () => {
      const { page, context, ...visitor } = await signInAndBeAsked('expired');
      const visits: string[] = [];
      context.on('request', (request) => {
        if (request.isNavigationRequest()) visits.push(new URL(request.url()).pathname.replace(/[^/]{36}$/, 'id'));
      });
      await expireAccess(stage.service);
      await page.goto(link('renewed'));
      await isAsked(page);
      expect(visits).toEqual(['/auth/mcp/authorize', '/signin', '/auth/mcp/continue/id']);
      expect(visitor.count('RefreshAccess')).toBe(1);

      await expireAccess(stage.service);
      await button(page, 'Allow').click();
      await page.waitForURL(/continue/);
      await isAsked(page);
      expect(reportedOf('renewed')).toEqual([]);
      await button(page, 'Allow').click();
      await isBack(page);
      expect(reportedOf('renewed')).toHaveLength(1);
    });

    /** A person who is not a super admin, at the page that explains it. */
    const seesTheAccount = async (page: Page, state: string): Promise<void> => {
      await page.goto(link(state));
      await fillSignIn(page, await register(stage.service));
      await heading(page, 'Only a super admin can connect Test Client').waitFor();
      expect(reportedOf(state)).toEqual([]);
    };

    it('leads a person who is not a super admin back with access_denied once they cancel', async () => {
      const { page } = await stage.newVisitor();
      await seesTheAccount(page, 'person');
      await examine(page);
      await button(page, 'Cancel').click();
      await isBack(page);
      expect(reportedOf('person')).toEqual([expect.objectContaining({ error: 'access_denied' })]);
    });

    // Contract: platform-mcp#accounts-without-super-admin — A person who is not a super admin uses another account, in
    //   a browser
    it('leads a person who is not a super admin through the sign-in to the same question with another account', async () => {
      const { page } = await stage.newVisitor();
      await seesTheAccount(page, 'switched');
      await button(page, 'Use another account').click();
      await heading(page, 'Sign in').waitFor();
      await fillSignIn(page, await createSuperAdminAccount(stage.service));
      await isAsked(page);
      await button(page, 'Allow').click();
      await isBack(page);
      expect(reportedOf('switched')).toEqual([expect.objectContaining({ state: 'switched', iss: stage.service.url })]);
      expect(reportedOf('switched')[0]).toHaveProperty('code');
    });

    it('says, after going back, that the question is already answered', async () => {
      const visitor = await signInAndBeAsked('again');
      const { page } = visitor;
      await button(page, 'Allow').click();
      await isBack(page);
      visitor.forgiveComplaints();
      await page.goBack();
      await heading(page, 'This request is already answered').waitFor();
      await examine(page);
      expect(reportedOf('again')).toHaveLength(1);
    });

    it('cannot be answered from a frame', async () => {
      const visitor = await signInAndBeAsked('framed');
      visitor.forgiveComplaints();
      const address = visitor.page.url();
      await visitor.page.goto(`${listener.redirectUri.replace('/callback', '/')}`);
      await visitor.page.setContent(`<iframe src="${address}"></iframe>`);
      await expect.poll(() => visitor.page.frames()[1]?.url()).toMatch(/^(chrome-error:|about:blank)/);
    });

    const examine = async (page: Page): Promise<void> => {
      expect(await findings(page)).toEqual([]);
      expect(await overflowAt360(page)).toBe(0);
    };

    it('has no findings of accessibility where the client has a metadata document', async () => {
      const [url = ''] = stage.service.config.mcp.clientMetadataAllowList;
      await stage.service.sql(
        `INSERT INTO oauth_clients (id, name, redirect_uris, metadata_url, document_fresh_until)
         VALUES (gen_random_uuid(), 'Test Client', $1, $2, now() + interval '1 day')`,
        [['http://127.0.0.1/callback'], url],
      );
      const { page } = await signInAndBeAsked('documented', { client_id: url });
      await page.getByText(`A document at ${new URL(url).host} describes this client`).waitFor();
      await examine(page);
      await button(page, 'Allow').click();
      await isBack(page);
      expect(reportedOf('documented')).toHaveLength(1);
    });

    it('has no findings of accessibility: question and refusal', async () => {
      const visitor = await signInAndBeAsked('seen');
      const { page } = visitor;
      await examine(page);
      // The browser itself logs answers of 400 and above.
      visitor.forgiveComplaints();
      await page.goto(link('unseen', { redirect_uri: 'https://elsewhere.example/' }));
      await heading(page, 'This client cannot be answered').waitFor();
      await examine(page);
    });

    it('ignores clicks in the first moment, so that a double click from another page does not answer it', async () => {
      const { page } = await signInAndBeAsked('double');
      const clickable = await button(page, 'Allow').evaluate((element: HTMLElement) => {
        element.scrollIntoView();
        // Counts from the time the page was shown.
        element.style.animation = 'none';
        element.getBoundingClientRect();
        element.style.animation = '';
        const isOnTop = (): boolean => {
          const { x, y, width, height } = element.getBoundingClientRect();
          return document.elementFromPoint(x + width / 2, y + height / 2) === element;
        };
        const begun = isOnTop();
        for (const animation of element.getAnimations()) animation.finish();
        return { begun, over: isOnTop() };
      });
      expect(clickable).toEqual({ begun: false, over: true });
    });

    it('can be answered by keyboard alone', async () => {
      const { page } = await signInAndBeAsked('keys');
      await tabTo(page, button(page, 'Allow'));
      await page.keyboard.press('Enter');
      await isBack(page);
      expect(reportedOf('keys')).toHaveLength(1);
    });
  },
);
