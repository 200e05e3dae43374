/** The tools of the service at POST /mcp/organization: what each answers, changes and refuses, and its dry run. */
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { organizationTools } from '../../src/domain/organization-tools/catalogue.ts';
import { defaultApplication } from '../../src/domain/scopes/application-definition.ts';
import { outputSchemaOf } from '../../src/domain/tools/tool-schemas.ts';
import { newId } from '../../src/kernel/ids.ts';
import { seedPerson } from '../support/actors/seeding.ts';
import { addTo, foreignMemberIds, inviteTo, newMember, newOwner, roleOf, runAs } from '../support/actors/tenants.ts';
import { expectNothingChanged } from '../support/checks/refusals.ts';
import { newAddress, operations } from '../support/clients/clients.ts';
import { callTool, clientName, correlationIdOf, listedNames, type McpClient, send } from '../support/clients/mcp.ts';
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

type Given = Readonly<Record<string, unknown>>;

const schemas = new Map(organizationTools(defaultApplication).map((tool) => [tool.name, outputSchemaOf(tool)]));

/** A call that succeeds with an answer of its schema, and its only row. */
const succeed = async (name: string, given: Given = {}, who: McpClient = client): Promise<Given> => {
  const { result, rows } = await callsDuring(service, who, () => callTool(service, who, name, given));
  const { isError, structuredContent, content } = resultOf(result);
  expect([isError, rows]).toMatchObject([undefined, [{ tool: name, outcome: 'success' }]]);
  expect(rows[0]?.correlation).toBe(correlationIdOf(result));
  z.fromJSONSchema(schemas.get(name) ?? {}).parse(structuredContent);
  expect(content[0]?.text.split('\n').slice(1)).toEqual([JSON.stringify(structuredContent)]);
  return structuredContent ?? {};
};

/** A dry run: it answers, and changes nothing. */
const dryRunOf = (name: string, given: Given): Promise<Given> =>
  expectNothingChanged(service, () => succeed(name, { ...given, dryRun: true }));

/** A call that is refused with these words, in a dry run as well, and changes nothing. */
const refuse = async (
  name: string,
  given: Given,
  words: RegExp,
  outcome: 'deny' | 'error' = 'error',
): Promise<void> => {
  for (const dryRun of [true, false]) {
    const { result, rows } = await callsDuring(service, client, () =>
      expectNothingChanged(service, () => callTool(service, client, name, { ...given, dryRun })),
    );
    expect([result.status, resultOf(result).isError]).toEqual([200, true]);
    expect(wordsOf(result)).toMatch(words);
    expect(rows).toMatchObject([{ tool: name, outcome, correlation: correlationIdOf(result) }]);
  }
};

const invited = async (role = 'MEMBER') => {
  const email = newAddress();
  const memberId = await inviteTo(
    service,
    await seedPerson(service.database, email),
    client.person.organizationId,
    role,
  );
  return { email, memberId };
};

describe('tools/list', () => {
  // Specification: POST /mcp/organization — The built-in tools
  it('names the tools of the service, in few bytes', async () => {
    const answer = await send(service, client, { id: 1, method: 'tools/list' });
    expect(listedNames(answer)).toEqual([
      'whoami',
      'organization_get',
      'members_list',
      'member_invite',
      'invitation_reset',
      'invitation_cancel',
      'member_change_role',
      'member_remove',
    ]);
    expect(Buffer.byteLength(answer.text)).toBeLessThan(20_000);
  });
});

describe('whoami', () => {
  it('returns the person, this organization alone, the scopes and the client', async () => {
    const { person } = client;
    await addTo(service, person.userId, (await newOwner(service)).organizationId);
    expect(await succeed('whoami')).toEqual({
      person: { id: person.userId, email: person.email, name: 'Test Person' },
      organization: { id: person.organizationId, name: expect.any(String) as unknown },
      role: 'OWNER',
      scopes: [...memberScopes].sort(),
      grantedScopes: memberScopes,
      client: { id: client.clientId, name: clientName },
    });
  });
});

describe('organization_get', () => {
  it('returns the organization with its plan and seats', async () => {
    const who = await connectToOrganization(service);
    await newMember(service, who.person.organizationId);
    await inviteTo(service, await seedPerson(service.database), who.person.organizationId);
    expect(await succeed('organization_get', {}, who)).toMatchObject({
      id: who.person.organizationId,
      subscription: { status: 'ACTIVE', product: 'free', currentPeriodEndsAt: null },
      members: 2,
      openInvitations: 1,
      seats: null,
      requireSecondFactor: false,
    });
  });
});

