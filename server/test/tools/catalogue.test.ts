/** The catalogue of Platform MCP: its tools, their scopes, and the arguments that each accepts and refuses. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type PlatformScope, platformScopes } from '../../src/domain/scopes/scopes.ts';
import { catalogue, findTool } from '../../src/domain/tools/catalogue.ts';
import type { Tool } from '../../src/domain/tools/tool.ts';
import { inputSchemaOf, outputSchemaOf } from '../../src/domain/tools/tool-schemas.ts';
import { Refusal } from '../../src/kernel/errors.ts';
import { newId } from '../../src/kernel/ids.ts';
import { toolList } from '../../src/mcp/answers.ts';
import { serverInfoOf } from '../../src/mcp/surface.ts';
import { newMember } from '../support/actors/tenants.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { actorOf, connect, depsOf, newToolCaller, toolNamed } from './tool-caller.ts';

const sessionFilter =
  'email userId organizationId audience kind clientId authMethod issuedAfter issuedBefore seenAfter seenBefore network userAgent';

/** Name, required scope, whether it changes something, and its arguments, `!` for required ones. */
const contract: readonly (readonly [string, PlatformScope, 'reads' | 'changes', string])[] = [
  ['mcp_whoami', 'mcp:whoami', 'reads', ''],
  ['sessions_list', 'sessions:view', 'reads', `${sessionFilter} groupBySession first after`],
  ['sessions_revoke', 'sessions:revoke', 'changes', 'credentialId! dryRun'],
  ['sessions_revoke_user', 'sessions:revoke', 'changes', 'userId! dryRun'],
  ['sessions_revoke_many', 'sessions:revoke', 'changes', `${sessionFilter} expectedCount dryRun`],
  ['organization_revoke', 'sessions:revoke', 'changes', 'organizationId! dryRun'],
  ['sign_ins_list', 'sessions:view', 'reads', 'userId network method outcome from to first after'],
  ['users_search', 'users:view', 'reads', 'query first after'],
  ['user_get', 'users:view', 'reads', 'userId!'],
  ['user_suspend', 'users:suspend', 'changes', 'userId! reason! dryRun'],
  ['user_reinstate', 'users:suspend', 'changes', 'userId! dryRun'],
  ['organizations_list', 'organizations:view', 'reads', 'query first after'],
  ['organization_get', 'organizations:view', 'reads', 'organizationId!'],
  ['invitation_reset', 'invitations:manage', 'changes', 'memberId! dryRun'],
  ['invitation_cancel', 'invitations:manage', 'changes', 'memberId! dryRun'],
  ['clients_list', 'mcp:access:view', 'reads', 'query first after'],
  ['client_revoke', 'sessions:revoke', 'changes', 'clientId! dryRun'],
];

interface Schema {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

const argumentsOf = (tool: Tool): string => {
  const { properties = {}, required = [] }: Schema = inputSchemaOf(tool);
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? `${name}!` : name))
    .join(' ');
};

/** The place of each member that a schema names. */
const placesIn = (schema: Schema, root: Schema = schema, place = ''): readonly string[] => {
  const referred = schema.$ref === undefined ? undefined : root.$defs?.[schema.$ref.replace('#/$defs/', '')];
  const inner = [...(schema.anyOf ?? []), ...[referred, schema.items].filter((part) => part !== undefined)];
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
      `${place}.${name}`,
      ...placesIn(member, root, `${place}.${name}`),
    ]),
    ...inner.flatMap((part) => placesIn(part, root, place)),
  ];
};

/** Arguments whose name and type say all. */
const named = ['first', 'kind', 'clientId', 'authMethod', 'method', 'outcome', 'issuedBefore', 'sign_ins_list.userId'];

