/** Errors as clients see them: the closed list of codes, and messages that never quote client input. */
import { GraphQLError, type SourceLocation } from 'graphql';
import { publicRefusalOf } from '../http-kit/authenticate-request.ts';
import type { PublicRefusal, RefusalCode, RefusalDetails } from '../kernel/errors.ts';

// Messages for malformed documents: grammar, and names of types and fields, never a value. A literal can be a password,
// and messages of graphql-js quote literals freely: syntax errors keep only words of the grammar, errors about values
// are rewritten, and in all others every quoted part must look like a short name. An unrecognised message becomes a
// general one; the location is kept.

/** Longer names are not echoed: a token of this service is a valid GraphQL name, and has 56 characters. */
const maxNameLength = 40;

const grammarWord = String.raw`(?:Name|Int|Float|String|BlockString|Comment|<EOF>|<SOF>|"[!$&()\[\]{}|:=@.?]{1,3}")`;
const keyword = '"[a-z]{1,12}"';
const expectation = new RegExp(`^Syntax Error: (Expected (?:${grammarWord}|${keyword})), (found ${grammarWord})`);
const unexpectedToken = new RegExp(`^Syntax Error: (Unexpected ${grammarWord})`);

/** The message for a document that does not parse. */
export const syntaxMessage = (error: GraphQLError): string => {
  const expected = expectation.exec(error.message);
  if (expected !== null) return `Syntax error: ${expected[1]}, ${expected[2]}.`;
  const unexpected = unexpectedToken.exec(error.message);
  if (unexpected !== null) return `Syntax error: ${unexpected[1]}.`;
  if (error.message === 'Syntax Error: Unterminated string.') return 'Syntax error: unterminated string.';
  return 'Syntax error: the document cannot be parsed at this position.';
};

const quotedPart = /"([^"]*)"/g;
const shortName = new RegExp(String.raw`^[@$]?[\w.!\[\]]{1,${maxNameLength}}$`);
const suggestion = / Did you mean .*$/s;

/** The message for a structural validation error, whose quoted parts are names. */
export const structureMessage = (error: GraphQLError): string => {
  const hint = suggestion.exec(error.message)?.[0] ?? '';
  const body = error.message.slice(0, error.message.length - hint.length);
  const shown = body.replaceAll(quotedPart, (quoted, name: string) => (shortName.test(name) ? quoted : '"…"'));
  return isPlain(shown) ? shown + (isPlain(hint) ? hint : '') : 'The document is not valid at this position.';
};

/** True for at most 400 characters without control or format characters. */
const isPlain = (text: string): boolean => text.length <= 400 && !/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u.test(text);

const typedComplaint = /^Expected value of type "([\w![\]]{1,80})", found /;
const builtInComplaint = /^(Int|Float|String|Boolean|ID) cannot represent /;
const enumComplaint = /^(?:Enum "(\w{1,80})" cannot represent |Value "\w*" does not exist in "(\w{1,80})" enum)/;
const missingField = /^Field "(\w{1,80}\.\w{1,80})" of required type "([\w![\]]{1,80})" was not provided\.$/;
const unknownField = /^Field "\w*" is not defined by type "(\w{1,80})"/;

/** The message for a literal of the wrong type: names the type, never the literal. */
export const literalMessage = (error: GraphQLError): string => {
  const { message } = error;
  const missing = missingField.exec(message);
  if (missing !== null) return `Field "${missing[1]}" of required type "${missing[2]}" was not provided.`;
  const unknown = unknownField.exec(message);
  if (unknown !== null) return `Type "${unknown[1]}" has no field with the requested name.`;
  const enumeration = enumComplaint.exec(message);
  const type =
    typedComplaint.exec(message)?.[1] ?? builtInComplaint.exec(message)?.[1] ?? enumeration?.[1] ?? enumeration?.[2];
  return type === undefined ? 'A value at this position is not valid.' : `Expected a value of type "${type}".`;
};

/** A name from the document as shown in a message: itself when short, otherwise an ellipsis. */
export const shownName = (name: string): string => (shortName.test(name) ? name : '…');

// A refusal shows its code, message and details; any other error is logged, and shown as INTERNAL with an id.

/** One entry of `errors` in the response. */
export interface ShownError {
  readonly message: string;
  readonly locations?: readonly SourceLocation[];
  readonly path?: readonly (string | number)[];
  readonly extensions: RefusalDetails & {
    readonly code: RefusalCode | 'INTERNAL';
    readonly http: { readonly status: number };
  };
}

type ErrorPlace = Pick<ShownError, 'locations' | 'path'>;

/** Logs a defect and returns the correlation id of its log line. */
export type Report = (error: unknown) => string;

/** The HTTP status of a response without data: the status of its first error. */
export const statusOf = (errors: readonly ShownError[]): number => errors[0]?.extensions.http.status ?? 500;

/** BAD_USER_INPUT for a malformed request; the status may be 405, 413 or 415. */
export const malformed = (message: string, place: ErrorPlace = {}, status = 400): ShownError => ({
  message,
  ...place,
  extensions: { code: 'BAD_USER_INPUT', http: { status } },
});

/** Formats an error from outside the executor: thrown while parsing, preparing, or building the context. */
export const showError = (error: unknown, report: Report, place: ErrorPlace = {}): ShownError => {
  const refusal = publicRefusalOf(error);
  if (refusal !== null) return showRefusal(refusal, place);
  return {
    message: 'Something went wrong on our side.',
    ...place,
    extensions: { code: 'INTERNAL', http: { status: 500 }, correlationId: report(error) },
  };
};

/** Formats an error of the executor, which wraps what a resolver threw. */
export const showExecutionError = (error: GraphQLError, report: Report): ShownError => {
  const place = placeOf(error);
  const cause = causeOf(error);
  if (isArgumentError(cause)) return malformed('An argument that must not be null is null or missing.', place);
  return showError(cause, report, place);
};

/** Locations and path of an error, if present. */
export const placeOf = (error: GraphQLError): ErrorPlace => ({
  ...(error.locations === undefined || error.locations.length === 0 ? {} : { locations: error.locations }),
  ...(error.path === undefined ? {} : { path: error.path }),
});

const showRefusal = (refusal: PublicRefusal, place: ErrorPlace): ShownError => ({
  message: refusal.message,
  ...place,
  extensions: { code: refusal.code, http: { status: refusal.status }, ...refusal.details },
});

const causeOf = (error: GraphQLError): unknown => {
  let cause: unknown = error;
  while (cause instanceof GraphQLError && cause.originalError !== undefined) cause = cause.originalError;
  return cause;
};

/** By graphql-js's words: the client sent null for a variable with a default, allowed for a non-null argument. */
const isArgumentError = (cause: unknown): boolean =>
  cause instanceof GraphQLError && /^Argument "\w+" of (?:required|non-null) type "/.test(cause.message);
