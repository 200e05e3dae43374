/** Deadlines of requests to an external provider that pass on command, not by the clock. */
import { vi } from 'vitest';
import { dripping } from '../random/wrong-answers.ts';
import type { WrongAnswer } from '../servers/hostile-issuer.ts';

export interface ProviderDeadlines {
  /** The deadline of this answer passes before any byte of it was sent. */
  readonly silence: WrongAnswer;
  /** The deadline of this one passes once it has begun to arrive. */
  readonly unending: WrongAnswer;
  /** The timeout of each request, in milliseconds. */
  readonly given: () => ReadonlySet<number>;
}

/** For one test: from now on requests to a provider have only these deadlines. */
export const controlDeadlines = (): ProviderDeadlines => {
  const deadlines: AbortController[] = [];
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const deadline = new AbortController();
    deadlines.push(deadline);
    return deadline.signal;
  });
  const overdue = (): void => deadlines.at(-1)?.abort(new DOMException('The deadline has passed', 'TimeoutError'));
  return {
    silence: overdue,
    unending: (request, response) => {
      dripping(request, response);
      const reading = vi.spyOn(ReadableStreamDefaultReader.prototype, 'read');
      reading.mockImplementationOnce(function (this: ReadableStreamDefaultReader) {
        reading.mockRestore();
        overdue();
        return this.read();
      });
    },
    given: () => new Set(timeout.mock.calls.flat()),
  };
};
