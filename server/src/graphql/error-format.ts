/**
 * Errors as clients see them: the closed list of codes, and messages that never quote what was sent.
 */
import { GraphQLError, type SourceLocation } from 'graphql';
import { refusalOf } from '../http-kit/authenticate-request.ts';
import type { Refusal, RefusalCode, RefusalDetails } from '../kernel/errors.ts';

// What a client may read about its own malformed document: grammar, and names of types and fields, never a value.
//
// A literal in a document can be a password. Messages of graphql-js quote literals freely, so none is passed on as it
// is: syntax errors keep only words of the grammar, errors about values are written anew, and in all others every
// quoted part must look like a short name. What is not recognised becomes a general sentence; the location stays.

/** Longer names are not echoed: a token of this service is a valid GraphQL name, and has 56 characters. */
const maxNameLength = 40;

const grammarWord = String.raw`(?:Name|Int|Float|String|BlockString|Comment|<EOF>|<SOF>|"[!$&()\[\]{}|:=@.?]{1,3}")`;
const keyword = '"[a-z]{1,12}"';
const expectation = new RegExp(`^Syntax Error: (Expected (?:${grammarWord}|${keyword})), (found ${grammarWord})`);
const unexpectedToken = new RegExp(`^Syntax Error: (Unexpected ${grammarWord})`);

/** The sentence for a document that does not parse. */
export const syntaxMessage = (error: GraphQLError): string => {
  const expected = expectation.exec(error.message);
  if (expected !== null) return `Syntax error: ${expected[1]}, ${expected[2]}.`;
  const unexpected = unexpectedToken.exec(error.message);
  if (unexpected !== null) return `Syntax error: ${unexpected[1]}.`;
  if (error.message === 'Syntax Error: Unterminated string.') return 'Syntax error: unterminated string.';
  return 'Syntax error: the document cannot be read here.';
};

const quotedPart = /"([^"]*)"/g;
const shortName = new RegExp(String.raw`^[@$]?[\w.!\[\]]{1,${maxNameLength}}$`);
const suggestion = / Did you mean .*$/s;

/** The sentence for a validation rule's complaint about structure, whose quoted parts are names. */
export const structureMessage = (error: GraphQLError): string => {
  const hint = suggestion.exec(error.message)?.[0] ?? '';
  const body = error.message.slice(0, error.message.length - hint.length);
  const shown = body.replaceAll(quotedPart, (quoted, name: string) => (shortName.test(name) ? quoted : '"…"'));
  return isPlain(shown) ? shown + (isPlain(hint) ? hint : '') : 'The document is not valid here.';
};

/** No control or format characters, and no longer than a sentence. */
const isPlain = (text: string): boolean => text.length <= 400 && !/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u.test(text);

const typedComplaint = /^Expected value of type "([\w![\]]{1,80})", found /;
const builtInComplaint = /^(Int|Float|String|Boolean|ID) cannot represent /;
const enumComplaint = /^(?:Enum "(\w{1,80})" cannot represent |Value "\w*" does not exist in "(\w{1,80})" enum)/;
const missingField = /^Field "(\w{1,80}\.\w{1,80})" of required type "([\w![\]]{1,80})" was not provided\.$/;
const unknownField = /^Field "\w*" is not defined by type "(\w{1,80})"/;

/** The sentence for a literal of the wrong type: the type, never the literal. */
export const literalMessage = (error: GraphQLError): string => {
  const { message } = error;
  const missing = missingField.exec(message);
  if (missing !== null) return `Field "${missing[1]}" of required type "${missing[2]}" was not provided.`;
  const unknown = unknownField.exec(message);
  if (unknown !== null) return `Type "${unknown[1]}" has no field of a name given here.`;
  const enumeration = enumComplaint.exec(message);
  const type =
    typedComplaint.exec(message)?.[1] ?? builtInComplaint.exec(message)?.[1] ?? enumeration?.[1] ?? enumeration?.[2];
  return type === undefined ? 'A value here is not valid.' : `Expected a value of type "${type}".`;
};

/** A name of the document for a message: itself when short, an ellipsis otherwise. */
export const shownName = (name: string): string => (shortName.test(name) ? name : '…');

// The one mapping from errors to what a GraphQL client reads.
//
// A refusal (`http-kit/authenticate-request.ts`) shows its code, message and details; everything else is a defect, reported whole to
// the log and shown as INTERNAL with a correlation id and nothing more.

/** One entry of `errors` as it goes over the wire. */
export interface ShownError {
  readonly message: string;
  readonly locations?: readonly SourceLocation[];
  readonly path?: readonly (string | number)[];
  readonly extensions: RefusalDetails & {
    readonly code: RefusalCode | 'INTERNAL';
    readonly http: { readonly status: number };
  };
}

/** Where an error belongs: in the document, and in the response. */
export type ErrorPlace = Pick<ShownError, 'locations' | 'path'>;

/** Tells the log about a defect and answers the correlation id under which it stands there. */
export type Report = (error: unknown) => string;

/** The status of an answer without data: that of its first error. */
export const statusOf = (errors: readonly ShownError[]): number => errors[0]?.extensions.http.status ?? 500;

/** BAD_USER_INPUT for a request that is malformed, with the status of 405, 413 and 415 where it has one. */
export const malformed = (message: string, place: ErrorPlace = {}, status = 400): ShownError => ({
  message,
  ...place,
  extensions: { code: 'BAD_USER_INPUT', http: { status } },
});

/** Any error that did not come out of the executor: thrown while parsing, preparing, or building the context. */
export const showError = (error: unknown, report: Report, place: ErrorPlace = {}): ShownError => {
  const refusal = refusalOf(error);
  if (refusal !== null) return showRefusal(refusal, place);
  return {
    message: 'Something went wrong on our side.',
    ...place,
    extensions: { code: 'INTERNAL', http: { status: 500 }, correlationId: report(error) },
  };
};

/** An error of the executor, which wraps what a resolver threw. */
export const showExecutionError = (error: GraphQLError, report: Report): ShownError => {
  const place = placeOf(error);
  const cause = causeOf(error);
  if (isArgumentError(cause)) return malformed('An argument that must not be null is null or missing.', place);
  return showError(cause, report, place);
};

/** Locations and path of an error, where it has them. */
export const placeOf = (error: GraphQLError): ErrorPlace => ({
  ...(error.locations === undefined || error.locations.length === 0 ? {} : { locations: error.locations }),
  ...(error.path === undefined ? {} : { path: error.path }),
});

const showRefusal = (refusal: Refusal, place: ErrorPlace): ShownError => ({
  message: refusal.message,
  ...place,
  extensions: { code: refusal.code, http: { status: refusal.status }, ...refusal.details },
});

const causeOf = (error: GraphQLError): unknown => {
  let cause: unknown = error;
  while (cause instanceof GraphQLError && cause.originalError !== undefined) cause = cause.originalError;
  return cause;
};

/**
 * Both executors complain in these words when a nullable variable with a default, which validation allows where null
 * is not, is null after all. It is the client's mistake and the only one that is left to execution.
 */
const isArgumentError = (cause: unknown): boolean =>
  cause instanceof GraphQLError && /^Argument "\w+" of (?:required|non-null) type "/.test(cause.message);
