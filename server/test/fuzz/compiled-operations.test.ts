/** Random operations: the compiled executor and the document cache answer what graphql-js answers. */
import fc from 'fast-check';
import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import {
  compare,
  documentsOfPlain,
  expectSameThroughCache,
  queryType,
  reference,
} from '../graphql/compared-operations.ts';
import { writeOperation } from '../graphql/random-operations.ts';
import { seed, timeoutMillis, tries } from '../support/fuzz.ts';

describe('Random operations', () => {
  const { numRuns: runs, ...repeated } = tries(300);

  it('mean the same compiled', { timeout: timeoutMillis(120) }, async () => {
    let compiled = 0;
    await fc.assert(
      fc.asyncProperty(fc.gen(), async (gen) => {
        const written = writeOperation(gen, queryType, 'plain');
        const { text } = written;
        fc.pre(validate(reference, parse(text)).length === 0);
        if ((await compare(text, written.variables)) === 'compiled') compiled += 1;
      }),
      { numRuns: runs, ...repeated },
    );
    if (seed === undefined) expect(compiled / runs).toBeGreaterThan(0.9);
  });

  it.each(['directives', 'all'] as const)(
    'mean the same through the document cache, with what is left to graphql-js: %s',
    { timeout: timeoutMillis(120) },
    async (wildness) => {
      const documents = documentsOfPlain();
      await fc.assert(
        fc.asyncProperty(fc.gen(), async (gen) => {
          const { text, variables } = writeOperation(gen, queryType, wildness);
          fc.pre(validate(reference, parse(text)).length === 0);
          await expectSameThroughCache(documents, text, variables);
        }),
        { numRuns: runs, ...repeated },
      );
    },
  );
});
