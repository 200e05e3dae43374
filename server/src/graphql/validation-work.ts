/**
 * What it would cost to validate a document: the comparisons of fields and fragments that the rule for overlapping fields
 * makes (GraphQL, section 5.3.2), which grow with the square of what is repeated. Counted without making them.
 */
import { type DocumentNode, type FieldNode, Kind, type SelectionSetNode } from 'graphql';
import { type FragmentsByName, fragmentsOf } from './limits.ts';

/** In comparisons of two leaves without arguments: 200 times one leaf, 31 times a field with fields. */
export const mostValidationWork = 20_000;

/** What else takes as long as so many of these, measured: arguments are sorted and printed to be compared. */
const workOf = { argument: 100, selectionSet: 20, fragments: 4, fragmentOfOperation: 5 } as const;

/**
 * The work of a document that spreads known fragments alone, in no cycle. Linear in its fields, a fragment's counted
 * wherever it is spread; so `checkDocumentCost` comes first. Counting ends once there is too much.
 */
export const validationWork = (document: DocumentNode): number => {
  const fragments = fragmentsOf(document);
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  let work = workOf.fragments * pairsAmong(fragments.size);
  work += workOf.fragmentOfOperation * operations.length * fragments.size;
  for (const operation of operations) {
    if (work > mostValidationWork) break;
    work += workOfSets([operation.selectionSet], fragments);
  }
  return work;
};

/** Whether a fragment is defined, or spread anywhere: without one, none is unknown or unused and none spreads itself. */
export const hasFragments = (document: DocumentNode): boolean =>
  document.definitions.some(
    (definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ||
      ('selectionSet' in definition && hasSpread(definition.selectionSet)),
  );

const hasSpread = (set: SelectionSetNode): boolean =>
  set.selections.some((selection) => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return true;
    return selection.selectionSet !== undefined && hasSpread(selection.selectionSet);
  });

/** Of selection sets that are compared with each other: all those behind one key of the answer. */
const workOfSets = (sets: readonly SelectionSetNode[], fragments: FragmentsByName): number => {
  const fields = new Map<string, FieldNode[]>();
  for (const set of sets) collect(set, fragments, fields, new Set());
  let work = 0;
  for (const group of fields.values()) {
    const mostArguments = Math.max(...group.map((field) => field.arguments?.length ?? 0));
    const inner = group.flatMap(({ selectionSet }) => selectionSet ?? []);
    const workOfPair = 1 + workOf.argument * mostArguments + (inner.length > 0 ? workOf.selectionSet : 0);
    work += pairsAmong(group.length) * workOfPair;
    if (inner.length > 0) work += workOfSets(inner, fragments);
  }
  return work;
};

const collect = (
  set: SelectionSetNode,
  fragments: FragmentsByName,
  fields: Map<string, FieldNode[]>,
  spread: Set<string>,
): void => {
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) {
      const key = (selection.alias ?? selection.name).value;
      const group = fields.get(key);
      if (group === undefined) fields.set(key, [selection]);
      else group.push(selection);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet, fragments, fields, spread);
    else if (!spread.has(selection.name.value)) {
      spread.add(selection.name.value);
      const fragment = fragments.get(selection.name.value);
      if (fragment !== undefined) collect(fragment.selectionSet, fragments, fields, spread);
    }
  }
};

const pairsAmong = (count: number): number => (count * (count - 1)) / 2;
