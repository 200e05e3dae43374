/** Every operation of the schema as a request, so that a test over all of them misses none. */
import {
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { completeSchema } from '../../../src/graphql/schema.ts';
import type { Variables } from '../clients/clients.ts';

/** A field at the root of the schema, and the document that selects it with a variable for each of its arguments. */
export interface RootOperation {
  readonly name: string;
  readonly query: string;
  readonly args: readonly GraphQLArgument[];
}

export interface AnyOperation {
  readonly name: string;
  readonly query: string;
  readonly variables: Variables;
}

/** @param depth levels of objects that select all their leaf fields; with 0 the answer has only its type */
export const rootOperations = (depth: number): readonly RootOperation[] =>
  ([completeSchema().getQueryType(), completeSchema().getMutationType()] as const).flatMap((root, index) =>
    Object.values(root?.getFields() ?? {}).map(({ name, args, type }) => {
      const kind = index === 0 ? 'query' : 'mutation';
      const declared = args.map((argument) => `$${argument.name}: ${String(argument.type)}`).join(', ');
      const passed = args.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
      const [head, call] = args.length === 0 ? [kind, name] : [`${kind} (${declared})`, `${name}(${passed})`];
      return { name, args, query: `${head} { ${call}${selectionOf(getNamedType(type), depth)} }` };
    }),
  );

const selectionOf = (type: GraphQLNamedType, depth: number): string => {
  if (isLeafType(type)) return '';
  const fields = isObjectType(type) && depth > 0 ? Object.values(type.getFields()) : [];
  const selected = fields
    .filter(({ args }) => !args.some(isRequiredArgument))
    .map((field) => ({ name: field.name, type: getNamedType(field.type) }))
    .filter((field) => depth > 1 || isLeafType(field.type))
    .map((field) => field.name + selectionOf(field.type, depth - 1));
  return ` { ${['__typename', ...selected].join(' ')} }`;
};

/** Each with arguments of the right types. @param ids given to arguments of that name; others get a text */
export const everyOperation = (ids: Readonly<Record<string, string>>): readonly AnyOperation[] =>
  rootOperations(0).map(({ name, query, args }) => ({
    name,
    query,
    variables: Object.fromEntries(
      args.map((argument) => [argument.name, fittingValue(argument.name, argument.type, ids)]),
    ),
  }));

const fittingValue = (name: string, wrapped: GraphQLInputType, ids: Readonly<Record<string, string>>): unknown => {
  const type = getNullableType(wrapped);
  if (isListType(type)) return [];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    return Object.fromEntries(fields.map((field) => [field.name, fittingValue(field.name, field.type, ids)]));
  }
  return scalars[type.name]?.() ?? ids[name] ?? 'a text';
};

const scalars: Readonly<Record<string, () => unknown>> = {
  Boolean: () => true,
  Int: () => 1,
  DateTime: () => '2026-01-01T00:00:00.000Z',
};
