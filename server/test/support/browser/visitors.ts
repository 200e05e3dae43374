/** Owns visitors: a person at a browser, with the requests and complaints of all tabs. */
import type { BrowserContext, ConsoleMessage, Page, Request } from 'playwright-core';
import { keepLog } from '../failures/recent-logs.ts';

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

/** A visitor in a context that has no other one; `reportViolations` has prepared it. */
export const enter = async (context: BrowserContext, portalUrl: string): Promise<LastingVisitor> => {
  const complaints = collectComplaints(context);
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

/** Removes what `enter` listens to, and what the test does. */
export const stopListening = (context: BrowserContext): void => {
  for (const event of ['page', 'request', 'response', 'console', 'weberror']) context.removeAllListeners(event);
};

export const operationOf = (request: Request): string =>
  /(?:query|mutation) (\w+)/.exec(request.postData() ?? '')?.[1] ?? '';

/** A policy that a page violates is an error in its console. */
export const reportViolations = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
      // biome-ignore lint/suspicious/noConsole: the console is where the test listens
      console.error(`Policy violated: ${violatedDirective} ${blockedURI} ${sourceFile}`),
    );
  });

const collectComplaints = (context: BrowserContext): string[] => {
  const complaints: string[] = [];
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
