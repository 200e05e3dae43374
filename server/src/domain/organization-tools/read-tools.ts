/** Reads an adopter's tools (contract/organization-mcp.md#tools-of-the-application); each fault has its place. */
import { z } from 'zod';
import { isRecord, type JsonRecord } from '../../kernel/records.ts';
import type { Application } from '../scopes/application.ts';
import { fault, type Path, suggestion } from '../scopes/definition-fault.ts';
import type { CustomTool, JsonSchema } from '../tools/tool.ts';
import { organizationTools } from './catalogue.ts';
import { customTool, type ForeignSchema, withDryRun } from './custom-tool.ts';

const maxTools = 100;
const maxTitle = 100;
const maxDescription = 1000;
/** A name that every client takes, and that is recorded as it is. */
const nameForm = /^[a-z][a-z0-9_-]{0,63}$/;

const fields = [
  'name',
  'title',
  'description',
  'scopes',
  'input',
  'output',
  'isReadOnly',
  'isDestructive',
  'run',
  'describe',
];

/** @param application with the scopes of the parts that are on @throws DefinitionRefused: the fault with its place */
export const readTools = (definitions: unknown, application: Application): readonly CustomTool[] => {
  if (!Array.isArray(definitions)) throw fault(['tools'], 'it must be a list of tools, each made by defineTool.');
  if (definitions.length > maxTools) throw fault(['tools'], `at most ${maxTools} tools can be added.`);
  const taken = new Map(organizationTools(application).map(({ name }) => [name, 'a tool of Gatehouse']));
  return definitions.map((definition: unknown, index) => {
    const tool = readTool(definition, ['tools', index], application);
    const owner = taken.get(tool.name);
    if (owner !== undefined) throw fault(['tools', index, 'name'], `${tool.name} is the name of ${owner} already.`);
    taken.set(tool.name, `tools[${index}]`);
    return tool;
  });
};

const readTool = (definition: unknown, path: Path, application: Application): CustomTool => {
  if (!isRecord(definition)) throw fault(path, 'it must be a tool, made by defineTool.');
  for (const name of Object.keys(definition)) {
    if (!fields.includes(name)) throw fault([...path, name], `there is no field ${name}${suggestion(name, fields)}`);
  }
  const isReadOnly = readFlag(definition, path, 'isReadOnly');
  const isDestructive = readFlag(definition, path, 'isDestructive');
  if (isReadOnly && isDestructive)
    throw fault([...path, 'isDestructive'], 'a tool that is read only destroys nothing.');
  const input = readSchema(definition, path, 'input');
  const output = readSchema(definition, path, 'output');
  const inputSchema = readInputSchema(input, [...path, 'input'], isReadOnly);
  return customTool({
    name: readName(definition, path),
    title: readText(definition, path, 'title', maxTitle),
    description: readText(definition, path, 'description', maxDescription),
    requiredScopes: readScopes(definition['scopes'], [...path, 'scopes'], application),
    isReadOnly,
    isDestructive,
    input,
    output,
    inputSchema,
    outputSchema: printedObject(output, [...path, 'output'], 'output'),
    run: readFunction(definition, path, 'run'),
    describe: readFunction(definition, path, 'describe'),
  });
};

const readName = ({ name }: JsonRecord, path: Path): string => {
  if (typeof name === 'string' && nameForm.test(name)) return name;
  throw fault(
    [...path, 'name'],
    'it must begin with a small letter, and have at most 64 small letters, digits, underscores and hyphens.',
  );
};

const readText = (definition: JsonRecord, path: Path, field: string, most: number): string => {
  const text = definition[field];
  if (typeof text === 'string' && text.trim() !== '' && text.length <= most) return text;
  throw fault([...path, field], `it must be a text of 1 to ${most} characters.`);
};

const readFlag = (definition: JsonRecord, path: Path, field: string): boolean => {
  const flag = definition[field];
  if (typeof flag === 'boolean') return flag;
  throw fault([...path, field], 'it must be true or false.');
};

