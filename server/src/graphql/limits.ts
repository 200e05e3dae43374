/**
 * Cost limits of a GraphQL document, checked before validation. Every check is linear in the size of the document: a
 * fragment is measured once and added at each spread, so that billions of fields are rejected as fast as a few.
 * Fragment cycles count as zero; validation rejects them.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { Refusal } from '../kernel/errors.ts';

export interface Limits {
  readonly tokens: number;
  /** Line feeds of the document, and carriage returns. graphql-js recounts the lines for the location of each error. */
  readonly lines: number;
  /** Nested fields from the root to the deepest leaf; fragments add nothing. */
  readonly depth: number;
  /** Aliases of all operations, each counted as often as its fragment is spread. */
  readonly aliases: number;
  readonly bodyBytes: number;
}

export const contractLimits: Limits = { tokens: 1000, lines: 2000, depth: 10, aliases: 15, bodyBytes: 100 * 1024 };

/** GraphiQL's introspection query is 15 deep; `__schema` and `__type` have this separate limit. */
const introspectionDepth = 20;

/** The refusal for a document that exceeds a limit. */
export const tooCostly = (message: string): Refusal => new Refusal('OPERATION_TOO_COSTLY', message);

/** @throws Refusal OPERATION_TOO_COSTLY: when the text has too many lines */
export const checkLines = (text: string, { lines }: Limits): void => {
  if (hasMore(text, '\n', lines) || hasMore(text, '\r', lines))
    throw tooCostly(`The document has more than ${lines} lines.`);
};

const hasMore = (text: string, character: string, most: number): boolean => {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1 && count <= most; at = text.indexOf(character, at + 1)) count += 1;
  return count > most;
};

/** @throws Refusal OPERATION_TOO_COSTLY: when the document, with all its operations, exceeds a limit */
export const checkDocumentCost = (document: DocumentNode, limits: Limits): void => {
  const cost = measureDocument(document);
  if (cost.depth > limits.depth) throw tooCostly(`The operation is nested deeper than ${limits.depth} levels.`);
  if (cost.introspectionDepth > introspectionDepth) {
    throw tooCostly(`The introspection is nested deeper than ${introspectionDepth} levels.`);
  }
  if (cost.aliases > limits.aliases) throw tooCostly(`The operation uses more than ${limits.aliases} aliases.`);
  // Without fragments no document has more fields than tokens, so this limit only affects documents that multiply.
  if (cost.fields > limits.tokens) throw tooCostly(`The operation selects more than ${limits.tokens} fields.`);
};

/** @throws Refusal OPERATION_TOO_COSTLY: a mutation that must be alone has other fields beside it, even skipped ones */
export const checkLoneMutations = (
  operation: OperationDefinitionNode,
  fragments: FragmentsByName,
  loneMutations: ReadonlySet<string>,
): void => {
  if (operation.operation !== 'mutation') return;
  const counts = countRootFields(operation, fragments);
  counts.delete('__typename');
  let total = 0;
  let lone = false;
  for (const [name, count] of counts) {
    total += count;
    lone ||= loneMutations.has(name);
  }
  if (lone && total > 1) throw tooCostly('This mutation must be the only field of its request.');
};

export type FragmentsByName = ReadonlyMap<string, FragmentDefinitionNode>;

/** The fragments of a document by name. The first of duplicates is kept; validation rejects the document anyway. */
export const fragmentsOf = (document: DocumentNode): FragmentsByName => {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.FRAGMENT_DEFINITION || fragments.has(definition.name.value)) continue;
    fragments.set(definition.name.value, definition);
  }
  return fragments;
};

/** How often each field occurs at the root of the operation, counting fragments, aliases and skipped fields. */
export const countRootFields = (
  operation: OperationDefinitionNode,
  fragments: FragmentsByName,
): Map<string, number> => {
  const known = new Map<string, Map<string, number>>();
  const count = (set: SelectionSetNode): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) add(counts, selection.name.value, 1);
      else if (selection.kind === Kind.INLINE_FRAGMENT) addAll(counts, count(selection.selectionSet));
      else addAll(counts, countFragment(selection.name.value));
    }
    return counts;
  };
  const countFragment = (name: string): ReadonlyMap<string, number> => {
    const counted = known.get(name);
    if (counted !== undefined) return counted;
    known.set(name, new Map());
    const fragment = fragments.get(name);
    const counts = fragment === undefined ? new Map<string, number>() : count(fragment.selectionSet);
    known.set(name, counts);
    return counts;
  };
  return count(operation.selectionSet);
};

const add = (counts: Map<string, number>, name: string, count: number): void => {
  counts.set(name, (counts.get(name) ?? 0) + count);
};

const addAll = (counts: Map<string, number>, more: ReadonlyMap<string, number>): void => {
  for (const [name, count] of more) add(counts, name, count);
};

interface Cost {
  depth: number;
  introspectionDepth: number;
  aliases: number;
  fields: number;
}

const measureDocument = (document: DocumentNode): Cost => {
  const measure = createMeasure(fragmentsOf(document));
  const total = nothing();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) include(total, measure(definition.selectionSet));
  }
  return total;
};

/** Counts may exceed the safe integer range; they still compare as too large. */
const createMeasure = (fragments: FragmentsByName): ((set: SelectionSetNode) => Cost) => {
  const known = new Map<string, Cost>();
  const measureFragment = (name: string): Cost => {
    const measured = known.get(name);
    if (measured !== undefined) return measured;
    known.set(name, nothing());
    const fragment = fragments.get(name);
    const cost = fragment === undefined ? nothing() : measure(fragment.selectionSet);
    known.set(name, cost);
    return cost;
  };
  const measure = (set: SelectionSetNode): Cost => {
    const total = nothing();
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) include(total, measureField(selection, measure));
      else if (selection.kind === Kind.INLINE_FRAGMENT) include(total, measure(selection.selectionSet));
      else include(total, measureFragment(selection.name.value));
    }
    return total;
  };
  return measure;
};

const measureField = (field: FieldNode, measure: (set: SelectionSetNode) => Cost): Cost => {
  const inner = field.selectionSet === undefined ? nothing() : measure(field.selectionSet);
  const isIntrospection = field.name.value === '__schema' || field.name.value === '__type';
  return {
    depth: isIntrospection ? 1 : inner.depth + 1,
    introspectionDepth: isIntrospection ? inner.depth + 1 : inner.introspectionDepth,
    aliases: inner.aliases + (field.alias === undefined ? 0 : 1),
    fields: inner.fields + 1,
  };
};

const nothing = (): Cost => ({ depth: 0, introspectionDepth: 0, aliases: 0, fields: 0 });

const include = (total: Cost, part: Cost): void => {
  total.depth = Math.max(total.depth, part.depth);
  total.introspectionDepth = Math.max(total.introspectionDepth, part.introspectionDepth);
  total.aliases += part.aliases;
  total.fields += part.fields;
};