describe('members_list', () => {
  const who = fixture(() => connectToOrganization(service));
  beforeAll(async () => {
    for (const letter of ['b', 'c', 'd']) {
      await newMember(service, who.person.organizationId, 'MEMBER', `${letter}.${newId()}@example.com`);
    }
  });

  it('lists the members of this organization, in pages', async () => {
    const first = await succeed('members_list', { first: 3 }, who);
    expect(first).toMatchObject({ totalCount: 4, pageInfo: { hasNextPage: true } });
    const { endCursor } = first['pageInfo'] as { endCursor: string };
    expect(await succeed('members_list', { first: 3, after: endCursor }, who)).toMatchObject({
      nodes: [expect.anything()],
      pageInfo: { hasNextPage: false },
    });
    expect(await succeed('members_list', { search: 'C.' }, who)).toMatchObject({ totalCount: 1 });
  });

  it.each([
    ['first', 0],
    ['first', 101],
    ['after', 'nonsense'],
    ['search', 'x'.repeat(101)],
    ['organizationId', newId()],
  ])('refuses %s that is %s', async (argument, value) => {
    const { result, rows } = await callsDuring(service, who, () =>
      callTool(service, who, 'members_list', { [argument]: value }),
    );
    expect(wordsOf(result)).toMatch(new RegExp(`^BAD_USER_INPUT: .*\\n- ${argument}: `));
    expect(rows).toMatchObject([{ outcome: 'error' }]);
  });
});

describe('member_invite', () => {
  it('invites with a mail, and says before what it would do', async () => {
    const email = newAddress();
    const facts = { member: { email, role: 'MEMBER', name: null, joinedAt: null, invitation: { status: 'OPEN' } } };
    expect(await dryRunOf('member_invite', { email, role: 'MEMBER' })).toMatchObject({
      ...facts,
      dryRun: true,
      mailTo: email,
    });
    expect(await service.mailsTo(email)).toEqual([]);
    expect(await succeed('member_invite', { email, role: 'MEMBER' })).toMatchObject({ ...facts, dryRun: false });
    expect(await service.mailsTo(email)).toHaveLength(1);
  });

  it('refuses what inviteMember refuses', async () => {
    const { email } = await invited();
    await refuse('member_invite', { email: 'no address', role: 'MEMBER' }, /^BAD_USER_INPUT: .*\n- email: /);
    await refuse('member_invite', { email: client.person.email, role: 'MEMBER' }, /- email: This is your own address/);
    await refuse('member_invite', { email, role: 'MEMBER' }, /- email: This address is invited already/);
    await refuse(
      'member_invite',
      { email: newAddress(), role: 'EDITOR' },
      /- role: This must be one of: OWNER, ADMIN, MEMBER/,
    );
    await refuse('member_invite', { email: newAddress(), role: 'OWNER' }, /^FORBIDDEN: A connected client/, 'deny');
  });
});

describe('invitation_reset', () => {
  it('sends an invitation again with a new link', async () => {
    const { email, memberId } = await invited();
    const hash = () =>
      service.sql('SELECT invitation_token_hash AS hash FROM organization_members WHERE id = $1', [memberId]);
    const before = await hash();
    expect(await dryRunOf('invitation_reset', { memberId })).toMatchObject({ dryRun: true, mailTo: email });
    expect(await succeed('invitation_reset', { memberId })).toMatchObject({ dryRun: false, mailTo: email });
    expect(await hash()).not.toEqual(before);
    expect(await service.mailsTo(email)).toHaveLength(1);
  });
});

describe('invitation_cancel', () => {
  it('deletes an invitation, without a mail', async () => {
    const { email, memberId } = await invited();
    const facts = { member: { id: memberId, email }, mailTo: null };
    expect(await dryRunOf('invitation_cancel', { memberId })).toMatchObject({ ...facts, dryRun: true });
    expect(await succeed('invitation_cancel', { memberId })).toMatchObject({ ...facts, dryRun: false });
    expect(await roleOf(service, memberId)).toBeUndefined();
    expect(await service.mailsTo(email)).toEqual([]);
  });
});

describe('Both tools on invitations', () => {
  it.each(['invitation_reset', 'invitation_cancel'])('refuse members, owners and strangers: %s', async (name) => {
    const member = await newMember(service, client.person.organizationId);
    await refuse(name, { memberId: member.memberId }, /^INVITATION_NOT_OPEN: /);
    const owner = await invited('OWNER');
    await refuse(name, { memberId: owner.memberId }, /^FORBIDDEN: A connected client/, 'deny');
  });
});

describe('member_change_role', () => {
  it('gives a member another role', async () => {
    const { memberId, email } = await newMember(service, client.person.organizationId);
    // An administrator holds more than the client was granted.
    await refuse('member_change_role', { memberId, role: 'ADMIN' }, /^FORBIDDEN: This role has scopes/, 'deny');
    const wide = [...memberScopes, 'TOKENS_MANAGE', 'MCP_MANAGE', 'AUDIT_VIEW'];
    const who = await connectToOrganization(service, client.person, { scopes: wide });
    const facts = { formerRole: 'MEMBER', member: { id: memberId, email, role: 'ADMIN' } };
    const given = { memberId, role: 'ADMIN' };
    await expectNothingChanged(service, async () =>
      expect(await succeed('member_change_role', { ...given, dryRun: true }, who)).toMatchObject(facts),
    );
    expect(await succeed('member_change_role', given, who)).toMatchObject({ ...facts, dryRun: false });
    expect(await roleOf(service, memberId)).toBe('ADMIN');
  });
});

