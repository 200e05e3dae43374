/**
 * Counts what GraphQL is asked for and what comes of it, by the fields at the root of the schema. A field that stands
 * there several times, under aliases, counts as often. What names no field of the schema is `unknown`, so that no client
 * can think of a new name.
 */
import type { Counter, Counts } from '../platform/observability/metrics.ts';
import type { Operation } from './documents.ts';
import type { ShownError } from './error-format.ts';

type OperationTallies = Pick<Counts, 'operations' | 'operationSeconds'>;

const unknown = 'unknown';
const several = 'several';
const success = 'OK';

/** One request, from its beginning to one of two ends. */
export interface RequestCount {
  /** Which operation it is for, once that is known. */
  knows(operation: Operation): void;
  succeeded(): void;
  /** @param errors of the answer, at least one */
  failed(errors: readonly ShownError[]): void;
}

/** Where nobody reads, nothing is counted. */
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

  /** Looked up once for each document that is kept: `me` comes often. */
  successesOf(operation: Operation): readonly Counter[] {
    const known = this.#successes.get(operation);
    if (known !== undefined) return known;
    const tallies = fieldsOf(operation).map((field) => this.counts.operations.at(field, success));
    this.#successes.set(operation, tallies);
    return tallies;
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

/**
 * Each field with its own error, or with none. An error without a place in the answer is that of the whole request, which
 * was refused before any field ran.
 */
const outcomesOf = (operation: Operation, errors: readonly ShownError[]): readonly (readonly string[])[] => {
  const whole = errors.find(({ path }) => path === undefined);
  if (whole !== undefined) return fieldsOf(operation).map((field) => [field, codeOf(whole)]);
  return Array.from(operation.rootKeys, ([key, field]) => {
    const own = errors.find(({ path }) => path?.[0] === key);
    return [field, own === undefined ? success : codeOf(own)];
  });
};

const codeOf = (error: ShownError | undefined): string => error?.extensions.code ?? 'INTERNAL';
