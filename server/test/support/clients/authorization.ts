/** A client that asks for access, and the browser in which a person answers it, over plain HTTP without redirects. */
import { createHash, randomBytes } from 'node:crypto';
import { createSuperAdminAccount } from '../actors/super-admins.ts';
import type { Service } from '../gatehouse/gatehouse.ts';
import { Browser, goodPassword, operations } from './clients.ts';
import { askLikeFetch, postLikeFetch } from './plain-http.ts';

export const redirectUri = 'http://127.0.0.1:8976/callback';

/** A client that registered itself; answers its id. */
export const registerClient = async (
  { url }: Pick<Service, 'url'>,
  name = 'Test Client',
  redirectUris: readonly string[] = [redirectUri],
): Promise<string> => {
  const response = await postLikeFetch(
    `${url}/auth/mcp/register`,
    { 'content-type': 'application/json' },
    JSON.stringify({ client_name: name, redirect_uris: redirectUris }),
  );
  const registered = JSON.parse(await response.text()) as { client_id?: string };
  if (registered.client_id === undefined) throw new Error(`Not registered: ${response.status}`);
  return registered.client_id;
};

export const newVerifier = (): string => randomBytes(32).toString('base64url');

export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** Values by name; a list repeats the parameter, null leaves it out. */
export type Query = Readonly<Record<string, string | readonly string[] | null>>;

/** The query of an authorization request, by default of one that is granted. */
export const authorizationQuery = (clientId: string, changes: Query = {}): string => {
  const parameters: Query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: challengeOf('a verifier of the tests, which has forty-three characters'),
    code_challenge_method: 'S256',
    state: 'the state of the client',
    ...changes,
  };
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (typeof one === 'string' ? [[name, one]] : [])),
  );
  return new URLSearchParams(pairs).toString();
};

/** An answer as it came, redirects not followed. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Null where the answer is no redirect. */
  readonly location: string | null;
  readonly setCookies: readonly string[];
}

interface Kept {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

/** A browser that keeps cookies by their path, and follows nothing. */
export class PageBrowser {
  readonly #url: string;
  #kept: readonly Kept[] = [];

  constructor({ url }: Pick<Service, 'url'>) {
    this.#url = url;
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<PageAnswer> {
    return this.#send('GET', path, headers);
  }

  /** Sends a form as a page of the service does. */
  post(
    path: string,
    form: Readonly<Record<string, string>> | string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<PageAnswer> {
    const body = typeof form === 'string' ? form : new URLSearchParams(form).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.#send('POST', path, { origin: this.#url, ...type, ...headers }, body);
  }

  /** Takes over the cookies of the portal in this browser. */
  async signIn(service: Service, email: string): Promise<void> {
    const portal = new Browser(service);
    await portal.run(operations.signIn, { input: { email, password: goodPassword } });
    for (const [name, value] of portal.cookies) this.keep({ name, value, path: '/' });
  }

  async signOut(service: Service): Promise<void> {
    const portal = new Browser(service);
    for (const { name, value, path } of this.#kept) if (path === '/') portal.cookies.set(name, value);
    await portal.run(operations.signOut);
  }

  keep(cookie: Kept): void {
    this.drop(cookie.name, cookie.path);
    this.#kept = [...this.#kept, cookie];
  }

  drop(name: string, path: string): void {
    this.#kept = this.#kept.filter((kept) => kept.name !== name || kept.path !== path);
  }

  valueOf(name: string): string | undefined {
    return this.#kept.find((kept) => kept.name === name)?.value;
  }

  async #send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<PageAnswer> {
    const [plainPath = ''] = path.split('?', 1);
    const sent = this.#kept.filter((kept) => kept.path === '/' || plainPath === kept.path);
    const cookie = sent.map(({ name, value }) => `${name}=${value}`).join('; ');
    const response = await askLikeFetch(`${this.#url}${path}`, {
      method,
      headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
      body: body ?? null,
    });
    const setCookies = response.headers.getSetCookie();
    for (const line of setCookies) this.#take(line);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      location: response.headers.get('location'),
      setCookies,
    };
  }

  #take(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = pair.split('=');
    const path = attributes.find((attribute) => attribute.startsWith('Path='))?.slice('Path='.length) ?? '/';
    if (attributes.some((attribute) => /^(max-age=0|expires=thu, 01 jan 1970)/i.test(attribute))) this.drop(name, path);
    else this.keep({ name, value, path });
  }
}

/** Begins an authorization in a browser; answers the path of its consent page. */
export const beginAuthorization = async (
  browser: PageBrowser,
  clientId: string,
  changes: Query = {},
): Promise<string> => {
  const { location, status, text } = await browser.get(`/auth/mcp/authorize?${authorizationQuery(clientId, changes)}`);
  const path = /\/auth\/mcp\/continue\/[0-9a-f-]{36}$/.exec(location ?? '')?.[0];
  if (path === undefined) throw new Error(`Not begun: ${status} ${location} ${text}`);
  return path;
};

/** The token against forged answers in a consent page. */
export const csrfTokenIn = (page: PageAnswer): string => {
  const token = /name="csrf_token" value="([^"]+)"/.exec(page.text)?.[1];
  if (token === undefined) throw new Error(`No consent page: ${page.status} ${page.location} ${page.text}`);
  return token;
};

/** A super admin who is signed in, and asked by a client. */
export const askSuperAdmin = async (
  service: Service,
  clientId: string,
  {
    scopes,
    ...changes
  }: { readonly scopes?: readonly string[]; readonly [name: string]: Query[string] | undefined } = {},
): Promise<{ readonly browser: PageBrowser; readonly path: string; readonly email: string; readonly csrf: string }> => {
  const email = await createSuperAdminAccount(service, scopes);
  const browser = new PageBrowser(service);
  await browser.signIn(service, email);
  const query = Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value ?? null]));
  const path = await beginAuthorization(browser, clientId, query);
  return { browser, path, email, csrf: csrfTokenIn(await browser.get(path)) };
};

/** What a redirect to the client carries. */
export const answerIn = (location: string | null): Readonly<Record<string, string>> =>
  Object.fromEntries(new URL(location ?? 'none:').searchParams);
