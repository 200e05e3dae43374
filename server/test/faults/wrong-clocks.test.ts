/** The clocks of two processes are twenty minutes apart: every lifetime follows the database's clock. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authenticatedNow, issueCredentialPair } from '../../src/domain/credentials/issue-pair.ts';
import { newId } from '../../src/kernel/ids.ts';
import { sha256 } from '../../src/kernel/secrets.ts';
import { seedPerson, seedSession } from '../support/actors/seeding.ts';
import { inviteTo, newOwner, newSuperAdmin } from '../support/actors/tenants.ts';
import { attempt, outcomeOf, until } from '../support/checks/concurrency.ts';
import { beginAuthorization, csrfTokenIn, PageBrowser, redirectUri } from '../support/clients/authorization.ts';
import {
  type Answer,
  Browser,
  bearer,
  goodPassword,
  newAddress,
  operations,
  post,
  type Tokens,
  tokensOf,
} from '../support/clients/clients.ts';
import { auditRows, callTool, newMcpClient } from '../support/clients/mcp.ts';
import { newClient, newCode, postForm, redeem, refreshAs, refreshOf } from '../support/clients/oauth.ts';
import { ProviderBrowser } from '../support/clients/provider-browser.ts';
import { waitAsInTests } from '../support/gatehouse/wait-limits.ts';
import { type HostileIssuer, startHostileIssuer } from '../support/servers/hostile-issuer.ts';
import { checkoutCompleted, postToWebhook, signatureOf, webhookSecret } from '../support/servers/payments.ts';
import { clockAhead } from './support/faults/shifted-clock.ts';
import { Site } from './support/sites/site.ts';
import { labelOf } from './support/verdicts/history.ts';
import { keepResult } from './support/verdicts/results.ts';

const minutes = 10;
/** Seconds between the database's clock and an instant in an answer, the time of the request included. */
const toleranceMillis = 30_000;
const accessMillis = 900_000;
const refreshSeconds = 2_592_000;

/** The lifetimes of the auth cookies of an answer, in seconds. */
const cookieLives = ({ setCookies }: Pick<Answer, 'setCookies'>): readonly number[] =>
  setCookies.flatMap((line) => /^auth_(?:access|refresh)=.*; Max-Age=(\d+)/.exec(line)?.[1] ?? []).map(Number);

/** @param left seconds of a lifetime that began no longer ago than a request takes */
const isWhole = (left: unknown, seconds: number): boolean =>
  typeof left === 'number' && left <= seconds && left > seconds - toleranceMillis / 1_000;

