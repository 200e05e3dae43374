/** A browser that travels between the service and an outside provider: redirects, cookies by host and path, no scripts. */

import type { Service } from '../gatehouse/gatehouse.ts';
import type { PageAnswer } from './authorization.ts';
import { type Answer, post, type Variables } from './clients.ts';
import { askLikeFetch } from './plain-http.ts';

/** The address of the page that a redirect led to, and the page. */
export interface Arrival {
  readonly url: string;
  readonly answer: PageAnswer;
}

interface Kept {
  readonly host: string;
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

export class TravellingBrowser {
  #kept: readonly Kept[] = [];

  /** One request, redirects not followed. @param url absolute */
  get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<PageAnswer> {
    return this.#send(url, {}, headers);
  }

  /**
   * Sends the form of a page; the redirect behind it is not followed.
   * @param url absolute
   * @param form its fields, or all of it as it is sent
   */
  submit(
    url: string,
    form: Readonly<Record<string, string>> | string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<PageAnswer> {
    return this.#send(url, { method: 'POST', body: new URLSearchParams(form) }, headers);
  }

  async #send(
    url: string,
    request: { readonly method?: string; readonly body?: URLSearchParams },
    headers: Readonly<Record<string, string>>,
  ): Promise<PageAnswer> {
    const cookie = this.#cookiesFor(url);
    const { method = 'GET', body } = request;
    const type = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };
    const response = await askLikeFetch(url, {
      method,
      headers: { ...type, ...(cookie === '' ? {} : { cookie }), ...headers },
      body: body?.toString() ?? null,
    });
    const setCookies = response.headers.getSetCookie();
    for (const line of setCookies) this.#take(url, line);
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: response.headers.get('location'),
      setCookies,
    };
  }

  /** Goes where redirects lead, until a page is no redirect or its address is not to be opened. */
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

  /** An operation of the portal, with the cookies of this browser. */
  async run(service: Pick<Service, 'url' | 'portalUrl'>, query: string, variables: Variables = {}): Promise<Answer> {
    const cookie = this.#cookiesFor(`${service.url}/graphql`);
    const headers = { origin: new URL(service.portalUrl).origin, ...(cookie === '' ? {} : { cookie }) };
    const answer = await post(service.url, query, variables, headers);
    for (const line of answer.setCookies) this.#take(`${service.url}/graphql`, line);
    return answer;
  }

  /** A cookie of this browser, whatever its host and path; undefined without one. */
  valueOf(name: string): string | undefined {
    return this.#kept.find((kept) => kept.name === name)?.value;
  }

  /** Puts a value in place of the one that the cookie has. */
  replace(name: string, value: string): void {
    this.#kept = this.#kept.map((kept) => (kept.name === name ? { ...kept, value } : kept));
  }

  /** Gives a cookie for a whole host. @param url of the host */
  keep(url: string, name: string, value: string): void {
    this.drop(name);
    this.#kept = [...this.#kept, { host: new URL(url).hostname, name, value, path: '/' }];
  }

  drop(name: string): void {
    this.#kept = this.#kept.filter((kept) => kept.name !== name);
  }

  #cookiesFor(url: string): string {
    const { hostname, pathname } = new URL(url);
    return this.#kept
      .filter(({ host, path }) => host === hostname && isBelow(pathname, path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  #take(url: string, line: string): void {
    const { hostname: host } = new URL(url);
    const [pair = '', ...attributes] = line.split(/; ?/);
    const [name = '', value = ''] = pair.split('=');
    const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice('path='.length) ?? '/';
    this.#kept = this.#kept.filter((kept) => kept.host !== host || kept.name !== name || kept.path !== path);
    const isGone = attributes.some((attribute) => /^(max-age=0|expires=thu, 01 jan 1970)/i.test(attribute));
    if (!isGone) this.#kept = [...this.#kept, { host, name, value, path }];
  }
}

/** RFC 6265, section 5.1.4. */
const isBelow = (pathname: string, path: string): boolean =>
  pathname === path || (pathname.startsWith(path) && (path.endsWith('/') || pathname[path.length] === '/'));

const isCallback = (url: URL): boolean => url.pathname === '/auth/google/callback';

/** From an address of the service through the provider, up to the callback, which is not opened; answers its address. */
const choose = async (browser: TravellingBrowser, startUrl: string, choice: string): Promise<string> => {
  const chooser = await browser.follow(startUrl, isCallback);
  // The hostile issuer asks nobody.
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
 * @returns the address of the callback, as the provider sent this browser there
 */
export const signInAtProvider = (browser: TravellingBrowser, startUrl: string, subject: string): Promise<string> =>
  choose(browser, startUrl, `login?subject=${encodeURIComponent(subject)}`);

/** Says no at the provider and stops before the callback; answers its address. */
export const cancelAtProvider = (browser: TravellingBrowser, startUrl: string): Promise<string> =>
  choose(browser, startUrl, 'cancel');

/** Signs in at the provider and comes back; what the callback answers, not followed. */
export const comeBackFromProvider = async (
  browser: TravellingBrowser,
  startUrl: string,
  subject: string,
): Promise<PageAnswer> => browser.get(await signInAtProvider(browser, startUrl, subject));
