/** Challenges at POST /mcp/organization of an application with so many scopes that a header cannot name them all. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/embed.ts';
import { newOwner } from '../support/actors/tenants.ts';
import { expectNothingChanged, expectNothingStored } from '../support/checks/refusals.ts';
import { callTool, jsonHeaders, type McpAnswer, postBody } from '../support/clients/mcp.ts';
import { callsDuring, connectToOrganization, organizationPath } from '../support/clients/organization-mcp.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

/** In bytes, of the header. */
const limit = 2048;

const names = Array.from({ length: 150 }, (_, at) => `area-${'x'.repeat(40)}:write-${at}`);
const [first = '', second = '', ...others] = names;

const ran: string[] = [];
const toolFor = (name: string, scopes: readonly [string, ...string[]]) =>
  defineTool({
    name,
    title: name,
    description: 'A tool of the tests.',
    scopes,
    input: z.strictObject({}),
    output: z.object({}),
    isReadOnly: true,
    isDestructive: false,
    run: async () => {
      ran.push(name);
      return {};
    },
    describe: () => 'Done.',
  });

const service = serviceFixture({}, 'none', {
  application: { scopes: Object.fromEntries(names.map((name) => [name, `Do ${name}`])) },
  tools: [toolFor('narrow', [first, second]), toolFor('wide', [first, second, ...others])],
});

const metadataUrl = (): string => `${service.url}/.well-known/oauth-protected-resource${organizationPath}`;
const metadata = (): string => `resource_metadata="${metadataUrl()}"`;
const challengeIn = ({ headers }: McpAnswer): string => headers.get('www-authenticate') ?? '';

describe('A request without an accepted token', () => {
  it.each([
    ['none', {}, ''],
    ['one that is unknown', { authorization: `Bearer gate_a_${'A'.repeat(43)}` }, ', error="invalid_token"'],
  ])('with %s is challenged without scopes, which the metadata has', async (_what, headers, error) => {
    const answer = await expectNothingStored(service, () =>
      postBody(service, '{}', { ...jsonHeaders, ...headers }, organizationPath),
    );
    expect([answer.status, challengeIn(answer)]).toEqual([401, `Bearer ${metadata()}${error}`]);
    const { scopes_supported: supported } = (await (await fetch(metadataUrl())).json()) as {
      scopes_supported: string[];
    };
    expect(supported).toEqual(expect.arrayContaining(names));
  });
});

describe('A scope that was not granted', () => {
  /** A call of a client with these scopes, which is refused and recorded. */
  const refusedCall = async (granted: readonly string[], tool: string): Promise<McpAnswer> => {
    const client = await connectToOrganization(service, await newOwner(service), { scopes: granted });
    const { result, rows } = await callsDuring(service, client, () =>
      expectNothingChanged(service, () => callTool(service, client, tool)),
    );
    expect([result.status, rows.map(({ outcome }) => outcome)]).toEqual([403, ['deny']]);
    expect(result.body).toMatchObject({ error: { code: -32003, data: { code: 'insufficient_scope' } } });
    expect(challengeIn(result).length).toBeLessThanOrEqual(limit);
    expect(ran).toEqual([]);
    return result;
  };

  const asking = (scopes: readonly string[]): string =>
    `Bearer error="insufficient_scope", scope="${scopes.join(' ')}", ${metadata()}`;

  it('is named with those that were granted, while they are short enough', async () => {
    const granted = names.slice(10, 40);
    expect(challengeIn(await refusedCall(granted, 'narrow'))).toBe(asking([...granted, first, second]));
  });

  it.each([
    ['those that were granted are', names.slice(1), 'narrow', [...names.slice(1), first]],
    ['the needed ones are', [first], 'wide', names],
  ])('is not named where %s too long; the message has them all', async (_which, granted, tool, scopes) => {
    const answer = await refusedCall(granted, tool);
    expect(challengeIn(answer)).toBe(`Bearer error="insufficient_scope", ${metadata()}`);
    expect(answer.body).toMatchObject({ error: { data: { scopes } } });
  });
});
