/** The portal in Chromium: one service for a test file, a visitor for each test; a page error fails the test. */
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type ConsoleMessage,
  chromium,
  type Locator,
  type Page,
  type Request,
} from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { AddedParts } from '../../../src/gatehouse.d.ts';
import { createSuperAdminAccount } from '../actors/super-admins.ts';
import { operations as documents, goodPassword, register } from '../clients/clients.ts';
import { keepLog } from '../failures/recent-logs.ts';
import { type PortalForm, type Service, startService } from '../gatehouse/gatehouse.ts';
import { chromiumPath } from './chromium.ts';

/** Long enough for a machine that runs other suites at the same time; a passing test never waits this long. */
const timeLimit = 15_000;

const launchArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
];

export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** The GraphQL requests of all tabs, oldest first. */
  readonly requests: readonly Request[];
  operations(): readonly string[];
  /** How often an operation was sent, over all tabs. */
  count(operation: string): number;
  newTab(): Promise<Page>;
  /** For a test with intended refusals: browsers log them as errors. */
  forgiveComplaints(): void;
}

/** A visitor whose browser stays open from test to test. */
export interface LastingVisitor extends Visitor {
  /** What its pages have complained about since the last call. */
  readonly takeComplaints: () => readonly string[];
}

export interface Stage {
  readonly service: Service;
  /** A person's browser: its own cookies and storage, closed with the test. */
  newVisitor(options?: BrowserContextOptions): Promise<Visitor>;
  /** The same, closed with the stage. */
  newLastingVisitor(): Promise<LastingVisitor>;
  close(): Promise<void>;
}

export interface StageSettings {
  readonly portal?: Exclude<PortalForm, 'none'>;
  /** On top of the test defaults and of CONSENT_BANNER=false: the banner is on every page, and sends requests. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The definition of the application. */
  readonly application?: AddedParts['application'];
  /** Routes that the application adds. */
  readonly routes?: AddedParts['routes'];
}

export const openStage = async (settings: StageSettings = {}): Promise<Stage> => {
  const opening = openBrowser();
  const [stage, browsing] = await Promise.all([openStageIn(opening, settings), opening]);
  return {
    ...stage,
    close: async () => {
      await browsing.close();
      await stage.close();
    },
  };
};

type Browsing = Awaited<ReturnType<typeof openBrowser>>;

/** A stage in a browser that others use too, and that its end does not close. */
export const openStageIn = async (
  opening: Browsing | Promise<Browsing>,
  { portal = 'one origin', environment = {}, application = {}, routes = {} }: StageSettings = {},
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

/** Chromium alone, for a service that runs elsewhere. */
export const openBrowser = async () => {
  const browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: launchArguments });
  return {
    newVisitor: (portalUrl: string, options?: BrowserContextOptions): Promise<Visitor> =>
      welcome(browser, portalUrl, options),
    newLastingVisitor: (portalUrl: string): Promise<LastingVisitor> => enter(browser, portalUrl),
    close: (): Promise<void> => browser.close(),
  };
};

const welcome = async (browser: Browser, portalUrl: string, options?: BrowserContextOptions): Promise<Visitor> => {
  const { takeComplaints, ...visitor } = await enter(browser, portalUrl, options);
  onTestFinished(async () => {
    await visitor.context.close();
    expect(takeComplaints()).toEqual([]);
  });
  return visitor;
};

const enter = async (
  browser: Browser,
  portalUrl: string,
  options: BrowserContextOptions = {},
): Promise<LastingVisitor> => {
  const context = await browser.newContext({
    baseURL: portalUrl,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(timeLimit);
  const complaints = await collectComplaints(context);
  const visited: string[] = [];
  context.on('page', (page) => page.on('framenavigated', (frame) => visited.push(frame.url())));
  keepLog(`browser at ${portalUrl}`, () => visited);
  let isForgiven = false;
  const requests: Request[] = [];
  context.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === '/graphql') requests.push(request);
  });
  const operations = () => requests.map(operationOf);
  return {
    context,
    page: await context.newPage(),
    requests,
    operations,
    count: (operation) => operations().filter((name) => name === operation).length,
    newTab: () => context.newPage(),
    forgiveComplaints: () => {
      isForgiven = true;
    },
    takeComplaints: () => {
      const taken = complaints.splice(0);
      return isForgiven ? [] : taken;
    },
  };
};

export const operationOf = (request: Request): string =>
  /(?:query|mutation) (\w+)/.exec(request.postData() ?? '')?.[1] ?? '';

const collectComplaints = async (context: BrowserContext): Promise<string[]> => {
  const complaints: string[] = [];
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
      // biome-ignore lint/suspicious/noConsole: the console is where the test listens
      console.error(`Policy violated: ${violatedDirective} ${blockedURI} ${sourceFile}`),
    );
  });
  context.on('console', (message) => {
    if (isComplaint(message)) complaints.push(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => complaints.push(String(error.error())));
  return complaints;
};

/** The browser itself logs each answer of 400 and above, such as FetchMe's 401 to a visitor. That is not an error. */
const isComplaint = (message: ConsoleMessage): boolean => {
  if (message.type() !== 'error' && message.type() !== 'warning') return false;
  return !(message.text().startsWith('Failed to load resource') && message.location().url.endsWith('/graphql'));
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
