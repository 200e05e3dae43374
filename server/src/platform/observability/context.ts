/**
 * Async context of one request or one mail: correlation id, database deadline, and the span under which work is traced.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Deadline } from '../database/deadlines.ts';

// Owns which work is in progress: the id under which everything that it does stands in answers, in the log, in the record
// of tool calls and in the queue of mails. It follows the work through every wait, so nobody has to hand it on.

/** One request, or one mail of the queue. */
export interface Work {
  /** A UUID that we made. What a client sends is never taken over: anybody could give two requests one id. */
  readonly correlationId: string;
  /** How long it may wait for the database; what is no request has no limit of its own. */
  readonly waits?: Deadline;
  /** The span in progress; absent where none are taken. */
  readonly span?: Span;
}

const storage = new AsyncLocalStorage<Work | null>();

/** Null outside of any request: at start, in upkeep, in what is shared by many requests. */
export const workInProgress = (): Work | null => storage.getStore() ?? null;

/** The id of the work in progress; a new one where there is none. */
export const currentCorrelationId = (): string => workInProgress()?.correlationId ?? crypto.randomUUID();

/** Runs something, and all that it leaves running, as part of a work. */
export const during = <Result>(work: Work, run: () => Result): Result => storage.run(work, run);

/**
 * Runs something that a request happens to begin and that is not its own: a timer or a connection that others share. What
 * it logs later would stand under an id that has nothing to do with it.
 */
export const apart = <Result>(run: () => Result): Result => storage.run(null, run);

// A span as the service knows it: a part of a trace, with a beginning, an end and what may be told of it.

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

// How work becomes spans: below the span of the work in progress, and where there is none, at no cost but a look.

/**
 * Runs a part of the work in progress as a span of its own.
 * @param facts asked for only where spans are taken
 */
export const traced = <Result>(facts: () => SpanFacts, run: () => Result): Result => {
  const work = workInProgress();
  if (work?.span === undefined) return run();
  return within(work.span.child(facts()), work, run);
};

/** Tells more of the span in progress. */
export const annotate = (attributes: SpanAttributes): void => workInProgress()?.span?.set(attributes);

/** Runs a work that no request waits for, with a trace of its own. */
export const asWork = <Result>(
  tracing: Tracing | null,
  work: { readonly correlationId: string; readonly facts: SpanFacts; readonly link?: string | undefined },
  run: () => Result,
): Result => {
  const { correlationId, facts, link } = work;
  if (tracing === null) return during({ correlationId }, run);
  return within(tracing.begin(facts, link === undefined ? {} : { link }), { correlationId }, run);
};

const within = <Result>(span: Span, work: Work, run: () => Result): Result => {
  try {
    const result = during({ ...work, span }, run);
    if (result instanceof Promise)
      result.then(
        () => span.end(),
        (error: unknown) => span.end(error),
      );
    else span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
};
