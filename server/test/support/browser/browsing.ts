/** Owns Chromium in tests: a browser for the process of the tests, or one alone, and the contexts of their visitors. */
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { chromiumPath } from './chromium.ts';
import { type LeftContexts, leftContexts } from './left-contexts.ts';
import { enter, type LastingVisitor, reportViolations, type Visitor } from './visitors.ts';

/** Long enough for a machine that runs other suites at the same time; a passing test never waits this long. */
const timeLimit = 15_000;

const launchArguments = [
  '--no-sandbox',
  '--disable-gpu',
  // A thread in place of a process: a twentieth less of the processor.
  '--in-process-gpu',
  // No page draws by WebGL. As it loads, the software for it would change the environment in that thread while other
  // threads read it, and Chromium would sometimes end with a segmentation fault as it starts.
  '--disable-software-rasterizer',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
];

/**
 * All pages of a site in a context share a process. One for each page, and for each page after another site, takes a
 * second of the processor: it starts, and reads and compiles the portal, before it shows a page.
 */
const oneProcess = ['--process-per-site', '--renderer-process-limit=1'];

export interface Browsing {
  /** A person's browser, until the end of the test. Options give it a context of its own, with an empty cache. */
  newVisitor(portalUrl: string, options?: BrowserContextOptions): Promise<Visitor>;
  /** The same, until the browsing is closed. */
  newLastingVisitor(portalUrl: string): Promise<LastingVisitor>;
  /** Ends the visitors, and the browser unless others use it. */
  close(): Promise<void>;
}

/** A Chromium of its own, with a process for each page and a context for each visitor. */
export const openBrowser = async (): Promise<Browsing> => {
  const browser = await launch();
  return {
    newVisitor: (portalUrl, options) => welcome(browser, portalUrl, options),
    newLastingVisitor: async (portalUrl) => enter(await openContext(browser, portalUrl), portalUrl),
    close: () => browser.close(),
  };
};

let launching: Promise<Browser> | null = null;

/** The Chromium of this process, which ends with it: to start one costs as much as a short test. */
const browserOfProcess = async (): Promise<Browser> => {
  launching ??= launch(oneProcess);
  const browser = await launching;
  if (browser.isConnected()) return browser;
  launching = null;
  return browserOfProcess();
};

/** For a stage: in the Chromium of this process. Its visitors use the contexts of those before. */
export const shareBrowser = async (): Promise<Browsing> => {
  const browser = await browserOfProcess();
  const left = leftContexts((portalUrl) => openContext(browser, portalUrl));
  const lasting: BrowserContext[] = [];
  return {
    newVisitor: (portalUrl, options = {}) =>
      Object.keys(options).length === 0 ? welcomeAgain(left, portalUrl) : welcome(browser, portalUrl, options),
    newLastingVisitor: async (portalUrl) => {
      const context = await openContext(browser, portalUrl);
      lasting.push(context);
      return enter(context, portalUrl);
    },
    close: async () => {
      await Promise.all([left.close(), ...lasting.map((context) => context.close())]);
    },
  };
};

const launch = (more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath ?? '', args: [...launchArguments, ...more] });

const openContext = async (
  browser: Browser,
  portalUrl: string,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> => {
  const context = await browser.newContext({
    baseURL: portalUrl,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(timeLimit);
  await reportViolations(context);
  return context;
};

const welcome = async (browser: Browser, portalUrl: string, options?: BrowserContextOptions): Promise<Visitor> => {
  const context = await openContext(browser, portalUrl, options);
  const { takeComplaints, ...visitor } = await enter(context, portalUrl);
  onTestFinished(async () => {
    await context.close();
    expect(takeComplaints()).toEqual([]);
  });
  return visitor;
};

const welcomeAgain = async (left: LeftContexts, portalUrl: string): Promise<Visitor> => {
  const context = await left.take(portalUrl);
  const { takeComplaints, ...visitor } = await enter(context, portalUrl);
  onTestFinished(async () => {
    await left.leave(context);
    expect(takeComplaints()).toEqual([]);
  });
  return visitor;
};
