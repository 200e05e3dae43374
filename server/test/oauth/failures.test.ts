/** Answers of the client endpoints to internal failures, and the steps they record for connections. */

import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { Authenticator } from '../../src/domain/access/authenticate.ts';
import type { ConnectionStepEvent } from '../../src/domain/client-onboarding/steps.ts';
import { LastSeenRecorder } from '../../src/domain/credentials/last-seen.ts';
import { ProtectedResources } from '../../src/domain/oauth/resources.ts';
import { defaultApplication } from '../../src/domain/scopes/application-definition.ts';
import { mountOauth } from '../../src/http/oauth/routes.ts';
import { portalAlone } from '../../src/http-kit/origins.ts';
import { registerRateLimitHeaders } from '../../src/http-kit/rate-limit-headers.ts';
import { BodyBudget } from '../../src/http-kit/request-bodies.ts';
import { newId } from '../../src/kernel/ids.ts';
import { Keyring } from '../../src/kernel/secrets.ts';
import { type Database, DatabaseUnavailable } from '../../src/platform/database/database.ts';
import { rateLimits } from '../../src/platform/rate-limit/rate-limit-table.ts';
import { newSuperAdmin } from '../support/actors/tenants.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { PageBrowser } from '../support/clients/authorization.ts';
import {
  clientTokensOf,
  connect,
  expectErrorAnswer,
  loopbackUri,
  newClient,
  newCode,
  newVerifier,
  type OAuthAnswer,
  postForm,
  postText,
  redeem,
  redemptionOf,
  refreshAs,
  refreshOf,
  register,
} from '../support/clients/oauth.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { limitsOn, takePermits } from '../support/gatehouse/rate-limits.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

const service = serviceFixture();

interface Mounted {
  readonly url: string;
  readonly noted: readonly ConnectionStepEvent[];
}

