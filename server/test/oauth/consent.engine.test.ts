/**
 * `/auth/mcp/continue/:requestId`: who sees the consent page, its content, and the effect of an answer
 * (contract/platform-mcp.md#consent-page): asked every time, bound to the browser, ten minutes, once.
 */

import { beforeAll, describe, expect, it } from 'vitest';
import { Authenticator } from '../../src/domain/access/authenticate.ts';
import type { ClientAnswer } from '../../src/domain/oauth/authorization-request.ts';
import { getOpenRequest } from '../../src/domain/oauth/decide-consent.ts';
import { decideForPlatform } from '../../src/domain/oauth/platform-consent.ts';
import { ProtectedResources } from '../../src/domain/oauth/resources.ts';
import { defaultApplication } from '../../src/domain/scopes/application-definition.ts';
import { platformScopes } from '../../src/domain/scopes/scopes.ts';
import { newId } from '../../src/kernel/ids.ts';
import { sha256 } from '../../src/kernel/secrets.ts';
import { expire, liveOf } from '../support/actors/credentials.ts';
import { createSuperAdminAccount } from '../support/actors/super-admins.ts';
import { inParallel, range } from '../support/checks/concurrency.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { tablesAsText } from '../support/checks/secret-scan.ts';
import {
  answerIn,
  askSuperAdmin,
  beginAuthorization,
  csrfTokenIn,
  PageBrowser,
  redirectUri,
  registerClient,
} from '../support/clients/authorization.ts';
import { goodPassword, operations, post, register, tokensOf } from '../support/clients/clients.ts';
import type { PageAnswer } from '../support/clients/cookie-jar.ts';
import { challengeOf, newVerifier } from '../support/clients/oauth.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

const webUri = 'https://client.example/callback?a=b';
/** Redirect URIs that the operator allows, and their descriptions. */
const receivers = [
  ['http://intranet.example:8080/cb', '<bdi>intranet.example:8080</bdi>'],
  ['http://localhost.evil.example/cb', '<bdi>localhost.evil.example</bdi>'],
  ['https://localhost/cb', 'An app on this computer'],
  ['editor://host.example/cb', 'An app on this computer'],
] as const;

const originOfApplication = 'https://app.acme.example';

