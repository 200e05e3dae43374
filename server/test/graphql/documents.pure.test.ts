/** Contents and size of the document cache. */
import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createDocuments, type Documents, type Operation } from '../../src/graphql/documents.ts';
import { contractLimits } from '../../src/graphql/limits.ts';
import { range } from '../support/checks/concurrency.ts';

const documentsFor = (maxKept?: number): Documents =>
  createDocuments({
    schema: buildSchema('type Query { id(of: [Int]): ID }'),
    introspection: true,
    limits: contractLimits,
    loneMutations: new Set(),
    ...(maxKept === undefined ? {} : { maxKept }),
  });

const operationOf = (documents: Documents, text: string, name: string | null = null): Operation => {
  const prepared = documents.prepare(text, name);
  if ('errors' in prepared) throw new Error('The document was refused');
  return prepared.operation;
};

describe('The document cache', () => {
  it('prepares a text once for each operation name', () => {
    const documents = documentsFor();
    const text = 'query A { id } query B { id }';
    expect(operationOf(documents, text, 'A')).toBe(operationOf(documents, text, 'A'));
    expect(operationOf(documents, text, 'A')).not.toBe(operationOf(documents, text, 'B'));
    expect(documents.size).toBe(2);
  });

  it('keeps no more operations than its maximum, and those used last', () => {
    const documents = documentsFor(10);
    const first = operationOf(documents, 'query Q0 { id }');
    for (let index = 1; index < 30; index += 1) {
      operationOf(documents, `query Q${index} { id }`);
      expect(operationOf(documents, 'query Q0 { id }')).toBe(first);
    }
    expect(documents.size).toBe(10);
  });

  it('keeps fewer large documents than small ones', () => {
    const small = documentsFor();
    const large = documentsFor();
    const long = documentsFor();
    for (const index of range(501)) operationOf(small, `query Q${index} { id }`);
    expect(small.size).toBe(500);
    // Many tokens that are soon validated, in less text than the weight of a small document.
    for (const index of range(100)) operationOf(large, `query Q${index} { id(of: [${'1 '.repeat(600)}]) }`);
    expect(large.size).toBeLessThan(100);
    for (const index of range(180)) operationOf(long, `query Q${index} { id } #${'x'.repeat(90_000)}`);
    expect(long.size).toBeLessThan(180);
  });

  it('does not keep refused documents', () => {
    const documents = documentsFor();
    for (const text of ['{', '{ nope }', 'subscription { id }']) {
      expect(documents.prepare(text, null)).toHaveProperty('errors');
    }
    expect(() =>
      documents.prepare(`{ ${Array.from({ length: 16 }, (_, index) => `a${index}: id`).join(' ')} }`, null),
    ).toThrow();
    expect(documents.prepare('{ id }', 'Nope')).toHaveProperty('errors');
    expect(documents.size).toBe(0);
  });
});