describe('The catalogue of tools', () => {
  // Contract: platform-mcp#table-of-tools — The table of tools: names, scopes, arguments
  it("is exactly the contract's table, each tool with its scope and its arguments", () => {
    const rows = catalogue.map((tool) => [
      tool.name,
      tool.requiredScopes.join(' '),
      tool.isReadOnly ? 'reads' : 'changes',
      argumentsOf(tool),
    ]);
    expect(rows).toEqual(contract);
  });

  it('is described correctly in docs/mcp.md', async () => {
    const page = await readFile(new URL('../../../docs/mcp.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| (`[a-z]+_[a-z_]+`) \| (`.*?`) \| (.*?) ?\| .+ \|$/gm)];
    const reported = rows.map(([, ...cells]) => cells.map((cell) => cell.replaceAll('`', '')));
    expect(reported).toEqual(contract.map(([name, scope, , names]) => [name, scope, names]));
  });

  // Contract: platform-mcp#required-scopes — A non-empty list of required scopes
  it('has no tool without a scope, and finds each only by its exact name', () => {
    for (const tool of catalogue) {
      expect(tool.requiredScopes.length).toBeGreaterThan(0);
      expect(findTool(tool.name)).toBe(tool);
    }
    for (const name of ['', 'constructor', '__proto__', 'MCP_WHOAMI', 'mcp_whoami ']) expect(findTool(name)).toBeNull();
  });

  // Contract: platform-mcp#required-scopes — Portal governance is never a tool
  it('has no tools for the governance of Platform MCP', () => {
    const ofPortal: readonly string[] = ['mcp:catalog:view', 'mcp:audit:view'];
    const needed = catalogue.flatMap(({ requiredScopes }) => requiredScopes);
    expect(needed.filter((scope) => ofPortal.includes(scope))).toEqual([]);
    expect(platformScopes.filter((scope) => !needed.includes(scope)).sort()).toEqual([...ofPortal].sort());
  });

  // Contract: platform-mcp#dry-runs-and-transactions — Every tool that changes something takes dryRun, default false
  it('has a dry run for every changing tool, and only those', () => {
    for (const tool of catalogue) {
      const { properties = {} }: Schema = inputSchemaOf(tool);
      const { dryRun } = properties;
      expect([tool.name, dryRun?.type, dryRun?.default]).toEqual(
        tool.isReadOnly ? [tool.name, undefined, undefined] : [tool.name, 'boolean', false],
      );
      if (tool.isReadOnly) expect(tool.isDestructive).toBe(false);
    }
  });

  // Contract: platform-mcp#strict-arguments — Strict objects, additionalProperties false
  it('describes every argument whose name does not say all, and closes the arguments', () => {
    for (const tool of catalogue) {
      expect(tool.title).not.toBe('');
      expect(tool.description).toMatch(/^[A-Z].+\.$/);
      const { properties = {}, additionalProperties }: Schema = inputSchemaOf(tool);
      expect([tool.name, additionalProperties]).toEqual([tool.name, false]);
      const silent = Object.entries(properties).filter(([, field]) => !field.description?.endsWith('.'));
      const unexplained = silent.filter(([name]) => !named.includes(name) && !named.includes(`${tool.name}.${name}`));
      expect([tool.name, unexplained]).toEqual([tool.name, []]);
      expect(inputSchemaOf(tool)).toBe(inputSchemaOf(tool));
    }
  });

  it('names in the schema of an answer exactly the members of the answer', () => {
    for (const tool of catalogue) {
      const whole = z.toJSONSchema(tool.output, { io: 'input' }) as Schema;
      expect(new Set(placesIn(outputSchemaOf(tool)))).toEqual(new Set(placesIn(whole)));
      expect(placesIn(whole).length).toBeGreaterThan(3);
    }
  });

  // A model reads the list before each conversation.
  it.each(['handshake', 'request'] as const)('is listed in 24,000 bytes in the era %s', (era) => {
    const longestName = 'N'.repeat(60);
    expect(Buffer.byteLength(toolList(catalogue, era, serverInfoOf(longestName, 'Platform MCP')))).toBeLessThan(24_000);
  });
});

const service = serviceFixture();
const root = fixture(() => newToolCaller(service));

/** The text of a refusal; nothing is stored. */
const refusalOf = (tool: Tool, args: unknown, caller = root): Promise<Refusal> =>
  expectNothingStored(service, async () => {
    const outcome = await tool
      .call(depsOf(service), await actorOf(service, caller), args)
      .catch((error: unknown) => error);
    if (outcome instanceof Refusal) return outcome;
    throw new Error(`${tool.name} was not refused`);
  });

/** Unknown ids for the required arguments of the tool. */
const goodArguments = (tool: Tool): Record<string, unknown> => {
  const { required = [] }: Schema = inputSchemaOf(tool);
  return Object.fromEntries(required.map((name) => [name, newId()]));
};

describe.each(catalogue)('The arguments of $name', (tool) => {
  // Contract: platform-mcp#strict-arguments — MCP tool input with unknown field: rejected
  it('are refused with an unknown field, by its name', async () => {
    const refusal = await refusalOf(tool, { ...goodArguments(tool), scopes: 'hunter2 secret' });
    expect(refusal).toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { fields: { scopes: 'This tool has no such argument.' } },
    });
  });

  // Contract: platform-mcp#strict-arguments — MCP tool input with unknown field: rejected, hostile names too
  it.each(['"__proto__":{"isSuperAdmin":true}', '"constructor":1', '"toString":"x"', '"gate_a_secret secret":1'])(
    'are refused with the hostile field %s, which is not repeated',
    async (hostile) => {
      const fields = Object.keys(goodArguments(tool)).map((name) => `"${name}":"${newId()}"`);
      const refusal = await refusalOf(tool, JSON.parse(`{${[...fields, hostile].join(',')}}`));
      expect(refusal.code).toBe('BAD_USER_INPUT');
      expect(refusal.details.fields).toEqual({ arguments: 'This tool has no such argument.' });
    },
  );

  it.each([null, 'hunter2 secret', 7, true, [], ['hunter2 secret']])('are refused when they are %j', async (args) => {
    const refusal = await refusalOf(tool, args);
    expect(refusal).toMatchObject({ code: 'BAD_USER_INPUT' });
    expect(Object.keys(refusal.details.fields ?? {})).toEqual(['arguments']);
  });

  // Contract: platform-mcp#strict-arguments — Wrong types are refused and never quoted
  it('are refused one by one when they are of another type, in words that quote nothing', async () => {
    const { properties = {} }: Schema = inputSchemaOf(tool);
    for (const name of Object.keys(properties)) {
      for (const wrong of [['hunter2 secret'], { secret: 'hunter2' }, null]) {
        const refusal = await refusalOf(tool, { ...goodArguments(tool), [name]: wrong });
        expect(refusal.code).toBe('BAD_USER_INPUT');
        expect(Object.keys(refusal.details.fields ?? {})).toEqual([name]);
        expect(JSON.stringify([refusal.message, refusal.details])).not.toMatch(/hunter2|secret|expected |Invalid/);
      }
    }
  });
});

