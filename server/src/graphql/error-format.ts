/**
 * The one mapping from errors to what a GraphQL client reads.
 *
 * A refusal (`web/refusal-of.ts`) shows its code, message and details; everything else is a defect, reported whole to
 * the log and shown as INTERNAL with a correlation id and nothing more.
 */
import { GraphQLError, type SourceLocation } from 'graphql';
import type { Refusal, RefusalCode, RefusalDetails } from '../kernel/errors.ts';
import { refusalOf } from '../web/refusal-of.ts';

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
