/** The tools of the service at POST /mcp/organization: what each answers, changes and refuses, and its dry run. */
import { describe, expect, it } from 'vitest';
import { addTo, newMember, newOwner, roleOf, runAs, type Tenant } from '../support/actors/tenants.ts';
import { expectNothingChanged } from '../support/checks/refusals.ts';
import { newAddress, operations } from '../support/clients/clients.ts';
import {
  callTool,
  clientName,
  correlationIdOf,
  listedNames,
  type McpAnswer,
  type McpClient,
  send,
} from '../support/clients/mcp.ts';
import {
  callsDuring,
  connectToOrganization,
  memberScopes,
  resultOf,
  wordsOf,
} from '../support/clients/organization-mcp.ts';
import { fixture, serviceFixture } from '../support/fixture.ts';

const service = serviceFixture();
const client = fixture(() => connectToOrganization(service));

const facts = (answer: McpAnswer): Readonly<Record<string, unknown>> => {
  const { structuredContent } = resultOf(answer);
  if (structuredContent === undefined) throw new Error(`No facts in ${answer.text}`);
  return structuredContent;
};

/** A call that succeeds, and its only row. */
const succeed = async (who: McpClient, name: string, given: Readonly<Record<string, unknown>> = {}) => {
  const { result, rows } = await callsDuring(service, who, () => callTool(service, who, name, given));
  expect(resultOf(result).isError, result.text).toBeUndefined();
  expect(rows).toMatchObject([{ tool: name, outcome: 'success', correlation: correlationIdOf(result) }]);
  return facts(result);
};

/** A call that is refused with these words, and changes nothing but its own row. */
const refuse = async (
  who: McpClient,
  name: string,
  given: Readonly<Record<string, unknown>>,
  words: RegExp,
  outcome = 'deny',
) => {
  const { result, rows } = await callsDuring(service, who, () =>
    expectNothingChanged(service, () => callTool(service, who, name, given)),
  );
  expect(result.status).toBe(200);
  expect(resultOf(result).isError).toBe(true);
  expect(wordsOf(result)).toMatch(words);
  expect(rows).toMatchObject([{ tool: name, outcome, correlation: correlationIdOf(result) }]);
};

const joined = async (organizationId: string, role = 'MEMBER'): Promise<Tenant> =>
  newMember(service, organizationId, role);

describe('tools/list', () => {
  it('names the tools of the service', async () => {
    const names = [
      'whoami',
      'organization_get',
      'members_list',
      'member_invite',
      'invitation_reset',
      'invitation_cancel',
    ];
    expect(listedNames(await send(service, client, { id: 1, method: 'tools/list' }))).toEqual([
      ...names,
      'member_change_role',
      'member_remove',
    ]);
  });
});

describe('whoami', () => {
  it('returns the person, the organization, the scopes and the client', async () => {
    const { person } = client;
    expect(await succeed(client, 'whoami')).toMatchObject({
      person: { id: person.userId, email: person.email },
      organization: { id: person.organizationId },
      role: 'OWNER',
      scopes: [...memberScopes].sort(),
      grantedScopes: memberScopes,
      client: { id: client.clientId, name: clientName },
    });
  });
});

describe('member_invite', () => {
  it('invites, with a mail, and says in a dry run what it would do', async () => {
    const email = newAddress();
    const rehearsed = await expectNothingChanged(service, () =>
      succeed(client, 'member_invite', { email, role: 'MEMBER', dryRun: true }),
    );
    expect(rehearsed).toMatchObject({ dryRun: true, member: { email, role: 'MEMBER' }, mailTo: email });
    expect(await service.mailsTo(email)).toEqual([]);
    expect(await succeed(client, 'member_invite', { email, role: 'MEMBER' })).toMatchObject({
      dryRun: false,
      member: { email, role: 'MEMBER', invitation: { status: 'OPEN' } },
    });
    expect(await service.mailsTo(email)).toHaveLength(1);
  });
});

describe('member_remove', () => {
  it('never removes oneself, in this organization or another', async () => {
    const elsewhere = await newOwner(service);
    const other = await addTo(service, client.person.userId, elsewhere.organizationId);
    await refuse(
      client,
      'member_remove',
      { memberId: client.person.memberId },
      /^FORBIDDEN: .*never removes the person/,
    );
    await refuse(client, 'member_remove', { memberId: other }, /^NOT_FOUND: /, 'error');
  });

  it('removes a member', async () => {
    const member = await joined(client.person.organizationId);
    expect(await succeed(client, 'member_remove', { memberId: member.memberId, dryRun: true })).toMatchObject({
      dryRun: true,
    });
    expect(await roleOf(service, member.memberId)).toBe('MEMBER');
    expect(await succeed(client, 'member_remove', { memberId: member.memberId })).toMatchObject({
      dryRun: false,
      endedSessions: 1,
    });
    expect(await roleOf(service, member.memberId)).toBeUndefined();
    expect((await runAs(service, member, operations.me)).code).toBe('UNAUTHENTICATED');
  });
});
