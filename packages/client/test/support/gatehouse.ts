/**
 * A Gatehouse in memory: pairs in a cookie jar shared by the tabs, responses with the codes of the contract. It knows
 * no passwords or people, and counts requests.
 */
import { type Browser, type Channel, type Client, createClient, type WithLock } from '../../src/index.ts';

interface Pair {
  state: 'live' | 'expired' | 'rotated' | 'revoked';
}

const ada = { id: 'u1', email: 'ada@example.com', name: 'Ada', emailValidatedAt: null, isSuperAdmin: false };

const membershipOf = (organization: string, scopes: readonly string[]) => ({
  id: `m-${organization}`,
  role: 'OWNER',
  scopes,
  organization: { id: organization, name: organization },
});

/** Operations whose response sets cookies. With two at a time the remaining cookies would be random. */
const replacingCookies: ReadonlySet<string> = new Set([
  'SignIn',
  'RefreshAccess',
  'SwitchOrganization',
  'ExchangeAuthTokens',
]);

/** The lock of all tabs of one browser. */
export const oneLock = (): WithLock => {
  const name = crypto.randomUUID();
  return (task) => navigator.locks.request(name, task);
};

export class GatehouseInMemory {
  readonly requests: string[] = [];
  /** Accept-Language of each request, as the page set it; null where it left that to the browser. */
  readonly languages: (string | null)[] = [];
  /** Responses that replace the usual one, by operation name, each used once. */
  readonly nextResponses = new Map<string, (() => Response)[]>();
  /** Name of the active organization. */
  organization: string | undefined;
  /** Scopes in the active organization. */
  scopes: readonly string[] = [];
  /** Maximum number of concurrent requests that replace the cookies. */
  maxConcurrentReplacements = 0;
  #replacing = 0;
  #jar: Pair | undefined;
  #hasExchange = false;
  readonly #held = new Map<string, Promise<void>>();
  readonly #listeners: { readonly tab: number; readonly handler: (message: string) => void }[] = [];
  #tabs = 0;
  readonly #withLock: WithLock = oneLock();

  static signedIn(): GatehouseInMemory {
    const gatehouse = new GatehouseInMemory();
    gatehouse.signIn();
    return gatehouse;
  }

  static returnedFromProvider(): GatehouseInMemory {
    const gatehouse = new GatehouseInMemory();
    gatehouse.returnFromProvider();
    return gatehouse;
  }

  signIn(): void {
    this.#jar = { state: 'live' };
  }

  /** The provider has redirected back: the jar holds the exchange secret. */
  returnFromProvider(): void {
    this.#hasExchange = true;
  }

