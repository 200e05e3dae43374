/** The portal in Chromium: one service for a test file, a visitor for each test; a page error fails the test. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { AddedParts } from '../../../src/gatehouse.d.ts';
import { createSuperAdminAccount } from '../actors/super-admins.ts';
import { operations as documents, goodPassword, register } from '../clients/clients.ts';
import { type PortalForm, type Service, startService } from '../gatehouse/gatehouse.ts';
import { type Browsing, openBrowser, shareBrowser } from './browsing.ts';
import { type LastingVisitor, operationOf, type Visitor } from './visitors.ts';

export interface Stage {
  readonly service: Service;
  /** A person's browser: its own cookies and storage, closed with the test. */
  newVisitor(options?: BrowserContextOptions): Promise<Visitor>;
  /** The same, closed with the stage. */
  newLastingVisitor(): Promise<LastingVisitor>;
  close(): Promise<void>;
}

export interface StageSettings {
  /**
   * The browser of the process of the tests, or one of the stage alone: for tests of tabs that act at the same time,
   * each in a process, and of what a context keeps, such as a clock.
   */
  readonly browser?: 'shared' | 'own';
  readonly portal?: Exclude<PortalForm, 'none'>;
  /** On top of the test defaults and of CONSENT_BANNER=false: the banner is on every page, and sends requests. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The definition of the application. */
  readonly application?: AddedParts['application'];
  /** Routes that the application adds. */
  readonly routes?: AddedParts['routes'];
}

export const openStage = async ({ browser = 'shared', ...settings }: StageSettings = {}): Promise<Stage> => {
  const opening = browser === 'shared' ? shareBrowser() : openBrowser();
  const [stage, browsing] = await Promise.all([openStageIn(opening, settings), opening]);
  return {
    ...stage,
    close: async () => {
      await browsing.close();
      await stage.close();
    },
  };
};

/** A stage in a browser that others use too, and that its end does not close. */
export const openStageIn = async (
  opening: Browsing | Promise<Browsing>,
  { portal = 'one origin', environment = {}, application = {}, routes = {} }: Omit<StageSettings, 'browser'> = {},
): Promise<Stage> => {
  const [service, browsing] = await Promise.all([
    startService({ CONSENT_BANNER: 'false', ...environment }, portal, { application, routes }),
    opening,
  ]);
  return {
    service,
    newVisitor: (options) => browsing.newVisitor(service.portalUrl, options),
    newLastingVisitor: () => browsing.newLastingVisitor(service.portalUrl),
    close: () => service.close(),
  };
};

export const heading = (page: Page, name: string): Locator =>
  page.getByRole('heading', { level: 1, name, exact: true });

export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

export const field = (page: Page, label: string): Locator => page.getByLabel(label, { exact: true });

/** Fills in the form of /signin, which has to be open, and sends it. */
export const fillSignIn = async (page: Page, email: string, password = goodPassword): Promise<void> => {
  await field(page, 'E-mail address').fill(email);
  await field(page, 'Password').fill(password);
  await button(page, 'Sign in').click();
};

/** Fills in the form of /signup, which has to be open, and sends it. */
export const fillSignUp = async (page: Page, email: string, password = goodPassword): Promise<void> => {
  await field(page, 'Name').fill('Test Person');
  await field(page, 'E-mail address').fill(email);
  await field(page, 'Password').fill(password);
  await button(page, 'Create account').click();
};

export const isHome = (page: Page): Promise<void> => heading(page, 'Hello, Test Person').waitFor();

export const isSignInPage = (page: Page): Promise<void> => heading(page, 'Sign in').waitFor();

interface SignedIn {
  readonly visitor: Visitor;
  readonly page: Page;
  readonly email: string;
}

/** Options of a visitor with a context of its own, so that no earlier test has fetched the code of a page. */
export const emptyCache: BrowserContextOptions = { offline: false };

/** A new signed-in person, with the home page open in the first tab. */
export const signInNewPerson = async (stage: Stage, options?: BrowserContextOptions): Promise<SignedIn> => {
  const email = await register(stage.service);
  const visitor = await signInPerson(stage, email, options);
  return { visitor, page: visitor.page, email };
};

/** A new super admin who is signed in, with this page open. */
export const signInSuperAdmin = async (
  stage: Stage,
  at: Arrival['at'] = home,
  scopes?: readonly string[],
): Promise<SignedIn> => {
  const email = await createSuperAdminAccount(stage.service, scopes);
  const visitor = await signInPerson(stage, email, { at });
  return { visitor, page: visitor.page, email };
};

interface Arrival extends BrowserContextOptions {
  /** The page that is open then, and its heading. */
  readonly at?: { readonly path: string; readonly title: string };
}

const home = { path: '/', title: 'Hello, Test Person' };

/** One more browser of a person, signed in by one request instead of the form of /signin, with no page open. */
export const signedInVisitor = async (
  stage: Stage,
  email: string,
  options?: BrowserContextOptions,
): Promise<Visitor> => {
  const visitor = await stage.newVisitor(options);
  await signInByRequest(stage, visitor, email);
  return visitor;
};

/** Gives a browser the cookies of a new session. */
export const signInByRequest = async ({ service }: Stage, { context }: Visitor, email: string): Promise<void> => {
  const answer = await context.request.post(`${service.url}/graphql`, {
    headers: { origin: new URL(service.portalUrl).origin },
    data: { query: documents.signIn, variables: { input: { email, password: goodPassword } } },
  });
  expect(await answer.json()).not.toHaveProperty('errors');
};

/** The same, with a page open. */
export const signInPerson = async (
  stage: Stage,
  email: string,
  { at = home, ...options }: Arrival = {},
): Promise<Visitor> => {
  const visitor = await signedInVisitor(stage, email, options);
  await visitor.page.goto(at.path);
  await heading(visitor.page, at.title).waitFor();
  return visitor;
};

export const expireAccess = async ({ sql }: Service): Promise<void> => {
  await sql(`UPDATE credentials SET expires_at = now() - interval '1 second'
    WHERE kind = 'user_session' AND revoked_at IS NULL`);
};

export const liveFamilies = async ({ sql }: Service, email: string): Promise<number> =>
  (await sql.value<number>(
    `SELECT count(*)::integer AS families FROM credentials JOIN users ON users.id = user_id
     WHERE email = $1 AND kind = 'user_refresh' AND revoked_at IS NULL`,
    [email],
  )) ?? 0;

/** Answers the next requests of an operation in place of the service. */
export const answerInstead = async (
  page: Page,
  operation: string,
  answer: { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> },
): Promise<() => Promise<void>> => {
  await page.route('**/graphql', async (route) => {
    if (operationOf(route.request()) === operation) await route.fulfill(answer);
    else await route.fallback();
  });
  return () => page.unroute('**/graphql');
};
