/**
 * What the log has of an error: its class, its words, where it was thrown, and the names and codes of what broke. The rest
 * may quote what people typed: PostgreSQL's `detail` has the whole row, hashes and addresses among it.
 */
import { stdSerializers } from 'pino';

/** Of Node and of PostgreSQL ("Error and Notice Message Fields"); never `detail`, `hint`, `where` and `internalQuery`. */
const names = [
  'code',
  'statusCode',
  'errno',
  'syscall',
  'severity',
  'schema',
  'table',
  'column',
  'dataType',
  'constraint',
  'routine',
] as const;

/** @param thrown whatever was caught, with its causes, or null for nothing; what is no error is told by its type alone */
export const loggedError = (thrown: unknown): Readonly<Record<string, unknown>> | null => {
  if (thrown === null || thrown === undefined) return null;
  if (!(thrown instanceof Error)) return { type: typeof thrown };
  const { type, message, stack } = stdSerializers.err(thrown);
  const told = withoutQuotations(thrown);
  return {
    type,
    message: told(message),
    stack: told(stack),
    ...Object.fromEntries(names.flatMap((name) => namedIn(thrown, name))),
    ...(thrown instanceof AggregateError ? { aggregateErrors: thrown.errors.map(loggedError) } : {}),
  };
};

/** The stack of whatever was caught, with those of its causes, as the log has it; of what is no error its type. */
export const loggedStack = (thrown: unknown): string => {
  const stack = loggedError(thrown)?.['stack'];
  return typeof stack === 'string' ? stack : `What was thrown is no error: ${typeof thrown}`;
};

const namedIn = (error: Error, name: string): [string, string | number][] => {
  const value: unknown = Object.getOwnPropertyDescriptor(error, name)?.value;
  return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [];
};

/** SQLSTATE class 22: the message says which value is none of a type, `invalid input syntax for type uuid: "…"`. */
const quotingState = /^22[0-9A-Z]{3}$/;

/** Takes what these errors quote out of any text that has their messages. */
const withoutQuotations = (error: Error): ((text: string) => string) => {
  const quoting = chainOf(error).flatMap((link) =>
    namedIn(link, 'code').flatMap(([, code]) =>
      quotingState.test(`${code}`) ? [[link.message, `SQLSTATE ${code}`]] : [],
    ),
  );
  return (text) => quoting.reduce((rest, [message = '', state = '']) => rest.replaceAll(message, state), text);
};

const longestChain = 10;

const chainOf = (error: Error, most = longestChain): Error[] =>
  error.cause instanceof Error && most > 1 ? [error, ...chainOf(error.cause, most - 1)] : [error];
