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
  KnownFragmentNamesRule,
  NoFragmentCyclesRule,
  NoUnusedFragmentsRule,
  specifiedRules,
  UniqueFragmentNamesRule,
  type ValidationContext,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  validate,
} from 'graphql';
import { malformed, placeOf, type ShownError } from './error-format.ts';
import { tooCostly } from './limits.ts';
import { literalMessage, structureMessage } from './redaction.ts';
import { hasFragments, mostValidationWork, validationWork } from './validation-work.ts';

/** Complaints shown about one document. */
const mostErrors = 5;

/** Longer documents get no suggestions: finding one takes the length of a name times that of every other. */
const longestWithSuggestions = 4096;

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
    const isLong = (document.loc?.end ?? 0) > longestWithSuggestions;
    return validate(schema, document, chosen, { maxErrors: mostErrors, hideSuggestions: !introspection || isLong });
  };
  return (document) => {
    // Of unknown fragments and of cycles nothing can be counted; one that is not spread is compared all the same.
    const broken = hasFragments(document) ? errorsOf(document, fragmentRules) : [];
    if (broken.length === 0 && validationWork(document) > mostValidationWork) throw tooCostly(tooMuchWork);
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
