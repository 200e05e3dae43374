/**
 * Heads of answers below 4 KB, whatever cookies a browser kept and however deep the host: proxies refuse larger ones.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endVerificationSql } from '../../src/domain/users/users-store.ts';
import { goodPassword, newAddress, operations, post } from '../support/clients/clients.ts';
import { RawConnection } from '../support/clients/raw-http.ts';
import { fixture } from '../support/fixture.ts';
import { type Service, startService } from '../support/gatehouse/gatehouse.ts';
import { type MountedRoute, withRoutesOf } from '../support/gatehouse/mounted-routes.ts';
import { startHostileIssuer } from '../support/servers/hostile-issuer.ts';

const limit = 4096;
/** 14 labels and 240 characters. */
const deep = `${'some-department.'.repeat(13)}id.example.com`;
const shallow = 'id.example.com';

/** Every cookie of the service twice, as planted ones would be, within the 16 KB that a request may have. */
const names = ['auth_access', 'auth_refresh', 'auth_exchange', 'helper_session', 'exchange_marker', 'oauth_link'];
const everyName = [...names, 'pending_sign_ups', 'sign_in_device', 'mcp_request', 'oauth_post_auth_redirect'];
const full = [...everyName, ...names].flatMap((name) => [`${name}=${'x'.repeat(120)}`, `__Host-${name}=y`]).join('; ');

/** Without those of a begun sign-in. */
const others = [...names, ...names]
  .filter((name) => name !== 'helper_session')
  .map((name) => `${name}=z`)
  .join('; ');

const provider = fixture(startHostileIssuer);

const headOf = async (service: Service, method: string, path: string, lines: readonly string[], body = '') => {
  const { hostname: host } = new URL(service.config.baseUrl);
  const connection = await RawConnection.open(`http://127.0.0.1:${service.config.port}`);
  const head = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...lines, `Content-Length: ${body.length}`];
  connection.write(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`);
  const answer = await connection.closed();
  return answer.slice(0, answer.indexOf('\r\n\r\n') + 4);
};

describe.each([
  ['a short host', shallow],
  ['a deep host', deep],
])('At %s', (_what, host) => {
  const origin = `https://${host}`;
  let service: Service;
  let routes: readonly MountedRoute[];
  beforeAll(async () => {
    const { started, routes: mounted } = await withRoutesOf(() =>
      startService({ ...provider.environment(), BASE_URL: origin, FRONTEND_URL: origin }, 'none'),
    );
    [service, routes] = [started, mounted];
  });
  afterAll(() => service.close());

  const cookie = `Cookie: ${full}`;
  const json = ['Content-Type: application/json', `Origin: ${origin}`];

  it('every route answers a browser full of cookies within the limit', async () => {
    const query = `redirect=/${'a'.repeat(2000)}&state=${'s'.repeat(3000)}`;
    const tooLarge: unknown[] = [];
    for (const { method, url } of routes) {
      const path = `${url.replaceAll(/:\w+|\*/g, 'x')}?${query}`;
      const head = await headOf(service, method, path, [cookie, 'Accept: text/html']);
      if (head.length > limit || !head.startsWith('HTTP/1.1 ')) tooLarge.push([method, url, head]);
    }
    expect(tooLarge).toEqual([]);
    expect(routes.length).toBeGreaterThan(30);
  });

  it('a sign-in answers within the limit, and clears what it can of other cookies', async () => {
    const email = newAddress();
    const input = { email, password: goodPassword, name: 'Test Person' };
    await post(`http://127.0.0.1:${service.config.port}`, operations.signUp, { input });
    await service.sql(`UPDATE users SET email_validated_at = now(), ${endVerificationSql} WHERE email = $1`, [email]);
    const query = `mutation { signInWithPassword(input: { email: "${email}", password: "${goodPassword}" }) { user { id } } }`;
    const head = await headOf(service, 'POST', '/graphql', [cookie, ...json], JSON.stringify({ query }));
    expect(head).toContain('HTTP/1.1 200');
    expect(head).toMatch(/set-cookie: auth_access=gate_a_/);
    expect(head).toMatch(/set-cookie: auth_refresh=gate_r_/);
    expect(head).toMatch(/set-cookie: auth_(?:access|refresh)=; Max-Age=0; /);
    expect(head.length).toBeLessThanOrEqual(limit);
  });

  it('a sign-up does, whatever addresses the browser signed up with before', async () => {
    let kept = '';
    for (const letter of ['a', 'b', 'c', 'd', 'e']) {
      const email = `${letter.repeat(64)}@${`${letter.repeat(60)}.`.repeat(2)}${letter.repeat(50)}.example`;
      const input = `{ email: "${email}", password: "${goodPassword}", name: "A Person" }`;
      const query = `mutation { signUpWithPassword(input: ${input}) { success } }`;
      const lines = [`Cookie: ${others}; ${kept}`, ...json];
      const head = await headOf(service, 'POST', '/graphql', lines, JSON.stringify({ query }));
      expect(head.length).toBeLessThanOrEqual(limit);
      kept = /set-cookie: (__Host-pending_sign_ups=[^;]+)/.exec(head)?.[1] ?? kept;
    }
    expect(kept).not.toBe('');
  });

  it.each([
    ['a short redirect', '/members', true],
    ['a long redirect', `/${'members-'.repeat(240)}`, true],
    ['the longest redirect', `/${'%C3%A9'.repeat(341)}`, false],
    ['a redirect that cannot be deflated', `/${randomBytes(1500).toString('base64url')}`, true],
  ])('an external sign-in does, with %s', async (_title, redirect, isKept) => {
    const from = `/auth/google?redirect=${encodeURIComponent(redirect)}`;
    const begun = await headOf(service, 'GET', from, [`Cookie: ${others}`]);
    expect(begun.length).toBeLessThanOrEqual(limit);
    const callback = new URL(provider.authorize(/^location: (.*)\r$/im.exec(begun)?.[1] ?? 'none:'));
    const cookies = [...begun.matchAll(/^set-cookie: ((?:__Host-helper|oauth_post)[^;]+)/gim)].map(([, pair]) => pair);
    const lines = [`Cookie: ${[...cookies, others].join('; ')}`];
    const head = await headOf(service, 'GET', `${callback.pathname}${callback.search}`, lines);
    expect(head.length).toBeLessThanOrEqual(limit);
    expect(head).toContain(`location: ${origin}/signin?oauth_exchange=1`);
    expect(head).toMatch(/set-cookie: auth_exchange=[\w-]{43};/);
    expect(head.includes(`redirect=${encodeURIComponent(redirect)}`)).toBe(isKept);
  });
});
