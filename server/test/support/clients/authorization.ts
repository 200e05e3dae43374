/** A client that requests authorization, and the browser in which a person answers, without redirects. */
import { createSuperAdminAccount } from '../actors/super-admins.ts';
import type { Service } from '../gatehouse/gatehouse.ts';
import { Browser, goodPassword, operations } from './clients.ts';
import { CookieJar, type PageAnswer } from './cookie-jar.ts';
import { challengeOf, newClient } from './oauth.ts';

export const redirectUri = 'http://127.0.0.1:8976/callback';

/** A client that registered itself; returns its id. */
export const registerClient = (
  service: Pick<Service, 'url'>,
  name = 'Test Client',
  redirectUris: readonly string[] = [redirectUri],
): Promise<string> => newClient(service, { client_name: name, redirect_uris: redirectUris });

/** Values by name; a list repeats the parameter, null omits it. */
export type Query = Readonly<Record<string, string | readonly string[] | null>>;

/** The query of an authorization request, by default of a valid one. */
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

export class PageBrowser extends CookieJar {
  readonly #url: string;

  constructor({ url }: Pick<Service, 'url'>) {
    super();
    this.#url = url;
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<PageAnswer> {
    return this.fetch(`${this.#url}${path}`, headers);
  }

  /** Sends a form as a page of the service does. */
  post(
    path: string,
    form: Readonly<Record<string, string>> | string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<PageAnswer> {
    const body = typeof form === 'string' ? form : new URLSearchParams(form);
    return this.fetch(`${this.#url}${path}`, { origin: this.#url, ...headers }, body);
  }

  async signIn(service: Pick<Service, 'url'>, email: string, password = goodPassword): Promise<void> {
    const portal = new Browser(service);
    await portal.run(operations.signIn, { input: { email, password } });
    for (const [name, value] of portal.cookies) this.keep({ name, value, path: '/' });
  }

  async signOut(service: Service): Promise<void> {
    const portal = new Browser(service);
    for (const { name, value } of this.ofHosts) portal.cookies.set(name, value);
    await portal.run(operations.signOut);
  }

  keep({ name, value, path }: { readonly name: string; readonly value: string; readonly path: string }): void {
    this.put(this.#url, name, value, path);
  }
}

/** Starts an authorization in a browser; returns the path of its consent page. */
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

export const csrfTokenIn = (page: PageAnswer): string => {
  const token = /name="csrf_token" value="([^"]+)"/.exec(page.text)?.[1];
  if (token === undefined) throw new Error(`No consent page: ${page.status} ${page.location} ${page.text}`);
  return token;
};

/** A signed-in super admin with an authorization request of a client. */
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

/** The scopes and the organization of a page about one. */
export const organizationIn = (page: PageAnswer): string | undefined =>
  /name="organization_id" value="([^"]+)"/.exec(page.text)?.[1];

export const answerIn = (location: string | null): Readonly<Record<string, string>> =>
  Object.fromEntries(new URL(location ?? 'none:').searchParams);
