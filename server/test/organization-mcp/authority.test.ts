/**
 * Authority at POST /mcp/organization: what is listed, how a call without authority is answered, and that each loss of
 * it counts on the very next call.
 */
import { describe, expect, it } from 'vitest';
import { newMember, newOwner, runAs, type Tenant } from '../support/actors/tenants.ts';
import { expectNothingChanged } from '../support/checks/refusals.ts';
import { operations } from '../support/clients/clients.ts';
import {
  callTool,
  correlationIdOf,
  errorCodeOf,
  listedNames,
  type McpAnswer,
  type McpClient,
  send,
  versions,
} from '../support/clients/mcp.ts';
import { clientTokensOf, refreshAs } from '../support/clients/oauth.ts';
import { callsDuring, connectToOrganization, resultOf, wordsOf } from '../support/clients/organization-mcp.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
const owner = fixture(() => newOwner(service));

const list = (who: McpClient) => send(service, who, { id: 1, method: 'tools/list' });
const admin = (): Promise<Tenant> => newMember(service, owner.organizationId, 'ADMIN');
const member = (): Promise<Tenant> => newMember(service, owner.organizationId);

/** A call that changes nothing, and what it records. */
const recorded = async (who: McpClient, name: string, given: Readonly<Record<string, unknown>> = {}) => {
  const { result: answer, rows } = await callsDuring(service, who, () =>
    expectNothingChanged(service, () => callTool(service, who, name, given)),
  );
  expect(rows.map(({ correlation }) => correlation)).toEqual([correlationIdOf(answer)]);
  return { answer, outcome: rows[0]?.outcome };
};

const readers = ['whoami', 'organization_get', 'members_list'];

describe('tools/list', () => {
  // Contract: organization-mcp#listed-tools-of-an-organization — The tools whose scopes the person holds now, granted
  //   or not
  it('names the tools whose scopes the person holds, granted or not', async () => {
    const narrow = await connectToOrganization(service, await admin(), { scopes: ['MEMBERS_VIEW'] });
    expect(listedNames(await list(narrow))).toHaveLength(8);
    const plain = await connectToOrganization(service, await member());
    expect(listedNames(await list(plain))).toEqual(readers);
  });
});

describe('A scope that was not granted', () => {
  const challenge = (scopes: string): string =>
    `Bearer error="insufficient_scope", scope="${scopes}", resource_metadata="${service.url}/.well-known/oauth-protected-resource/mcp/organization"`;

  // Contract: organization-mcp#answers-without-authority — 403 with insufficient_scope, and the granted and needed ones
  it.each(versions)('is asked for with 403, the granted and the needed ones, in version %s', async (version) => {
    const narrow = await connectToOrganization(service, await admin(), { scopes: ['MEMBERS_VIEW'] });
    const { result: answer, rows } = await callsDuring(service, narrow, () =>
      expectNothingChanged(service, () =>
        callTool(service, narrow, 'member_remove', { memberId: owner.memberId }, version),
      ),
    );
    expect(answer.status).toBe(403);
    expect(answer.headers.get('www-authenticate')).toBe(challenge('MEMBERS_VIEW MEMBERS_REMOVE'));
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.body).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32003, data: { code: 'insufficient_scope', scopes: ['MEMBERS_VIEW', 'MEMBERS_REMOVE'] } },
    });
    expect(rows).toMatchObject([{ tool: 'member_remove', outcome: 'deny', correlation: correlationIdOf(answer) }]);
  });

  it('is another question than one that a refreshed token was asked for without', async () => {
    const client = await connectToOrganization(service, await member(), { scopes: ['MEMBERS_VIEW', 'MEMBERS_INVITE'] });
    const answered = await refreshAs(service, client, { scope: 'MEMBERS_VIEW' });
    const narrowed = { ...client, tokens: clientTokensOf(answered) };
    expect(answered.body).toMatchObject({ scope: 'MEMBERS_VIEW' });
    const granted = ['MEMBERS_VIEW', 'MEMBERS_INVITE'];
    const whoami = resultOf(await callTool(service, narrowed, 'whoami')).structuredContent;
    expect(whoami).toMatchObject({ scopes: ['MEMBERS_VIEW'], grantedScopes: granted });
    const invite = { email: 'a@example.com', role: 'MEMBER' };
    const refused = await recorded(narrowed, 'member_invite', invite);
    expect(wordsOf(refused.answer)).toContain(
      'You granted MEMBERS_INVITE to this client, which has asked for a token without it.',
    );
    await service.sql("UPDATE organization_members SET role = 'ADMIN' WHERE id = $1", [client.person.memberId]);
    const invited = await recorded(narrowed, 'member_invite', invite);
    expect([invited.answer.status, invited.outcome]).toEqual([403, 'deny']);
    expect(invited.answer.headers.get('www-authenticate')).toBe(challenge(granted.join(' ')));
    const removed = await recorded(narrowed, 'member_remove', { memberId: owner.memberId });
    expect(removed.answer.headers.get('www-authenticate')).toBe(challenge([...granted, 'MEMBERS_REMOVE'].join(' ')));
    // Without a scope, the next refresh asks for all that was granted.
    const next = { ...client, tokens: clientTokensOf(await refreshAs(service, narrowed)) };
    const whole = resultOf(await callTool(service, next, 'whoami')).structuredContent;
    expect(whole).toMatchObject({ scopes: [...granted].sort(), grantedScopes: granted });
  });

  it('is no question of arguments', async () => {
    const narrow = await connectToOrganization(service, await admin(), { scopes: ['MEMBERS_VIEW'] });
    const { answer, outcome } = await recorded(narrow, 'member_remove', { wrong: 5 });
    expect([answer.status, outcome]).toEqual([403, 'deny']);
  });
});

