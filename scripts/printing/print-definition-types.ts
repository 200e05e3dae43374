/**
 * Prints the types of a definition of an application (server/src/application-definition.d.ts) from the schema by which
 * the service checks one, with its descriptions.
 */
import { definitionJsonSchema } from '../../server/src/domain/scopes/definition-schema.ts';

/** Of JSON Schema, what zod prints for a definition. */
interface Schema {
  readonly type?: string;
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | false;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
}

/** Objects of a field, or of each entry of a field, get an interface of this name. */
const names: Readonly<Record<string, string>> = {
  roles: 'RoleDefinition',
  products: 'ProductDefinition',
  resources: 'ResourceDefinition',
  brand: 'BrandDefinition',
  messages: 'MessagesDefinition',
};

const quoted = (text: string): string => `'${text}'`;

/** Of an array: a union is one element in parentheses. */
const elementOf = (type: string): string => (type.includes(' | ') ? `(${type})` : type);

/** @param name of the interface of an object @throws Error for a part of a schema that has no type here */
const typeOf = (schema: Schema, name = ''): string => {
  if (schema.const !== undefined) return quoted(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(quoted).join(' | ');
  if (schema.anyOf !== undefined) return schema.anyOf.map((each) => typeOf(each)).join(' | ');
  if (schema.type === 'array' && schema.items !== undefined) return `readonly ${elementOf(typeOf(schema.items))}[]`;
  if (schema.properties !== undefined && name !== '') return name;
  if (schema.additionalProperties) return `Readonly<Record<string, ${typeOf(schema.additionalProperties, name)}>>`;
  if (schema.type === 'integer') return 'number';
  if (schema.type === 'string' || schema.type === 'boolean') return schema.type;
  throw new Error(`No type is known for ${JSON.stringify(schema)}`);
};

const commentOf = ({ description, default: fallback }: Schema): string[] => {
  const isPlain = typeof fallback === 'string' || typeof fallback === 'boolean';
  const sentences = [
    description ?? [],
    isPlain ? `Default: ${typeof fallback === 'string' ? quoted(fallback) : fallback}.` : [],
  ];
  const text = sentences.flat().join(' ');
  return text === '' ? [] : [`  /** ${text} */`];
};

const interfaceOf = (name: string, { properties = {}, required = [] }: Schema, description = ''): string => {
  const fields = Object.entries(properties)
    .filter(([field]) => !field.startsWith('$'))
    .flatMap(([field, schema]) => [
      ...commentOf(schema),
      `  readonly ${field}${required.includes(field) ? '' : '?'}: ${typeOf(schema, names[field])};`,
    ]);
  const comment = description === '' ? [] : [`/** ${description} */`];
  return [...comment, `export interface ${name} {`, ...fields, '}'].join('\n');
};

const definition = definitionJsonSchema() as Schema;
const nested = Object.entries(definition.properties ?? {}).flatMap(([field, schema]) => {
  const name = names[field];
  const objects = schema.properties === undefined ? schema.additionalProperties : schema;
  return name === undefined || !objects ? [] : [interfaceOf(name, objects)];
});

const words = 'The definition of your application. Every field is optional; docs/application.md has the rules.';
const interfaces = [interfaceOf('ApplicationDefinition', definition, words), ...nested];

process.stdout.write(`/** Printed from the schema of a definition by \`npm run schema:print\`; do not edit by hand. */

${interfaces.join('\n\n')}
`);
