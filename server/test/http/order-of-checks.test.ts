/** The listed order of checks: one request for each passes the earlier ones and fails it and later ones. */
import { describe, expect, it } from 'vitest';
import { orderOfChecks as checksOfGraphql } from '../../src/graphql/endpoint.ts';
import { orderOfChecks as checksOfToken } from '../../src/http/oauth/token.ts';
import { orderOfChecks as checksOfMcp } from '../../src/mcp/admission.ts';
import { newMember, newOwner, newSuperAdmin } from '../support/actors/tenants.ts';
import { bearer, operations } from '../support/clients/clients.ts';
import { authorization, errorCodeOf, exchange, jsonHeaders } from '../support/clients/mcp.ts';
import { mcpSurfaces } from '../support/clients/mcp-surfaces.ts';
import { newClient, newCode, postText, redemptionOf } from '../support/clients/oauth.ts';
import { everythingStored } from '../support/database/stored-rows.ts';
import { type Service, serviceFixture } from '../support/gatehouse/gatehouse.ts';

/** A status, and the code or message that identifies the check. */
type Refused = readonly [status: number, ...reasons: readonly unknown[]];

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);

const storedBesidesPermits = async (service: Service): Promise<string[]> =>
  (await everythingStored(service)).filter((row) => !row.startsWith('rate_limits '));

/**
 * Sends the request of each check in the order of the list; each must be refused by its own check, and store nothing.
 */
const refusalsInOrder = async <Check extends string>(
  service: Service,
  checks: readonly Check[],
  requests: Readonly<Record<Check, () => Promise<Refused>>>,
): Promise<Refused[]> => {
  const refusals: Refused[] = [];
  const before = await storedBesidesPermits(service);
  for (const check of checks) {
    refusals.push(await requests[check]());
    expect(await storedBesidesPermits(service)).toEqual(before);
  }
  return refusals;
};

describe.each(mcpSurfaces)('POST $path', ({ path, connect }) => {
  const service = serviceFixture({ RATE_LIMITS_ENABLED: 'true' });

  const setPermits = (dueAt: string): Promise<unknown> =>
    service.sql(`UPDATE rate_limits SET due_at = ${dueAt} WHERE key LIKE 'mcp:%'`);

  // Contract: platform-mcp#order-of-refusals — Order of refusals
  it('refuses in the order of the contract', async () => {
    const client = await connect(service);
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const large = `${' '.repeat(1024 * 1024)}[`;
    const host = { host: new URL(service.url).host };
    const known = { ...host, ...authorization(client) };
    const wrong = { 'content-type': 'text/plain', 'mcp-protocol-version': '1999-01-01' };
    const oldVersion = { ...jsonHeaders, ...known, 'mcp-protocol-version': '1999-01-01' };
    await exchange(service, { path, headers: { ...jsonHeaders, ...known }, body: list });

    const send = async (headers: object, body: string, method = 'POST'): Promise<Refused> => {
      const answer = await exchange(service, { path, method, headers: { ...headers }, body });
      return [answer.status, errorCodeOf(answer)];
    };
    await setPermits("now() + interval '2 hours'");
    const refusals = await refusalsInOrder(service, checksOfMcp, {
      'host and origin': () =>
        send({ ...wrong, host: 'gatehouse.example', authorization: 'Bearer nothing' }, large, 'PUT'),
      bearer: () => send({ ...wrong, ...host, authorization: 'Bearer nothing' }, large, 'PUT'),
      method: () => send({ ...wrong, ...known }, large, 'PUT'),
      'media type': () => send({ ...wrong, ...known, accept: 'text/html' }, large),
      'accepted type': () => send({ ...oldVersion, accept: 'text/html' }, large),
      'rate limit': async () => {
        const refused = await send(oldVersion, large);
        await setPermits('now()');
        return refused;
      },
      size: () => send(oldVersion, large),
      JSON: () => send(oldVersion, '['),
      array: () => send(oldVersion, `[${list}]`),
      'protocol version': () => send(oldVersion, list),
    });
    expect(refusals).toEqual([
      [403, 'ORIGIN_REFUSED'],
      [401, 'UNAUTHENTICATED'],
      [405, 'BAD_USER_INPUT'],
      [415, 'BAD_USER_INPUT'],
      [406, 'BAD_USER_INPUT'],
      [429, -32_029],
      [413, 'BAD_USER_INPUT'],
      [400, -32_700],
      [400, -32_600],
      [400, -32_022],
    ]);
    expect((await send({ ...jsonHeaders, ...known }, list))[0]).toBe(200);
  });
});

