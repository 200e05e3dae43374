/**
 * Owns exporting spans by OTLP over HTTP, through OpenTelemetry. One object per app: a process may run several. Loaded
 * only when OTEL_EXPORTER_OTLP_ENDPOINT is set.
 */
import {
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Span, SpanAttributes, SpanOptions, Tracing } from './context.ts';
import type { Logger } from './logger.ts';
import { exportMilliseconds, logAvailability, otlpUrl, serviceResource, withTimeout } from './otlp.ts';

/** Limit of unsent spans; beyond it spans are dropped, and requests continue. */
const maxSpans = 2048;
const sendEveryMilliseconds = 1000;

/** @param endpoint OTEL_EXPORTER_OTLP_ENDPOINT; `v1/traces` is appended */
export const createOtlpTracing = (endpoint: string, logger: Logger): Tracing => {
  const exporter = new OTLPTraceExporter({ url: otlpUrl(endpoint, 'v1/traces'), timeoutMillis: exportMilliseconds });
  const processor = new BatchSpanProcessor({
    exporter: logAvailability(exporter, 'traces', logger),
    maxQueueSize: maxSpans,
    scheduledDelayMillis: sendEveryMilliseconds,
    exportTimeoutMillis: exportMilliseconds,
  });
  const provider = new TracerProvider({ resource: serviceResource(), spanProcessors: [processor] });
  const tracer = provider.getTracer('gatehouse');
  return {
    begin: (span, { parent, link } = {}) => {
      const above = parent === undefined ? null : contextIn(parent);
      const aside = link === undefined ? null : contextIn(link);
      const context = above === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, above);
      const options = { ...optionsOf(span), links: aside === null ? [] : [{ context: aside }] };
      return new TracedSpan(tracer, tracer.startSpan(span.name, options, context));
    },
    flush: () => withTimeout(provider.forceFlush()),
    close: () => withTimeout(provider.shutdown()),
  };
};

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const;

const optionsOf = ({ kind, attributes = {} }: SpanOptions) => ({
  kind: kind === undefined ? SpanKind.INTERNAL : kinds[kind],
  attributes,
});

/**
 * Parses a W3C Trace Context `traceparent`; of later versions, the first fields. Ignores the sampled flag, by which a
 * client could switch off tracing of its own requests.
 */
const contextIn = (traceparent: string): SpanContext | null => {
  const [, version, traceId = '', spanId = ''] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:$|-)/.exec(traceparent) ?? [];
  if (version === undefined || version === 'ff') return null;
  const context = { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
  return isSpanContextValid(context) ? context : null;
};

class TracedSpan implements Span {
  readonly #tracer: Tracer;
  readonly #span: SdkSpan;

  constructor(tracer: Tracer, span: SdkSpan) {
    this.#tracer = tracer;
    this.#span = span;
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  get spanId(): string {
    return this.#span.spanContext().spanId;
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.#span.spanContext();
    return `00-${traceId}-${spanId}-0${traceFlags & 1}`;
  }

  child(span: SpanOptions): Span {
    const context = trace.setSpan(ROOT_CONTEXT, this.#span);
    return new TracedSpan(this.#tracer, this.#tracer.startSpan(span.name, optionsOf(span), context));
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  end(error?: unknown): void {
    if (error !== undefined) {
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
      this.#span.setAttribute('error.type', typeOf(error));
    }
    this.#span.end();
  }
}

/** A message can quote a row or an address; a code cannot. */
const typeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return /^[\w.-]{1,40}$/.test(code) ? code : error.name;
};
