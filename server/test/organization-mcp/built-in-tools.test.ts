/**
 * The tools of the service at POST /mcp/organization: their list, what those that only read answer, and the row of a
 * call.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { seedPerson } from '../support/actors/seeding.ts';
import { addTo, inviteTo, newMember, newOwner, roleOf } from '../support/actors/tenants.ts';
import { callTool, clientName, correlationIdOf, listedNames, send } from '../support/clients/mcp.ts';
import { callsDuring, connectToOrganization, memberScopes, wordsOf } from '../support/clients/organization-mcp.ts';
import { toolCalls } from '../support/clients/organization-tools.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
const client = fixture(() => connectToOrganization(service));
const { succeed, invited } = toolCalls(service, client);

describe('tools/list', () => {
  // Contract: organization-mcp#built-in-tools — The built-in tools
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

describe('A change and its row', () => {
  // Contract: organization-mcp#built-in-tools — A change and its row commit together
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
