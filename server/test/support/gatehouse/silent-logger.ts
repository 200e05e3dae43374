/** A logger for tests that do not read the log. */
import { createLogger } from '../../../src/platform/observability/logger.ts';

export const silentLogger = createLogger('silent');
