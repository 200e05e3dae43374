/** Owns the contexts of a browser that one visitor leaves to the next: empty, with the process of their pages. */
import type { BrowserContext, Page } from 'playwright-core';
import { stopListening } from './visitors.ts';

export interface LeftContexts {
  /** @param portalUrl the same for all @returns a context without cookies, storage, permissions and routes */
  take(portalUrl: string): Promise<BrowserContext>;
  /** Closes its pages, and empties it for the next visitor; a context where that fails is closed. */
  leave(context: BrowserContext): Promise<void>;
  close(): Promise<void>;
}

/** A page without a script at the origin of the portal: while it is open, the process and its compiled scripts stay. */
interface Kept {
  readonly context: BrowserContext;
  readonly anchor: Page;
}

export const leftContexts = (open: (portalUrl: string) => Promise<BrowserContext>): LeftContexts => {
  const used = new Map<BrowserContext, Kept>();
  const idle: Kept[] = [];
  return {
    take: async (portalUrl) => {
      const kept = idle.pop() ?? (await keep(await open(portalUrl), portalUrl));
      used.set(kept.context, kept);
      return kept.context;
    },
    leave: async (context) => {
      const kept = used.get(context);
      used.delete(context);
      if (kept === undefined) throw new Error('This context was not taken, or is left already');
      try {
        await empty(kept);
        idle.push(kept);
      } catch (error) {
        await context.close();
        throw error;
      }
    },
    close: async () => {
      await Promise.all([...used.keys(), ...idle.map(({ context }) => context)].map((context) => context.close()));
    },
  };
};

const keep = async (context: BrowserContext, portalUrl: string): Promise<Kept> => {
  refuseWhatStays(context);
  const anchor = await context.newPage();
  await anchor.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await anchor.goto(portalUrl);
  return { context, anchor };
};

/** Nothing removes these from a context. A page has its own `addInitScript`. */
const refuseWhatStays = (context: BrowserContext): void => {
  const refuse = (): never => {
    throw new Error("Nothing removes this from a context: open the stage with { browser: 'own' }");
  };
  for (const name of ['addInitScript', 'exposeBinding', 'exposeFunction', 'setExtraHTTPHeaders', 'setGeolocation']) {
    Object.defineProperty(context, name, { value: refuse });
  }
  Object.defineProperty(context.clock, 'install', { value: refuse });
};

const empty = async ({ context, anchor }: Kept): Promise<void> => {
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  const pages = context.pages().filter((page) => page !== anchor);
  await Promise.all(pages.map((page) => page.close()));
  stopListening(context);
  await Promise.all([context.clearCookies(), context.clearPermissions(), context.setOffline(false)]);
  await clearStorage(context, anchor);
};

/** Of every origin. The session storage of a tab has ended with it. */
const clearStorage = async (context: BrowserContext, anchor: Page): Promise<void> => {
  const protocol = await context.newCDPSession(anchor);
  await protocol.send('Storage.clearDataForOrigin', {
    origin: '*',
    storageTypes: 'local_storage,indexeddb,cache_storage',
  });
  await protocol.detach();
};
