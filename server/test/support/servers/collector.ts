/** An OpenTelemetry collector for tests: OTLP over HTTP as JSON, everything kept, and unavailable on demand. */
import { createServer } from 'node:http';
import { listen } from './listen.ts';

export interface CollectedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty without a parent. */
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** 2 is an error. */
  readonly statusCode: number;
}

export interface Collector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  readonly metrics: ReadonlySet<string>;
  text(): string;
  /** From now on it answers this status. */
  answer(status: number): void;
  close(): Promise<void>;
}

interface WireValue {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly boolValue?: boolean;
  readonly doubleValue?: number;
}

interface WireSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes?: readonly { readonly key: string; readonly value: WireValue }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status?: { readonly code?: number };
}

interface WireBody {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[] }[];
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string }[] }[];
  }[];
}

const collected = (span: WireSpan): CollectedSpan => ({
  name: span.name,
  kind: span.kind,
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId ?? '',
  attributes: Object.fromEntries((span.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]])),
  links: span.links ?? [],
  statusCode: span.status?.code ?? 0,
});

const spansIn = ({ resourceSpans = [] }: WireBody): CollectedSpan[] =>
  resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans.map(collected)));

const metricsIn = ({ resourceMetrics = [] }: WireBody): string[] =>
  resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics.map(({ name }) => name)));

/** @param port a free one unless it is given */
export const startCollector = async (port = 0): Promise<Collector> => {
  const spans: CollectedSpan[] = [];
  const metrics = new Set<string>();
  const texts: string[] = [];
  let status = 200;
  const keep = (text: string): void => {
    texts.push(text);
    const body = JSON.parse(text) as WireBody;
    spans.push(...spansIn(body));
    for (const name of metricsIn(body)) metrics.add(name);
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (status === 200) keep(Buffer.concat(chunks).toString('utf8'));
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  const { url, close } = await listen(server, port);
  return {
    url,
    spans,
    metrics,
    text: () => texts.join('\n'),
    answer: (next) => {
      status = next;
    },
    close,
  };
};