describe('/graphql', () => {
  const service = serviceFixture({ RATE_LIMITS_ENABLED: 'true' });

  const setPermits = (dueAt: string): Promise<unknown> =>
    service.sql(`UPDATE rate_limits SET due_at = ${dueAt} WHERE key LIKE 'sign_up:%'`);

  // Contract: requests#order-of-checks — The order of the checks of a GraphQL request
  // Contract: requests#order-of-checks — The first check that fails answers, in the order of the list
  it('refuses in the order of its list', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId, 'MEMBER');
    const headers = {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
      origin: 'https://evil.example',
      cookie: 'auth_access=nothing',
    };
    const send = async (body: string, change: object = {}, method = 'POST'): Promise<Refused> => {
      const init: RequestInit = { method, headers: { ...headers, ...change }, body };
      const response = await fetch(`${service.url}/graphql`, init);
      const { errors } = (await response.json()) as { errors?: { message: string }[] };
      return [response.status, errors?.[0]?.message];
    };
    const operation = (variables: object): string => JSON.stringify({ query: operations.inviteMember, variables });
    const badAddress = operation({ input: { email: 'no address', role: 'MEMBER' } });
    const large = `${' '.repeat(200 * 1024)}{`;
    const sendByGet = async (parameters: Readonly<Record<string, string>>): Promise<Refused> => {
      const response = await fetch(`${service.url}/graphql?${new URLSearchParams(parameters)}`, { headers });
      const { errors } = (await response.json()) as { errors?: { message: string }[] };
      return [response.status, errors?.[0]?.message];
    };
    const badSignUp = JSON.stringify({
      query: operations.signUp,
      variables: { input: { email: 'no address', password: '', name: '' } },
    });
    await send(badSignUp, { cookie: '' });
    await setPermits("now() + interval '2 hours'");

    const refusals = await refusalsInOrder(service, checksOfGraphql, {
      method: () => send(large, { 'content-type': 'text/plain' }, 'PUT'),
      'media type': () => send(large, { 'content-type': 'text/plain' }),
      size: () => send(large),
      JSON: () => send('{'),
      parameters: () => send(JSON.stringify({ query: 'mutation {', variables: [] })),
      document: () => send(JSON.stringify({ query: 'mutation {', variables: { input: 1 } })),
      'mutation by GET': () => sendByGet({ query: operations.inviteMember, variables: '{"input":1}' }),
      variables: () => send(operation({ input: 1 })),
      origin: () => send(badAddress),
      guard: () => send(badAddress, { cookie: '', ...bearer(member.tokens) }),
      'rate limit': async () => {
        const refused = await send(badSignUp, { cookie: '' });
        await setPermits('now()');
        return refused;
      },
      arguments: () => send(badSignUp, { cookie: '' }),
    });
    expect(refusals).toEqual([
      [405, 'Only GET and POST are supported here.'],
      [415, 'The body must be application/json in UTF-8.'],
      [413, 'The body is too large.'],
      [400, 'The body is not valid JSON.'],
      [400, 'Parameter "variables" must be an object.'],
      [400, 'Syntax error: Expected Name, found <EOF>.'],
      [405, 'A mutation must be sent by POST.'],
      [400, 'Variable "$input" is not valid at input: expected InviteMemberInput!.'],
      [403, 'This request did not come from the portal, so its cookies do not count.'],
      [403, 'You are not allowed to do this here.'],
      [429, 'Too many attempts. Wait a moment, then try again.'],
      [400, 'Some of the input is not valid.'],
    ]);
  });
});

describe('POST /auth/mcp/token', () => {
  const service = serviceFixture({ RATE_LIMITS_ENABLED: 'true' });

  const setPermits = (dueAt: string): Promise<unknown> =>
    service.sql(`UPDATE rate_limits SET due_at = ${dueAt} WHERE key LIKE 'oauth_token:%'`);

  // Contract: platform-mcp#token-endpoint — Order of checks at the token endpoint
  it('refuses in the order of its list', async () => {
    const { userId } = await newSuperAdmin(service);
    const clientId = await newClient(service);
    const right = redemptionOf(await newCode(service, { clientId, userId }));
    const wrong = {
      ...right,
      grant_type: 'password',
      client_id: '',
      resource: 'https://elsewhere.example',
      code: '',
      client_secret: 'secret',
    };
    const form = 'application/x-www-form-urlencoded';
    const send = async (parameters: Readonly<Record<string, string>>, type = form, padding = ''): Promise<Refused> => {
      const named = Object.entries(parameters).filter(([, value]) => value !== '');
      const answer = await postText(service, 'token', `${new URLSearchParams(named).toString()}${padding}`, type);
      return [answer.status, answer.body['error'], answer.body['error_description']];
    };
    const { client_secret: _secret, ...unproven } = wrong;
    await send(wrong);
    await setPermits("now() + interval '2 hours'");
    const refusals = await refusalsInOrder(service, checksOfToken, {
      size: () => send(wrong, 'text/plain', `&padding=${'x'.repeat(100 * 1024)}`),
      'rate limit': async () => {
        const refused = await send(wrong, 'text/plain');
        await setPermits('now()');
        return refused;
      },
      'media type': () => send(wrong, 'text/plain'),
      'client authentication': () => send(wrong),
      'grant type': () => send(unproven),
      'client id': () => send({ ...unproven, grant_type: 'authorization_code' }),
      resource: () => send({ ...unproven, grant_type: 'authorization_code', client_id: 'unknown' }),
      'parameters of the grant': () => send({ ...right, client_id: 'unknown', code: '' }),
      client: () => send({ ...right, client_id: 'unknown', code: 'unknown' }),
      grant: () => send({ ...right, code: 'unknown' }),
    });
    expect(refusals).toEqual([
      [413, 'invalid_request', 'The body is too large.'],
      [429, 'temporarily_unavailable', 'Too many attempts. Wait a moment, then try again.'],
      [400, 'invalid_request', 'The body must be application/x-www-form-urlencoded.'],
      [401, 'invalid_client', matching(/no secret/)],
      [400, 'unsupported_grant_type', matching(/grant_type/)],
      [400, 'invalid_request', 'The parameter client_id is missing.'],
      [400, 'invalid_target', matching(/resource/)],
      [400, 'invalid_request', 'The parameter code is missing.'],
      [401, 'invalid_client', matching(/./)],
      [400, 'invalid_grant', matching(/./)],
    ]);
    expect((await send(right))[0]).toBe(200);
  });
});
