/**
 * Cost of the lists that an operation selects: an estimate before it runs, and a count while it runs. A document of 2
 * KB can otherwise select an answer of many megabytes, by lists within lists under many aliases.
 */
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { getOrInsert } from '../kernel/collections.ts';
import { maxRows } from '../kernel/paging.ts';
import { type FragmentsByName, tooCostly } from './limits.ts';

/** Fields of an answer, counted once for each expected item of the lists around them. */
const maxEstimate = 25_000;

/** Objects that the lists of one answer may have together. */
const maxListed = 10_000;

/** Expected items of a list that is not a page: of objects, and of texts. */
const expectedItems = 25;
const expectedTexts = 4;

const isListOfObjects = (type: GraphQLOutputType): boolean =>
  isListType(getNullableType(type)) && isObjectType(getNamedType(type));

/** @throws Refusal OPERATION_TOO_COSTLY: when the operation selects more than it may, judging by its lists */
export const checkListCost = (
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: FragmentsByName,
): void => {
  if (estimateOf(schema, operation, fragments) > maxEstimate) {
    throw tooCostly('The operation selects too many lists within lists.');
  }
};

/** Expected number of fields in the answer to a valid operation. */
const estimateOf = (schema: GraphQLSchema, operation: OperationDefinitionNode, fragments: FragmentsByName): number => {
  const root = operation.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType();
  return new Estimate(schema, fragments).ofSet(operation.selectionSet, root, expectedItems);
};

/** The document is valid. Linear in it: a fragment is estimated once for each size of the page that it is spread in. */
class Estimate {
  readonly #schema: GraphQLSchema;
  readonly #fragments: FragmentsByName;
  readonly #known = new Map<string, number>();

  constructor(schema: GraphQLSchema, fragments: FragmentsByName) {
    this.#schema = schema;
    this.#fragments = fragments;
  }

  /** @param items expected in a list that is selected here */
  ofSet(set: SelectionSetNode, type: GraphQLNamedType | null | undefined, items: number): number {
    return set.selections.reduce((sum, selection) => {
      if (selection.kind === Kind.FIELD) return sum + this.#ofField(selection, type, items);
      if (selection.kind === Kind.FRAGMENT_SPREAD) return sum + this.#ofFragment(selection.name.value, items);
      return sum + this.ofSet(selection.selectionSet, this.#conditionOr(type, selection.typeCondition), items);
    }, 0);
  }

  #ofFragment(name: string, items: number): number {
    const fragment = this.#fragments.get(name);
    if (fragment === undefined) return 0;
    return getOrInsert(this.#known, `${name} ${items}`, () =>
      this.ofSet(fragment.selectionSet, this.#conditionOr(null, fragment.typeCondition), items),
    );
  }

  #conditionOr(
    type: GraphQLNamedType | null | undefined,
    condition: { readonly name: { readonly value: string } } | undefined,
  ): GraphQLNamedType | null | undefined {
    return condition === undefined ? type : this.#schema.getType(condition.name.value);
  }

  #ofField(node: FieldNode, type: GraphQLNamedType | null | undefined, items: number): number {
    const field = isObjectType(type) ? type.getFields()[node.name.value] : undefined;
    // `__typename`, and introspection, whose depth is limited.
    if (field === undefined) return 1;
    if (node.selectionSet === undefined) return isListType(getNullableType(field.type)) ? expectedTexts : 1;
    const inner = this.ofSet(node.selectionSet, getNamedType(field.type), itemsOfPage(node, field));
    return 1 + (isListOfObjects(field.type) ? items * inner : inner);
  }
}

/** Expected items of the lists directly in a field: those of the page that it asks for. */
const itemsOfPage = (node: FieldNode, field: GraphQLField<unknown, unknown>): number => {
  const page = field.args.find(({ name }) => name === 'first');
  if (page === undefined) return expectedItems;
  const given = node.arguments?.find(({ name }) => name.value === 'first')?.value;
  if (given?.kind === Kind.INT) return Math.min(Math.max(Number(given.value), 1), maxRows);
  return given === undefined && typeof page.defaultValue === 'number' ? page.defaultValue : maxRows;
};

/** Objects in the lists of each answer so far, by its context. */
const listed = new WeakMap<object, number>();

/**
 * Counts the objects in lists while queries run, in every field of a schema. Not of a mutation: it has been done.
 * @throws Refusal OPERATION_TOO_COSTLY: in the field whose list is too much
 */
export const countLists = (schema: GraphQLSchema): GraphQLSchema => {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      if (isListOfObjects(field.type) && field.resolve !== undefined) field.resolve = counting(field.resolve);
    }
  }
  return schema;
};

type Resolve = GraphQLFieldResolver<unknown, object>;

const counting =
  (resolve: Resolve): Resolve =>
  (source, args, context, info) => {
    const found: unknown = resolve(source, args, context, info);
    if (info.operation.operation === 'mutation') return found;
    return found instanceof Promise ? found.then((list: unknown) => count(context, list)) : count(context, found);
  };

const count = (context: object, list: unknown): unknown => {
  if (!Array.isArray(list)) return list;
  const total = (listed.get(context) ?? 0) + list.length;
  listed.set(context, total);
  if (total > maxListed) throw tooCostly(`The lists of the answer have more than ${maxListed} objects.`);
  return list;
};
