/**
 * Tools of the application at POST /mcp/organization: their arguments, their answers, their faults, and their record.
 */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Authenticator } from '../../src/domain/access/authenticate.ts';
import { readTools } from '../../src/domain/organization-tools/read-tools.ts';
import { readDefinition } from '../../src/domain/scopes/application-definition.ts';
import { defineTool, ToolError } from '../../src/embed.ts';
import type { ToolContext } from '../../src/gatehouse.d.ts';
import { shownActor } from '../../src/http-kit/identity.ts';
import { Refusal } from '../../src/kernel/errors.ts';
import { newMember, newOwner } from '../support/actors/tenants.ts';
import { expectNothingChanged } from '../support/checks/refusals.ts';
import {
  callTool,
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
  organizationCalls,
  resultOf,
  wordsOf,
} from '../support/clients/organization-mcp.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { depsOf } from '../tools/tool-caller.ts';

const application = {
  name: 'Acme Notes',
  scopes: { 'notes:read': 'Read notes', 'notes:write': 'Write notes' },
  roles: {
    ADMIN: { scopes: ['notes:read', 'notes:write'] },
    MEMBER: { scopes: ['notes:read'] },
    WRITER: { title: 'Writer', scopes: ['notes:write'] },
  },
  products: { free: { scopes: '*' }, small: { scopes: ['notes:read'] } },
} as const;

const served = readDefinition(application, { isHardened: false, taken: [], readLogo: () => null });

interface Note {
  readonly organizationId: string;
  readonly text: string;
}

const notes: Note[] = [];
const seen: ToolContext[] = [];
const canary = 'canary of a failure';
/** Resolves once the signal of the tool that hangs is aborted. */
let hung = Promise.withResolvers<unknown>();

const add = defineTool({
  name: 'notes_add',
  title: 'Add a note',
  description: 'Adds a note.',
  scopes: ['notes:write'],
  input: z.strictObject({ text: z.string().max(1000), tag: z.enum(['a', 'b']).default('a') }),
  output: z.object({ id: z.string(), wouldBe: z.number() }),
  isReadOnly: false,
  isDestructive: false,
  run: async (context, { text }) => {
    seen.push(context);
    if (!context.dryRun) notes.push({ organizationId: context.organization.id, text });
    return { id: String(notes.length), wouldBe: notes.length, secret: 'kept inside' };
  },
  describe: ({ id }) => `Added note\n${id}.`,
});

const reader = { scopes: ['notes:read'], isReadOnly: true, isDestructive: false } as const;

const faulty = defineTool({
  ...reader,
  name: 'notes_fail',
  title: 'Fail',
  description: 'Fails in many ways.',
  input: z.strictObject({ how: z.string() }),
  output: z.object({ text: z.string().refine((text) => text !== 'a lie') }),
  run: async ({ signal }, { how }) => {
    if (how === 'throws') throw new Error(canary);
    if (how === 'throws a text') AbortSignal.abort(canary).throwIfAborted();
    if (how === 'says') throw new ToolError(`There is no note “7”.${'x'.repeat(3000)}`);
    if (how === 'refuses') throw new Refusal('FORBIDDEN', canary);
    if (how === 'lies') return { text: 'a lie' };
    if (how === 'floods') return { text: 'x'.repeat(5_000_000) };
    if (how === 'cannot be described') return { text: '' };
    if (how === 'hangs') {
      signal.addEventListener('abort', () => hung.resolve(signal.reason));
      return new Promise<never>(() => undefined);
    }
    return { text: how };
  },
  describe: ({ text }) => {
    if (text === '') throw new Error(canary);
    return text;
  },
});

const hangingWriter = defineTool({
  name: 'notes_hang',
  title: 'Hang',
  description: 'Never answers.',
  scopes: ['notes:write'],
  input: z.strictObject({}),
  output: z.object({}),
  isReadOnly: false,
  isDestructive: true,
  run: () => new Promise<never>(() => undefined),
  describe: () => '',
});

const service = serviceFixture({}, 'none', { application, tools: [add, faulty, hangingWriter] }, { toolCall: 400 });
const scopes = [...memberScopes, 'notes:read', 'notes:write'];
const client = fixture(() => connectToOrganization(service, undefined, { scopes }));

const outcomesOf = async (who: McpClient, work: () => Promise<McpAnswer>) => {
  const { result, rows } = await callsDuring(service, who, work);
  expect(new Set(rows.map(({ correlation }) => correlation))).toEqual(new Set([correlationIdOf(result)]));
  return { answer: result, outcomes: rows.map(({ outcome }) => outcome), rows };
};

