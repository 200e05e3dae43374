/**
 * Validation by the rules of graphql-js, with every message redacted. The redaction depends on the rule, and errors do
 * not name theirs; so each rule reports into a context of its own.
 */
import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  KnownFragmentNamesRule,
  NoFragmentCyclesRule,
  NoUnusedFragmentsRule,
  type SelectionSetNode,
  specifiedRules,
  UniqueFragmentNamesRule,
  type ValidationContext,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  validate,
} from 'graphql';
import { getOrInsert } from '../kernel/collections.ts';
import { literalMessage, malformed, placeOf, type ShownError, structureMessage } from './error-format.ts';
import { type FragmentsByName, fragmentsOf, tooCostly } from './limits.ts';

const maxErrors = 5;

/** Longer documents get no suggestions: computing one takes the length of a name times that of every other. */
const maxWithSuggestions = 4096;

/**
 * Creates a function that returns the redacted errors of a document that has passed `checkDocumentCost`.
 * @throws Refusal OPERATION_TOO_COSTLY: the validation work exceeds its limit
 */
export const createValidation = (
  schema: GraphQLSchema,
  introspection: boolean,
): ((document: DocumentNode) => readonly ShownError[]) => {
  const fragmentRules = rulesOfFragments.map(redacting);
  const rules = [...specifiedRules.map(redacting), ...(introspection ? [] : [NoIntrospectionRule])];
  const errorsOf = (document: DocumentNode, chosen: readonly ValidationRule[]): readonly GraphQLError[] => {
    const isLong = (document.loc?.end ?? 0) > maxWithSuggestions;
    return validate(schema, document, chosen, { maxErrors, hideSuggestions: !introspection || isLong });
  };
  return (document) => {
    // The work cannot be counted with unknown fragments or cycles, also not of fragments that are never spread.
    const broken = hasFragments(document) ? errorsOf(document, fragmentRules) : [];
    if (broken.length === 0 && validationWork(document) > maxValidationWork) throw tooCostly(tooMuchWork);
    const errors = broken.length > 0 ? broken : errorsOf(document, rules);
    if (errors.some((error) => error.message === aborted)) throw tooCostly(tooMuchWork);
    return errors.map((error) => malformed(error.message, placeOf(error)));
  };
};

const tooMuchWork = 'The operation repeats fields or fragments too often to be validated.';

/** Rules that each walk the document once. */
const rulesOfFragments = [
  KnownFragmentNamesRule,
  NoFragmentCyclesRule,
  NoUnusedFragmentsRule,
  UniqueFragmentNamesRule,
] as const;

/** The only sign that graphql-js has aborted the comparison of overlapping fields, whose work it bounds. */
const aborted = 'Validation aborted.';

const redacting = (rule: ValidationRule): ValidationRule => {
  const shown = rule === ValuesOfCorrectTypeRule ? literalMessage : structureMessage;
  return (context) => {
    const reportError = (error: GraphQLError): void => {
      // Mutates the error: a new one would recount the lines up to its location.
      error.message = shown(error);
      context.reportError(error);
    };
    return rule(Object.create(context, { reportError: { value: reportError } }) as ValidationContext);
  };
};

/** `__typename` is allowed: it reveals nothing that the client did not know. */
const NoIntrospectionRule: ValidationRule = (context) => ({
  Field: (node: FieldNode) => {
    if (node.name.value !== '__schema' && node.name.value !== '__type') return;
    context.reportError(new GraphQLError('Introspection is switched off.', { nodes: node }));
  },
});

// The comparisons of the rule for overlapping fields (GraphQL, section 5.3.2), counted: they grow quadratically.

/**
 * In comparisons of two leaves without arguments: 200 times one leaf, or 31 times a field with fields.
 * @internal A test shows that the queries of a page stay below it.
 */
export const maxValidationWork = 20_000;

/** Measured cost of other steps in this unit; arguments are sorted and printed to be compared. */
const workOf = { argument: 100, selectionSet: 20, fragments: 4, fragmentOfOperation: 5 } as const;

/**
 * The document's fragments are all known and acyclic. Linear in its fields, counting a fragment at each spread, so
 * `checkDocumentCost` must run first. Stops counting above the limit.
 * @internal A test covers the cases that no request reaches.
 */
export const validationWork = (document: DocumentNode): number => {
  const fragments = fragmentsOf(document);
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  let work = workOf.fragments * pairsAmong(fragments.size);
  work += workOf.fragmentOfOperation * operations.length * fragments.size;
  for (const operation of operations) {
    if (work > maxValidationWork) break;
    work += workOfSets([operation.selectionSet], fragments);
  }
  return work;
};

/** Whether a fragment is defined or spread; without one, the fragment rules cannot fail. */
const hasFragments = (document: DocumentNode): boolean =>
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

/** The work for selection sets that are compared with each other: all those of one response key. */
const workOfSets = (sets: readonly SelectionSetNode[], fragments: FragmentsByName): number => {
  const fields = new Map<string, FieldNode[]>();
  for (const set of sets) collect(set, fragments, fields, new Set());
  let work = 0;
  for (const group of fields.values()) {
    const maxArguments = Math.max(...group.map((field) => field.arguments?.length ?? 0));
    const inner = group.flatMap(({ selectionSet }) => selectionSet ?? []);
    const workOfPair = 1 + workOf.argument * maxArguments + (inner.length > 0 ? workOf.selectionSet : 0);
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
      getOrInsert(fields, (selection.alias ?? selection.name).value, () => []).push(selection);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet, fragments, fields, spread);
    else if (!spread.has(selection.name.value)) {
      spread.add(selection.name.value);
      const fragment = fragments.get(selection.name.value);
      if (fragment !== undefined) collect(fragment.selectionSet, fragments, fields, spread);
    }
  }
};

const pairsAmong = (count: number): number => (count * (count - 1)) / 2;
