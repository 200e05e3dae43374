/** The decision about analytics in one tab and in many: what the service says, and nothing before it has said it. */
import { describe, expect, it, vi } from 'vitest';
import { type Consent, createConsent } from '../src/consent/consent.ts';
import { type Exclusively, exclusivelyInThisTab } from '../src/session/tabs.ts';
import { createTransport } from '../src/session/transport.ts';
import { noConnection, refusalOf } from './support/gatehouse.ts';

interface Decision {
  readonly analyticsConsent: boolean | null;
  readonly anonymousId: string | null;
}

/** A browser with one helper session that its tabs share, at a service that counts what it is asked. */
class BrowserInMemory {
  readonly asked: string[] = [];
  /** The next request gets this answer, and changes nothing. */
  surprise: (() => Response) | undefined;
  /** What each answer waits for. */
  delay: Promise<void> = Promise.resolve();
  decision: Decision = { analyticsConsent: null, anonymousId: null };
  /** The lock of all tabs under which cookies are replaced. */
  readonly exclusively: Exclusively = exclusivelyInThisTab(() => Promise.resolve());
  readonly #listeners: { readonly tab: number; readonly hear: () => void }[] = [];
  #tabs = 0;
  #ids = 0;

  openTab(): Consent {
    this.#tabs += 1;
    const tab = this.#tabs;
    return createConsent({
      send: createTransport({ endpoint: '/graphql', fetch: (_, init) => this.#answer(init) }),
      exclusively: this.exclusively,
      channel: {
        tell: () => {
          for (const listener of this.#listeners) if (listener.tab !== tab) listener.hear();
        },
        listen: (hear) => this.#listeners.push({ tab, hear: () => hear('changed') }),
      },
    });
  }

  async #answer(init: RequestInit | undefined): Promise<Response> {
    const body = typeof init?.body === 'string' ? init.body : '';
    const [, name = ''] = /(?:query|mutation) (\w+)/.exec(body) ?? [];
    this.asked.push(name);
    await this.delay;
    const { surprise } = this;
    this.surprise = undefined;
    if (surprise !== undefined) return surprise();
    if (name === 'FetchVisitor') return Response.json({ data: { visitor: this.decision } });
    this.#record(body.includes('"analytics":true'));
    return Response.json({ data: { recordConsent: this.decision } });
  }

  #record(analytics: boolean): void {
    if (analytics) this.#ids += 1;
    this.decision = { analyticsConsent: analytics, anonymousId: analytics ? `id-${this.#ids}` : null };
  }
}

/** Resolves when everything that is under way in a tab has come to its end. */
const settled = (consent: Consent): Promise<void> => consent.ask();

describe('the decision about analytics', () => {
  it('is unknown until the service has said it, and is asked for once by all who only want to know', async () => {
    const browser = new BrowserInMemory();
    const consent = browser.openTab();
    expect(consent.state().decision).toBeUndefined();
    await Promise.all([consent.open(), consent.open()]);
    await consent.open();
    expect(consent.state().decision).toEqual({ analyticsConsent: null, anonymousId: null });
    expect(browser.asked).toEqual(['FetchVisitor']);
  });

  it.each([
    ['no connection', noConnection],
    ['a service that is not available', () => refusalOf('UNAVAILABLE', 503)],
    ['a proxy without a backend', () => new Response('<html>', { status: 502 })],
    ['a service that knows no such question', () => refusalOf('GRAPHQL_VALIDATION_FAILED', 400)],
  ])('stays unknown with %s, until somebody asks again', async (_, answer) => {
    const browser = new BrowserInMemory();
    browser.surprise = answer;
    const consent = browser.openTab();
    await consent.open();
    expect(consent.state()).toMatchObject({ decision: undefined, askProblem: { name: 'Refusal' } });
    await consent.open();
    expect(browser.asked).toHaveLength(1);
    await consent.ask();
    expect(consent.state()).toMatchObject({ decision: { analyticsConsent: null }, askProblem: undefined });
  });

  it('is what the service has recorded, and brings an id only with a yes', async () => {
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

  it('stays what it was when an answer is not recorded, which can be given again', async () => {
    const browser = new BrowserInMemory();
    const consent = browser.openTab();
    await consent.open();
    browser.surprise = () => refusalOf('UNAVAILABLE', 503);
    const recording = consent.record(true);
    expect(consent.state()).toMatchObject({ recording: true });
    await expect(recording).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(consent.state()).toMatchObject({ decision: { analyticsConsent: null }, recording: undefined });
    expect(await consent.record(true)).toBe('allowed');
    expect(consent.state()).toMatchObject({ decision: { analyticsConsent: true }, recording: undefined });
  });

  it('tells its listeners about each change until they leave', async () => {
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
  it('learn of a decision in one of them by asking the service', async () => {
    const browser = new BrowserInMemory();
    const [first, second] = [browser.openTab(), browser.openTab()];
    await Promise.all([first.open(), second.open()]);
    await first.record(false);
    await settled(second);
    expect(second.state().decision).toEqual({ analyticsConsent: false, anonymousId: null });
  });

  it('hear nothing of an answer that was not recorded', async () => {
    const browser = new BrowserInMemory();
    const [first, second] = [browser.openTab(), browser.openTab()];
    await Promise.all([first.open(), second.open()]);
    browser.surprise = () => refusalOf('UNAVAILABLE', 503);
    await expect(first.record(true)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(browser.asked).toEqual(['FetchVisitor', 'FetchVisitor', 'RecordConsent']);
  });

  it('agree in the end with the service when two decide at once', async () => {
    const browser = new BrowserInMemory();
    const tabs = [browser.openTab(), browser.openTab()];
    await Promise.all(tabs.map((tab) => tab.open()));
    await Promise.all(tabs.map((tab, index) => tab.record(index === 0)));
    await Promise.all(tabs.map(settled));
    for (const tab of tabs) expect(tab.state().decision).toEqual(browser.decision);
  });
});

describe('a sign-in under way', () => {
  it('is over before anything is sent', async () => {
    const browser = new BrowserInMemory();
    const consent = browser.openTab();
    let askedMeanwhile: readonly string[] | undefined;
    const signIn = browser.exclusively(async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      askedMeanwhile = [...browser.asked];
    });
    await Promise.all([signIn, consent.open()]);
    expect(askedMeanwhile).toEqual([]);
    expect(browser.asked).toEqual(['FetchVisitor']);
  });

  it('never waits for the question, which is sent without the lock', async () => {
    const browser = new BrowserInMemory();
    const consent = browser.openTab();
    let answer = () => {};
    browser.delay = new Promise((resolve) => {
      answer = resolve;
    });
    const asking = consent.open();
    await vi.waitFor(() => expect(browser.asked).toEqual(['FetchVisitor']));
    await browser.exclusively(() => Promise.resolve());
    expect(consent.state().decision).toBeUndefined();
    answer();
    await asking;
    expect(consent.state().decision).toEqual({ analyticsConsent: null, anonymousId: null });
  });
});
