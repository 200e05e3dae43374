/** A logger for tests that do not look at what is logged. */
import { createLogger } from '../../../src/platform/observability/logger.ts';

export const silentLogger = createLogger('silent');
