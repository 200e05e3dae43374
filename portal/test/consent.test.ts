/** Analytics consent in one tab and in many: known only from the service. */
import { createClient, type WithLock } from '@gatehouse/client';
import { describe, expect, it, vi } from 'vitest';
import { noConnection, oneLock, refusalOf } from '../../packages/client/test/support/gatehouse.ts';
import { type Consent, createConsent } from '../src/consent/consent.ts';

interface Decision {
  readonly analyticsConsent: boolean | null;
  readonly anonymousId: string | null;
}

/** A browser with one helper session that its tabs share, and a service that counts requests. */
class BrowserInMemory {
  readonly requests: string[] = [];
  /** Response to the next request, which changes nothing. */
  nextResponse: (() => Response) | undefined;
  /** Delays every response. */
  delay: Promise<void> = Promise.resolve();
  decision: Decision = { analyticsConsent: null, anonymousId: null };
  /** The lock of all tabs for requests that replace the cookies. */
  readonly withLock: WithLock = oneLock();
  readonly #listeners: { readonly tab: number; readonly handler: () => void }[] = [];
  #tabs = 0;
  #ids = 0;

  openTab(): Consent {
    this.#tabs += 1;
    const tab = this.#tabs;
    return createConsent({
      request: createClient({ baseUrl: 'https://id.example' }, { fetch: (_, init) => this.#answer(init) }).graphql,
      withLock: this.withLock,
      channel: {
        post: () => {
          for (const listener of this.#listeners) if (listener.tab !== tab) listener.handler();
        },
        listen: (handler) => this.#listeners.push({ tab, handler: () => handler('changed') }),
      },
    });
  }

  async #answer(init: RequestInit | undefined): Promise<Response> {
    const body = typeof init?.body === 'string' ? init.body : '';
    const [, name = ''] = /(?:query|mutation) (\w+)/.exec(body) ?? [];
    this.requests.push(name);
    await this.delay;
    const { nextResponse } = this;
    this.nextResponse = undefined;
    if (nextResponse !== undefined) return nextResponse();
    if (name === 'FetchVisitor') return Response.json({ data: { visitor: this.decision } });
    this.#record(body.includes('"analytics":true'));
    return Response.json({ data: { recordConsent: this.decision } });
  }

  #record(analytics: boolean): void {
    if (analytics) this.#ids += 1;
    this.decision = { analyticsConsent: analytics, anonymousId: analytics ? `id-${this.#ids}` : null };
  }
}

/** Resolves when all running requests of a tab have finished. */
const settled = (consent: Consent): Promise<void> => consent.refetch();

describe('the analytics consent', () => {
  it('is unknown until the first answer of the service, and is fetched once for concurrent callers', async () => {
    const browser = new BrowserInMemory();
    const consent = browser.openTab();
    expect(consent.state().decision).toBeUndefined();
    await Promise.all([consent.open(), consent.open()]);
    await consent.open();
    expect(consent.state().decision).toEqual({ analyticsConsent: null, anonymousId: null });
    expect(browser.requests).toEqual(['FetchVisitor']);
  });

  it.each([
    ['no connection', noConnection],
    ['a service that is not available', () => refusalOf('UNAVAILABLE', 503)],
    ['a proxy without a backend', () => new Response('<html>', { status: 502 })],
    ['a service without this query', () => refusalOf('GRAPHQL_VALIDATION_FAILED', 400)],
  ])('stays unknown with %s, until it is fetched again', async (_, answer) => {
    const browser = new BrowserInMemory();
    browser.nextResponse = answer;
    const consent = browser.openTab();
    await consent.open();
    expect(consent.state()).toMatchObject({ decision: undefined, fetchProblem: { name: 'Refusal' } });
    await consent.open();
    expect(browser.requests).toHaveLength(1);
    await consent.refetch();
    expect(consent.state()).toMatchObject({ decision: { analyticsConsent: null }, fetchProblem: undefined });
  });

  it('is what the service has recorded, with an id only after consent', async () => {
    const browser = new BrowserInMemory();
    const consent = browser.openTab();
    await consent.open();
    expect(await consent.record(false)).toBe('declined');
    expect(consent.state().decision).toEqual({ analyticsConsent: false, anonymousId: null });
    expect(await consent.record(true)).toBe('allowed');
    expect(consent.state().decision).toEqual({ analyticsConsent: true, anonymousId: 'id-1' });
    expect(await consent.record(false)).toBe('withdrawn');
    expect(consent.state().decision).toEqual({ analyticsConsent: false, anonymousId: null });
  });

  it('stays unchanged when an answer is not recorded, and can be recorded again', async () => {
    const browser = new BrowserInMemory();
    const consent = browser.openTab();
    await consent.open();
    browser.nextResponse = () => refusalOf('UNAVAILABLE', 503);
    const recording = consent.record(true);
    expect(consent.state()).toMatchObject({ recording: true });
    await expect(recording).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(consent.state()).toMatchObject({ decision: { analyticsConsent: null }, recording: undefined });
    expect(await consent.record(true)).toBe('allowed');
    expect(consent.state()).toMatchObject({ decision: { analyticsConsent: true }, recording: undefined });
  });

  it('notifies its listeners of each change until they unsubscribe', async () => {
    const browser = new BrowserInMemory();
    const consent = browser.openTab();
    let changes = 0;
    const leave = consent.subscribe(() => {
      changes += 1;
    });
    await consent.open();
    expect(changes).toBe(1);
    leave();
    await consent.record(false);
    expect(changes).toBe(1);
  });
});

describe('many tabs', () => {
  it('fetch the decision after it was made in one of them', async () => {
    const browser = new BrowserInMemory();
    const [first, second] = [browser.openTab(), browser.openTab()];
    await Promise.all([first.open(), second.open()]);
    await first.record(false);
    await settled(second);
    expect(second.state().decision).toEqual({ analyticsConsent: false, anonymousId: null });
  });

  it('are not notified of an answer that was not recorded', async () => {
    const browser = new BrowserInMemory();
    const [first, second] = [browser.openTab(), browser.openTab()];
    await Promise.all([first.open(), second.open()]);
    browser.nextResponse = () => refusalOf('UNAVAILABLE', 503);
    await expect(first.record(true)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(browser.requests).toEqual(['FetchVisitor', 'FetchVisitor', 'RecordConsent']);
  });

  it('agree with the service after two concurrent decisions', async () => {
    const browser = new BrowserInMemory();
    const tabs = [browser.openTab(), browser.openTab()];
    await Promise.all(tabs.map((tab) => tab.open()));
    await Promise.all(tabs.map((tab, index) => tab.record(index === 0)));
    await Promise.all(tabs.map(settled));
    for (const tab of tabs) expect(tab.state().decision).toEqual(browser.decision);
  });
});

describe('a running sign-in', () => {
  it('finishes before anything is sent', async () => {
    const browser = new BrowserInMemory();
    const consent = browser.openTab();
    let requestsMeanwhile: readonly string[] | undefined;
    const signIn = browser.withLock(async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      requestsMeanwhile = [...browser.requests];
    });
    await Promise.all([signIn, consent.open()]);
    expect(requestsMeanwhile).toEqual([]);
    expect(browser.requests).toEqual(['FetchVisitor']);
  });

  it('never waits for a consent request, which is sent without the lock', async () => {
    const browser = new BrowserInMemory();
    const consent = browser.openTab();
    let answer = () => {};
    browser.delay = new Promise((resolve) => {
      answer = resolve;
    });
    const asking = consent.open();
    await vi.waitFor(() => expect(browser.requests).toEqual(['FetchVisitor']));
    await browser.withLock(() => Promise.resolve());
    expect(consent.state().decision).toBeUndefined();
    answer();
    await asking;
    expect(consent.state().decision).toEqual({ analyticsConsent: null, anonymousId: null });
  });
});
