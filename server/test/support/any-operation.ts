/** Every operation of the schema as a request of the right types, so that a test over all of them misses none. */
import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
} from 'graphql';
import { schema } from '../../src/graphql/schema.ts';
import type { Variables } from './clients.ts';

export interface AnyOperation {
  readonly name: string;
  readonly query: string;
  readonly variables: Variables;
}

/** @param ids given in turn to arguments that are ids, by part of their name; others get a text */
export const everyOperation = (ids: Readonly<Record<string, string>>): readonly AnyOperation[] =>
  ([schema.getQueryType(), schema.getMutationType()] as const).flatMap((type, index) =>
    Object.values(type?.getFields() ?? {}).map((field) => operationOf(index === 0 ? 'query' : 'mutation', field, ids)),
  );

const operationOf = (
  kind: string,
  { name, args, type }: GraphQLField<unknown, unknown>,
  ids: Readonly<Record<string, string>>,
): AnyOperation => {
  const declared = args.map((argument) => `$${argument.name}: ${String(argument.type)}`).join(', ');
  const passed = args.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
  const selection = isLeafType(getNamedType(type)) ? '' : ' { __typename }';
  const [head, call] = args.length === 0 ? [kind, name] : [`${kind} (${declared})`, `${name}(${passed})`];
  return {
    name,
    query: `${head} { ${call}${selection} }`,
    variables: Object.fromEntries(
      args.map((argument) => [argument.name, fittingValue(argument.name, argument.type, ids)]),
    ),
  };
};

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
