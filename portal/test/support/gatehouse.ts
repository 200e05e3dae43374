/**
 * A Gatehouse in memory, as the portal meets it: pairs in a cookie jar that tabs share, answers by the contract's codes.
 * It knows nothing about passwords or people; it counts what is asked of it.
 */
import type { HandoffMarker } from '../../src/session/handoff.ts';
import { createSession, type Session } from '../../src/session/session.ts';
import {
  type Exclusively,
  exclusivelyInThisTab,
  type SessionChannel,
  type SessionNews,
} from '../../src/session/tabs.ts';
import { createTransport } from '../../src/session/transport.ts';

interface Pair {
  state: 'live' | 'expired' | 'rotated' | 'revoked';
}

const ada = { id: 'u1', email: 'ada@example.com', name: 'Ada', emailValidatedAt: null, isSuperAdmin: false };

const membershipOf = (organization: string) => ({
  id: `m-${organization}`,
  role: 'OWNER',
  scopes: [],
  organization: { id: organization, name: organization },
});

/** What answers with new cookies. Two of these at a time would leave it to chance whose cookies stay. */
const replacingCookies: ReadonlySet<string> = new Set([
  'SignIn',
  'RefreshAccess',
  'SwitchOrganization',
  'ExchangeAuthTokens',
]);

export class GatehouseInMemory {
  readonly asked: string[] = [];
  /** Answers that replace the usual one, by operation name, each used once. */
  readonly surprises = new Map<string, (() => Response)[]>();
  /** The organization that the person acts for, by its name. */
  organization: string | undefined;
  /** How many requests that replace the cookies were under way at the same time, at most. */
  mostReplacingAtOnce = 0;
  #replacing = 0;
  #jar: Pair | undefined;
  #hasExchange = false;
  readonly #listeners: { readonly tab: number; readonly hear: (news: SessionNews) => void }[] = [];
  #tabs = 0;
  // One lock for all tabs of this browser, as Web Locks give.
  readonly #exclusively: Exclusively = exclusivelyInThisTab(() => Promise.resolve());

  signIn(): void {
    this.#jar = { state: 'live' };
  }

  /** The outside provider has sent somebody back: the jar holds the secret for their session. */
  returnFromProvider(): void {
    this.#hasExchange = true;
  }

  expireAccess(): void {
    if (this.#jar?.state === 'live') this.#jar.state = 'expired';
  }

  revoke(): void {
    if (this.#jar !== undefined) this.#jar.state = 'revoked';
  }

  /** Somebody outside the lock rotates; the cookies follow when the returned function is called. */
  rotateElsewhere(): () => void {
    if (this.#jar !== undefined) this.#jar.state = 'rotated';
    return () => {
      this.#jar = { state: 'live' };
    };
  }

  surprise(operation: string, ...answers: (() => Response)[]): void {
    this.surprises.set(operation, answers);
  }

  count(operation: string): number {
    return this.asked.filter((name) => name === operation).length;
  }

  /**
   * @param duringWait what happens while the portal waits for cookies to settle
   * @param handoff says that a sign-in by the provider waits to be finished
   */
  openTab(duringWait: () => void = () => {}, handoff?: HandoffMarker): Session {
    this.#tabs += 1;
    const tab = this.#tabs;
    return createSession({
      send: createTransport({ endpoint: '/graphql', fetch: (_, init) => this.#answer(init) }),
      exclusively: this.#exclusively,
      channel: this.#channelOf(tab),
      wait: async () => duringWait(),
      handoff,
    });
  }

  #channelOf(tab: number): SessionChannel {
    return {
      tell: (news) => {
        for (const listener of this.#listeners) if (listener.tab !== tab) listener.hear(news);
      },
      listen: (hear) => this.#listeners.push({ tab, hear }),
    };
  }

  async #answer(init: RequestInit | undefined): Promise<Response> {
    const [, name = ''] = /(?:query|mutation) (\w+)/.exec(typeof init?.body === 'string' ? init.body : '') ?? [];
    this.asked.push(name);
    const carried = this.#jar;
    const isReplacing = replacingCookies.has(name);
    if (isReplacing) this.#replacing += 1;
    this.mostReplacingAtOnce = Math.max(this.mostReplacingAtOnce, this.#replacing);
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (isReplacing) this.#replacing -= 1;
    const surprise = this.surprises.get(name)?.shift();
    if (surprise !== undefined) return surprise();
    return this.#perform(name, carried, init);
  }

  #person(): object {
    const currentMembership = this.organization === undefined ? null : membershipOf(this.organization);
    return { ...ada, currentMembership, memberships: currentMembership === null ? [] : [currentMembership] };
  }

  #switch(init: RequestInit | undefined): Response {
    const [, target] = /"organizationId":"([^"]+)"/.exec(typeof init?.body === 'string' ? init.body : '') ?? [];
    this.organization = target;
    this.#jar = { state: 'live' };
    return answerOf({ switchOrganization: { user: this.#person() } });
  }

  #perform(name: string, carried: Pair | undefined, init: RequestInit | undefined): Response {
    if (name === 'SignIn') {
      this.signIn();
      return answerOf({ signInWithPassword: { user: this.#person() } });
    }
    if (name === 'CompleteInvitedProfile') {
      this.signIn();
      return answerOf({ completeInvitedProfile: { user: this.#person() } });
    }
    if (name === 'ExchangeAuthTokens') return this.#exchange();
    if (name === 'RefreshAccess') return this.#rotate(carried);
    if (carried?.state === 'expired') return refusalOf('ACCESS_EXPIRED', 401);
    if (carried?.state !== 'live') return refusalOf('UNAUTHENTICATED', 401);
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

  #rotate(carried: Pair | undefined): Response {
    if (carried?.state === 'rotated') return refusalOf('REFRESH_SUPERSEDED', 409);
    if (carried === undefined || carried.state === 'revoked') return refusalOf('REFRESH_REFUSED', 401);
    carried.state = 'rotated';
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