describe('A scope that the person does not hold', () => {
  // Contract: organization-mcp#answers-without-authority — A result with isError in the words of explainScope
  it('is explained by roles and products, without the name of a person', async () => {
    const plain = await connectToOrganization(service, await member());
    const { answer, outcome } = await recorded(plain, 'member_invite', { email: 'a@example.com', role: 'MEMBER' });
    expect([answer.status, resultOf(answer).isError, outcome]).toEqual([200, true, 'deny']);
    expect(wordsOf(answer)).toMatch(
      /^FORBIDDEN: You may not call this tool in this organization now\.\n- MEMBERS_INVITE: /,
    );
    expect(wordsOf(answer)).toContain(
      'Your role here is MEMBER, which does not grant MEMBERS_INVITE: OWNER and ADMIN do.',
    );
    expect(wordsOf(answer)).not.toContain(owner.email);
    expect(answer.headers.get('www-authenticate')).toBeNull();
  });

  it('is explained where it was not granted either: no scope that a client could ask for would help', async () => {
    const plain = await connectToOrganization(service, await member(), { scopes: ['MEMBERS_VIEW'] });
    const { answer } = await recorded(plain, 'member_invite', { email: 'a@example.com', role: 'MEMBER' });
    expect(wordsOf(answer)).toMatch(/^FORBIDDEN: /);
  });
});

describe('A tool that does not exist', () => {
  // Contract: organization-mcp#answers-without-authority — A tool that does not exist: as at /mcp
  it.each(['no_such_tool', 'mcp_whoami', 'users_search'])('is refused as at /mcp: %s', async (name) => {
    const client = await connectToOrganization(service, await admin());
    const { answer, outcome } = await recorded(client, name);
    expect([answer.status, errorCodeOf(answer), outcome]).toEqual([200, -32602, 'deny']);
  });
});

