/**
 * Structured logs on standard output (pino). Nothing secret is ever handed to the logger; the redaction below is the
 * second line of defence, not the first.
 */
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { type Work, workInProgress } from './correlation.ts';
import type { Logger as DatabaseLogger } from './database/logger.ts';
import { isSecurityEvent, type LineAt } from './events.ts';
import { loggedError } from './logged-error.ts';

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
