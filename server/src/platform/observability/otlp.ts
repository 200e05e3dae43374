/** Shared by exporting traces and metrics: address, timeout, resource attributes, and one log line per outage. */
import {
  detectResources,
  type Resource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import { within } from '../../kernel/waits/within.ts';
import type { Logger } from './logger.ts';

/** Timeout of one export with all its retries. */
export const exportMilliseconds = 5000;
/** Timeout of the final export: an unavailable collector must not delay the shutdown. */
const closeMilliseconds = 2000;

export const otlpUrl = (endpoint: string, path: string): string => `${endpoint.replace(/\/+$/, '')}/${path}`;

/** Resolves when the work settles or the timeout expires. */
export const withTimeout = (work: Promise<unknown>): Promise<void> => {
  const ended = (): undefined => undefined;
  return within(closeMilliseconds, work.then(ended, ended), ended);
};

/** Zero is success (OpenTelemetry's ExportResultCode). */
interface ExportResult {
  readonly code: number;
  readonly error?: Error;
}

interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void;
}

/** Wraps an exporter to log once when the collector becomes unavailable, and once when it is back. */
export const logAvailability = <Items, Wrapped extends Exporter<Items>>(
  exporter: Wrapped & Exporter<Items>,
  signal: 'traces' | 'metrics',
  logger: Logger,
): Wrapped => {
  let isAway = false;
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) =>
    send(items, (result) => {
      if (result.code !== 0 && !isAway) {
        logger.warn(
          { event: 'telemetry.unavailable', signal, reason: reasonOf(result) },
          'The OpenTelemetry collector does not accept data',
        );
      }
      if (result.code === 0 && isAway)
        logger.info({ event: 'telemetry.available', signal }, 'The OpenTelemetry collector accepts data again');
      isAway = result.code !== 0;
      done(result);
    });
  return exporter;
};

/** Excludes the address, which may contain a key, and the collector's answer. */
const reasonOf = ({ error }: ExportResult): string => {
  if (error === undefined) return 'unknown';
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? `${error.name} ${code}` : error.name;
};

// Resource attributes of all spans and metrics. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.

/** Identifies the process: it correlates its traces with its metrics. */
const instanceId = crypto.randomUUID();

export const serviceResource = (): Resource =>
  resourceFromAttributes({ 'service.name': 'gatehouse', 'service.instance.id': instanceId }).merge(
    detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }),
  );
