/** The variables of a world's service: those that a test may set, and where a world may run. */
import { isHardenedMode } from '../config/default-values.ts';
import { configWarnings } from '../config/problems.ts';

/** Set by the world itself, or without a meaning in it. */
const ownNames: ReadonlySet<string> = new Set([
  'NODE_ENV',
  'PORT',
  'HOST',
  'BASE_URL',
  'DATA_DIR',
  'DATABASE_URL',
  // Counts in Redis cannot be moved in time, and mails sent by SMTP cannot be read.
  'REDIS_URL',
  'SMTP_URL',
  'APPLICATION_FILE',
  'SALT_ROUNDS',
  'METRICS_PORT',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
]);

/** @throws Error this process is one of production or staging: a world signs anyone in */
export const requireTestProcess = (): void => {
  const mode = process.env['NODE_ENV'];
  if (isHardenedMode(mode)) throw new Error(`A world is for tests and does not start with NODE_ENV=${mode}.`);
};

/** Those that a test gives. @throws Error one that the world sets itself, or that is probably mistyped */
export const worldVariables = (given: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => {
  const own = Object.keys(given).find((name) => ownNames.has(name));
  if (own !== undefined) throw new Error(`The environment of a world may not set ${own}.`);
  const [warning] = configWarnings(given);
  if (warning !== undefined) throw new Error(warning);
  return given;
};
