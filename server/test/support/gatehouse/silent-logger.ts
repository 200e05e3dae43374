/** A logger for tests that do not look at what is logged. */
import type { Logger } from '../../../src/platform/database/logger.ts';

export const silentLogger: Logger = { info: () => {}, warn: () => {}, error: () => {} };
