/** How long a document takes that is refused for its cost. */
import { describe, expect, it } from 'vitest';
import { endpointForTest } from '../graphql/endpoint-under-test.ts';
import { range } from '../support/concurrency.ts';

/** Fragments that spread the next one several times: exponential when they are expanded. */
const bomb = (levels: number, body: (next: string) => string): string => {
  const fragments = range(levels).map((index) => `fragment F${index} on User { ${body(`...F${index + 1}`)} }`);
  return `{ user { ...F0 } } ${fragments.join(' ')} fragment F${levels} on User { id }`;
};

const refused: Record<string, string> = {
  'that multiplies under two aliases': bomb(40, (next) => `a: best { ${next} } b: best { ${next} }`),
  'that multiplies by three spreads': bomb(60, (next) => `${next} ${next} ${next}`).replace('{ id }', '{ a: id }'),
  'of 2,001 lines': `${'\n'.repeat(2001)}{ user { id } }`,
  'of 100 KB in one string': `{ user(name: "${'a'.repeat(100_000)}") { id } }`.slice(0, 100_000),
  'of 98 KB in line ends': `{ user(name: """${'\n'.repeat(49_000)}""") { id } }`,
  'of 10,000 tokens': `{ ${'me { id } '.repeat(2_500)} }`,
};

describe('A document', () => {
  // Specification: Limits — Validation of a document costs at most 5 ms before it is refused
  it.each(Object.entries(refused))('%s is refused within 5 ms', async (_, query) => {
    const endpoint = await endpointForTest();
    const taken: number[] = [];
    for (const _ of range(21)) {
      const begun = performance.now();
      const { status } = await endpoint.post({ query });
      taken.push(performance.now() - begun);
      expect(status).toBe(400);
    }
    const median = taken.sort((one, other) => one - other)[10];
    expect(median).toBeLessThan(5);
  });
});
