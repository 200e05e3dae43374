/** What a page can read and what another site can do: no secret, no foreign code, no action in a person's name. */

import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  button,
  field,
  fillSignIn,
  heading,
  isHome,
  liveFamilies,
  openStage,
  signInNewPerson,
} from '../support/browser/browser.ts';
import { chromiumPath } from '../support/browser/chromium.ts';
import { register } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { listen } from '../support/servers/listen.ts';

describe.skipIf(chromiumPath === null)('The session of a person', () => {
  const stage = fixture(openStage);

  // Contract: portal#secrets-in-browsers — No session secret in browser storage; httpOnly, Lax
  it('lives in two cookies that are HttpOnly and Lax and unreadable by the page', async () => {
    const visitor = await stage.newVisitor();
    const { page } = visitor;
    await page.goto('/signin');
    await fillSignIn(page, await register(stage.service));
    await isHome(page);
    const cookies = await visitor.context.cookies();
    expect(cookies.map(({ name, httpOnly, sameSite, path }) => ({ name, httpOnly, sameSite, path }))).toEqual([
      { name: 'auth_access', httpOnly: true, sameSite: 'Lax', path: '/' },
      { name: 'auth_refresh', httpOnly: true, sameSite: 'Lax', path: '/' },
    ]);
    await page.getByText('This device').waitFor();
    expect(await readableByThePage(page)).not.toMatch(/gate_[arps]_/);
    expect(await page.evaluate(() => document.cookie)).toBe('');
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
    expect(await page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
    expect(await page.evaluate(async () => (await caches.keys()).length)).toBe(0);
    // No response body had a token either: they arrived only in Set-Cookie.
    expect(visitor.count('SignIn')).toBe(1);
    for (const request of visitor.requests) {
      expect(await (await request.response())?.text()).not.toMatch(/gate_[arps]_/);
    }
  });

  it('begins with a password that no spell checker of a browser reads, which some send to a server', async () => {
    const { page } = await stage.newVisitor();
    await page.goto('/signin');
    await page.getByRole('button', { name: 'Show password' }).click();
    const fields = [field(page, 'E-mail address'), field(page, 'Password')];
    expect(await Promise.all(fields.map((each) => each.getAttribute('spellcheck')))).toEqual(['false', 'false']);
    expect(await field(page, 'Password').getAttribute('type')).toBe('text');
  });

  // Contract: portal#content-security-policy — Strict CSP with no inline script or style, and no violation of it
  it('is on pages with a strict policy, which they do not violate', async () => {
    const { visitor } = await signInNewPerson(stage);
    for (const path of ['/', '/signin', '/signup', '/nowhere', `/verify/${'0'.repeat(64)}`]) {
      const response = await visitor.page.goto(path);
      const headers = (await response?.allHeaders()) ?? {};
      const policy = headers['content-security-policy'] ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("style-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['cache-control']).toBe('no-store');
      await visitor.page.getByRole('heading', { level: 1 }).waitFor();
    }
    // The dialog positions itself and locks the page behind it, for which libraries often use inline styles.
    await visitor.page.goto('/');
    await button(visitor.page, 'Sign out everywhere').click();
    await visitor.page.getByRole('alertdialog').waitFor();
    await visitor.page.keyboard.press('Escape');
    await visitor.page.getByRole('alertdialog').waitFor({ state: 'detached' });
  });

  it('runs only code of the service', async () => {
    const visitor = await stage.newVisitor();
    await visitor.page.goto('/signin');
    await heading(visitor.page, 'Sign in').waitFor();
    visitor.forgiveComplaints();
    const ran = await visitor.page.evaluate(() => {
      const script = document.createElement('script');
      let refused = false;
      try {
        script.textContent = 'window.intruder = true';
        document.head.append(script);
      } catch {
        refused = true;
      }
      return { refused, ran: 'intruder' in window };
    });
    expect(ran).toEqual({ refused: true, ran: false });
  });

  it('leaves nothing to see when the back button follows a sign-out', async () => {
    const { visitor, page } = await signInNewPerson(stage);
    await page.goto('/dev/mailbox');
    const second = await visitor.newTab();
    await second.goto('/');
    await button(second, 'Sign out').click();
    await heading(second, 'Sign in').waitFor();
    await page.goBack();
    await heading(page, 'Sign in').waitFor();
    expect(await page.getByText('Hello, Test Person').count()).toBe(0);
  });
});

/** Everything that scripts of a page could read. */
const readableByThePage = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const globals = Object.getOwnPropertyNames(window).map((name) => {
      try {
        return JSON.stringify(Reflect.get(window, name));
      } catch {
        return '';
      }
    });
    return [
      document.cookie,
      JSON.stringify(Object.entries(localStorage)),
      JSON.stringify(Object.entries(sessionStorage)),
      document.documentElement.outerHTML,
      JSON.stringify(history.state),
      ...globals,
    ].join('\n');
  });