describe('The very next call', () => {
  const outcomeOf = async (who: McpClient): Promise<readonly [number, unknown]> => {
    const answer = await callTool(service, who, 'member_invite', { email: 'wrong', role: 'MEMBER' });
    return [answer.status, answer.status === 200 ? wordsOf(answer).split(':')[0] : errorCodeOf(answer)];
  };

  // Contract: organization-mcp#effective-scopes — Effective scopes of a call: granted and held now
  it('knows a role that was changed, and one that was given back', async () => {
    const person = await admin();
    const client = await connectToOrganization(service, person);
    expect(await outcomeOf(client)).toEqual([200, 'BAD_USER_INPUT']);
    for (const [role, expected] of [
      ['MEMBER', 'FORBIDDEN'],
      ['ADMIN', 'BAD_USER_INPUT'],
      ['A_ROLE_OF_BEFORE', 'FORBIDDEN'],
    ] as const) {
      await service.sql('UPDATE organization_members SET role = $2 WHERE id = $1', [person.memberId, role]);
      expect(await outcomeOf(client)).toEqual([200, expected]);
    }
  });

  it('knows a plan that was lost', async () => {
    const client = await connectToOrganization(service);
    expect(await outcomeOf(client)).toEqual([200, 'BAD_USER_INPUT']);
    await service.sql(`UPDATE subscriptions SET status = 'PAST_DUE' WHERE organization_id = $1`, [
      client.person.organizationId,
    ]);
    expect(listedNames(await list(client))).toEqual([]);
    expect(await outcomeOf(client)).toEqual([200, 'FORBIDDEN']);
  });

  it('knows a second factor that the organization requires', async () => {
    const client = await connectToOrganization(service);
    await service.sql('UPDATE organizations SET require_second_factor = true WHERE id = $1', [
      client.person.organizationId,
    ]);
    const { answer, outcome } = await recorded(client, 'whoami');
    expect([outcome, wordsOf(answer).split(':')[0]]).toEqual(['deny', 'SECOND_FACTOR_REQUIRED']);
    expect(wordsOf(answer)).toContain('The organization requires a second factor, and you have none');
  });

  // Contract: organization-mcp#bound-membership — Leaving, removal and sign-out everywhere end it, for good
  it('knows a membership that has ended, also when there is a new one', async () => {
    const person = await member();
    const client = await connectToOrganization(service, person);
    expect((await callTool(service, client, 'whoami')).status).toBe(200);
    const removed = await runAs(service, owner, operations.removeMember, { id: person.memberId });
    expect(removed.code).toBeNull();
    expect((await callTool(service, client, 'whoami')).status).toBe(401);
    await service.sql(
      `INSERT INTO organization_members (id, user_id, organization_id, role, joined_at)
       VALUES ($1, $2, $3, 'ADMIN', now())`,
      [person.memberId, person.userId, person.organizationId],
    );
    expect((await callTool(service, client, 'whoami')).status).toBe(401);
  });

  it('knows that the person signed out everywhere', async () => {
    const client = await connectToOrganization(service, await admin());
    expect((await callTool(service, client, 'whoami')).status).toBe(200);
    await runAs(service, client.person, operations.signOutEverywhere);
    expect((await callTool(service, client, 'whoami')).status).toBe(401);
  });
});

describe('A client of which no request is answered', () => {
  const expectForbidden = (answer: McpAnswer, words: RegExp): void => {
    expect([answer.status, errorCodeOf(answer)]).toEqual([403, -32003]);
    expect(answer.body['error']).toMatchObject({ message: expect.stringMatching(words) as unknown });
    expect(answer.headers.get('www-authenticate')).toBeNull();
  };

  const forbidAll = async (client: McpClient, words: RegExp): Promise<void> => {
    const { answer, outcome } = await recorded(client, 'whoami');
    expectForbidden(answer, words);
    expect(outcome).toBe('deny');
    expectForbidden(await list(client), words);
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
    expectForbidden(await send(service, client, { id: 1, method: 'initialize', params }), words);
  };

  // Contract: organization-mcp#answers-without-authority — A client that the policy refuses: 403 on its next call,
  //   nothing is revoked
  it('is one that the policy of the organization refuses, until it lets it in', async () => {
    const client = await connectToOrganization(service, undefined, { redirectHost: 'client.example' });
    const setPolicy = (clients: string, hosts: readonly string[]) =>
      service.sql('UPDATE organizations SET mcp_clients = $2, mcp_redirect_hosts = $3 WHERE id = $1', [
        client.person.organizationId,
        clients,
        hosts,
      ]);
    expect((await callTool(service, client, 'whoami')).status).toBe(200);
    await setPolicy('NONE', ['client.example']);
    await forbidAll(client, /^The organization does not accept this client now/);
    await setPolicy('LISTED', ['other.example']);
    await forbidAll(client, /^The organization does not accept this client now/);
    await setPolicy('LISTED', ['client.example']);
    expect((await callTool(service, client, 'whoami')).status).toBe(200);
    await service.flush();
    const rules = await service.sql<{ rule: string | null }>(
      `SELECT DISTINCT s.rule FROM mcp_connections c JOIN mcp_connection_steps s ON s.connection_id = c.id
       WHERE c.client_id = $1 AND s.step = 'call' ORDER BY s.rule NULLS FIRST`,
      [client.clientId],
    );
    expect(rules).toEqual([{ rule: null }, { rule: 'client_not_accepted' }]);
  });

  it('is one of an organization that was deleted, until it is restored', async () => {
    const client = await connectToOrganization(service);
    const setDeletion = (at: string) =>
      service.sql(`UPDATE organizations SET deletes_at = ${at} WHERE id = $1`, [client.person.organizationId]);
    await setDeletion(`now() + interval '7 days'`);
    await forbidAll(client, /^The organization was deleted/);
    await setDeletion('NULL');
    expect((await callTool(service, client, 'whoami')).status).toBe(200);
  });
});
