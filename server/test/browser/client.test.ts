/** `@gatehouse/client` in front ends of an adopter, at origins of their own: many tabs, expiries, ends and switches. */
import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expireAccess, heading, isHome, isSignInPage, openStage, signedInVisitor } from '../support/browser/browser.ts';
import { chromiumPath } from '../support/browser/chromium.ts';
import {
  ask,
  becomeVisible,
  eventsOf,
  type FrontEnd,
  openTabs,
  shows,
  startFrontEnd,
  statusesOf,
} from '../support/browser/front-end.ts';
import { operationOf, type Visitor } from '../support/browser/visitors.ts';
import { goodPassword, newAddress, operations, post, register, signIn } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { startIdentityProvider } from '../support/servers/identity-provider.ts';

const tabCount = 10;

const rounds = 20;

/** 20 expiries for a change, too; the nightly run has 1,000. */
const expiries = Math.ceil(rounds * Number(process.env['TABS_FACTOR'] ?? '1'));

const limit = { timeout: 120_000 + expiries * 5_000 };

/** For pages without Web Locks, as over plain HTTP on a host that is not localhost. */
const removeLocks = (): void => {
  Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });
};

describe.skipIf(chromiumPath === null)('The client in front ends', () => {
  const here: FrontEnd = fixture(() => startFrontEnd(() => stage.service.url));
  const there: FrontEnd = fixture(() => startFrontEnd(() => stage.service.url));
  const provider = fixture(() => startIdentityProvider('localhost'));
  const stage = fixture(() =>
    openStage({
      browser: 'own',
      application: { origins: [here.url, there.url] },
      environment: provider.environment(),
    }),
  );

  const signInSomebody = async () => {
    const email = await register(stage.service);
    return { email, visitor: await signedInVisitor(stage, email) };
  };

  const mintedPairs = async (email: string): Promise<number> =>
    (await stage.service.sql.value<number>(
      `SELECT count(*)::integer AS pairs FROM credentials JOIN users ON users.id = user_id
       WHERE email = $1 AND kind = 'user_refresh'`,
      [email],
    )) ?? 0;

  /** Pairs issued while the tabs act on an access token that has expired. */
  const mintedInRound = async (email: string, act: () => Promise<unknown>): Promise<number> => {
    const before = await mintedPairs(email);
    await expireAccess(stage.service);
    await act();
    return (await mintedPairs(email)) - before;
  };

  /** What every tab was answered at once. */
  const askAtOnce = (tabs: readonly Page[]): Promise<readonly string[]> =>
    Promise.all(tabs.map((tab, index) => ask(tab, index % 2 === 0 ? 'fetch' : 'graphql', stage.service.url)));

  /** Without `fetch`, which sends a request again once, so that a second origin can overtake it. */
  const askBesideOrigins = (tabs: readonly Page[]): Promise<readonly string[]> =>
    Promise.all(tabs.map((tab) => ask(tab, 'graphql', stage.service.url)));

  const staySignedIn = async (tabs: readonly Page[], email: string): Promise<void> => {
    for (const tab of tabs) {
      expect(new Set(await statusesOf(tab))).toEqual(new Set(['signedIn']));
      expect(await eventsOf(tab)).toEqual([]);
      await shows(tab, email);
    }
  };

  const idOf = (email: string) => stage.service.sql.value<string>('SELECT id FROM users WHERE email = $1', [email]);

  // Contract: portal#one-refresh-for-all-tabs — Ten tabs, one rotation for each expiry, none signed out
  it.each([
    ['by Web Locks', null, expiries],
    ['by a lock in storage', removeLocks, rounds],
  ])('refreshes once for ten tabs at each expiry, and signs none out, %s', limit, async (_, script, count) => {
    const { visitor, email } = await signInSomebody();
    if (script !== null) await visitor.context.addInitScript(script);
    const tabs = await openTabs(visitor, here, tabCount, email);
    expect(await tabs[0]?.evaluate(() => navigator.locks === undefined)).toBe(script !== null);
    const answered = Array<unknown>(tabCount).fill(await idOf(email));
    for (let round = 0; round < count; round += 1) {
      const minted = await mintedInRound(email, async () => expect(await askAtOnce(tabs)).toEqual(answered));
      expect({ round, minted }).toEqual({ round, minted: 1 });
    }
    await staySignedIn(tabs, email);
  });

  // Contract: portal#several-origins-of-a-site — Two origins of one site and the portal: expiries at once sign
  //   no one out
  it('signs no tab of two origins and the portal out when all meet an expiry at once', limit, async () => {
    const { visitor, email } = await signInSomebody();
    const { page: portal } = visitor;
    await portal.goto('/');
    await isHome(portal);
    const tabs = [...(await openTabs(visitor, here, 4, email)), ...(await openTabs(visitor, there, 4, email))];
    const answered = Array<unknown>(tabs.length).fill(await idOf(email));
    let portalAnswers = 0;
    portal.on('response', (response) => {
      if (response.ok() && operationOf(response.request()) === 'FetchMe') portalAnswers += 1;
    });
    const askPortal = async (): Promise<void> => {
      const before = portalAnswers;
      // A question that is still running is not asked again.
      await expect.poll(() => becomeVisible(portal).then(() => portalAnswers)).toBeGreaterThan(before);
    };
    for (let round = 0; round < rounds; round += 1) {
      const minted = await mintedInRound(email, async () => {
        const [answers] = await Promise.all([askBesideOrigins(tabs), askPortal()]);
        expect(answers).toEqual(answered);
      });
      // The lock is of one origin: each of the three may refresh once.
      expect(minted).toBeGreaterThanOrEqual(1);
      expect(minted).toBeLessThanOrEqual(3);
    }
    await staySignedIn(tabs, email);
    await isHome(portal);
  });

  /** Creates an organization, and answers the ids of the active one and of the new one. */
  const secondOrganization = (tab: Page): Promise<readonly [string, string]> =>
    tab.evaluate(async (createOrganization) => {
      const { client } = frontEnd;
      const { createOrganization: created } = await client.graphql<{ createOrganization: { id: string } }, object>(
        createOrganization,
        { input: { name: 'Harbor' } },
      );
      const session = await client.session.get();
      return [session?.membership?.organization.id ?? '', created.id] as const;
    }, operations.createOrganization);

  const switchTo = (tab: Page, id: string): Promise<void> =>
    tab.evaluate((organizationId) => frontEnd.client.switchOrganization(organizationId), id);

  const organizationOf = (tab: Page): Promise<string | undefined> =>
    tab.evaluate(() => {
      const state = frontEnd.client.session.state();
      return state.status === 'signedIn' ? state.membership?.organization.id : undefined;
    });

  // Contract: portal#several-origins-of-a-site — A switch at one origin ends no session of another that asks meanwhile
  it('signs no tab out that asks while another origin switches the organization', limit, async () => {
    const { visitor, email } = await signInSomebody();
    const [first] = await openTabs(visitor, here, 1, email);
    const others = await openTabs(visitor, there, 4, email);
    if (first === undefined) throw new Error('One tab was asked for');
    const ids = await secondOrganization(first);
    const answered = Array<unknown>(others.length).fill(await idOf(email));
    for (let round = 0; round < rounds; round += 1) {
      const [answers] = await Promise.all([askBesideOrigins(others), switchTo(first, ids[(round + 1) % 2] ?? '')]);
      expect(answers).toEqual(answered);
      for (const tab of others) expect(new Set(await statusesOf(tab))).toEqual(new Set(['signedIn']));
    }
  });

  // Contract: portal#reach-of-sign-out-and-switch — A sign-out and a switch reach the tabs of the origin at once, and
  //   other origins with their next request or focus
  it('tells every tab of the origin of a switch and a sign-out, and other origins when they ask', async () => {
    const { visitor, email } = await signInSomebody();
    const tabs = await openTabs(visitor, here, tabCount, email);
    const [asking, looking] = await openTabs(visitor, there, 2, email);
    const [first] = tabs;
    if (first === undefined || asking === undefined || looking === undefined) throw new Error('Tabs were asked for');
    const [, second] = await secondOrganization(first);
    await switchTo(first, second);
    for (const tab of tabs) await expect.poll(() => organizationOf(tab)).toBe(second);
    expect(await organizationOf(looking)).not.toBe(second);
    await looking.evaluate(() => window.dispatchEvent(new Event('focus')));
    await expect.poll(() => organizationOf(looking)).toBe(second);

    await first.evaluate(() => frontEnd.client.signOut());
    await Promise.all(tabs.map((tab) => shows(tab, 'signedOut')));
    await Promise.all([shows(asking, email), shows(looking, email)]);
    expect(await ask(asking, 'graphql', stage.service.url)).toBe('REFRESH_REFUSED');
    await shows(asking, 'signedOut');
    // Told by the other tab of its origin.
    await shows(looking, 'signedOut');
    expect(await eventsOf(looking)).toEqual(['switched', 'expired']);
  });

  // Contract: portal#lost-network — A lost network ends no session
  it('ends no session without a network, and continues when it is back', async () => {
    const { visitor, email } = await signInSomebody();
    visitor.forgiveComplaints();
    const tabs = await openTabs(visitor, here, 3, email);
    await visitor.context.setOffline(true);
    await expireAccess(stage.service);
    expect(await Promise.all(tabs.map((tab) => ask(tab, 'graphql', stage.service.url)))).toEqual(
      Array(3).fill('OFFLINE'),
    );
    await Promise.all(tabs.map(becomeVisible));
    await Promise.all(tabs.map((tab) => shows(tab, email)));
    await visitor.context.setOffline(false);
    expect(await askAtOnce(tabs)).toEqual(Array<unknown>(3).fill(await idOf(email)));
    await staySignedIn(tabs, email);
  });

  // Contract: portal#one-refresh-for-all-tabs — A tab that is closed while it refreshes stops no other
  it.each([
    ['by Web Locks', null],
    ['by a lock in storage', removeLocks],
  ])('refreshes in another tab when the one that does so is closed, %s', async (_, script) => {
    const { visitor, email } = await signInSomebody();
    if (script !== null) await visitor.context.addInitScript(script);
    const [closing, ...others] = await openTabs(visitor, here, 4, email);
    if (closing === undefined) throw new Error('Tabs were asked for');
    const holdBack = (route: Route): Promise<void> | undefined =>
      operationOf(route.request()) === 'RefreshAccess' ? undefined : route.fallback();
    await closing.route('**/graphql', holdBack);
    await expireAccess(stage.service);
    const isRefreshing = closing.waitForRequest((request) => operationOf(request) === 'RefreshAccess');
    await closing.evaluate(() => void frontEnd.client.graphql('query Ask { me { id } }').catch(() => undefined));
    await isRefreshing;
    const answers = askAtOnce(others);
    await closing.close();
    expect(await answers).toEqual(Array<unknown>(3).fill(await idOf(email)));
    await staySignedIn(others, email);
  });

  const signInHere = (tab: Page, email: string): Promise<unknown> =>
    tab.evaluate(
      ([address, password]) =>
        frontEnd.client.session.begin(
          (send) =>
            send<{ signInWithPassword: { user: never } }, object>(
              `mutation SignIn($input: SignInWithPasswordInput!) { signInWithPassword(input: $input) {
                accessToken refreshToken user { id email name currentMembership { id role scopes organization { id name } } }
              } }`,
              { input: { email: address, password } },
            ),
          ({ signInWithPassword }) => signInWithPassword.user,
        ),
      [email, goodPassword] as const,
    );

  // Contract: portal#reach-of-sign-out-and-switch — Each event arrives once in each tab
  it('tells each tab of each event once', async () => {
    const email = await register(stage.service);
    const visitor = await stage.newVisitor();
    const tabs = await openTabs(visitor, here, tabCount, 'signedOut');
    const [first] = tabs;
    if (first === undefined) throw new Error('Tabs were asked for');
    await signInHere(first, email);
    await Promise.all(tabs.map((tab) => shows(tab, email)));
    const [, second] = await secondOrganization(first);
    await switchTo(first, second);
    for (const tab of tabs) await expect.poll(() => organizationOf(tab)).toBe(second);
    await first.evaluate(() => frontEnd.client.signOut());
    await Promise.all(tabs.map((tab) => shows(tab, 'signedOut')));
    await signInHere(first, email);
    await Promise.all(tabs.map((tab) => shows(tab, email)));
    const { accessToken } = await signIn(stage.service, email);
    await post(stage.service.url, operations.signOutEverywhere, {}, { authorization: `Bearer ${accessToken}` });
    expect(await ask(first, 'graphql', stage.service.url)).toBe('REFRESH_REFUSED');
    await Promise.all(tabs.map((tab) => shows(tab, 'signedOut')));
    const all = ['signedIn', 'switched', 'signedOut', 'signedIn', 'expired'];
    expect(await Promise.all(tabs.map(eventsOf))).toEqual(Array(tabCount).fill(all));
  });

  const tokensOf = async ({ context }: Visitor): Promise<readonly string[]> =>
    (await context.cookies()).filter(({ name }) => /auth_(access|refresh)$/.test(name)).map(({ value }) => value);

  /** All that a script of the page can read, as one text. */
  const readable = (tab: Page): Promise<string> =>
    tab.evaluate(async (baseUrl) => {
      const { client } = frontEnd;
      const databases = await indexedDB.databases();
      const cached = await Promise.all(
        (await caches.keys()).map(async (name) => {
          const requests = await (await caches.open(name)).keys();
          return Promise.all(requests.map(async ({ url }) => [url, await (await caches.match(url))?.text()]));
        }),
      );
      const query = '{ me { id email } mySessions { id kind } }';
      const headers = { 'content-type': 'application/json', accept: 'application/graphql-response+json' };
      const body = JSON.stringify({ query });
      const response = await client.fetch(`${baseUrl}/graphql`, { method: 'POST', headers, body });
      return JSON.stringify([
        [document.cookie, Object.entries(localStorage), Object.entries(sessionStorage), databases, cached, window.name],
        [document.documentElement.outerHTML, location.href, history.state, performance.getEntries()],
        [await client.session.get(), client.session.state(), await client.graphql(query), client.signInUrl()],
        [await response.text(), [...response.headers], frontEnd],
      ]);
    }, stage.service.url);

  // Contract: portal#tokens-and-scripts — No token is readable by a script
  it('shows no script a token, after a sign-in, refreshes and a switch', async () => {
    const email = await register(stage.service);
    const visitor = await stage.newVisitor();
    const [tab] = await openTabs(visitor, here, 1, 'signedOut');
    if (tab === undefined) throw new Error('A tab was asked for');
    const tokens: string[] = [];
    const read: string[] = [];
    const look = async (answer?: unknown): Promise<void> => {
      tokens.push(...(await tokensOf(visitor)));
      read.push(await readable(tab), JSON.stringify(answer ?? null));
    };
    await look(await signInHere(tab, email));
    for (let refresh = 0; refresh < 3; refresh += 1) {
      await expireAccess(stage.service);
      await look(await ask(tab, refresh === 0 ? 'fetch' : 'graphql', stage.service.url));
    }
    const [, second] = await secondOrganization(tab);
    await switchTo(tab, second);
    await look();
    expect(new Set(tokens).size).toBe(10);
    const text = read.join('\n');
    expect(text).toContain(email);
    expect(tokens.filter((token) => text.includes(token))).toEqual([]);
    expect(await tab.evaluate(() => indexedDB.databases())).toEqual([]);
  });

  // Contract: portal#exchange-before-the-first-question — The exchange comes before the first question, whatever other
  //   tabs ask
  it('exchanges before the first question of the portal, with ten tabs that ask at the same time', async () => {
    const email = newAddress();
    provider.newPerson({ email, name: 'Test Person' });
    const visitor = await stage.newVisitor();
    const tabs = [visitor.page, ...(await Promise.all(Array.from({ length: tabCount - 1 }, () => visitor.newTab())))];
    await Promise.all(tabs.map((tab) => tab.goto('/signin')));
    await Promise.all(tabs.map(isSignInPage));
    const [first, ...others] = tabs;
    if (first === undefined) throw new Error('Tabs were asked for');
    await first.getByRole('link', { name: 'Continue with Google' }).click();
    await first.getByRole('link', { name: email, exact: true }).waitFor();
    const asked: string[] = [];
    first.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/graphql')) asked.push(operationOf(request));
    });
    const chosen = first.getByRole('link', { name: email, exact: true }).click();
    for (let turn = 0; turn < 5; turn += 1) await Promise.all(others.map(becomeVisible));
    await chosen;
    await Promise.all(tabs.map(isHome));
    expect(asked[0]).toBe('ExchangeAuthTokens');
    expect([visitor.count('ExchangeAuthTokens'), visitor.count('RefreshAccess')]).toEqual([1, 0]);
    await heading(first, 'Hello, Test Person').waitFor();
  });
});
