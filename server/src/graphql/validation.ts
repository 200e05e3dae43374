/**
 * Validation by graphql-js's rules, with every message passed through redaction.
 *
 * Which redaction fits depends on the rule that complained, and errors do not say; so each rule reports into a
 * context of its own.
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
import { literalMessage, malformed, placeOf, type ShownError, structureMessage } from './error-format.ts';
import { type FragmentsByName, fragmentsOf, tooCostly } from './limits.ts';

/** Complaints shown about one document. */
const mostErrors = 5;

/** Longer documents get no suggestions: finding one takes the length of a name times that of every other. */
const maxWithSuggestions = 4096;

/**
 * A function that answers the errors of a document as a client may read them. What would take long to validate is refused
 * before: the document has passed `checkDocumentCost`, so its work is counted in linear time.
 * @throws Refusal OPERATION_TOO_COSTLY
 */
export const createValidation = (
  schema: GraphQLSchema,
  introspection: boolean,
): ((document: DocumentNode) => readonly ShownError[]) => {
  const fragmentRules = rulesOfFragments.map(redacting);
  const rules = [...specifiedRules.map(redacting), ...(introspection ? [] : [NoIntrospectionRule])];
  const errorsOf = (document: DocumentNode, chosen: readonly ValidationRule[]): readonly GraphQLError[] => {
    const isLong = (document.loc?.end ?? 0) > maxWithSuggestions;
    return validate(schema, document, chosen, { maxErrors: mostErrors, hideSuggestions: !introspection || isLong });
  };
  return (document) => {
    // Of unknown fragments and of cycles nothing can be counted; one that is not spread is compared all the same.
    const broken = hasFragments(document) ? errorsOf(document, fragmentRules) : [];
    if (broken.length === 0 && validationWork(document) > maxValidationWork) throw tooCostly(tooMuchWork);
    const errors = broken.length > 0 ? broken : errorsOf(document, rules);
    if (errors.some((error) => error.message === aborted)) throw tooCostly(tooMuchWork);
    return errors.map((error) => malformed(error.message, placeOf(error)));
  };
};

const tooMuchWork = 'The operation repeats fields or fragments too often to be validated.';

/** Each takes the time of one walk through the document. */
const rulesOfFragments = [
  KnownFragmentNamesRule,
  NoFragmentCyclesRule,
  NoUnusedFragmentsRule,
  UniqueFragmentNamesRule,
] as const;

/** graphql-js bounds the work of comparing overlapping fields, and says so in these words and by no other sign. */
const aborted = 'Validation aborted.';

const redacting = (rule: ValidationRule): ValidationRule => {
  const shown = rule === ValuesOfCorrectTypeRule ? literalMessage : structureMessage;
  return (context) => {
    const reportError = (error: GraphQLError): void => {
      // A new error would count the lines up to its location once more.
      error.message = shown(error);
      context.reportError(error);
    };
    return rule(Object.create(context, { reportError: { value: reportError } }) as ValidationContext);
  };
};

/** `__typename` stays: it tells nothing that the client did not know. */
const NoIntrospectionRule: ValidationRule = (context) => ({
  Field: (node: FieldNode) => {
    if (node.name.value !== '__schema' && node.name.value !== '__type') return;
    context.reportError(new GraphQLError('Introspection is turned off.', { nodes: node }));
  },
});

// What it would cost to validate a document: the comparisons of fields and fragments that the rule for overlapping fields
// makes (GraphQL, section 5.3.2), which grow with the square of what is repeated. Counted without making them.

/** In comparisons of two leaves without arguments: 200 times one leaf, 31 times a field with fields. */
export const maxValidationWork = 20_000;

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
    if (work > maxValidationWork) break;
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
