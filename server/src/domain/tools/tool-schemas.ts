/**
 * JSON Schemas of tools, which a model reads before each conversation: without dialect (2020-12 by default; MCP, "JSON
 * Schema Usage"), bounds that every number has, and in answers all but names, types and what names do not say.
 */
import { z } from 'zod';
import type { AnyTool, JsonSchema, Tool } from './tool.ts';

type Printed = z.core.JSONSchema.BaseSchema;

/** A tool of the service: those of the application come with their schemas. */
type OwnTool = Tool<string>;

/** Computes a schema of each tool once. */
const onceForEach = (print: (tool: OwnTool) => JsonSchema): ((tool: OwnTool) => JsonSchema) => {
  const printed = new WeakMap<OwnTool, JsonSchema>();
  return (tool) => {
    const known = printed.get(tool);
    if (known !== undefined) return known;
    const schema = print(tool);
    printed.set(tool, schema);
    return schema;
  };
};

/** The transmitted form in JSON Schema 2020-12. */
const printedSchemaOf = (schema: z.ZodType): Printed => {
  const { $schema: _, ...printed } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.type === 'object') jsonSchema.additionalProperties = false;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return printed;
};

const printedInputOf = onceForEach(({ input }) => printedSchemaOf(input));

/** JSON Schema of a tool's arguments; the object allows only the named members. */
export const inputSchemaOf = (tool: AnyTool): JsonSchema =>
  'inputSchema' in tool ? tool.inputSchema : printedInputOf(tool);

/** The structured answer has exactly these members; `required` and `additionalProperties` would repeat each name. */
export const outputSchemaOf = (tool: AnyTool): JsonSchema =>
  'outputSchema' in tool ? tool.outputSchema : printedOutputOf(tool);

const printedOutputOf = onceForEach(({ output }) => shortSchemaOf(printedSchemaOf(output)));

const shortSchemaOf = (schema: Printed): Record<string, unknown> => ({
  ...shapeOf(schema),
  ...(schema.description === undefined ? {} : { description: schema.description }),
  ...(schema.$defs === undefined ? {} : { $defs: shortPropertiesOf(schema.$defs) }),
});

const shapeOf = (schema: Printed): Record<string, unknown> => {
  const { $ref, type, anyOf, properties, items } = schema;
  if (anyOf !== undefined) return shapeOfChoice(anyOf.filter(isSchema));
  if ($ref !== undefined) return { $ref };
  if (schema.enum !== undefined) return { enum: schema.enum };
  if (properties !== undefined) return { type, properties: shortPropertiesOf(properties) };
  if (isSchema(items)) return { type, items: shortSchemaOf(items) };
  if (type === undefined) throw new Error('This part of an answer has no short schema');
  return { type };
};

/** A value or null; or one of several objects, whose members are named together. */
const shapeOfChoice = (choices: readonly Printed[]): Record<string, unknown> => {
  const [inner, ...others] = choices.filter(({ type }) => type !== 'null').map(shortSchemaOf);
  if (inner !== undefined && others.length === 0) return nullable(inner);
  return {
    type: 'object',
    properties: Object.assign({}, ...choices.map(({ properties = {} }) => shortPropertiesOf(properties))),
  };
};

const isSchema = (value: unknown): value is Printed => typeof value === 'object' && value !== null;

const shortPropertiesOf = (properties: NonNullable<Printed['properties']>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [name, isSchema(inner) ? shortSchemaOf(inner) : inner]),
  );

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** The same schema, with null allowed. */
const nullable = (schema: Record<string, unknown>): Record<string, unknown> =>
  isList(schema['enum'])
    ? { ...schema, enum: [...schema['enum'], null] }
    : { ...schema, type: [schema['type'], 'null'] };
