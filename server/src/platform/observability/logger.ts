/**
 * Structured logs on standard output (pino). Nothing secret is ever handed to the logger; the redaction below is the
 * second line of defence, not the first.
 */
import { type DestinationStream, type Logger as PinoLogger, pino, stdSerializers } from 'pino';
import type { Logger as DatabaseLogger } from '../database/logger.ts';
import { type Work, workInProgress } from './context.ts';
import { isSecurityEvent, type LineAt } from './events.ts';

/** What the parts of the service log by: one of the events of `events.ts`, at its level, then one sentence. */
export interface Logger extends DatabaseLogger {
  debug(line: LineAt<'debug'>, message: string): void;
}

/** The whole of it, for the HTTP server. */
export type ProcessLogger = PinoLogger;

const secretNames = new Set([
  'password',
  'token',
  'accessToken',
  'refreshToken',
  'authorization',
  'cookie',
  'set-cookie',
  'vToken',
]);

/**
 * @param level pino's level name
 * @param destination where lines go; standard output when absent
 */
export const createLogger = (level: string, destination?: DestinationStream): ProcessLogger =>
  pino(
    {
      level,
      base: { service: 'gatehouse' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: (line) => ({
        ...('event' in line ? securityOf(line.event) : { event: 'http.framework' }),
        ...correlationOf(workInProgress()),
      }),
      serializers: { err: loggedError },
      hooks: { streamWrite: (line) => withoutSecrets(withoutAddress(line)) },
    },
    destination,
  );

const securityOf = (event: unknown): object => (isSecurityEvent(event) ? { security: true } : {});

/** Where a route answers twice, the HTTP framework tells of its address, which may hold a secret of a link. */
const withoutAddress = (line: string): string =>
  line.includes('Reply was already sent')
    ? line.replaceAll(/(\\"return reply\\") in (?:the )?\\".*?\\" \(/g, '$1 (')
    : line;

const namesSecret = new RegExp(`"(?:${[...secretNames].join('|')})":`);

/**
 * Whatever stands under these names, however deep. The line is read again only when it has one of them: pino's own
 * redaction looks for each of its paths in every line, at nine times the price of the line.
 */
const withoutSecrets = (line: string): string =>
  namesSecret.test(line) ? `${JSON.stringify(JSON.parse(line, withoutSecret))}\n` : line;

const withoutSecret = (name: string, value: unknown): unknown => (secretNames.has(name) ? '[redacted]' : value);

const correlationOf = (work: Work | null): object => {
  if (work === null) return {};
  const { correlationId, span } = work;
  return span === undefined ? { correlationId } : { correlationId, traceId: span.traceId, spanId: span.spanId };
};

// What the log has of an error: its class, its words, where it was thrown, and the names and codes of what broke. The rest
// may quote what people typed: PostgreSQL's `detail` has the whole row, hashes and addresses among it.

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
