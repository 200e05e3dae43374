/**
 * Owns: logs, the closed list of events, the async context, metrics and traces.
 * Promises: No secret is logged or exported; an exporter that is off is not loaded.
 *
 * Secrets are never passed to the logger (pino) at any LOG_LEVEL; the redaction below is the second line of defence.
 */
import { type DestinationStream, type Logger as PinoLogger, pino, stdSerializers } from 'pino';
import { type Work, workInProgress } from './context.ts';
import { isSecurityEvent, type LineAt } from './events.ts';

/** The logger of the service's parts: an event of `events.ts` at its level, then one sentence. */
export interface Logger {
  debug(line: LineAt<'debug'>, message: string): void;
  info(line: LineAt<'info'>, message: string): void;
  warn(line: LineAt<'warn'>, message: string): void;
  error(line: LineAt<'error'>, message: string): void;
}

/** The full pino logger, for the HTTP server. */
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
  'challenge',
]);

/** @param level pino's level name */
export const createLogger = (
  level: string,
  destination: DestinationStream = gatherLines(pino.destination(process.stdout.fd)),
): ProcessLogger =>
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

/**
 * A destination that writes the lines of one turn together, for many tool calls that are logged at once: a system call
 * for each line costs more than the line. The microtask that writes follows the ones that log, and precedes the
 * answers; at the end of the process, the last lines are written too.
 * @internal A test runs it alone.
 */
export const gatherLines = (
  output: DestinationStream,
  atExit: (write: () => void) => unknown = (write) => process.on('exit', write),
): DestinationStream => {
  let lines = '';
  let isEnding = false;
  const write = (): void => {
    const text = lines;
    lines = '';
    if (text !== '') output.write(text);
  };
  atExit(() => {
    isEnding = true;
    write();
  });
  return {
    write: (line) => {
      // No microtask runs any more.
      if (isEnding) return output.write(line);
      if (lines === '') queueMicrotask(write);
      lines += line;
    },
  };
};

const securityOf = (event: unknown): object => (isSecurityEvent(event) ? { security: true } : {});

/** Removes the address, which may contain a link's secret: the HTTP framework logs it when a route replies twice. */
const withoutAddress = (line: string): string =>
  line.includes('Reply was already sent')
    ? line.replaceAll(/(\\"return reply\\") in (?:the )?\\".*?\\" \(/g, '$1 (')
    : line;

const namesSecret = new RegExp(`"(?:${[...secretNames].join('|')})":`);

/**
 * Redacts values under these names at any depth. Only a line with one of them is parsed again: pino's own redaction
 * checks each path in every line, at nine times the cost of the line.
 */
const withoutSecrets = (line: string): string =>
  namesSecret.test(line) ? `${JSON.stringify(JSON.parse(line, withoutSecret))}\n` : line;

const withoutSecret = (name: string, value: unknown): unknown => (secretNames.has(name) ? '[redacted]' : value);

const correlationOf = (work: Work | null): object => {
  if (work === null) return {};
  const { correlationId, span } = work;
  return span === undefined ? { correlationId } : { correlationId, traceId: span.traceId, spanId: span.spanId };
};

// Errors are logged with class, message, stack, codes and names. PostgreSQL's `detail` would quote the whole row.

/** Fields of Node and PostgreSQL errors; never `detail`, `hint`, `where` and `internalQuery`. */
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

/** @param thrown logged with its causes; null for none; a value that is not an error is logged by its type alone */
const loggedError = (thrown: unknown): Readonly<Record<string, unknown>> | null => {
  if (thrown === null || thrown === undefined) return null;
  if (!(thrown instanceof Error)) return { type: typeof thrown };
  const { type, message, stack } = stdSerializers.err(thrown);
  const withoutQuotes = withoutQuotations(thrown);
  return {
    type,
    message: withoutQuotes(message),
    stack: withoutQuotes(stack),
    ...Object.fromEntries(names.flatMap((name) => namedIn(thrown, name))),
    ...(thrown instanceof AggregateError ? { aggregateErrors: thrown.errors.map(loggedError) } : {}),
  };
};

/** The logged stack of a caught value, with those of its causes; for a value that is not an error, its type. */
export const loggedStack = (thrown: unknown): string => {
  const stack = loggedError(thrown)?.['stack'];
  return typeof stack === 'string' ? stack : `What was thrown is no error: ${typeof thrown}`;
};

const namedIn = (error: Error, name: string): [string, string | number][] => {
  const value: unknown = Object.getOwnPropertyDescriptor(error, name)?.value;
  return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [];
};

/** SQLSTATE class 22: the message quotes the invalid value, `invalid input syntax for type uuid: "…"`. */
const quotingState = /^22[0-9A-Z]{3}$/;

/** Returns a function that removes these errors' quotations from any text that contains their messages. */
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