describe('Consent', () => {
  let clientId: string;
  const service = serviceFixture(
    { MCP_REDIRECT_ALLOW_LIST: [webUri, ...receivers.map(([uri]) => uri)].join(',') },
    'none',
    {
      application: { origins: [originOfApplication] },
    },
  );
  beforeAll(async () => {
    clientId = await registerClient(service);
  });

  const approve = (csrf: string) => ({ decision: 'approve', csrf_token: csrf });
  const deny = (csrf: string) => ({ decision: 'deny', csrf_token: csrf });
  const requestIdOf = (path: string): string => path.split('/').at(-1) ?? '';

  const isOpen = async (path: string): Promise<boolean> =>
    (await service.sql.value<boolean>('SELECT decided_at IS NULL AS open FROM oauth_requests WHERE id = $1', [
      requestIdOf(path),
    ])) ?? false;

  const codes = async (email: string): Promise<number> =>
    (await service.sql.value<number>(
      'SELECT count(*)::integer AS codes FROM oauth_codes JOIN users ON users.id = user_id WHERE email = $1',
      [email],
    )) ?? 0;

  /** A page with this status and title; nothing changed, and there is no redirect. */
  const expectPage = async (act: () => Promise<PageAnswer>, status: number, title: string): Promise<PageAnswer> => {
    const answer = await expectNothingStored(service, act);
    expect({ status: answer.status, location: answer.location }).toEqual({ status, location: null });
    expect(answer.text).toContain(`<h1>${title}</h1>`);
    return answer;
  };

  const expectRefusalToClient = (answer: PageAnswer, status: number, error: string): void => {
    expect(answer.status).toBe(status);
    expect(answer.location?.startsWith(`${redirectUri}?`)).toBe(true);
    const { error_description: description, ...reported } = answerIn(answer.location);
    expect(reported).toEqual({ error, state: 'the state of the client', iss: service.config.baseUrl });
    expect(description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
  };

  describe('The page', () => {
    // Contract: platform-mcp#consent-page — Consent page: client name, redirect host, scopes in words, the signed-in
    //   account
    it('names client, account, every scope in words, the recipient, the lifetime and how to end it', async () => {
      const { browser, path, email } = await askSuperAdmin(service, clientId);
      const { status, text } = await browser.get(path);
      expect(status).toBe(200);
      expect(text).toContain('<h1>Allow <bdi>Test Client</bdi> to act for you?</h1>');
      expect(text).toContain('The client chose this name');
      expect(text).toContain(`<p class="strong"><bdi>${email}</bdi></p>`);
      expect(text).toContain('An app on this computer');
      expect(text).toContain(`<code>${redirectUri}</code>`);
      for (const scope of platformScopes) expect(text).toContain(`<span class="name">${scope}</span>`);
      expect(text).toContain('Sign any person out, on one device or everywhere</span> <span class="badge">Changes');
      expect(text).toContain('For 30 days at most.');
      expect(text).toContain(`<a href="${service.config.frontendUrl}/">your devices</a>`);
    });

    it('lists only requested scopes that the person holds', async () => {
      const { browser, path } = await askSuperAdmin(service, clientId, {
        scopes: ['users:view', 'mcp:whoami'],
        scope: 'mcp:whoami sessions:revoke',
      });
      const { text } = await browser.get(path);
      expect(text.match(/<li>/g)).toHaveLength(1);
      expect(text).toContain('mcp:whoami');
      expect(text).toContain('It also requested scopes that you do not hold.');
    });

    it('names the host of a redirect URI on the web', async () => {
      const id = await registerClient(service, 'Web Client', [webUri]);
      const { browser, path, csrf } = await askSuperAdmin(service, id, { redirect_uri: webUri });
      expect((await browser.get(path)).text).toContain('<p class="strong"><bdi>client.example</bdi></p>');
      const { location } = await browser.post(path, approve(csrf));
      expect(location?.startsWith(`${webUri}&code=`)).toBe(true);
    });

    it.each(receivers)('names the recipient at %s, which the operator allows', async (uri, receiver) => {
      const id = await registerClient(service, 'Listed Client', [uri]);
      const { browser, path } = await askSuperAdmin(service, id, { redirect_uri: uri });
      expect((await browser.get(path)).text).toContain(`<p class="strong">${receiver}</p>`);
    });

    it.each([
      ['markup', '<script>alert(1)</script>"><img src=x onerror=alert(1)>', '&lt;script&gt;alert(1)'],
      ['a form of its own', '</h1><form action="https://evil.example">', '&lt;/h1&gt;&lt;form'],
      ['right-to-left text', 'Test\u202eelgooG\u2066 Client', 'TestelgooG Client'],
      ['an entity', '&lt;b&gt;', '&amp;lt;b&amp;gt;'],
    ])('shows a name with %s inert', async (_, name, shown) => {
      const hostile = await registerClient(service);
      await service.sql('UPDATE oauth_clients SET name = $2 WHERE id = $1', [hostile, name]);
      const { browser, path } = await askSuperAdmin(service, hostile);
      const { text } = await browser.get(path);
      expect(text).toContain(`<bdi>${shown}`);
      expect(text).not.toContain(name);
      expect(text.match(/<(form|script|img)\b/g)).toEqual(['<form']);
    });

    // Contract: platform-mcp#consent-page — Unframeable, no-store, no form-action directive
    it('cannot be framed, is not cached, runs no script, and allows the redirect after the form', async () => {
      const { browser, path } = await askSuperAdmin(service, clientId);
      const { headers, text } = await browser.get(path);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(text).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=/);
    });

    it('has a cacheable stylesheet, whose URL changes with its content', async () => {
      const { browser, path } = await askSuperAdmin(service, clientId);
      const address = /href="(\/auth\/mcp\/pages\.css\?v=[0-9a-f]{12})"/.exec((await browser.get(path)).text)?.[1];
      const { status, headers } = await new PageBrowser(service).get(address ?? '');
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/css; charset=utf-8');
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    });

    it('can be loaded again without any change', async () => {
      const { browser, path, csrf } = await askSuperAdmin(service, clientId);
      const again = await expectNothingStored(service, () => browser.get(path));
      expect(csrfTokenIn(again)).toBe(csrf);
    });
  });

  describe('A person who cannot answer', () => {
    it('is sent to sign in when signed out, and the request remains open', async () => {
      const browser = new PageBrowser(service);
      const path = await beginAuthorization(browser, clientId);
      const { status, location } = await expectNothingStored(service, () => browser.get(path));
      expect({ status, location }).toEqual({
        status: 302,
        location: `${service.config.frontendUrl}/signin?redirect=${path}`,
      });
      await browser.signIn(service, await createSuperAdminAccount(service));
      expect((await browser.get(path)).status).toBe(200);
    });

    /** A person who is not a super admin, at the page that explains it. */
    const askOrdinaryPerson = async () => {
      const browser = new PageBrowser(service);
      const email = await register(service);
      await browser.signIn(service, email);
      const path = await beginAuthorization(browser, clientId);
      const page = await expectPage(() => browser.get(path), 200, noSuperAdmin);
      return { browser, email, path, page, csrf: csrfTokenIn(page) };
    };
    const noSuperAdmin = 'Only a super admin can connect <bdi>Test Client</bdi>';

    // Contract: platform-mcp#accounts-without-super-admin — A person who is not a super admin is informed before the
    //   client is refused
    it('sees their account and the reason without the super admin flag, and the request remains open', async () => {
      const { path, page, email } = await askOrdinaryPerson();
      expect(page.text).toContain(`<p class="strong"><bdi>${email}</bdi></p>`);
      expect(page.text).toContain('name="account" value="other">Use another account</button>');
      expect(page.headers.get('referrer-policy')).toBe('same-origin');
      expect({ open: await isOpen(path), codes: await codes(email) }).toEqual({ open: true, codes: 0 });
    });

    // Contract: platform-mcp#accounts-without-super-admin — Non-super-admin MCP OAuth: access_denied
    it.each(['deny', 'approve'])(
      'without the flag who answers %s ends the request with access_denied',
      async (decision) => {
        const { browser, path, csrf, email } = await askOrdinaryPerson();
        const answer = await browser.post(path, { decision, csrf_token: csrf });
        expectRefusalToClient(answer, 303, 'access_denied');
        expect({ open: await isOpen(path), codes: await codes(email) }).toEqual({ open: false, codes: 0 });
        // The record of connections names the account; the client and the log do not.
        const shown = [decodeURIComponent(answer.location ?? ''), answer.text, ...service.logs];
        expect(shown.filter((text) => text.includes(email))).toEqual([]);
        await browser.signIn(service, await createSuperAdminAccount(service));
        await expectPage(() => browser.get(path), 410, 'This request is already answered');
      },
    );

    // Contract: platform-mcp#accounts-without-super-admin — Another account answers the same request
    it('without the super admin flag can use another account, which is asked about the same request', async () => {
      const { browser, path, csrf, email } = await askOrdinaryPerson();
      const answer = await browser.post(path, { account: 'other', csrf_token: csrf });
      const location = `${service.config.frontendUrl}/signin?redirect=${path}`;
      expect({ status: answer.status, location: answer.location }).toEqual({ status: 303, location });
      expect([browser.valueOf('auth_access'), browser.valueOf('auth_refresh')]).toEqual([undefined, undefined]);
      expect(await liveOf(service, email)).toEqual([]);
      expect(await isOpen(path)).toBe(true);
      const other = await createSuperAdminAccount(service);
      await browser.signIn(service, other);
      await browser.post(path, approve(csrfTokenIn(await browser.get(path))));
      expect([await codes(email), await codes(other)]).toEqual([0, 1]);
    });

    it('ends no session by a form that was not on the page', async () => {
      const { browser, path, csrf, email } = await askOrdinaryPerson();
      const form = { account: 'other', csrf_token: csrf };
      const foreign = { origin: 'https://evil.example' };
      await expectPage(() => browser.post(path, form, foreign), 403, 'Your answer did not count');
      await expectPage(() => browser.post(path, { account: 'other' }), 403, 'Your answer did not count');
      expect(await liveOf(service, email)).toHaveLength(2);
    });

    // Contract: platform-mcp#requested-and-granted-scopes — Nothing left of the scopes: invalid_scope
    it('who holds none of the requested scopes is sent back with invalid_scope', async () => {
      const browser = new PageBrowser(service);
      await browser.signIn(service, await createSuperAdminAccount(service, ['users:view']));
      const path = await beginAuthorization(browser, clientId, { scope: 'sessions:revoke' });
      expectRefusalToClient(await browser.get(path), 302, 'invalid_scope');
      expect(await isOpen(path)).toBe(false);
      await browser.signIn(service, await createSuperAdminAccount(service, []));
      const everything = await beginAuthorization(browser, clientId);
      expectRefusalToClient(await browser.get(everything), 302, 'invalid_scope');
    });

    it('sees a page for an unknown or malformed request', async () => {
      const { browser } = await askSuperAdmin(service, clientId);
      for (const id of [newId(), 'nonsense', "'--", '%00']) {
        await expectPage(() => browser.get(`/auth/mcp/continue/${id}`), 410, 'This request has ended');
        const form = { decision: 'approve', csrf_token: '' };
        await expectPage(() => browser.post(`/auth/mcp/continue/${id}`, form), 410, 'This request has ended');
      }
    });

    it('sees a page for an expired request', async () => {
      const { browser, path, csrf } = await askSuperAdmin(service, clientId);
      await service.sql('UPDATE oauth_requests SET expires_at = now() WHERE id = $1', [requestIdOf(path)]);
      await expectPage(() => browser.get(path), 410, 'This request has ended');
      await expectPage(() => browser.post(path, approve(csrf)), 410, 'This request has ended');
    });

    // Contract: platform-mcp#request-of-one-browser — Another browser's request
    it('sees a page for a request of another browser, in every state of the request', async () => {
      const { browser, path, csrf, email } = await askSuperAdmin(service, clientId);
      const other = new PageBrowser(service);
      await other.signIn(service, email);
      const title = 'This request belongs to another browser';
      await expectPage(() => other.get(path), 403, title);
      await expectPage(() => other.post(path, approve(csrf)), 403, title);
      other.keep({ name: 'mcp_request', value: newVerifier(), path });
      await expectPage(() => other.get(path), 403, title);
      await expectPage(() => other.post(path, approve(csrf)), 403, title);
      await browser.post(path, approve(csrf));
      await expectPage(() => other.get(path), 403, title);
    });

    it('sees a page once the client is revoked', async () => {
      const revoked = await registerClient(service);
      const { browser, path, csrf } = await askSuperAdmin(service, revoked);
      await service.sql('UPDATE oauth_clients SET revoked_at = now() WHERE id = $1', [revoked]);
      await expectPage(() => browser.get(path), 400, 'This client may not connect any more');
      await expectPage(() => browser.post(path, approve(csrf)), 400, 'This client may not connect any more');
    });

    // Contract: platform-mcp#signed-out-browser — A portal token in a header gets no code
    it('is not authenticated by a token in a header', async () => {
      const email = await createSuperAdminAccount(service);
      const input = { email, password: goodPassword };
      const tokens = tokensOf(await post(service.url, operations.signIn, { input }));
      const browser = new PageBrowser(service);
      const path = await beginAuthorization(browser, clientId);
      const authorization = `Bearer ${tokens.accessToken}`;
      for (const act of [
        () => browser.get(path, { authorization }),
        () => browser.post(path, approve('anything'), { authorization }),
      ]) {
        const { location } = await expectNothingStored(service, act);
        expect(location).toBe(`${service.config.frontendUrl}/signin?redirect=${path}`);
      }
      expect(await codes(email)).toBe(0);
    });
  });

  describe('The answer', () => {
    // Contract: platform-mcp#requested-and-granted-scopes — Granted scopes = requested ∩ what the person holds; a code
    //   lives 60 seconds, only its hash is stored
    it('sends the client a code for exactly the scopes on the page, once it is allowed', async () => {
      const verifier = newVerifier();
      const { browser, path, csrf, email } = await askSuperAdmin(service, clientId, {
        scopes: ['mcp:whoami', 'users:view'],
        scope: 'users:view sessions:view',
        code_challenge: challengeOf(verifier),
      });
      const answer = await browser.post(path, approve(csrf));
      expect(answer.status).toBe(303);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const { code = '', ...reported } = answerIn(answer.location);
      expect(reported).toEqual({ state: 'the state of the client', iss: service.config.baseUrl });
      expect(code).toMatch(/^[A-Za-z0-9_-]{43}$/);
      const rows = await service.sql(
        `SELECT code_hash = $1 AS hashed, client_id AS client, redirect_uri AS redirect, code_challenge AS challenge,
           scopes, email, extract(epoch FROM expires_at - c.created_at)::integer AS life, consumed_at AS consumed
         FROM oauth_codes c JOIN users ON users.id = user_id WHERE email = $2`,
        [sha256(code), email],
      );
      const challenge = challengeOf(verifier);
      expect(rows).toEqual([
        {
          hashed: true,
          client: clientId,
          redirect: redirectUri,
          challenge,
          scopes: ['users:view'],
          email,
          life: 60,
          consumed: null,
        },
      ]);
    });

    it.each([
      ['named', 'sessions:view sessions:revoke'],
      ['left open', null],
    ])('sends the client nothing that the page did not show, with scopes that were %s', async (_how, scope) => {
      const { browser, path, csrf, email } = await askSuperAdmin(service, clientId, {
        scopes: ['mcp:whoami', 'sessions:view'],
        scope,
      });
      await service.sql(
        `UPDATE users SET platform_scopes = '{sessions:view,sessions:revoke,users:view}' WHERE email = $1`,
        [email],
      );
      await browser.post(path, approve(csrf));
      const rows = await service.sql(
        'SELECT scopes FROM oauth_codes JOIN users ON users.id = user_id WHERE email = $1',
        [email],
      );
      expect(rows).toEqual([{ scopes: ['sessions:view'] }]);
    });

    it.each([
      ['added to', (csrf: string) => `${csrf}.sessions:revoke`],
      ['removed from', (csrf: string) => csrf.split('.').slice(0, -1).join('.')],
    ])('does not count with scopes that were %s those of the page', async (_what, forge) => {
      const { browser, path, csrf, email } = await askSuperAdmin(service, clientId, {
        scopes: ['sessions:view', 'sessions:revoke', 'users:view'],
        scope: 'sessions:view users:view',
      });
      await expectPage(() => browser.post(path, approve(forge(csrf))), 403, 'Your answer did not count');
      expect({ open: await isOpen(path), codes: await codes(email) }).toEqual({ open: true, codes: 0 });
    });

    it('sends the client everything that the person holds when it requested no scope', async () => {
      const { browser, path, csrf, email } = await askSuperAdmin(service, clientId, {
        scopes: ['users:view', 'mcp:whoami'],
      });
      await browser.post(path, approve(csrf));
      const scopes = await service.sql.value<readonly string[]>(
        'SELECT scopes FROM oauth_codes JOIN users ON users.id = user_id WHERE email = $1',
        [email],
      );
      expect(scopes).toEqual(['mcp:whoami', 'users:view']);
    });

    it('sends the client no state when it sent none', async () => {
      const { browser, path, csrf } = await askSuperAdmin(service, clientId, { state: null });
      expect(Object.keys(answerIn((await browser.post(path, approve(csrf))).location)).sort()).toEqual(['code', 'iss']);
    });

    // Contract: platform-mcp#answer-of-the-person — decision=deny
    it('sends the client access_denied when it is refused, and issues no code', async () => {
      const { browser, path, csrf, email } = await askSuperAdmin(service, clientId);
      expectRefusalToClient(await browser.post(path, deny(csrf)), 303, 'access_denied');
      expect({ open: await isOpen(path), codes: await codes(email) }).toEqual({ open: false, codes: 0 });
    });

    it.each([
      ['allowing twice', approve, approve],
      ['refusing after allowing', approve, deny],
      ['allowing after refusing', deny, approve],
    ])('counts once: %s', async (_, first, second) => {
      const { browser, path, csrf, email } = await askSuperAdmin(service, clientId);
      await browser.post(path, first(csrf));
      const made = await codes(email);
      await expectPage(() => browser.post(path, second(csrf)), 410, 'This request is already answered');
      expect(await codes(email)).toBe(made);
    });

    // Contract: platform-mcp#request-of-one-browser — Going back after the answer: already answered
    it('is remembered by its browser for a day: going back shows that it was given', async () => {
      const { browser, path, csrf } = await askSuperAdmin(service, clientId);
      const { setCookies } = await browser.post(path, approve(csrf));
      expect(setCookies.join()).toMatch(
        /^mcp_request=[\w-]{43}; Max-Age=86400; Path=\/auth\/mcp\/continue\/[0-9a-f-]{36}; /,
      );
      const { text } = await expectPage(() => browser.get(path), 410, 'This request is already answered');
      expect(text).toContain('Go back to your client.');
    });

    // Contract: platform-mcp#request-of-one-browser — A request works once
    it('issues one code for twenty clicks at once', async () => {
      const { browser, path, csrf, email } = await askSuperAdmin(service, clientId);
      const secret = browser.valueOf('mcp_request') ?? '';
      const tabs = await Promise.all(
        range(20).map(async () => {
          const tab = new PageBrowser(service);
          for (const name of ['auth_access', 'auth_refresh'])
            tab.keep({ name, value: browser.valueOf(name) ?? '', path: '/' });
          tab.keep({ name: 'mcp_request', value: secret, path });
          return tab;
        }),
      );
      const answers = await inParallel(tabs, 20, (tab) => tab.post(path, approve(csrf)));
      const statuses = answers.map(({ status }) => status).toSorted((left, right) => left - right);
      expect(statuses).toEqual([303, ...Array<number>(19).fill(410)]);
      expect(await codes(email)).toBe(1);
    });

    it('keeps two requests in two tabs apart', async () => {
      const email = await createSuperAdminAccount(service);
      const browser = new PageBrowser(service);
      await browser.signIn(service, email);
      const [left, right] = [
        await beginAuthorization(browser, clientId, { state: 'left' }),
        await beginAuthorization(browser, clientId, { state: 'right' }),
      ];
      const tokens = { left: csrfTokenIn(await browser.get(left)), right: csrfTokenIn(await browser.get(right)) };
      await expectPage(() => browser.post(left, approve(tokens.right)), 403, 'Your answer did not count');
      expect(answerIn((await browser.post(right, approve(tokens.right))).location)['state']).toBe('right');
      expect(answerIn((await browser.post(left, deny(tokens.left))).location)).toMatchObject({
        state: 'left',
        error: 'access_denied',
      });
    });
  });

  describe('An answer that does not count: the request remains open', () => {
    it.each([
      ['a foreign Origin', { origin: 'https://evil.example' }],
      ['the Origin of a front end of the application', { origin: originOfApplication }],
      ['the Origin null', { origin: 'null' }],
      ['the Origin null and a Referer of ours', { origin: 'null', referer: 'http://127.0.0.1/' }],
    ])('with %s', async (_, headers) => {
      const { browser, path, csrf } = await askSuperAdmin(service, clientId);
      await expectPage(() => browser.post(path, approve(csrf), headers), 403, 'Your answer did not count');
      expect((await browser.post(path, approve(csrf))).status).toBe(303);
    });

    it('without Origin and Referer', async () => {
      const { browser, path, csrf } = await askSuperAdmin(service, clientId);
      const cookie = ['auth_access', 'mcp_request'].map((name) => `${name}=${browser.valueOf(name)}`).join('; ');
      const send = async (): Promise<number> => {
        const body = new URLSearchParams(approve(csrf));
        return (await fetch(`${service.url}${path}`, { method: 'POST', redirect: 'manual', headers: { cookie }, body }))
          .status;
      };
      expect(await expectNothingStored(service, send)).toBe(403);
    });

    it.each([
      ['no token', { decision: 'approve' }],
      ['an empty token', { decision: 'approve', csrf_token: '' }],
      ['a made-up token', { decision: 'approve', csrf_token: 'A'.repeat(43) }],
    ])('with %s', async (_, form) => {
      const { browser, path, csrf } = await askSuperAdmin(service, clientId);
      await expectPage(() => browser.post(path, form), 403, 'Your answer did not count');
      expect((await browser.post(path, deny(csrf))).status).toBe(303);
    });

    // Contract: platform-mcp#answer-of-the-person — CSRF token and allowed Origin
    it('with the token of another session of the same person', async () => {
      const { browser, path, csrf, email } = await askSuperAdmin(service, clientId);
      await browser.signIn(service, email);
      await expectPage(() => browser.post(path, approve(csrf)), 403, 'Your answer did not count');
      const fresh = csrfTokenIn(await browser.get(path));
      expect((await browser.post(path, approve(fresh))).status).toBe(303);
    });

    it.each([
      ['without a decision', {}],
      ['with another decision', { decision: 'maybe' }],
      ['with an empty decision', { decision: '' }],
    ])('%s', async (_, form) => {
      const { browser, path, csrf } = await askSuperAdmin(service, clientId);
      await expectPage(
        () => browser.post(path, { csrf_token: csrf, ...form }),
        400,
        'This request cannot be understood',
      );
      expect((await browser.post(path, approve(csrf))).status).toBe(303);
    });

    it('with both decisions, as JSON, or oversized', async () => {
      const { browser, path, csrf } = await askSuperAdmin(service, clientId);
      const both = `decision=approve&decision=deny&csrf_token=${csrf}`;
      await expectPage(() => browser.post(path, both), 400, 'This request cannot be understood');
      const json = { 'content-type': 'application/json' };
      await expectPage(
        () => browser.post(path, JSON.stringify(approve(csrf)), json),
        400,
        'This request cannot be understood',
      );
      const endless = `${new URLSearchParams(approve(csrf)).toString()}&more=${'x'.repeat(30_000)}`;
      await expectPage(() => browser.post(path, endless), 413, 'This request cannot be understood');
      expect((await browser.post(path, approve(csrf))).status).toBe(303);
    });

    it('when the person has signed out, in any way', async () => {
      const ends: ((email: string, browser: PageBrowser) => Promise<unknown>)[] = [
        (_, browser) => browser.signOut(service),
        (email) =>
          service.sql('UPDATE users SET credentials_revision = credentials_revision + 1 WHERE email = $1', [email]),
        (_, browser) => expire(service, browser.valueOf('auth_access') ?? ''),
      ];
      for (const end of ends) {
        const { browser, path, csrf, email } = await askSuperAdmin(service, clientId);
        await end(email, browser);
        const answer = await expectNothingStored(service, () => browser.post(path, approve(csrf)));
        const location = `${service.config.frontendUrl}/signin?redirect=${path}`;
        expect({ status: answer.status, location: answer.location }).toEqual({ status: 303, location });
        expect({ open: await isOpen(path), codes: await codes(email) }).toEqual({ open: true, codes: 0 });
      }
    });
  });

  it('ends the request of a former super admin, or of one who lost the requested scopes', async () => {
    const losses = [
      ['is_super_admin = false', 'access_denied'],
      ["platform_scopes = '{}'", 'invalid_scope'],
    ] as const;
    for (const [loss, error] of losses) {
      const { browser, path, csrf, email } = await askSuperAdmin(service, clientId);
      await service.sql(`UPDATE users SET ${loss} WHERE email = $1`, [email]);
      expectRefusalToClient(await browser.post(path, approve(csrf)), 303, error);
      expect({ open: await isOpen(path), codes: await codes(email) }).toEqual({ open: false, codes: 0 });
    }
  });

  describe('An answer with outdated authority', () => {
    /** Decides with an actor as old as the question, like a request that waited for a lock. */
    const decideLate = async (change: string): Promise<ClientAnswer> => {
      const { browser, path, email } = await askSuperAdmin(service, clientId);
      const { database, config } = service;
      const key = { requestId: requestIdOf(path), browserSecret: browser.valueOf('mcp_request') ?? '' };
      const resources = new ProtectedResources({ ...config, application: defaultApplication, forOrganizations: true });
      const deps = { application: defaultApplication, database, logger: silentLogger, resources, settings: config };
      const request = await getOpenRequest(deps, key);
      const actor = await new Authenticator(database, defaultApplication, {
        superAdminsNeedSecondFactor: false,
      }).authenticate(browser.valueOf('auth_access') ?? '', ['portal']);
      await service.sql(change, [email]);
      return decideForPlatform(deps, actor, request, key, 'approve');
    };

    // Contract: platform-mcp#requested-and-granted-scopes — Authority is read again at the answer
    it.each([
      ['is no longer a super admin', 'is_super_admin = false', 'access_denied'],
      ['holds no scope any more', "platform_scopes = '{}'", 'invalid_scope'],
    ])('gets no code when the person %s', async (_, change, error) => {
      const answer = await decideLate(`UPDATE users SET ${change} WHERE email = $1`);
      expect(answer).toMatchObject({ refusal: { code: error } });
      expect(answer).not.toHaveProperty('code');
    });

    it.each([
      [
        'signed out',
        "UPDATE credentials c SET revoked_at = now(), revocation_reason = 'signed_out' FROM users u WHERE u.id = c.user_id AND email = $1",
      ],
      ['signed out everywhere', 'UPDATE users SET credentials_revision = credentials_revision + 1 WHERE email = $1'],
    ])('counts for nothing when the person %s', async (_, change) => {
      await expect(decideLate(change)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    });
  });

  it('issues no code that survives a concurrent sign-out everywhere', async () => {
    for (const _ of range(10)) {
      const { browser, path, csrf, email } = await askSuperAdmin(service, clientId);
      await Promise.all([
        browser.post(path, approve(csrf)),
        service.sql('UPDATE users SET credentials_revision = credentials_revision + 1 WHERE email = $1', [email]),
      ]);
      const live = await service.sql(
        `SELECT 1 FROM oauth_codes c JOIN users u ON u.id = c.user_id
         WHERE email = $1 AND c.credentials_revision = u.credentials_revision`,
        [email],
      );
      expect(live).toEqual([]);
    }
  });

  it.each(['approve', 'deny'])('loses its stored state after %s, but returns it', async (decision) => {
    const state = `a state of the client that is a secret: ${newId()}`;
    const { browser, path, csrf } = await askSuperAdmin(service, clientId, { state });
    const holding = async (): Promise<readonly string[]> =>
      (await tablesAsText(service.sql)).filter(({ bytes }) => bytes.includes(state)).map(({ name }) => name);
    expect(await holding()).toEqual(['table public.oauth_requests']);
    const { location } = await browser.post(path, { decision, csrf_token: csrf });
    expect(answerIn(location)['state']).toBe(state);
    expect(await holding()).toEqual([]);
  });

  it('logs who allowed and who refused what, only by ids', async () => {
    const { browser, path, csrf, email } = await askSuperAdmin(service, clientId);
    const { location } = await browser.post(path, approve(csrf));
    const { code = '' } = answerIn(location);
    const lines = service.logs.filter((line) => line.includes(requestIdOf(path)));
    const [line] = lines.map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(line).toMatchObject({ event: 'oauth.consent_given', clientId, requestId: requestIdOf(path) });
    for (const secret of [code, csrf, email, 'the state of the client']) {
      expect(service.logs.filter((text) => text.includes(secret))).toEqual([]);
    }
  });
});
