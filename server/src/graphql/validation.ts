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
  specifiedRules,
  type ValidationContext,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  validate,
} from 'graphql';
import { malformed, placeOf, type ShownError } from './error-format.ts';
import { tooCostly } from './limits.ts';
import { literalMessage, structureMessage } from './redaction.ts';

/** Complaints shown about one document. */
const mostErrors = 5;

/** A function that answers the errors of a document as a client may read them. */
export const createValidation = (
  schema: GraphQLSchema,
  introspection: boolean,
): ((document: DocumentNode) => readonly ShownError[]) => {
  const rules = [...specifiedRules.map(redacting), ...(introspection ? [] : [NoIntrospectionRule])];
  const options = { maxErrors: mostErrors, hideSuggestions: !introspection };
  return (document) => {
    const errors = validate(schema, document, rules, options);
    if (errors.some((error) => error.message === aborted)) throw tooCostly('The operation is too costly to validate.');
    return errors.map((error) => malformed(error.message, placeOf(error)));
  };
};

/** graphql-js bounds the work of comparing overlapping fields, and says so in these words and by no other sign. */
const aborted = 'Validation aborted.';

const redacting = (rule: ValidationRule): ValidationRule => {
  const shown = rule === ValuesOfCorrectTypeRule ? literalMessage : structureMessage;
  return (context) => {
    const reportError = (error: GraphQLError): void =>
      context.reportError(new GraphQLError(shown(error), { nodes: error.nodes ?? null }));
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