// Contract: platform-mcp#strict-arguments — A missing argument is required
it.each(catalogue)('$name reports each missing argument as required', async (tool) => {
  const needed = Object.keys(goodArguments(tool));
  if (needed.length === 0) return;
  const { details } = await refusalOf(tool, {});
  expect(details.fields).toEqual(Object.fromEntries(needed.map((name) => [name, 'This argument is required.'])));
});

// Contract: platform-mcp#strict-arguments — Ids, audience and kind in the schema of sessions_list
it('restricts the filters of sessions_list to ids and closed lists', () => {
  const { properties } = inputSchemaOf(toolNamed('sessions_list')) as Schema;
  expect(properties).toMatchObject({
    userId: { type: 'string', format: 'uuid' },
    organizationId: { type: 'string', format: 'uuid' },
    audience: { enum: ['portal', 'api', 'mcp', 'mcp_organization'] },
    kind: { enum: ['user_session', 'user_refresh', 'machine'] },
  });
});

describe('The authority to call a tool', () => {
  // Contract: platform-mcp#required-scopes — Scopes are checked at call time: granted and held now
  it.each(catalogue)('$name requires its scope, granted and still held', async (tool) => {
    const others = platformScopes.filter((scope) => !tool.requiredScopes.includes(scope));
    const missing = { code: 'FORBIDDEN', details: { missingScopes: tool.requiredScopes } };
    const holdsLess = await newToolCaller(service, others);
    expect(await refusalOf(tool, goodArguments(tool), holdsLess)).toMatchObject(missing);
    const grantedLess = { ...root, ...(await connect(service.database, root.userId, others)) };
    expect(await refusalOf(tool, goodArguments(tool), grantedLess)).toMatchObject(missing);
    const lostIt = await newToolCaller(service);
    await service.sql('UPDATE users SET platform_scopes = $2 WHERE id = $1', [lostIt.userId, others]);
    expect(await refusalOf(tool, goodArguments(tool), lostIt)).toMatchObject(missing);
  });

  // Contract: platform-mcp#required-scopes — Only human super admins
  it.each(catalogue)('$name is refused to a user who is not a super admin', async (tool) => {
    const person = await newMember(service, root.organizationId, 'OWNER');
    await service.sql('UPDATE users SET platform_scopes = $2 WHERE id = $1', [person.userId, platformScopes]);
    const caller = { ...person, ...(await connect(service.database, person.userId)) };
    expect(await refusalOf(tool, goodArguments(tool), caller)).toMatchObject({ code: 'FORBIDDEN', details: {} });
  });
});
