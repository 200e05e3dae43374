/** The authorization server's endpoints, asked with every wrong and some right parameters: refusals store nothing. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  expectBearable,
  expectCleanLog,
  expectOften,
  hostileJson,
  hostileText,
  mutated,
  patience,
  secretSettings,
  sendOnWire,
  tries,
} from '../support/fuzz.ts';
import { type Service, startService } from '../support/gatehouse.ts';
import { type Connection, challengeOf, connect, loopbackUri, newVerifier } from '../support/oauth.ts';
import { everythingStored } from '../support/refusals.ts';

let service: Service;
let connection: Connection;
const verifier = newVerifier();

beforeAll(async () => {
  service = await startService(secretSettings);
  connection = await connect(service);
});
afterAll(() => service.close());

const secrets = (): readonly string[] => [connection.tokens.accessToken, connection.tokens.refreshToken, verifier];

/** Each parameter right, nearly right or wrong; some left out, some given twice. */
const parameters = (right: Readonly<Record<string, string>>): fc.Arbitrary<string> => {
  const pairs = Object.entries(right).map(([name, value]) =>
    fc.oneof(
      { weight: 6, arbitrary: fc.constant([[name, value]]) },
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: hostileText.map((text) => [[name, text]]) },
      { weight: 1, arbitrary: mutated(value).map((text) => [[name, text]]) },
      {
        weight: 1,
        arbitrary: hostileText.map((text) => [
          [name, value],
          [name, text],
        ]),
      },
    ),
  );
  const others = fc.array(
    fc.tuple(hostileText, hostileText).map((pair) => [...pair]),
    { maxLength: 2 },
  );
  return fc.tuple(fc.tuple(...pairs), others).map(([known, unknown]) => {
    const all = [...known.flat(), ...unknown].map(([name = '', value = '']) => [
      name.toWellFormed(),
      value.toWellFormed(),
    ]);
    return all.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  });
};

const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** A refusal is whatever is no success; the page of a refused authorization says so with 400, or sends the error back. */
const isRefused = (status: number, location: unknown): boolean => status >= 400 || /[?&]error=/.test(String(location));

const expectRefusalsToStoreNothing = async (
  requests: () => fc.Arbitrary<{
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
  }>,
  count: number,
): Promise<void> => {
  let refusals = 0;
  let stored = await everythingStored(service);
  await fc.assert(
    fc.asyncProperty(requests(), async (asked) => {
      const answer = await sendOnWire(service.url, asked);
      const isRefusal = isRefused(answer.status, answer.headers['location']);
      // Also when this try fails: the smaller ones that follow are compared with what it left.
      const before = stored;
      const after = await everythingStored(service);
      stored = after;
      refusals += isRefusal ? 1 : 0;
      // A success hands new tokens out; a refusal holds nobody's.
      expectBearable(answer, isRefusal ? secrets() : []);
      if (isRefusal) expect(after).toEqual(before);
    }),
    tries(count),
  );
  expectOften(refusals, count / 20);
  expectCleanLog(service.logs, secrets());
};

describe('The authorization server', () => {
  it(
    'bears any registration',
    () =>
      expectRefusalsToStoreNothing(() => {
        const metadata = fc.record(
          {
            client_name: fc.oneof(fc.constant('A client'), hostileJson),
            redirect_uris: fc.oneof(
              fc.array(fc.oneof(fc.constant(loopbackUri), mutated(loopbackUri), hostileText), { maxLength: 4 }),
              hostileJson,
            ),
            grant_types: fc.oneof(fc.constant(['authorization_code', 'refresh_token']), hostileJson),
            scope: fc.oneof(fc.constant('mcp:whoami'), hostileJson),
            token_endpoint_auth_method: fc.oneof(fc.constant('none'), hostileJson),
            jwks_uri: fc.constant('http://169.254.169.254/latest/meta-data'),
            logo_uri: hostileJson,
          },
          { requiredKeys: [] },
        );
        return fc.oneof({ weight: 8, arbitrary: metadata }, { weight: 1, arbitrary: hostileJson }).map((value) => ({
          method: 'POST',
          path: '/auth/mcp/register',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(value),
        }));
      }, 200),
    patience(300),
  );

  it(
    'bears any request for an authorization',
    () =>
      expectRefusalsToStoreNothing(
        () =>
          parameters({
            client_id: connection.clientId,
            redirect_uri: loopbackUri,
            response_type: 'code',
            code_challenge: challengeOf(verifier),
            code_challenge_method: 'S256',
            scope: 'mcp:whoami sessions:view',
            state: 'a state',
            resource: `${service.url}/mcp`,
          }).map((query) => ({ method: 'GET', path: `/auth/mcp/authorize?${query}`, headers: {}, body: null })),
        250,
      ),
    patience(300),
  );

  it(
    'bears any exchange of a code that nobody was given',
    () =>
      expectRefusalsToStoreNothing(
        () =>
          parameters({
            grant_type: 'authorization_code',
            code: 'A'.repeat(43),
            client_id: connection.clientId,
            redirect_uri: loopbackUri,
            code_verifier: verifier,
            resource: `${service.url}/mcp`,
          }).map((body) => ({ method: 'POST', path: '/auth/mcp/token', headers: form, body })),
        250,
      ),
    patience(300),
  );

  it(
    'bears any refresh that presents no live token, and any revocation',
    () =>
      expectRefusalsToStoreNothing(
        () =>
          fc.oneof(
            parameters({
              grant_type: 'refresh_token',
              // An access token is none.
              refresh_token: connection.tokens.accessToken,
              client_id: connection.clientId,
              scope: 'mcp:whoami',
            }).map((body) => ({ method: 'POST', path: '/auth/mcp/token', headers: form, body })),
            parameters({
              token: 'gate_r_unknown',
              token_type_hint: 'refresh_token',
              client_id: connection.clientId,
            }).map((body) => ({
              method: 'POST',
              path: '/auth/mcp/revoke',
              headers: form,
              body,
            })),
          ),
        250,
      ),
    patience(300),
  );
});