describe('member_remove', () => {
  it('removes a member, whose sessions end', async () => {
    const member = await newMember(service, client.person.organizationId);
    const theirs = await connectToOrganization(service, member, { scopes: ['MEMBERS_VIEW'] });
    const facts = { member: { id: member.memberId, email: member.email }, endedSessions: 2 };
    expect(await dryRunOf('member_remove', { memberId: member.memberId })).toMatchObject({ ...facts, dryRun: true });
    expect((await callTool(service, theirs, 'whoami')).status).toBe(200);
    expect(await succeed('member_remove', { memberId: member.memberId })).toMatchObject({ ...facts, dryRun: false });
    expect(await roleOf(service, member.memberId)).toBeUndefined();
    expect((await runAs(service, member, operations.me)).code).toBe('UNAUTHENTICATED');
    expect((await callTool(service, theirs, 'whoami')).status).toBe(401);
  });

  // Specification: POST /mcp/organization — member_remove, never oneself
  it('never removes oneself, here or elsewhere, nor an owner', async () => {
    const elsewhere = await addTo(service, client.person.userId, (await newOwner(service)).organizationId);
    await refuse(
      'member_remove',
      { memberId: client.person.memberId },
      /^FORBIDDEN: .*never removes the person/,
      'deny',
    );
    await refuse('member_remove', { memberId: elsewhere }, /^NOT_FOUND: /);
    const owner = await newMember(service, client.person.organizationId, 'OWNER');
    await refuse('member_remove', { memberId: owner.memberId }, /^FORBIDDEN: A connected client/, 'deny');
  });
});

describe('Ids of another organization', () => {
  it.each(['invitation_reset', 'invitation_cancel', 'member_change_role', 'member_remove'])(
    'are unknown to %s, as those that are none',
    async (name) => {
      for (const memberId of await foreignMemberIds(service)) {
        const given = name === 'member_change_role' ? { memberId, role: 'MEMBER' } : { memberId };
        await refuse(name, given, /^(NOT_FOUND|BAD_USER_INPUT): .*\n- memberId: /);
      }
    },
  );
});

describe('A change and its row', () => {
  // Specification: POST /mcp/organization — A change and its row commit together
  it('are of one transaction', async () => {
    const { memberId } = await invited();
    await succeed('invitation_reset', { memberId });
    const [shared] = await service.sql<{ same: boolean }>(
      `SELECT (SELECT xmin FROM organization_audits WHERE organization_id = $2 ORDER BY position DESC LIMIT 1)
         = (SELECT xmin FROM organization_members WHERE id = $1) AS same`,
      [memberId, client.person.organizationId],
    );
    expect(shared).toEqual({ same: true });
  });

  const withoutRecord = async <T>(work: () => Promise<T>): Promise<T> => {
    await service.sql('ALTER TABLE organization_audits RENAME TO organization_audits_away');
    try {
      return await work();
    } finally {
      await service.sql('ALTER TABLE organization_audits_away RENAME TO organization_audits');
    }
  };

  it('are not there without each other, and reads are not answered without theirs', async () => {
    const { memberId } = await invited();
    const answers = await withoutRecord(async () => [
      await callTool(service, client, 'invitation_cancel', { memberId }),
      await callTool(service, client, 'whoami'),
      await callTool(service, client, 'no_such_tool'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(answers.map(({ text }) => text).join('')).not.toContain('@example.com');
    expect(await roleOf(service, memberId)).toBe('MEMBER');
  });

  it('are in the log and in the counter under the same id', async () => {
    const count = async (): Promise<number> => {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      const labels = ['tool="whoami"', 'outcome="success"', 'server="organization"'];
      const line = text
        .split('\n')
        .find((one) => one.startsWith('mcp_tools_call') && labels.every((label) => one.includes(label)));
      return Number(line?.split(' ').at(-1) ?? 0);
    };
    const before = await count();
    const id = String(correlationIdOf(await callTool(service, client, 'whoami')));
    expect(await count()).toBe(before + 1);
    const lines = service.logs.filter((line) => line.includes(id) && !line.includes('"event":"request"'));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      {
        event: 'mcp.organization_tool_called',
        tool: 'whoami',
        outcome: 'success',
        correlationId: id,
        userId: client.person.userId,
        organizationId: client.person.organizationId,
        clientId: client.clientId,
      },
    ]);
  });
});