/** Runs a test against the endpoints over another database, and with a record that is read at once. */
const withEndpoints = async (
  database: Database,
  run: (mounted: Mounted) => Promise<void>,
  bodies = new BodyBudget(),
): Promise<void> => {
  const noted: ConnectionStepEvent[] = [];
  const [app, logger, keyring] = [fastify(), silentLogger, new Keyring(service.config.secrets)];
  registerRateLimitHeaders(app);
  await mountOauth(app, {
    application: defaultApplication,
    resources: new ProtectedResources({ ...service.config, application: defaultApplication, forOrganizations: true }),
    organizationScopes: null,
    database,
    logger,
    keyring,
    lifetimes: service.config,
    limits: limitsOn(service, database),
    authenticator: new Authenticator(database, defaultApplication, { superAdminsNeedSecondFactor: false }),
    lastSeen: new LastSeenRecorder(database, logger),
    tokenNetworks: { note: () => undefined },
    settings: portalAlone(service.config),
    documents: { find: () => Promise.reject(new Error('No document is listed here')) },
    counts: null,
    bodies,
    connections: { note: (event) => noted.push(event) },
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  try {
    await run({ url, noted });
  } finally {
    await app.close();
  }
};

/** Every endpoint that reads or writes, with a request that would be granted. */
const requests: readonly (readonly [string, (mounted: Mounted) => Promise<OAuthAnswer>])[] = [
  ['register', (mounted) => register(mounted, { redirect_uris: [loopbackUri] })],
  ['token with a code', async (mounted) => redeem(mounted, await someCode())],
  ['token with a refresh token', async (mounted) => refreshAs(mounted, await connect(service))],
  [
    'revoke',
    async (mounted) => {
      const { clientId, tokens } = await connect(service);
      return postForm(mounted, 'revoke', { client_id: clientId, token: tokens.accessToken });
    },
  ],
];

const someCode = async () => {
  const { userId } = await newSuperAdmin(service);
  return newCode(service, { clientId: await newClient(service), userId });
};

/** The database, where every call fails with this error. */
const failing = (error: Error): Database => {
  const fail = () => Promise.reject(error);
  return { ...service.database, many: fail, maybeOne: fail, one: fail, execute: fail, transaction: fail };
};

describe.each(requests)('%s', (_name, send) => {
  // Contract: platform-mcp#unavailable-dependencies — A failing dependency answers 503, never a false refusal
  it('answers 503 as JSON while the database does not answer, never a refusal', async () => {
    await withEndpoints(failing(new DatabaseUnavailable('out of reach')), async (mounted) => {
      const answer = await send(mounted);
      expectErrorAnswer({ ...answer, sent: [] }, 503, 'temporarily_unavailable');
      expect(mounted.noted).toEqual([]);
    });
  });

  it('answers 500 as JSON with the id of the request when it fails, without the reason', async () => {
    await withEndpoints(failing(new Error('a defect with a telltale')), async (mounted) => {
      const answer = await send(mounted);
      expectErrorAnswer({ ...answer, sent: [] }, 500, 'server_error');
      expect(answer.text).not.toContain('telltale');
      expect(mounted.noted).toEqual([]);
    });
  });
});

/** Quadratic copying for each of them took twenty seconds, in which no other request was answered. */
describe('A form that repeats one name as often as fits in a body', () => {
  const form = 'client_id&'.repeat(10_000);
  const shortest = 'a&'.repeat(51_000);

  it.each(['token', 'revoke'])('is refused at %s like any other', async (endpoint) => {
    for (const body of [shortest, form]) {
      const answer = await expectNothingStored(service, () =>
        postText(service, endpoint, body, 'application/x-www-form-urlencoded'),
      );
      expectErrorAnswer(answer, 400, 'invalid_request');
    }
  });
});

describe('The record of connections receives', () => {
  const lastOf = ({ noted }: Mounted) => {
    const { step, rule, clientId, detail } = noted.at(-1) ?? {};
    return { step, rule, clientId, detail };
  };

  it('reads of metadata, with their origin', async () => {
    await withEndpoints(service.database, async (mounted) => {
      const headers = { 'user-agent': 'A Client/1.0' };
      for (const [path, step] of [
        ['oauth-protected-resource/mcp', 'resource_metadata'],
        ['oauth-authorization-server', 'server_metadata'],
      ]) {
        await fetch(`${mounted.url}/.well-known/${path}`, { headers });
        const event = { step, rule: null, clientId: null, detail: null, ip: '127.0.0.1', userAgent: 'A Client/1.0' };
        expect(mounted.noted.at(-1)).toEqual(event);
      }
    });
  });

  // Contract: platform-mcp#status-of-a-connection — A registration that keeps a redirect URI is not a refusal
  it('registrations, refused when no redirect URI is left, with the secrets removed from the rejected one', async () => {
    await withEndpoints(service.database, async (mounted) => {
      const passed = await register(mounted, { redirect_uris: [loopbackUri] });
      const step = 'registration';
      expect(lastOf(mounted)).toEqual({ step, rule: null, clientId: passed.body['client_id'], detail: null });
      const uri = 'https://user:pass@evil.example/cb?secret=1#more';
      const rejected = await register(mounted, { redirect_uris: [uri] });
      expect(lastOf(mounted)).toEqual({
        step,
        rule: 'redirect_uri_not_allowed',
        clientId: rejected.body['client_id'],
        detail: 'https://evil.example/cb',
      });
      const mixed = await register(mounted, { redirect_uris: [uri, loopbackUri] });
      expect(mixed.body['rejected_redirect_uris']).toEqual([uri]);
      expect(lastOf(mounted)).toEqual({ step, rule: null, clientId: mixed.body['client_id'], detail: null });
      await register(mounted, { redirect_uris: [] });
      expect(lastOf(mounted)).toEqual({ step, rule: 'registration_malformed', clientId: null, detail: null });
    });
  });

  // Contract: requests#memory-for-bodies — Bodies beyond the budget: 503 as the authorization server defines it
  it('bodies beyond the budget: nothing is read, and nothing stored', async () => {
    await withEndpoints(
      service.database,
      async (mounted) => {
        const answers = await expectNothingStored(service, async () => [
          await register(mounted, { redirect_uris: [loopbackUri] }),
          await postForm(mounted, 'token', { grant_type: 'refresh_token' }),
          await postForm(mounted, 'revoke', { token: 'none' }),
        ]);
        for (const answer of answers) {
          expectErrorAnswer(answer, 503, 'temporarily_unavailable');
          expect(answer.headers.get('retry-after')).toBe('5');
        }
        const page = await new PageBrowser(mounted).post(`/auth/mcp/continue/${newId()}`, { decision: 'approve' });
        expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
        expect(page.text).toContain('<h1>Not right now</h1>');
        expect(mounted.noted).toEqual([]);
      },
      new BodyBudget(undefined, 5),
    );
  });

  it('registrations past their limit', async () => {
    await withEndpoints(service.database, async (mounted) => {
      await register(mounted, { redirect_uris: [loopbackUri] });
      await takePermits(service, rateLimits.oauthRegistration, 60);
      const answer = await expectNothingStored(service, () => register(mounted, { redirect_uris: [loopbackUri] }));
      expectErrorAnswer(answer, 429, 'temporarily_unavailable');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(lastOf(mounted)).toMatchObject({ step: 'registration', rule: 'rate_limited' });
    });
  });

  // Contract: platform-mcp#steps-of-a-connection — Each step of a client is recorded, with the rule that refused it
  it('redemptions, with the rule that refused one', async () => {
    await withEndpoints(service.database, async (mounted) => {
      const code = await someCode();
      const { clientId } = code;
      const form = redemptionOf(code);
      const { code_verifier: _verifier, ...withoutVerifier } = form;
      const other = await newClient(service);
      const attempts: readonly (readonly [string, Record<string, string>])[] = [
        ['request_malformed', { ...form, grant_type: 'none' }],
        ['pkce_missing', withoutVerifier],
        ['code_unknown', { ...form, code: 'unknown' }],
        ['redirect_uri_not_registered', { ...form, redirect_uri: 'http://localhost/' }],
        ['verifier_mismatch', { ...form, code_verifier: newVerifier() }],
      ];
      for (const [rule, attempt] of attempts) {
        await postForm(mounted, 'token', attempt);
        expect(lastOf(mounted)).toEqual({ step: 'token', rule, clientId, detail: null });
      }
      await postForm(mounted, 'token', { ...form, client_id: other });
      expect(lastOf(mounted)).toEqual({ step: 'token', rule: 'code_other_client', clientId: other, detail: null });
      await postForm(mounted, 'token', { ...form, client_id: newId() });
      expect(lastOf(mounted)).toEqual({ step: 'token', rule: 'client_unknown', clientId: null, detail: null });
      await postForm(mounted, 'token', { ...form, resource: 'https://evil.example/' });
      expect(lastOf(mounted)).toMatchObject({ step: 'token', rule: 'resource_foreign', clientId });
      await redeem(mounted, code);
      expect(lastOf(mounted)).toEqual({ step: 'token', rule: null, clientId, detail: null });
      await redeem(mounted, code);
      expect(lastOf(mounted)).toEqual({ step: 'token', rule: 'code_replayed', clientId, detail: null });
      await postText(mounted, 'token', '{}', 'application/json');
      expect(lastOf(mounted)).toEqual({ step: 'token', rule: 'request_malformed', clientId: null, detail: null });
    });
  });

  it('codes of people who may no longer be served', async () => {
    await withEndpoints(service.database, async (mounted) => {
      for (const [rule, change] of [
        ['code_expired', 'credentials_revision = credentials_revision + 1'],
        ['not_super_admin', 'is_super_admin = false'],
        ['scope_not_held', "platform_scopes = '{}'"],
      ] as const) {
        const { userId, email } = await newSuperAdmin(service);
        const code = await newCode(service, { clientId: await newClient(service), userId });
        await service.sql(`UPDATE users SET ${change} WHERE id = $1`, [userId]);
        const { text } = await redeem(mounted, code);
        const detail = rule === 'not_super_admin' ? email : null;
        expect(lastOf(mounted)).toEqual({ step: 'token', rule, clientId: code.clientId, detail });
        expect(text).not.toContain(email);
      }
    });
  });

  it('refreshes, with the rule that refused one', async () => {
    await withEndpoints(service.database, async (mounted) => {
      const connection = await connect(service, ['mcp:whoami']);
      const { clientId } = connection;
      const step = 'refresh';
      await refreshAs(mounted, connection, { scope: 'mcp:whoami users:view' });
      expect(lastOf(mounted)).toEqual({ step, rule: 'scope_widened', clientId, detail: 'users:view' });
      await postForm(mounted, 'token', refreshOf(clientId, 'no token'));
      expect(lastOf(mounted)).toEqual({ step, rule: 'refresh_refused', clientId, detail: null });
      const tokens = clientTokensOf(await refreshAs(mounted, connection));
      expect(lastOf(mounted)).toEqual({ step, rule: null, clientId, detail: null });
      await refreshAs(mounted, { ...connection, tokens });
      await refreshAs(mounted, connection);
      expect(lastOf(mounted)).toEqual({ step, rule: 'refresh_superseded', clientId, detail: null });
      await service.sql('UPDATE oauth_clients SET revoked_at = now() WHERE id = $1', [clientId]);
      await refreshAs(mounted, connection);
      expect(lastOf(mounted)).toEqual({ step, rule: 'client_revoked', clientId, detail: null });
    });
  });

  it('no secrets', async () => {
    await withEndpoints(service.database, async (mounted) => {
      const code = await someCode();
      const { text } = await redeem(mounted, code);
      await redeem(mounted, code);
      const reported = JSON.stringify(mounted.noted);
      for (const secret of [code.code, code.verifier, ...(text.match(/gate_[ar]_[\w-]+/g) ?? ['no tokens'])]) {
        expect(reported).not.toContain(secret);
      }
    });
  });
});