// Another port of the host is the same site: cookies are sent, and only the origin check prevents the action.
describe.skipIf(chromiumPath === null).each(['127.0.0.1', 'localhost'])('A foreign page on %s', (host) => {
  const stage = fixture(openStage);
  const foreign = fixture(() =>
    listen(
      createServer((_request, response) => {
        response.setHeader('content-type', 'text/html').end('<!doctype html><title>Foreign</title><h1>Foreign</h1>');
      }),
    ),
  );

  const mutations = ['mutation { signOut { success } }', 'mutation { refreshAccessToken { accessTokenExpiresAt } }'];

  const unharmed = async (page: Page, email: string): Promise<void> => {
    const issued = await stage.service.sql.value<number>(
      `SELECT count(*)::integer AS issued FROM credentials JOIN users ON users.id = user_id WHERE email = $1`,
      [email],
    );
    expect(issued).toBe(2);
    expect(await liveFamilies(stage.service, email)).toBe(1);
    await page.goto('/');
    await isHome(page);
  };

  // Contract: portal#requests-of-foreign-pages — CSRF by a foreign page's fetch, same site or not
  it('cannot sign out or refresh by fetch', async () => {
    const { visitor, page, email } = await signInNewPerson(stage);
    visitor.forgiveComplaints();
    await page.goto(`http://${host}:${foreign.port}/`);
    const outcomes = await page.evaluate(
      async ({ url, queries }) => {
        const attempts = queries.flatMap((query) => [
          { mode: 'cors' as const, type: 'application/json', body: JSON.stringify({ query }) },
          { mode: 'no-cors' as const, type: 'text/plain', body: JSON.stringify({ query }) },
        ]);
        return Promise.all(
          attempts.map(({ mode, type, body }) =>
            fetch(url, { method: 'POST', mode, credentials: 'include', headers: { 'content-type': type }, body }).then(
              (response) => `${response.type} ${response.status}`,
              () => 'refused',
            ),
          ),
        );
      },
      { url: `${stage.service.url}/graphql`, queries: mutations },
    );
    expect(outcomes).toEqual(['refused', 'opaque 0', 'refused', 'opaque 0']);
    await unharmed(page, email);
  });

  // Contract: portal#requests-of-foreign-pages — CSRF by a foreign page's form or link
  it('cannot sign out or refresh by a form or a link', async () => {
    const { visitor, page, email } = await signInNewPerson(stage);
    visitor.forgiveComplaints();
    for (const query of mutations) {
      for (const enctype of ['text/plain', 'application/x-www-form-urlencoded']) {
        await page.goto(`http://${host}:${foreign.port}/`);
        await Promise.all([
          page.waitForURL(`${stage.service.url}/graphql`),
          page.evaluate(submitForm, { url: `${stage.service.url}/graphql`, query, enctype }),
        ]);
      }
      await page.goto(`http://${host}:${foreign.port}/`);
      const link = `${stage.service.url}/graphql?query=${encodeURIComponent(query)}`;
      await Promise.all([page.waitForURL(link), page.evaluate((address) => location.assign(address), link)]);
    }
    await unharmed(page, email);
  });

  it('cannot show the portal in a frame', async () => {
    const { visitor, page } = await signInNewPerson(stage);
    visitor.forgiveComplaints();
    await page.goto(`http://${host}:${foreign.port}/`);
    const answered = page.waitForResponse((response) => response.url() === `${stage.service.url}/`);
    await page.evaluate((address) => {
      const frame = document.createElement('iframe');
      frame.src = address;
      document.body.append(frame);
    }, `${stage.service.url}/`);
    await answered;
    expect(await page.frameLocator('iframe').getByRole('heading', { level: 1 }).count()).toBe(0);
  });
});

/** A form whose single field, sent as plain text, parses as JSON. */
const submitForm = ({ url, query, enctype }: { url: string; query: string; enctype: string }): void => {
  const form = document.createElement('form');
  form.action = url;
  form.method = 'post';
  form.enctype = enctype;
  const input = document.createElement('input');
  input.name = enctype === 'text/plain' ? `{"query":${JSON.stringify(query)},"extensions":{"a":"` : 'query';
  input.value = enctype === 'text/plain' ? '"}}' : query;
  form.append(input);
  document.body.append(form);
  form.submit();
};
