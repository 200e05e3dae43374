/** The cookies of a browser without scripts, by host, name and path, and requests of pages with them. */
import { askLikeFetch } from './plain-http.ts';

interface Kept {
  readonly host: string;
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

/** An answer, redirects not followed. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Null where the answer is not a redirect. */
  readonly location: string | null;
  readonly setCookies: readonly string[];
}

type HeaderMap = Readonly<Record<string, string>>;

export class CookieJar {
  #kept: readonly Kept[] = [];

  /** Requests a page with these cookies, and stores those of the answer. @param form POSTs it, to an absolute url */
  async fetch(url: string, headers: HeaderMap, form: URLSearchParams | string | null = null): Promise<PageAnswer> {
    const type = form === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await askLikeFetch(url, {
      method: form === null ? 'GET' : 'POST',
      headers: { ...type, ...this.headersFor(url), ...headers },
      body: form?.toString() ?? null,
    });
    const setCookies = response.headers.getSetCookie();
    this.take(url, setCookies);
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: response.headers.get('location'),
      setCookies,
    };
  }

  headersFor(url: string): HeaderMap {
    const { hostname, pathname } = new URL(url);
    const sent = this.#kept.filter(({ host, path }) => host === hostname && isBelow(pathname, path));
    return sent.length === 0 ? {} : { cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; ') };
  }

  take(url: string, lines: readonly string[]): void {
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split(/; ?/);
      const [name = '', value = ''] = pair.split('=');
      const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice('path='.length) ?? '/';
      if (attributes.some((attribute) => /^(max-age=0|expires=thu, 01 jan 1970)/i.test(attribute))) {
        this.drop(name, path);
      } else this.put(url, name, value, path);
    }
  }

  put(url: string, name: string, value: string, path = '/'): void {
    const { hostname: host } = new URL(url);
    this.#kept = this.#kept.filter((kept) => kept.host !== host || kept.name !== name || kept.path !== path);
    this.#kept = [...this.#kept, { host, name, value, path }];
  }

  /** @param path by default any */
  drop(name: string, path?: string): void {
    this.#kept = this.#kept.filter((kept) => kept.name !== name || (path !== undefined && kept.path !== path));
  }

  replace(name: string, value: string): void {
    this.#kept = this.#kept.map((kept) => (kept.name === name ? { ...kept, value } : kept));
  }

  /** A cookie, whatever its host and path; undefined without one. */
  valueOf(name: string): string | undefined {
    return this.#kept.find((kept) => kept.name === name)?.value;
  }

  /** The cookies of a whole host. */
  get ofHosts(): readonly Pick<Kept, 'name' | 'value'>[] {
    return this.#kept.filter(({ path }) => path === '/');
  }
}

/** RFC 6265, section 5.1.4. */
const isBelow = (pathname: string, path: string): boolean =>
  pathname === path || (pathname.startsWith(path) && (path.endsWith('/') || pathname[path.length] === '/'));