describe('tools/list', () => {
  it('has the tools of the application behind those of the service, as clients see them', async () => {
    const answer = await send(service, client, { id: 1, method: 'tools/list' });
    expect(listedNames(answer).slice(8)).toEqual(['notes_add', 'notes_fail', 'notes_hang']);
    const { tools } = answer.body['result'] as { tools: Record<string, unknown>[] };
    expect(tools[8]).toMatchObject({
      title: 'Add a note',
      inputSchema: {
        type: 'object',
        additionalProperties: false,
        required: ['text'],
        properties: { text: { type: 'string' }, dryRun: { type: 'boolean', default: false } },
      },
      outputSchema: { type: 'object', properties: { id: { type: 'string' } } },
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    });
    expect(tools[9]?.['inputSchema']).not.toHaveProperty('properties.dryRun');
    expect(Buffer.byteLength(answer.text)).toBeLessThan(24_000);
  });
});

describe('A tool that changes something', () => {
  // Contract: organization-mcp#audit-of-calls — A tool that may change something is recorded before it runs and by its
  //   outcome
  it('runs for the person in their organization, and is recorded before and after', async () => {
    const { answer, outcomes } = await outcomesOf(client, () =>
      callTool(service, client, 'notes_add', { text: 'Milk' }),
    );
    expect(resultOf(answer)).toMatchObject({ structuredContent: { id: '1' } });
    expect(resultOf(answer).structuredContent).not.toHaveProperty('secret');
    expect(wordsOf(answer)).toMatch(/^Added note 1\.\n\{/);
    expect(outcomes).toEqual(['started', 'success']);
    expect(notes).toEqual([{ organizationId: client.person.organizationId, text: 'Milk' }]);
    expect(seen[0]).toMatchObject({
      actor: { id: client.person.userId, email: client.person.email, isSuperAdmin: false, kind: 'PERSON' },
      organization: { id: client.person.organizationId },
      correlationId: correlationIdOf(answer),
      dryRun: false,
    });
    expect([...(seen[0]?.actor.scopes ?? [])].sort()).toEqual([...scopes].sort());
  });

  // Contract: organization-mcp#tools-of-the-application — A tool that is not read-only takes dryRun beside its input
  it('gets dryRun beside its input', async () => {
    const { length } = notes;
    const { answer, rows } = await outcomesOf(client, () =>
      callTool(service, client, 'notes_add', { text: 'Milk', dryRun: true }),
    );
    expect(resultOf(answer).isError).toBeUndefined();
    expect(seen.at(-1)?.dryRun).toBe(true);
    expect(rows.map(({ outcome, details }) => [outcome, details.includes('"dryRun":true')])).toEqual([
      ['started', true],
      ['success', true],
    ]);
    expect(notes).toHaveLength(length);
  });

  it.each([
    ['an unknown argument', { text: 'a', other: 1 }, 'other'],
    ['a missing one', {}, 'text'],
    ['a wrong type', { text: 5 }, 'text'],
    ['too long a text', { text: 'x'.repeat(1001) }, 'text'],
    ['a value outside the list', { text: 'a', tag: 'c' }, 'tag'],
    ['dryRun that is none', { text: 'a', dryRun: 'yes' }, 'dryRun'],
  ])('is not run with %s, and recorded once', async (_what, given, field) => {
    const before = seen.length;
    const { answer, outcomes } = await outcomesOf(client, () => callTool(service, client, 'notes_add', given));
    expect(wordsOf(answer)).toMatch(new RegExp(`^BAD_USER_INPUT: .*\\n- ${field}: `));
    expect([seen.length, outcomes]).toEqual([before, ['error']]);
  });

  it('is not run once its person has lost the scope by then', async () => {
    const person = await newMember(service, client.person.organizationId, 'ADMIN');
    const own = await connectToOrganization(service, person, { scopes });
    expect(resultOf(await callTool(service, own, 'notes_add', { text: 'a' })).isError).toBeUndefined();
    await service.sql(`UPDATE organization_members SET role = 'MEMBER' WHERE id = $1`, [person.memberId]);
    const before = seen.length;
    const { answer, outcomes } = await outcomesOf(own, () => callTool(service, own, 'notes_add', { text: 'a' }));
    expect(wordsOf(answer)).toMatch(/notes:write: .*Your role here is MEMBER/);
    expect([seen.length, outcomes]).toEqual([before, ['deny']]);
  });

  it('says after its time that the outcome is unknown', async () => {
    const { answer, outcomes } = await outcomesOf(client, () => callTool(service, client, 'notes_hang'));
    expect(wordsOf(answer)).toBe(
      'The tool did not answer within 0.4 seconds. Whether it changed anything is not known.',
    );
    expect(outcomes).toEqual(['started', 'error']);
  });

  // Contract: organization-mcp#audit-of-calls — A call that cannot be recorded is answered with 503, and its tool does
  //   not run
  it('is not run when its beginning cannot be recorded', async () => {
    const before = seen.length;
    await service.sql('ALTER TABLE organization_audits RENAME TO organization_audits_away');
    try {
      const answer = await callTool(service, client, 'notes_add', { text: 'a' });
      expect(answer.status).toBe(503);
    } finally {
      await service.sql('ALTER TABLE organization_audits_away RENAME TO organization_audits');
    }
    expect(seen).toHaveLength(before);
  });
});

describe('A tool that fails', () => {
  const fail = (how: string) => outcomesOf(client, () => callTool(service, client, 'notes_fail', { how }));

  // Contract: organization-mcp#tools-of-the-application — Of an error that is no ToolError the client gets the
  //   correlation id alone
  it.each(['throws', 'throws a text', 'refuses', 'lies', 'cannot be described'])(
    'and %s answers only the id under which the log explains it',
    async (how) => {
      const { answer, outcomes } = await fail(how);
      expect([answer.status, resultOf(answer).isError, outcomes]).toEqual([200, true, ['error']]);
      expect(wordsOf(answer)).toMatch(new RegExp(`^INTERNAL: .*${correlationIdOf(answer)}`));
      expect(answer.text).not.toContain(canary);
      const lines = service.logs.filter(
        (line) => line.includes('request.failed') && line.includes(String(correlationIdOf(answer))),
      );
      expect(lines).toHaveLength(1);
    },
  );

  // Contract: organization-mcp#tools-of-the-application — The message of a ToolError reaches the model
  it('answers the words of a ToolError, as far as they are not too long', async () => {
    const { answer, outcomes } = await fail('says');
    expect(wordsOf(answer)).toMatch(/^There is no note “7”\.x+$/);
    expect([wordsOf(answer).length, resultOf(answer).isError, outcomes]).toEqual([2000, true, ['error']]);
  });

  it('does not send an answer of many megabytes', async () => {
    const { answer, outcomes } = await fail('floods');
    expect(wordsOf(answer)).toMatch(/^The answer of this tool has more than 25000 bytes/);
    expect([answer.text.length < 1000, outcomes]).toEqual([true, ['error']]);
    expect(service.logs.some((line) => line.includes('mcp.tool_answer_refused'))).toBe(true);
  });

  // Contract: organization-mcp#tools-of-the-application — The signal of a tool is aborted when its time is over
  it('ends after its time, with its signal, and the process goes on', async () => {
    hung = Promise.withResolvers();
    const { answer, outcomes } = await fail('hangs');
    expect(wordsOf(answer)).toBe('The tool did not answer within 0.4 seconds.');
    expect(outcomes).toEqual(['error']);
    expect(await hung.promise).toMatchObject({ name: 'TimeoutError' });
    expect(wordsOf((await fail('works')).answer)).toMatch(/^works\n/);
  });
});

describe('A tool that changes something', () => {
  it('sees what the person may do now, not what they could do when the call arrived', async () => {
    const [tool] = readTools([add], served);
    const owner = await newOwner(service);
    const admin = await newMember(service, owner.organizationId, 'ADMIN');
    const { tokens } = await connectToOrganization(service, admin, { scopes: ['notes:read', 'notes:write'] });
    const actor = await new Authenticator(service.database, served, {
      superAdminsNeedSecondFactor: false,
    }).authenticate(tokens.accessToken, ['mcp_organization']);
    // While the call waits for its first row.
    const begin = async () => {
      await service.sql("UPDATE organization_members SET role = 'WRITER' WHERE id = $1", [admin.memberId]);
    };
    const call = { shown: shownActor, begin, timeoutMillis: 3_600_000, closing: new AbortController().signal };
    await tool?.call(depsOf(service), actor, { text: 'late' }, call);
    expect(seen.at(-1)?.actor.currentMembership).toMatchObject({ role: 'WRITER' });
    expect(seen.at(-1)?.actor.scopes).toEqual(['notes:write']);
  });
});

describe('A service that stops', () => {
  it('ends the calls of tools that are still running', async () => {
    const [tool] = readTools([hangingWriter], served);
    const closing = new AbortController();
    const actor = await new Authenticator(service.database, served, {
      superAdminsNeedSecondFactor: false,
    }).authenticate(client.tokens.accessToken, ['mcp_organization']);
    const begun = Promise.withResolvers<void>();
    const call = { shown: shownActor, begin: async () => begun.resolve(), timeoutMillis: 3_600_000 };
    const running = tool?.call(depsOf(service), actor, {}, { ...call, closing: closing.signal });
    await begun.promise;
    closing.abort();
    await expect(running).rejects.toThrow('The service is stopping. Whether it changed anything is not known.');
    await expect(tool?.call(depsOf(service), actor, {}, { ...call, closing: closing.signal })).rejects.toThrow(
      'The service is stopping.',
    );
  });
});

describe('Another organization', () => {
  it('is never that of the call', async () => {
    const other = await connectToOrganization(service, await newOwner(service), { scopes });
    await expectNothingChanged(service, () => callTool(service, other, 'notes_add', { text: 'theirs' }));
    expect(notes.at(-1)).toEqual({ organizationId: other.person.organizationId, text: 'theirs' });
    expect(await organizationCalls(service, other.person.organizationId)).toHaveLength(2);
  });
});