describe(`Two processes whose clocks are ${minutes} minutes ahead and behind`, () => {
  // How soon the server answers is no part of the rule.
  waitAsInTests();
  let site: Site;
  let issuer: HostileIssuer;

  beforeAll(async () => {
    issuer = await startHostileIssuer();
    site = await Site.start({
      processes: 2,
      environment: (index) => ({
        ...clockAhead(index === 0 ? minutes : -minutes),
        ...issuer.environment(),
        STRIPE_WEBHOOK_SECRET: webhookSecret,
        LOG_LEVEL: 'info',
      }),
    });
  });
  afterAll(async () => {
    const violations = await site.judge({ maxMails: 1 });
    const { operations: asked } = site.history;
    await keepResult({
      fault: 'clocks 10 minutes apart',
      runs: 1,
      violations,
      operations: asked,
      defects: site.defects,
    });
    const { defects } = site;
    await site.close();
    await issuer.close();
    expect(violations).toEqual([]);
    expect(defects).toEqual([]);
  });

  const databaseNow = async (): Promise<number> => {
    const [row] = await site.sql<{ now: Date }>('SELECT clock_timestamp() AS now');
    return row?.now.getTime() ?? 0;
  };

  const session = async (): Promise<Tokens> => seedSession(site.database, await seedPerson(site.database));

  /** Moves an instant of the pair to this many seconds from now, by the database's clock. */
  const move = async (tokens: Tokens, column: 'expires_at' | 'revoked_at', seconds: number): Promise<void> => {
    await site.sql(
      `UPDATE credentials SET ${column} = now() + $2 * interval '1 second' WHERE pair_id =
         (SELECT pair_id FROM credentials WHERE token_hash = $1)`,
      [sha256(tokens.accessToken), seconds],
    );
  };

  /** Has all rows of a table expire this many seconds from now, by the database's clock. */
  const moveEnds = (table: 'external_exchanges' | 'oauth_codes' | 'oauth_requests', seconds: number) =>
    site.sql(`UPDATE ${table} SET expires_at = now() + $1 * interval '1 second'`, [seconds]);

  /** Has a session and its tokens expire this many seconds from now. */
  const moveFamilyEnd = (token: string, seconds: number) =>
    site.sql(
      `UPDATE credentials SET family_expires_at = now() + $2 * interval '1 second',
         expires_at = least(expires_at, now() + $2 * interval '1 second')
       WHERE session_family_id = (SELECT session_family_id FROM credentials WHERE token_hash = $1)`,
      [sha256(token), seconds],
    );

  const portalSession = async (userId: string): Promise<Tokens> => {
    const lifetimes = {
      accessTtlSeconds: accessMillis / 1_000,
      refreshTtlSeconds: refreshSeconds,
      signInHistoryDays: 0,
    };
    const caller = { ip: '127.0.0.1', userAgent: 'tests' };
    const person = { userId, audience: 'portal', authMethod: 'password', authentication: authenticatedNow };
    const request = { ...person, caller, succeeds: null, grant: null };
    const pair = await site.database.transaction((work) => issueCredentialPair(work, lifetimes, request));
    if (pair === null) throw new Error(`No pair for ${userId}`);
    return pair;
  };

  /** Returns from the provider, which vouches for a new person for two minutes. */
  const comeBack = async (url: string): Promise<ProviderBrowser> => {
    const subject = newId();
    issuer.behave({
      claims: (good) => ({ ...good, sub: subject, email: newAddress(), exp: Number(good['iat']) + 120 }),
    });
    const browser = new ProviderBrowser();
    const landing = await browser.follow(`${url}/auth/google`, ({ pathname }) => pathname === '/signin');
    expect(landing).toBe(`${url}/signin?oauth_exchange=1`);
    return browser;
  };

  const onBoth = <T>(ask: (url: string) => Promise<T>): Promise<T[]> =>
    Promise.all(site.servers.map(({ url }) => ask(url)));

  const use = (tokens: Tokens): Promise<string[]> =>
    onBoth(async (url) => outcomeOf(await post(url, operations.me, {}, bearer(tokens))));

  it('start with these wrong clocks', async () => {
    const now = await databaseNow();
    const startApart = site.servers.map(({ output }) => {
      const started = output.split('\n').find((line) => line.includes('"service.started"')) ?? '{}';
      const { time = '' } = JSON.parse(started) as { time?: string };
      return Math.round((new Date(time).getTime() - now) / 60_000);
    });
    expect(startApart).toEqual([minutes, -minutes]);
  });

  it('issue and refresh pairs whose lifetimes start at the database clock', async () => {
    for (const { url } of site.servers) {
      const tokens = await session();
      const question = { name: 'refresh', does: 'rotate', pair: labelOf(tokens) } as const;
      const answer = await site.history.ask(question, () => attempt(url, operations.refresh, { ...tokens }));
      const [, endsAt = ''] = /"accessTokenExpiresAt":"([^"]+)"/.exec(answer?.text ?? '') ?? [];
      const life = new Date(endsAt).getTime() - (await databaseNow());
      expect(Math.abs(life - accessMillis)).toBeLessThan(toleranceMillis);
    }
  });

  it('report lifetimes of tokens to MCP clients by the same clock', async () => {
    for (const { url } of site.servers) {
      const { clientId, tokens } = await newMcpClient(site);
      const { body } = await postForm({ url }, 'token', refreshOf(clientId, tokens.refreshToken));
      expect(body['expires_in']).toBe(accessMillis / 1_000);
      const pair = { accessToken: String(body['access_token']), refreshToken: String(body['refresh_token']) };
      await moveFamilyEnd(pair.accessToken, 300);
      const { body: last } = await refreshAs({ url }, { clientId, tokens: pair });
      expect(isWhole(last['expires_in'], 300)).toBe(true);
    }
  });

  it('have browsers keep their cookies until the end of the session', async () => {
    for (const { url } of site.servers) {
      const tokens = await portalSession(await seedPerson(site.database));
      const browser = new Browser({ url });
      browser.cookies.set('auth_access', tokens.accessToken).set('auth_refresh', tokens.refreshToken);
      for (const seconds of [refreshSeconds, 300]) {
        await moveFamilyEnd(tokens.accessToken, seconds);
        const lives = cookieLives(await browser.run(operations.refreshByCookie));
        expect(lives.map((life) => isWhole(life, seconds))).toEqual([true, true]);
      }
    }
  });

  it('redeem a code until it expires and no longer', async () => {
    for (const { url } of site.servers) {
      const { userId } = await newSuperAdmin(site);
      const clientId = await newClient({ url });
      const code = await newCode(site, { clientId, userId });
      await moveEnds('oauth_codes', -1);
      expect((await redeem({ url }, code)).body['error']).toBe('invalid_grant');
      await moveEnds('oauth_codes', 60);
      expect((await redeem({ url }, code)).body['expires_in']).toBe(accessMillis / 1_000);
    }
  });

  it('ask for consent until the request expires and no longer', async () => {
    for (const { url } of site.servers) {
      const { userId } = await newSuperAdmin(site);
      const browser = new PageBrowser({ url });
      browser.keep({ name: 'auth_access', value: (await portalSession(userId)).accessToken, path: '/' });
      const path = await beginAuthorization(browser, await newClient({ url }, { redirect_uris: [redirectUri] }));
      await moveEnds('oauth_requests', -1);
      expect((await browser.get(path)).status).toBe(410);
      await moveEnds('oauth_requests', 60);
      const form = { decision: 'approve', csrf_token: csrfTokenIn(await browser.get(path)) };
      expect((await browser.post(path, form)).location).toContain('code=');
    }
  });

  it("check the provider's instants against the database clock, and complete the sign-in in time", async () => {
    for (const { url } of site.servers) {
      const portal = { url, portalUrl: url };
      const late = await comeBack(url);
      await moveEnds('external_exchanges', -1);
      expect(outcomeOf(await late.run(portal, operations.exchangeAuthTokens))).toBe('EXCHANGE_REFUSED');
      const inTime = await comeBack(url);
      await moveEnds('external_exchanges', 60);
      const answer = await inTime.run(portal, operations.exchangeAuthTokens);
      expect(outcomeOf(answer)).toBe('OK');
      expect(cookieLives(answer)).toEqual([refreshSeconds, refreshSeconds]);
    }
  });

  it('link in one process after preparing in the other', async () => {
    const [ahead = '', behind = ''] = site.servers.map(({ url }) => url);
    for (const [first, second] of [
      [ahead, behind],
      [behind, ahead],
    ] as const) {
      const browser = await comeBack(first);
      await browser.run({ url: first, portalUrl: first }, operations.exchangeAuthTokens);
      await browser.get(`${first}/auth/google/prepare-link`);
      const isEnd = ({ pathname }: URL): boolean => pathname === '/' || pathname === '/signin';
      expect(await browser.follow(`${second}/auth/google`, isEnd)).toBe(`${second}/`);
    }
  });

  it('accept payment events for five minutes', async () => {
    for (const [age, status] of [
      [0, 200],
      [240, 200],
      [360, 400],
    ] as const) {
      const statuses = await onBoth(async (url) => {
        const body = JSON.stringify(checkoutCompleted('cus_of_clocks', newId()));
        const answer = await postToWebhook({ url }, body, { 'stripe-signature': signatureOf(body, { age }) });
        return answer.status;
      });
      expect(statuses, `signed ${age} s ago`).toEqual([status, status]);
    }
  });

  // Contract: operation#clocks-of-processes — Instance clocks apart: the database's clock decides
  it('accept a token until it expires and no longer, also a cached one', async () => {
    const tokens = await session();
    await move(tokens, 'expires_at', 60);
    expect(await use(tokens)).toEqual(['OK', 'OK']);
    await move(tokens, 'expires_at', -1);
    expect(await use(tokens)).toEqual(['ACCESS_EXPIRED', 'ACCESS_EXPIRED']);
  });

  it('distinguish a superseded refresh, a lost answer and a stolen token by the time of the first one', async () => {
    for (const [secondsAgo, code] of [
      [1, 'REFRESH_SUPERSEDED'],
      [15, 'OK'],
      [65, 'REFRESH_REFUSED'],
    ] as const) {
      for (const { url } of site.servers) {
        const tokens = await session();
        tokensOf(await post(site.first.url, operations.refresh, { ...tokens }));
        await move(tokens, 'revoked_at', -secondsAgo);
        expect(outcomeOf(await post(url, operations.refresh, { ...tokens }))).toBe(code);
      }
    }
  });

  it('accept an invitation until it expires and no longer', async () => {
    for (const { url } of site.servers) {
      const [guest, host] = [await newOwner(site), await newOwner(site)];
      const token = await inviteTo(site, guest.userId, host.organizationId);
      const ends = (seconds: number): Promise<unknown> =>
        site.sql(
          `UPDATE organization_members SET invitation_expires_at = now() + $2 * interval '1 second' WHERE id = $1`,
          [token, seconds],
        );
      const accept = async (): Promise<string> =>
        outcomeOf(await post(url, operations.acceptInvitation, { token }, bearer(guest.tokens)));
      await ends(-1);
      expect(await accept()).toBe('INVITATION_NOT_OPEN');
      await ends(60);
      expect(await accept()).toBe('OK');
    }
  });

  it('accept the link of a verification mail until it expires, and send due mails', async () => {
    for (const { url } of site.servers) {
      const email = newAddress();
      const input = { email, name: 'Test Person', password: goodPassword };
      // Not in the history, because its checker expects the mail of every sign-up.
      await post(url, operations.signUp, { input });
      await until('the mail is here', async () => site.smtp.mails.some(({ to }) => to.includes(email)));
      const mail = site.smtp.mails.find(({ to }) => to.includes(email));
      const token = /\/verify\/([0-9a-f]{64})/.exec(mail?.text ?? '')?.[1];
      const ends = (seconds: number): Promise<unknown> =>
        site.sql(`UPDATE users SET email_validation_expires_at = now() + $2 * interval '1 second' WHERE email = $1`, [
          email,
          seconds,
        ]);
      await ends(-1);
      expect((await post(url, operations.validate, { token })).data).toEqual({ validateEmail: { status: 'EXPIRED' } });
      await ends(60);
      expect((await post(url, operations.validate, { token })).data).toEqual({ validateEmail: { status: 'VERIFIED' } });
    }
  });

  it('record tool calls at the instants of the database', async () => {
    const client = await newMcpClient(site);
    await onBoth((url) => callTool({ url }, client, 'mcp_whoami'));
    expect(await auditRows(site)).toHaveLength(2);
    const [row] = await site.sql<{ apart: number }>(
      'SELECT max(abs(extract(epoch FROM clock_timestamp() - created_at)))::float8 AS apart FROM mcp_tool_audits',
    );
    expect(row?.apart).toBeLessThan(toleranceMillis / 1_000);
    await site.sql('ALTER TABLE mcp_tool_audits DISABLE TRIGGER mcp_tool_audits_append_only');
    await site.sql('DELETE FROM mcp_tool_audits');
  });
});
