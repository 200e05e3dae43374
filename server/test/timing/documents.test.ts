/** Time until a document is refused, for its size, its cost or by validation. */
import { readFileSync } from 'node:fs';
import { buildSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { checkDocumentCost, contractLimits } from '../../src/graphql/limits.ts';
import { createValidation } from '../../src/graphql/validation.ts';
import { endpointForTest } from '../graphql/endpoint-under-test.ts';
import { exponential, hostile, repetitive } from '../graphql/hostile-documents.ts';
import { range } from '../support/checks/concurrency.ts';

const maxMillis = 5;

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
  // Contract: requests#cost-of-validation — Validation of a document costs at most 5 ms before it is refused
  it.each(overLimits)('to be refused over HTTP: %s', async (_, query) => {
    const endpoint = await endpointForTest();
    const refuse = async (): Promise<void> => {
      const { body } = await endpoint.post({ query });
      expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'OPERATION_TOO_COSTLY' });
    };
    expect(await medianMillis(refuse)).toBeLessThan(maxMillis);
  });

  const check = (text: string): unknown => {
    try {
      const document = parse(text, { maxLexicalTokens: contractLimits.tokens });
      checkDocumentCost(document, contractLimits);
      return validate(document)[0] ?? null;
    } catch (error) {
      return error;
    }
  };
  // A valid one is executed, and may take longer.
  const refused = hostile.filter(([, text]) => check(text) !== null);

  it.each(refused)('to be refused by validation: %s', async (_, text) => {
    expect(await medianMillis(() => check(text))).toBeLessThan(maxMillis);
  });

  it('in most of the hostile kinds', () => {
    expect(refused.length).toBeGreaterThan(hostile.length / 2);
  });
});
