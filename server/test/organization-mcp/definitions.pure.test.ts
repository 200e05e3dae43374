/** Faults of the application's tools: each ends the start, with one sentence that names the place. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadTools } from '../../src/cli/tools.ts';
import { ConfigRefused, readConfig } from '../../src/config/config.ts';
import { readDefinition } from '../../src/domain/scopes/application-definition.ts';
import { inputSchemaOf } from '../../src/domain/tools/tool-schemas.ts';

const config = (variables: Readonly<Record<string, string>> = {}) =>
  readConfig({ NODE_ENV: 'test', ...variables }, () => 'a secret of this test, of thirty-two bytes and more');
const application = readDefinition(
  { scopes: { 'notes:read': 'Read notes', 'notes:write': 'Write notes' } },
  { isHardened: false, taken: [], readLogo: () => null },
);

const tool = {
  name: 'notes_add',
  title: 'Add a note',
  description: 'Adds a note.',
  scopes: ['notes:write'],
  input: z.strictObject({ text: z.string() }),
  output: z.object({ id: z.string() }),
  isReadOnly: false,
  isDestructive: false,
  run: () => ({ id: '1' }),
  describe: () => 'Added.',
};

const read = (definitions: unknown, variables?: Readonly<Record<string, string>>) =>
  loadTools(config(variables), application, definitions);

const faultOf = (definitions: unknown, variables?: Readonly<Record<string, string>>): readonly string[] => {
  try {
    read(definitions, variables);
  } catch (error) {
    if (error instanceof ConfigRefused) return error.problems;
    throw error;
  }
  return [];
};

const without = (field: string): object => Object.fromEntries(Object.entries(tool).filter(([name]) => name !== field));

describe('A tool of the application', () => {
  it('is read as it is defined', () => {
    expect(read(undefined)).toEqual([]);
    expect(read([])).toEqual([]);
    expect(read([tool])).toMatchObject([{ name: 'notes_add', requiredScopes: ['notes:write'], isReadOnly: false }]);
  });

  it('may have objects and lists within its arguments, and maps', () => {
    const nested = z.strictObject({
      filter: z.strictObject({ tags: z.array(z.strictObject({ name: z.string() })) }).optional(),
      words: z.record(z.string(), z.string()).describe('By language.'),
    });
    expect(faultOf([{ ...tool, input: nested }])).toEqual([]);
    // Described members keep their names, whatever these are.
    expect(faultOf([{ ...tool, input: z.strictObject({ properties: z.string(), type: z.string() }) }])).toEqual([]);
  });

  // Contract: organization-mcp#tools-of-the-application — A tool without a scope, with an unknown one or a taken name
  //   is a fault of the definition
  it.each([
    ['is none', [5], 'tools[0]: it must be a tool, made by defineTool.'],
    ['is in no list', tool, 'tools: it must be a list of tools, each made by defineTool.'],
    [
      'has an unknown field',
      [{ ...tool, descripe: 1 }],
      'tools[0].descripe: there is no field descripe; did you mean describe?',
    ],
    ['has no scopes', [{ ...tool, scopes: [] }], 'tools[0].scopes: a tool needs at least one scope.'],
    ['does not say its scopes', [without('scopes')], 'tools[0].scopes: a tool needs at least one scope.'],
    [
      'has an unknown scope',
      [tool, { ...tool, name: 'b', scopes: ['MEMBERS_VIEW', 'notes:wirte'] }],
      'tools[1].scopes[1]: no scope notes:wirte; did you mean notes:write?',
    ],
    ['has a platform scope', [{ ...tool, scopes: ['users:view'] }], /^tools\[0\]\.scopes\[0\]: no scope users:view/],
    [
      'has a scope twice',
      [{ ...tool, scopes: ['notes:write', 'notes:write'] }],
      'tools[0].scopes: it names a scope twice.',
    ],
    [
      'has the name of one of the service',
      [{ ...tool, name: 'member_invite' }],
      'tools[0].name: member_invite is the name of a tool of Gatehouse already.',
    ],
    ['has the name of another', [tool, tool], 'tools[1].name: notes_add is the name of tools[0] already.'],
    [
      'has a name with a capital letter',
      [{ ...tool, name: 'Notes' }],
      /^tools\[0\]\.name: it must begin with a small letter/,
    ],
    ['has an empty name', [{ ...tool, name: '' }], /^tools\[0\]\.name: /],
    ['has a name of 65 characters', [{ ...tool, name: 'n'.repeat(65) }], /^tools\[0\]\.name: /],
    ['has no title', [without('title')], 'tools[0].title: it must be a text of 1 to 100 characters.'],
    [
      'has too long a description',
      [{ ...tool, description: 'x'.repeat(1001) }],
      'tools[0].description: it must be a text of 1 to 1000 characters.',
    ],
    ['does not say whether it only reads', [without('isReadOnly')], 'tools[0].isReadOnly: it must be true or false.'],
    [
      'reads only and destroys',
      [{ ...tool, isReadOnly: true, isDestructive: true }],
      'tools[0].isDestructive: a tool that is read only destroys nothing.',
    ],
    ['has no run', [without('run')], 'tools[0].run: it must be a function.'],
    ['has no describe', [{ ...tool, describe: 'Added' }], 'tools[0].describe: it must be a function.'],
    [
      'has no schema',
      [{ ...tool, input: { text: 'string' } }],
      'tools[0].input: it must be a schema of zod 4: z.strictObject({ … }).',
    ],
    [
      'has arguments that are no object',
      [{ ...tool, input: z.string() }],
      'tools[0].input: it must be an object: z.strictObject({ … }).',
    ],
    [
      'has arguments that take more',
      [{ ...tool, input: z.object({}) }],
      /^tools\[0\]\.input: objects of the input must be strict/,
    ],
    [
      'has loose arguments',
      [{ ...tool, input: z.looseObject({}) }],
      /^tools\[0\]\.input: objects of the input must be strict/,
    ],
    [
      'has an argument that takes more',
      [{ ...tool, input: z.strictObject({ list: z.array(z.object({ a: z.string() })) }) }],
      /^tools\[0\]\.input\.list: objects of the input must be strict/,
    ],
    [
      'has an argument dryRun',
      [{ ...tool, input: z.strictObject({ dryRun: z.boolean() }) }],
      'tools[0].input.dryRun: a tool that is not read only takes dryRun beside its input.',
    ],
    [
      'has an answer that is no object',
      [{ ...tool, output: z.array(z.string()) }],
      'tools[0].output: it must be an object: z.object({ … }).',
    ],
    [
      'has an answer that is no JSON',
      [{ ...tool, output: z.object({ at: z.date() }) }],
      /^tools\[0\]\.output: it has no JSON Schema: /,
    ],
  ])('that %s is a fault', (_what, definitions, sentence) => {
    const faults = faultOf(definitions);
    expect(faults).toHaveLength(1);
    if (typeof sentence === 'string') expect(faults).toEqual([sentence]);
    else expect(faults[0]).toMatch(sentence);
  });

  it('may need a scope only while its part is on', () => {
    const managing = [{ ...tool, scopes: ['MCP_MANAGE'] }];
    expect(faultOf(managing)).toEqual([]);
    expect(faultOf(managing, { ORGANIZATION_MCP_ENABLED: 'false' })[0]).toMatch(
      /^tools\[0\]\.scopes\[0\]: no scope MCP_MANAGE/,
    );
  });
});

describe('A schema of an earlier zod 4', () => {
  it('prints no JSON Schema itself, and the service prints it', () => {
    const { input, output } = tool;
    const early = <Schema extends z.ZodType>(schema: Schema): Schema =>
      Object.defineProperty(schema.clone(), 'toJSONSchema', { value: undefined });
    const [tools] = read([{ ...tool, input: early(input), output: early(output) }]);
    expect(tools === undefined ? null : inputSchemaOf(tools)).toMatchObject({
      type: 'object',
      properties: { text: { type: 'string' }, dryRun: { type: 'boolean' } },
      additionalProperties: false,
    });
  });
});
