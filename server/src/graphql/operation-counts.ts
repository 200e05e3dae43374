/**
 * Counts operations and their outcomes by root field of the schema, as often as it is selected. A request without a
 * known operation counts as `unknown`, so that clients cannot create label values.
 */
import { getOrInsert } from '../kernel/collections.ts';
import type { Counter, Counts } from '../platform/observability/metrics.ts';
import type { Operation } from './documents.ts';
import type { ShownError } from './error-format.ts';

type OperationTallies = Pick<Counts, 'operations' | 'operationSeconds'>;

const unknown = 'unknown';
const several = 'several';
const success = 'OK';

/** One request, from its start to success or failure. */
export interface RequestCount {
  knows(operation: Operation): void;
  succeeded(): void;
  /** @param errors the errors of the response, at least one */
  failed(errors: readonly ShownError[]): void;
}

/** Used when metrics are off; counts nothing. */
export const uncountedRequest: RequestCount = {
  knows: () => undefined,
  succeeded: () => undefined,
  failed: () => undefined,
};

/** Counts the requests of one endpoint. */
export class OperationCounts {
  readonly counts: OperationTallies;
  readonly #successes = new WeakMap<Operation, readonly Counter[]>();

  constructor(counts: OperationTallies) {
    this.counts = counts;
  }

  begin(): RequestCount {
    return new CountedRequest(this);
  }

  /** Cached per prepared operation, because `me` is frequent. */
  successesOf(operation: Operation): readonly Counter[] {
    return getOrInsert(this.#successes, operation, () =>
      fieldsOf(operation).map((field) => this.counts.operations.at(field, success)),
    );
  }
}

class CountedRequest implements RequestCount {
  readonly #all: OperationCounts;
  readonly #begun = performance.now();
  #operation: Operation | null = null;

  constructor(all: OperationCounts) {
    this.#all = all;
  }

  knows(operation: Operation): void {
    this.#operation = operation;
  }

  succeeded(): void {
    const tallies = this.#operation === null ? [] : this.#all.successesOf(this.#operation);
    for (const tally of tallies) tally.value += 1;
    this.#end();
  }

  failed(errors: readonly ShownError[]): void {
    const { operations } = this.#all.counts;
    const outcomes = this.#operation === null ? [[unknown, codeOf(errors[0])]] : outcomesOf(this.#operation, errors);
    for (const outcome of outcomes) operations.at(...outcome).value += 1;
    this.#end();
  }

  #end(): void {
    const fields = this.#operation === null ? [unknown] : fieldsOf(this.#operation);
    const name = fields.length === 1 ? (fields[0] ?? unknown) : several;
    this.#all.counts.operationSeconds.at(name).observe((performance.now() - this.#begun) / 1000);
  }
}

const fieldsOf = ({ rootKeys }: Operation): readonly string[] =>
  rootKeys.size === 0 ? ['__typename'] : [...rootKeys.values()];

/** Each field with the code of its own error, or success. An error without a path is of the whole request. */
const outcomesOf = (operation: Operation, errors: readonly ShownError[]): readonly (readonly string[])[] => {
  const whole = errors.find(({ path }) => path === undefined);
  if (whole !== undefined) return fieldsOf(operation).map((field) => [field, codeOf(whole)]);
  return Array.from(operation.rootKeys, ([key, field]) => {
    const own = errors.find(({ path }) => path?.[0] === key);
    return [field, own === undefined ? success : codeOf(own)];
  });
};

const codeOf = (error: ShownError | undefined): string => error?.extensions.code ?? 'INTERNAL';
