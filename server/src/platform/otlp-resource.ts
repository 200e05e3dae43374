/** What every span and number says of where it comes from. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES go before. */
import {
  detectResources,
  type Resource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';

/** Of the process: its traces and its numbers are found together by it. */
const instanceId = crypto.randomUUID();

export const serviceResource = (): Resource =>
  resourceFromAttributes({ 'service.name': 'gatehouse', 'service.instance.id': instanceId }).merge(
    detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }),
  );
