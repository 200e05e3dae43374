/** How work becomes spans: below the span of the work in progress, and where there is none, at no cost but a look. */
import { during, type Work, workInProgress } from './correlation.ts';
import type { Span, SpanAttributes, SpanFacts, Tracing } from './span.ts';

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