  expireAccess(): void {
    if (this.#jar?.state === 'live') this.#jar.state = 'expired';
  }

  revoke(): void {
    if (this.#jar !== undefined) this.#jar.state = 'revoked';
  }

  /** Rotates outside the lock. The cookies change when the returned function is called. */
  rotateElsewhere(): () => void {
    if (this.#jar !== undefined) this.#jar.state = 'rotated';
    return () => {
      this.#jar = { state: 'live' };
    };
  }

  nextResponse(operation: string, ...answers: (() => Response)[]): void {
    this.nextResponses.set(operation, answers);
  }

  /** Has the answer to the next request of an operation arrive only then. */
  holdNext(operation: string, until: Promise<void>): void {
    this.#held.set(operation, until);
  }

  count(operation: string): number {
    return this.requests.filter((name) => name === operation).length;
  }

  /**
   * The browser of a new tab, for `createClient`.
   * @param duringWait called while the client waits for cookies to settle
   */
  browser(duringWait: () => void = () => {}): Partial<Browser> {
    this.#tabs += 1;
    return {
      fetch: (_, init) => this.#answer(init),
      withLock: this.#withLock,
      channel: this.#channelOf(this.#tabs),
      wait: async () => duringWait(),
    };
  }

  openTab(duringWait?: () => void): Client {
    return createClient({ baseUrl: 'https://id.example' }, this.browser(duringWait));
  }

  /** A tab that knows who is signed in. */
  async openedTab(): Promise<Client> {
    const tab = this.openTab();
    await tab.session.open();
    return tab;
  }

  #channelOf(tab: number): Channel {
    return {
      post: (message) => {
        for (const listener of this.#listeners) if (listener.tab !== tab) listener.handler(message);
      },
      listen: (handler) => this.#listeners.push({ tab, handler }),
    };
  }

  async #answer(init: RequestInit | undefined): Promise<Response> {
    const [, name = ''] = /(?:query|mutation) (\w+)/.exec(typeof init?.body === 'string' ? init.body : '') ?? [];
    this.requests.push(name);
    this.languages.push(new Headers(init?.headers).get('accept-language'));
    const sentPair = this.#jar;
    const isReplacing = replacingCookies.has(name);
    if (isReplacing) this.#replacing += 1;
    this.maxConcurrentReplacements = Math.max(this.maxConcurrentReplacements, this.#replacing);
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (isReplacing) this.#replacing -= 1;
    const nextResponse = this.nextResponses.get(name)?.shift();
    if (nextResponse !== undefined) return nextResponse();
    const response = this.#perform(name, sentPair, init);
    const held = this.#held.get(name);
    this.#held.delete(name);
    await held;
    return response;
  }

  #person(): object {
    const currentMembership = this.organization === undefined ? null : membershipOf(this.organization, this.scopes);
    return { ...ada, currentMembership, memberships: currentMembership === null ? [] : [currentMembership] };
  }

  #switch(init: RequestInit | undefined): Response {
    const [, target] = /"organizationId":"([^"]+)"/.exec(typeof init?.body === 'string' ? init.body : '') ?? [];
    this.organization = target;
    this.#jar = { state: 'live' };
    return answerOf({ switchOrganization: { user: this.#person() } });
  }

  #perform(name: string, sentPair: Pair | undefined, init: RequestInit | undefined): Response {
    if (name === 'SignIn') {
      this.signIn();
      return answerOf({ signInWithPassword: { user: this.#person() } });
    }
    if (name === 'CompleteInvitedProfile') {
      this.signIn();
      return answerOf({ completeInvitedProfile: { user: this.#person() } });
    }
    if (name === 'ExchangeAuthTokens') return this.#exchange();
    if (name === 'RefreshAccess') return this.#rotate(sentPair);
    if (sentPair?.state === 'expired') return refusalOf('ACCESS_EXPIRED', 401);
    if (sentPair?.state !== 'live') return refusalOf('UNAUTHENTICATED', 401);
    if (name === 'FetchMe') return answerOf({ me: this.#person() });
    if (name === 'SwitchOrganization') return this.#switch(init);
    this.#jar = undefined;
    return answerOf({ signOut: { success: true }, signOutEverywhere: { revokedCredentials: 2 } });
  }

  #exchange(): Response {
    if (!this.#hasExchange) return refusalOf('EXCHANGE_REFUSED', 401);
    this.#hasExchange = false;
    this.signIn();
    return answerOf({ exchangeAuthTokens: { user: this.#person() } });
  }

  #rotate(sentPair: Pair | undefined): Response {
    if (sentPair?.state === 'rotated') return refusalOf('REFRESH_SUPERSEDED', 409);
    if (sentPair === undefined || sentPair.state === 'revoked') return refusalOf('REFRESH_REFUSED', 401);
    sentPair.state = 'rotated';
    this.#jar = { state: 'live' };
    return answerOf({ refreshAccessToken: { accessTokenExpiresAt: '2026-01-01T00:00:00.000Z' } });
  }
}

const answerOf = (data: unknown): Response => Response.json({ data });

export const refusalOf = (code: string, status: number, extensions: object = {}): Response =>
  Response.json({ errors: [{ message: code, extensions: { code, ...extensions } }] }, { status });

export const noConnection = (): Response => {
  throw new TypeError('fetch failed');
};

/** Failures that pass, by what they are for a person. */
export const passingFailures: readonly (readonly [string, () => Response])[] = [
  ['no connection', noConnection],
  ['a service that is not available', () => refusalOf('UNAVAILABLE', 503)],
  ['a proxy without a backend', () => new Response('<html>', { status: 502 })],
  ['too many requests', () => refusalOf('RATE_LIMITED', 429)],
  ['a defect', () => refusalOf('INTERNAL', 500, { correlationId: 'c-1' })],
];
