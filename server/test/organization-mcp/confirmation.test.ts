/**
 * The question before a destructive call in an organization: with a tool of the service, and with one of the
 * application.
 */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/embed.ts';
import { newMember, newOwner, roleOf } from '../support/actors/tenants.ts';
import { expectNothingChanged } from '../support/checks/refusals.ts';
import { type McpAnswer, type McpClient, send } from '../support/clients/mcp.ts';
import { callsDuring, connectToOrganization, resultOf, wordsOf } from '../support/clients/organization-mcp.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const deleted: string[] = [];

const deleteNotes = defineTool({
  name: 'notes_delete',
  title: 'Delete notes',
  description: 'Deletes all notes.',
  scopes: ['notes:write'],
  input: z.strictObject({}),
  output: z.object({ count: z.number() }),
  isReadOnly: false,
  isDestructive: true,
  run: async ({ dryRun, organization }) => {
    if (!dryRun) deleted.push(organization.id);
    return { count: 3 };
  },
  describe: ({ count }) => `${count} notes.`,
});

const service = serviceFixture({}, 'none', {
  application: { scopes: { 'notes:write': 'Write notes' } },
  tools: [deleteNotes],
});

type Given = Readonly<Record<string, unknown>>;

/** A call of a client that can ask its person. */
const call = (who: McpClient, name: string, given: Given, retry: Given = {}): Promise<McpAnswer> => {
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
  const params = { name, arguments: given, ...retry, _meta };
  return send(service, who, { id: 1, method: 'tools/call', params }, '2026-07-28');
};

const questionIn = (answer: McpAnswer): { readonly message: string; readonly state: string } => {
  const { result } = answer.body as {
    result?: {
      resultType?: string;
      requestState?: string;
      inputRequests?: { confirm?: { params: { message: string } } };
    };
  };
  const { resultType, requestState: state, inputRequests } = result ?? {};
  expect(resultType, answer.text).toBe('input_required');
  return { message: inputRequests?.confirm?.params.message ?? '', state: state ?? '' };
};

const answered = (state: string, confirm: boolean): Given => ({
  requestState: state,
  inputResponses: { confirm: { action: 'accept', content: { confirm } } },
});

const connectOwner = async (): Promise<McpClient> =>
  connectToOrganization(service, await newOwner(service), {
    scopes: ['MEMBERS_VIEW', 'MEMBERS_REMOVE', 'notes:write'],
  });

describe('A destructive tool of the service', () => {
  it('asks first, and changes nothing until the person confirms', async () => {
    const client = await connectOwner();
    const member = await newMember(service, client.person.organizationId);
    const given = { memberId: member.memberId };
    const { result, rows } = await callsDuring(service, client, () =>
      expectNothingChanged(service, () => call(client, 'member_remove', given)),
    );
    const { message, state } = questionIn(result);
    expect(message).toContain(member.email);
    expect(rows).toMatchObject([{ tool: 'member_remove', outcome: 'success' }]);
    expect(rows[0]?.details).toContain('"dryRun":true');
    expect(resultOf(await call(client, 'member_remove', given, answered(state, true))).isError).toBeUndefined();
    expect(await roleOf(service, member.memberId)).toBeUndefined();
  });

  it('changes nothing where the person declines, or another client presents the state', async () => {
    const client = await connectOwner();
    const member = await newMember(service, client.person.organizationId);
    const given = { memberId: member.memberId };
    const { state } = questionIn(await call(client, 'member_remove', given));
    const { result, rows } = await callsDuring(service, client, () =>
      expectNothingChanged(service, () => call(client, 'member_remove', given, answered(state, false))),
    );
    expect(wordsOf(result)).toMatch(/^DECLINED/);
    expect(rows).toMatchObject([{ outcome: 'deny' }]);
    const other = await connectToOrganization(service, client.person, { scopes: ['MEMBERS_VIEW', 'MEMBERS_REMOVE'] });
    const foreign = await expectNothingChanged(service, () =>
      call(other, 'member_remove', given, answered(state, true)),
    );
    expect(foreign.text).toContain('Invalid or expired requestState');
    expect(await roleOf(service, member.memberId)).toBe('MEMBER');
  });
});

describe('A destructive tool of the application', () => {
  it('is asked about in the words of its dry run, and runs once the person confirms', async () => {
    const client = await connectOwner();
    const { result, rows } = await callsDuring(service, client, () => call(client, 'notes_delete', {}));
    const { message, state } = questionIn(result);
    expect(message).toContain('3 notes.');
    // The dry run is code of the application too.
    expect(rows.map(({ outcome }) => outcome)).toEqual(['started', 'success']);
    expect(deleted).not.toContain(client.person.organizationId);
    const confirmed = await callsDuring(service, client, () => call(client, 'notes_delete', {}, answered(state, true)));
    expect(confirmed.rows.map(({ outcome }) => outcome)).toEqual(['started', 'success']);
    expect(deleted).toContain(client.person.organizationId);
  });
});
