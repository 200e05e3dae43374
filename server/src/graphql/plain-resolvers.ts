/**
 * Gives a schema resolvers under which the compiled executor (graphql-jit) means the same as graphql-js.
 *
 * Left to itself graphql-jit reads a property without waiting for a promise in it, without calling a method, and
 * without catching a getter that throws (the request then never ends); graphql-js's default resolver takes the name
 * of the property from `info`, which graphql-jit can mix up; and of a list with a rejected promise it makes a list
 * with holes. The replacements here are what graphql-js does anyway, so its own execution does not change.
 */
import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  isListType,
  isObjectType,
} from 'graphql';

type Resolver = GraphQLFieldResolver<unknown, unknown>;

const prepared = new WeakSet<GraphQLSchema>();

/** Replaces absent and default resolvers, and wraps those of lists, in place and once for a schema. */
export const makeResolversPlain = (schema: GraphQLSchema): void => {
  if (prepared.has(schema)) return;
  prepared.add(schema);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) makePlain(field);
  }
};

const makePlain = (field: GraphQLField<unknown, unknown>): void => {
  const given = field.resolve;
  const resolve = given === undefined || given === defaultFieldResolver ? propertyResolver(field.name) : given;
  const depth = listDepth(field.type);
  field.resolve = depth === 0 ? resolve : (...input) => settleLists(resolve(...input), depth);
};

/** graphql-js's default resolver for the property of one name. */
const propertyResolver =
  (name: string): Resolver =>
  (source, args, context, info) => {
    if (!isRecord(source)) return undefined;
    const property = source[name];
    return isMethod(property) ? property.call(source, args, context, info) : property;
  };

const isMethod = (value: unknown): value is (...input: readonly unknown[]) => unknown => typeof value === 'function';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

const listDepth = (type: GraphQLOutputType): number => {
  const nullable = getNullableType(type);
  return isListType(nullable) ? 1 + listDepth(nullable.ofType) : 0;
};

/** The same list as arrays without promises in them; a rejected item is an Error in its place, which both executors know. */
const settleLists = (value: unknown, depth: number): unknown => {
  if (depth === 0) return value;
  if (isThenable(value)) return Promise.resolve(value).then((settled) => settleLists(settled, depth));
  const items = itemsOf(value);
  if (items === null) return value;
  if (depth === 1 && !items.some(isThenable)) return items;
  const settled = items.map((item) => settleItem(item, depth - 1));
  return settled.some(isThenable) ? Promise.all(settled) : settled;
};

const settleItem = (item: unknown, depth: number): unknown => {
  try {
    const settled = isThenable(item)
      ? Promise.resolve(item).then((value) => settleLists(value, depth))
      : settleLists(item, depth);
    return isThenable(settled) ? Promise.resolve(settled).catch(asError) : settled;
  } catch (error) {
    return asError(error);
  }
};

const itemsOf = (value: unknown): readonly unknown[] | null => {
  if (isArray(value)) return value;
  return isIterable(value) ? Array.from(value) : null;
};

const isArray = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  Symbol.iterator in value &&
  typeof value[Symbol.iterator] === 'function';

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

const asError = (reason: unknown): Error =>
  reason instanceof Error
    ? reason
    : new Error('A list item was rejected with something that is not an Error', { cause: reason });
