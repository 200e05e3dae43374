/**
 * Structured logs on standard output (pino). Nothing secret is ever handed to the logger; the redaction below is the
 * second line of defence, not the first.
 */
import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

const secretKeys = [
  'password',
  'token',
  'accessToken',
  'refreshToken',
  'authorization',
  'cookie',
  'set-cookie',
  'vToken',
];

/**
 * @param level pino's level name
 * @param destination where lines go; standard output when absent
 */
export const createLogger = (level: string, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: { service: 'gatehouse' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: secretKeys.flatMap((key) => [`["${key}"]`, `*["${key}"]`, `*.*["${key}"]`]),
        censor: '[redacted]',
      },
    },
    destination,
  );
