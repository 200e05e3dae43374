/**
 * What the export of traces and metrics to a collector shares: address, timeout, resource attributes, and one log line for each failure.
 */

import {
  detectResources,
  type Resource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import type { Logger } from '../database/logger.ts';

// What sending traces and metrics to a collector have in common: the address, patience, and one line for each trouble.

/** For one export with all its tries. */
export const exportMilliseconds = 5000;
/** For what is left at the end: a collector that is away must not hold the stop. */
const closeMilliseconds = 2000;

export const otlpUrl = (endpoint: string, path: string): string => `${endpoint.replace(/\/+$/, '')}/${path}`;

/** Resolves when the work ends, in whatever way, or the patience. */
export const withTimeout = async (work: Promise<unknown>): Promise<void> => {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, closeMilliseconds);
  const end = (): void => resolve();
  work.then(end, end);
  await over;
  clearTimeout(timer);
};

/** Zero is success (OpenTelemetry's ExportResultCode). */
interface ExportResult {
  readonly code: number;
  readonly error?: Error;
}

interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void;
}

/** The same exporter, which says once that the collector is away, and once that it is back. */
export const telling = <Items, Wrapped extends Exporter<Items>>(
  exporter: Wrapped & Exporter<Items>,
  signal: 'traces' | 'metrics',
  logger: Logger,
): Wrapped => {
  let isAway = false;
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) =>
    send(items, (result) => {
      if (result.code !== 0 && !isAway) {
        logger.warn({ event: 'telemetry.unavailable', signal, reason: reasonOf(result) }, 'A collector takes nothing');
      }
      if (result.code === 0 && isAway) logger.info({ event: 'telemetry.available', signal }, 'The collector is back');
      isAway = result.code !== 0;
      done(result);
    });
  return exporter;
};

/** Neither the address, which may hold a key, nor what the collector answered. */
const reasonOf = ({ error }: ExportResult): string => {
  if (error === undefined) return 'unknown';
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? `${error.name} ${code}` : error.name;
};

// What every span and number says of where it comes from. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES go before.

/** Of the process: its traces and its numbers are found together by it. */
const instanceId = crypto.randomUUID();

export const serviceResource = (): Resource =>
  resourceFromAttributes({ 'service.name': 'gatehouse', 'service.instance.id': instanceId }).merge(
    detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }),
  );
