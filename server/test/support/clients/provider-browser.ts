/** A browser between the service and an external provider: redirects, cookies by host and path, no scripts. */

import type { Service } from '../gatehouse/gatehouse.ts';
import { type Answer, post, type Variables } from './clients.ts';
import { CookieJar, type PageAnswer } from './cookie-jar.ts';

export interface Arrival {
  readonly url: string;
  readonly answer: PageAnswer;
}

export class ProviderBrowser extends CookieJar {
  /** One request, redirects not followed. @param url absolute */
  get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<PageAnswer> {
    return this.fetch(url, headers);
  }

  /**
   * Sends the form of a page; its redirect is not followed.
   * @param url absolute
   * @param form its fields, or the whole encoded body
   */
  submit(
    url: string,
    form: Readonly<Record<string, string>> | string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<PageAnswer> {
    return this.fetch(url, headers, new URLSearchParams(form));
  }

  /** Follows redirects, until a page is not one or its URL must not be opened. */
  async follow(from: string, isEnd: (url: URL) => boolean = () => false): Promise<string | Arrival> {
    let url = from;
    for (let step = 0; step < 20; step += 1) {
      if (isEnd(new URL(url))) return url;
      const answer = await this.get(url);
      if (answer.location === null) return { url, answer };
      url = new URL(answer.location, url).href;
    }
    throw new Error(`Redirects without end from ${from}`);
  }

  async run(service: Pick<Service, 'url' | 'portalUrl'>, query: string, variables: Variables = {}): Promise<Answer> {
    const url = `${service.url}/graphql`;
    const headers = { origin: new URL(service.portalUrl).origin, ...this.headersFor(url) };
    const answer = await post(service.url, query, variables, headers);
    this.take(url, answer.setCookies);
    return answer;
  }

  /** Sets a cookie for a whole host, in place of any of its name. @param url of the host */
  keep(url: string, name: string, value: string): void {
    this.drop(name);
    this.put(url, name, value);
  }
}

const isCallback = (url: URL): boolean => url.pathname === '/auth/google/callback';

/** From a URL of the service through the provider, up to the callback, which is not opened; returns its URL. */
const choose = async (browser: ProviderBrowser, startUrl: string, choice: string): Promise<string> => {
  const chooser = await browser.follow(startUrl, isCallback);
  // The hostile issuer shows no page.
  if (typeof chooser === 'string') return chooser;
  if (!new URL(chooser.url).pathname.startsWith('/interaction/')) {
    throw new Error(`Not at the provider: ${JSON.stringify(chooser)}`);
  }
  const callback = await browser.follow(`${chooser.url}/${choice}`, isCallback);
  if (typeof callback !== 'string') throw new Error(`Not sent back: ${JSON.stringify(callback)}`);
  return callback;
};

/**
 * Signs in at the provider and stops before the callback.
 * @param startUrl `${service.portalUrl}/auth/google`, with a redirect or without, or that of prepare-link
 * @returns the URL of the callback, as the provider redirected this browser
 */
export const signInAtProvider = (browser: ProviderBrowser, startUrl: string, subject: string): Promise<string> =>
  choose(browser, startUrl, `login?subject=${encodeURIComponent(subject)}`);

/** Declines at the provider and stops before the callback; returns its URL. */
export const cancelAtProvider = (browser: ProviderBrowser, startUrl: string): Promise<string> =>
  choose(browser, startUrl, 'cancel');

/** Signs in at the provider and returns; the answer of the callback, not followed. */
export const returnFromProvider = async (
  browser: ProviderBrowser,
  startUrl: string,
  subject: string,
): Promise<PageAnswer> => browser.get(await signInAtProvider(browser, startUrl, subject));
