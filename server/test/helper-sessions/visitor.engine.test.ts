/** A visitor's decision about analytics (contract/accounts.md#visitor-decision), and its storage. */
import { describe, expect, it } from 'vitest';
import { firstQuery } from '../../src/graphql/graphiql.ts';
import { helperSessionSeconds } from '../../src/platform/helper-sessions.ts';
import { copyOf, decide, refused, undecided, visitorOf } from '../support/actors/visitors.ts';
import { inParallel, range } from '../support/checks/concurrency.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { Browser, goodPassword, operations, post, registerAndSignIn } from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('A visitor', () => {
  const service = serviceFixture();

  // Contract: accounts#visitor-decision — visitor: analyticsConsent null until the visitor has decided
  it('is undecided at first, and the query leaves nothing in their browser', async () => {
    const browser = new Browser(service);
    expect(await visitorOf(browser)).toEqual(undecided);
    expect([...browser.cookies]).toEqual([]);
    const byGet = await fetch(`${service.url}/graphql?query=${encodeURIComponent(operations.visitor)}`);
    expect(await byGet.json()).toEqual({ data: { visitor: undecided } });
    expect(byGet.headers.getSetCookie()).toEqual([]);
  });

  // Contract: operation#first-start — GraphiQL opens with a query that works
  it('is the first query of GraphiQL, and needs no sign-in', async () => {
    const answer = await post(service.url, firstQuery, {});
    expect(answer).toMatchObject({ status: 200, code: null, data: { visitor: { analyticsConsent: null } } });
  });

  // Contract: accounts#visitor-decision — recordConsent(true): an anonymous id exists only after consent
  it('has an anonymous id after consent, the same one at every later visit and consent', async () => {
    const browser = new Browser(service);
    const { analyticsConsent, anonymousId } = await decide(browser, true);
    expect([analyticsConsent, uuid.test(anonymousId ?? '')]).toEqual([true, true]);
    expect(await visitorOf(browser)).toEqual({ analyticsConsent, anonymousId });
    expect(await decide(browser, true)).toEqual({ analyticsConsent, anonymousId });
    expect(await visitorOf(browser)).toEqual({ analyticsConsent, anonymousId });
    expect((await decide(new Browser(service), true)).anonymousId).not.toBe(anonymousId);
  });

  // Contract: accounts#visitor-decision — recordConsent(false)
  it('has no id after a refusal, which is remembered', async () => {
    const browser = new Browser(service);
    expect(await decide(browser, false)).toEqual(refused);
    expect(await visitorOf(browser)).toEqual(refused);
  });

  // Contract: accounts#visitor-decision — Consent is withdrawn
  it('loses the id at a withdrawal, and gets another one after new consent', async () => {
    const browser = new Browser(service);
    const before = await decide(browser, true);
    expect(await decide(browser, false)).toEqual(refused);
    expect(await visitorOf(browser)).toEqual(refused);
    const after = await decide(browser, true);
    expect(after.analyticsConsent).toBe(true);
    expect(after.anonymousId).toMatch(uuid);
    expect(after.anonymousId).not.toBe(before.anonymousId);
    expect(await visitorOf(browser)).toEqual(after);
  });

  it('has one id after concurrent consents in many tabs', async () => {
    const browser = new Browser(service);
    await decide(browser, false);
    const tabs = range(20).map(() => copyOf(service, browser));
    const seen = await inParallel(tabs, tabs.length, (tab) => decide(tab, true));
    expect(new Set(seen.map(({ anonymousId }) => anonymousId))).toEqual(
      new Set([(await visitorOf(browser)).anonymousId]),
    );
  });

  // Contract: accounts#visitor-decision — Concurrent recordConsent
  it('has one decision after concurrent opposite ones', async () => {
    for (const _ of range(5)) {
      const browser = new Browser(service);
      await decide(browser, false);
      const tabs = range(10).map(() => copyOf(service, browser));
      await inParallel(tabs, tabs.length, (tab, index) => decide(tab, index % 2 === 0));
      const { analyticsConsent, anonymousId } = await visitorOf(browser);
      expect(analyticsConsent).toBe(anonymousId !== null);
    }
  });

  // Contract: accounts#visitor-decision — Store max age 30 days; httpOnly
  it('keeps a decision for thirty days from the last one, in a cookie that scripts cannot read', async () => {
    const browser = new Browser(service);
    for (const analytics of [true, false, true]) {
      const answer = await browser.run(operations.recordConsent, { analytics });
      expect(answer.setCookies).toHaveLength(1);
      const [pair = '', ...attributes] = answer.setCookies[0]?.split('; ') ?? [];
      expect(pair).toMatch(/^helper_session=[\w-]{43}\.[\w-]{43}$/);
      expect(attributes.toSorted()).toEqual(
        [`Max-Age=${helperSessionSeconds}`, 'Path=/', 'HttpOnly', 'SameSite=Lax'].toSorted(),
      );
    }
    expect(helperSessionSeconds).toBe(30 * 24 * 3600);
  });

  it('is the browser and not the person: signing in and out changes nothing, nor does another account', async () => {
    const browser = new Browser(service);
    const { anonymousId } = await decide(browser, true);
    for (const _ of range(2)) {
      const { email } = await registerAndSignIn(service);
      expect((await browser.run(operations.signIn, { input: { email, password: goodPassword } })).code).toBeNull();
      expect((await visitorOf(browser)).anonymousId).toBe(anonymousId);
      expect((await browser.run(operations.signOut)).code).toBeNull();
      expect((await visitorOf(browser)).anonymousId).toBe(anonymousId);
    }
  });

  it('may also have an expired, revoked or unknown access token', async () => {
    const browser = new Browser(service);
    browser.cookies.set('auth_access', 'gate_a_nobody');
    expect((await decide(browser, true)).analyticsConsent).toBe(true);
    const asBearer = await post(service.url, operations.visitor, {}, { authorization: 'Bearer gate_a_nobody' });
    expect(asBearer.data).toEqual({ visitor: undecided });
  });

  // Contract: accounts#visitor-decision — recordConsent needs an allowed Origin
  it.each([
    ['no Origin and no Referer', {}],
    ['another Origin', { origin: 'https://evil.example' }],
    ['another Origin and the Referer of the portal', { origin: 'null', referer: 'own' }],
    ['the Referer of another page', { referer: 'https://evil.example/' }],
  ])('decides nothing by a request with %s', async (_what, headers: Readonly<Record<string, string>>) => {
    const browser = new Browser(service);
    const before = await decide(browser, true);
    const cookie = `helper_session=${browser.cookies.get('helper_session')}`;
    const sent = { ...headers, ...(headers['referer'] === 'own' ? { referer: `${service.url}/` } : {}) };
    for (const cookies of [{}, { cookie }]) {
      await expectRefusal(service, 'ORIGIN_REFUSED', () =>
        post(service.url, operations.recordConsent, { analytics: false }, { ...sent, ...cookies }),
      );
    }
    expect(await visitorOf(browser)).toEqual(before);
  });

  // Contract: accounts#visitor-decision — recordConsent without an Origin explains what to send
  it('gets an explanation when a request for a decision names no page', async () => {
    await expectRefusal(service, 'ORIGIN_REFUSED', async () => {
      const answer = await post(service.url, operations.recordConsent, { analytics: true });
      expect(answer.text).toContain(
        `Only a page of the portal may do this for its visitor: send the Origin header ${service.url}.`,
      );
      expect(answer.text).not.toContain('cookies do not count');
      return answer;
    });
  });

  it('decides by the Referer of the portal where there is no Origin', async () => {
    const headers = { referer: `${service.url}/signin` };
    const answer = await post(service.url, operations.recordConsent, { analytics: false }, headers);
    expect(answer.data).toEqual({ recordConsent: refused });
  });

  it('gets a new session for a cookie that was not issued here', async () => {
    const browser = new Browser(service);
    await decide(browser, true);
    const [id = '', signature = ''] = (browser.cookies.get('helper_session') ?? '').split('.');
    const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    const forged = [
      id,
      `${id}.`,
      `.${signature}`,
      `${id}.${flipped}`,
      `x${id}.${signature}`,
      `${id}.${signature}.`,
      '',
      '.',
    ];
    for (const value of forged) {
      const thief = new Browser(service);
      thief.cookies.set('helper_session', value);
      expect([value, await visitorOf(thief)]).toEqual([value, undecided]);
      expect(await decide(thief, false)).toEqual(refused);
      expect(thief.cookies.get('helper_session')?.split('.')[0]).not.toBe(id);
    }
    expect((await visitorOf(browser)).analyticsConsent).toBe(true);
  });
});
