/** How long a document takes that is refused, or validated although it was made to be slow. */
import { readFileSync } from 'node:fs';
import { buildSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { checkDocumentCost, contractLimits } from '../../src/graphql/limits.ts';
import { createValidation } from '../../src/graphql/validation.ts';
import { endpointForTest } from '../graphql/endpoint-under-test.ts';
import { exponential, hostile, repetitive } from '../graphql/hostile-documents.ts';
import { range } from '../support/concurrency.ts';

const mostMillis = 5;

const medianMillis = async (work: () => unknown): Promise<number> => {
  const taken: number[] = [];
  for (const _ of range(21)) {
    const begun = performance.now();
    await work();
    taken.push(performance.now() - begun);
  }
  return taken.sort((one, other) => one - other)[10] ?? Number.POSITIVE_INFINITY;
};

const overLimits = [
  ...exponential,
  ...repetitive,
  ['of 2,001 lines', `${'\n'.repeat(2001)}{ user { id } }`],
  ['of 98 KB in line ends', `{ user(name: """${'\n'.repeat(49_000)}""") { id } }`],
  ['of 10,000 tokens', `{ ${'me { id } '.repeat(2_500)} }`],
] as const;

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
const validate = createValidation(schema, true);

describe('A document takes at most 5 ms', () => {
  // Specification: Limits — Validation of a document costs at most 5 ms before it is refused
  it.each(overLimits)('to be refused over HTTP: %s', async (_, query) => {
    const endpoint = await endpointForTest();
    const refuse = async (): Promise<void> => {
      const { body } = await endpoint.post({ query });
      expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'OPERATION_TOO_COSTLY' });
    };
    expect(await medianMillis(refuse)).toBeLessThan(mostMillis);
  });

  it.each(hostile)('to be validated: %s', async (_, text) => {
    const document = parse(text, { maxLexicalTokens: contractLimits.tokens });
    const check = (): unknown => {
      try {
        checkDocumentCost(document, contractLimits);
        return validate(document);
      } catch (error) {
        return error;
      }
    };
    expect(await medianMillis(check)).toBeLessThan(mostMillis);
  });
});