const readFunction = (definition: JsonRecord, path: Path, field: string): ((...args: unknown[]) => unknown) => {
  const given = definition[field];
  if (isFunction(given)) return given;
  throw fault([...path, field], 'it must be a function.');
};

const isFunction = (value: unknown): value is (...args: unknown[]) => unknown => typeof value === 'function';

/** Never empty: every member of an organization could call a tool without scopes. */
const readScopes = (given: unknown, path: Path, application: Application): CustomTool['requiredScopes'] => {
  const known = application.scopes.map(({ name }) => name);
  const [first, ...more] = Array.isArray(given) ? given.map((scope, at) => readScope(scope, [...path, at], known)) : [];
  if (first === undefined) throw fault(path, 'a tool needs at least one scope.');
  if (new Set([first, ...more]).size <= more.length) throw fault(path, 'it names a scope twice.');
  return [first, ...more];
};

const readScope = (scope: unknown, path: Path, known: readonly string[]): string => {
  if (typeof scope !== 'string') throw fault(path, 'it must be the name of a scope.');
  if (known.includes(scope)) return scope;
  throw fault(path, `no scope ${scope}${suggestion(scope, known)}`);
};

// Schemas, of the adopter's copy of zod 4.

const readSchema = (definition: JsonRecord, path: Path, field: 'input' | 'output'): ForeignSchema => {
  const schema = definition[field];
  if (isSchema(schema)) return schema;
  throw fault([...path, field], `it must be a schema of zod 4: ${example[field]}.`);
};

const example = { input: 'z.strictObject({ … })', output: 'z.object({ … })' };

const isSchema = (value: unknown): value is ForeignSchema & z.ZodType =>
  typeof value === 'object' && value !== null && 'safeParse' in value && isFunction(value.safeParse) && '_zod' in value;

/** Schemas print themselves since zod 4.2; those of before are printed by the zod of the service. */
const print = (schema: object, io: 'input' | 'output'): unknown => {
  const options = { target: 'draft-2020-12', io } as const;
  if ('toJSONSchema' in schema && isFunction(schema.toJSONSchema)) return schema.toJSONSchema(options);
  return isSchema(schema) ? z.toJSONSchema(schema, options) : null;
};

const printedObject = (schema: ForeignSchema, path: Path, io: 'input' | 'output'): JsonSchema => {
  const printed = printOf(schema, path, io);
  if (isRecord(printed) && printed['type'] === 'object') {
    // The dialect is 2020-12 by default (MCP, "JSON Schema Usage").
    const { $schema: _, ...rest } = printed;
    return rest;
  }
  throw fault(path, `it must be an object: ${example[io]}.`);
};

const printOf = (schema: ForeignSchema, path: Path, io: 'input' | 'output'): unknown => {
  try {
    return print(schema, io);
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw fault(path, `it has no JSON Schema: ${reason}`);
  }
};

const readInputSchema = (schema: ForeignSchema, path: Path, isReadOnly: boolean): JsonSchema => {
  const printed = printedObject(schema, path, 'input');
  requireStrict(printed, path);
  if (isReadOnly) return printed;
  const { properties } = printed;
  if (isRecord(properties) && Object.hasOwn(properties, 'dryRun')) {
    throw fault([...path, 'dryRun'], 'a tool that is not read only takes dryRun beside its input.');
  }
  return withDryRun(printed);
};

/** Members whose own members are schemas by name. */
const maps = new Set(['properties', '$defs', 'patternProperties']);

/** Requires that each object with named members takes no others. */
const requireStrict = (schema: unknown, path: Path): void => {
  if (Array.isArray(schema)) for (const each of schema) requireStrict(each, path);
  if (!isRecord(schema)) return;
  if (schema['type'] === 'object' && schema['properties'] !== undefined && schema['additionalProperties'] !== false) {
    throw fault(path, 'objects of the input must be strict, so that an unknown argument is refused: z.strictObject.');
  }
  for (const [keyword, value] of Object.entries(schema)) {
    if (!maps.has(keyword)) requireStrict(value, path);
    else if (isRecord(value)) for (const [name, each] of Object.entries(value)) requireStrict(each, [...path, name]);
  }
};
