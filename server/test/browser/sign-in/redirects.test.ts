/** Where the portal leads by itself: to front ends of the application, to added routes, and to nothing else. */
import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inviteByMail } from '../../support/actors/invitations.ts';
import {
  button,
  field,
  fillSignIn,
  fillSignUp,
  heading,
  isHome,
  isSignInPage,
  openStage,
  signInPerson,
} from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { goodPassword, newAddress, register, signIn, signUp } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';
import { startIdentityProvider } from '../../support/servers/identity-provider.ts';
import { listen } from '../../support/servers/listen.ts';

const pageOf = (title: string): string => `<!doctype html><link rel="icon" href="data:,"><h1>${title}</h1>`;

/**
 * A front end of the application; another one, at the same host, is foreign. At /refusing it knows no session, and
 * sends everybody to sign in.
 */
const startFrontEnd = () =>
  listen(
    createServer((request, response) => {
      const [path = '', signIn] = decodeURIComponent(request.url ?? '').split('?portal=');
      if (path !== '/refusing') return response.setHeader('content-type', 'text/html').end(pageOf('Notes'));
      const self = `http://${request.headers.host}${request.url}`;
      return response.writeHead(302, { location: `${signIn}/signin?redirect=${encodeURIComponent(self)}` }).end();
    }),
  );

describe.skipIf(chromiumPath === null).each(['one origin', 'two origins'] as const)('A redirect, %s', (portal) => {
  const app = fixture(startFrontEnd);
  const foreign = fixture(startFrontEnd);
  const provider = fixture(() => startIdentityProvider('localhost'));
  const stage = fixture(() =>
    openStage({
      portal,
      environment: provider.environment(),
      application: { origins: [app.url] },
      routes: {
        '/notes': (http) => {
          http.get('/', (_request, reply) => reply.type('text/html').send(pageOf('Added notes')));
        },
      },
    }),
  );

  const pathWith = (page: string, redirect: string): string => `${page}?redirect=${encodeURIComponent(redirect)}`;
  const arrives = async (page: Page, url: string, title: string): Promise<void> => {
    await page.waitForURL(url);
    await heading(page, title).waitFor();
  };
  const target = (): string => `${app.url}/notes/7?x=1#part`;

  // Contract: application#absolute-urls-of-a-front-end — /signin leads to a front end of the application in a browser
  it('leads from the sign-in to a front end of the application', async () => {
    const { page } = await stage.newVisitor();
    await page.goto(pathWith('/signin', target()));
    await fillSignIn(page, await register(stage.service));
    await arrives(page, target(), 'Notes');
    // A person who is signed in sees no form.
    await page.goto(pathWith('/signin', target()));
    await arrives(page, target(), 'Notes');
  });

  // Contract: portal#way-back — A sign-in that names a page of a foreign origin ends at the portal
  it('stays at the portal when the origin is foreign', async () => {
    const { page } = await stage.newVisitor();
    await page.goto(pathWith('/signin', `${foreign.url}/notes`));
    await isSignInPage(page);
    expect(await page.getByRole('link', { name: 'Create an account' }).getAttribute('href')).toBe('/signup');
    await fillSignIn(page, await register(stage.service));
    await isHome(page);
    await page.waitForURL(`${stage.service.portalUrl}/`);
  });

  it('ends at home when a back end keeps sending the person to sign in', async () => {
    const { page } = await signInPerson(stage, await register(stage.service));
    await page.goto(`${app.url}/refusing?portal=${encodeURIComponent(stage.service.portalUrl)}`);
    await isHome(page);
    await page.waitForURL(`${stage.service.portalUrl}/`);
  });

  // Contract: application#way-back-to-a-front-end — A path that is no page of the portal is loaded from the server
  it('leads to an added route, and to a page of the portal, by path and by URL', async () => {
    const { page } = await signInPerson(stage, await register(stage.service));
    const { url, portalUrl } = stage.service;
    for (const redirect of ['/notes', `${url}/notes`, `${portalUrl}/notes`]) {
      await page.goto(pathWith('/signin', redirect));
      await arrives(page, `${url}/notes`, 'Added notes');
    }
    const withQuery = `${url}/notes?next=https://notes.example/a`;
    await page.goto(pathWith('/signin', withQuery));
    await arrives(page, withQuery, 'Added notes');
    for (const redirect of ['/members', `${url}/members`, `${portalUrl}/members`]) {
      await page.goto(pathWith('/signin', redirect));
      await arrives(page, `${portalUrl}/members`, 'Members');
    }
  });

  it('is never followed to the provider, in no form', async () => {
    const { page, context } = await signInPerson(stage, await register(stage.service));
    const asked: string[] = [];
    context.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/auth/')) asked.push(request.url());
    });
    const { url, portalUrl } = stage.service;
    for (const origin of ['', url, portalUrl])
      for (const path of ['/auth/google/prepare-link', '/notes/..%2fauth/google', '/auth/identity']) {
        await page.goto(pathWith('/signin', `${origin}${path}`));
        await isHome(page);
      }
    expect(asked).toEqual([]);
  });

  it('leads back from the provider', async () => {
    const email = newAddress();
    provider.newPerson({ name: 'Test Person', email });
    const { page } = await stage.newVisitor();
    await page.goto(pathWith('/signup', target()));
    await page.getByRole('link', { name: 'Continue with Google', exact: true }).click();
    await page.getByRole('link', { name: email }).click();
    await arrives(page, target(), 'Notes');
  });

  // Contract: application#way-back-to-a-front-end — A sign-up by mail carries the URL through the mail's link, in the
  //   same browser and in another
  it('leads from a sign-up through the mail to a front end', async () => {
    const { page } = await stage.newVisitor();
    const email = newAddress();
    await page.goto(pathWith('/signup', target()));
    await fillSignUp(page, email);
    await heading(page, 'Check your e-mail').waitFor();
    const [mail] = await stage.service.mailsTo(email);
    expect(new URL(mail?.links[0] ?? '').searchParams.get('redirect')).toBe(target());
    await page.goto(mail?.links[0] ?? '');
    await button(page, 'Confirm').click();
    await fillSignIn(page, email);
    await arrives(page, target(), 'Notes');
  });

  it('leads from the mail in another browser to a front end', async () => {
    const { page } = await stage.newVisitor();
    const email = newAddress();
    const token = await signUp(stage.service, email);
    await page.goto(pathWith(`/verify/${token}`, target()));
    await field(page, 'Password').fill(goodPassword);
    await button(page, 'Confirm and sign in').click();
    await arrives(page, target(), 'Notes');
  });

  // Contract: application#way-back-to-a-front-end — An accepted invitation leads to the URL, also over the sign-in page
  it('leads from an accepted invitation to a front end, over the sign-in page and for a new person', async () => {
    const owner = await signIn(stage.service, await register(stage.service));
    const known = await register(stage.service);
    const { page } = await stage.newVisitor();
    const offered = await inviteByMail(stage.service, owner, known);
    await page.goto(pathWith(`/invitation/${offered.token}`, target()));
    await page.getByRole('link', { name: 'Sign in to accept' }).click();
    await fillSignIn(page, known);
    await button(page, 'Accept the invitation').click();
    await arrives(page, target(), 'Notes');

    const { page: other } = await stage.newVisitor();
    const { token } = await inviteByMail(stage.service, owner, newAddress());
    await other.goto(pathWith(`/invitation/${token}`, '/notes'));
    await field(other, 'Name').fill('Test Person');
    await field(other, 'Password').fill(goodPassword);
    await button(other, 'Create account and join').click();
    await arrives(other, `${stage.service.url}/notes`, 'Added notes');
  });
});
