/** A span as the service knows it: a part of a trace, with a beginning, an end and what may be told of it. */

/** Names and numbers of ours. Never what somebody sent, and nothing of a person. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanFacts {
  /** One of few: a route's pattern, a statement's name, a tool's. */
  readonly name: string;
  readonly kind?: 'server' | 'client' | 'consumer';
  readonly attributes?: SpanAttributes;
}

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Of W3C Trace Context, for what comes of this span elsewhere. */
  readonly traceparent: string;
  child(facts: SpanFacts): Span;
  set(attributes: SpanAttributes): void;
  /** @param error what went wrong, if anything: its code or class is told, its message never */
  end(error?: unknown): void;
}

/** Where spans without a span above them come from, and where all of them go. */
export interface Tracing {
  /** @param from a traceparent to continue, or one to point at; what is none is left out */
  begin(facts: SpanFacts, from?: { readonly parent?: string; readonly link?: string }): Span;
  /** Sends what has ended, for at most two seconds. */
  flush(): Promise<void>;
  /** Sends what is left, for at most two seconds. */
  close(): Promise<void>;
}
