/** The cost of a hostile document before its refusal, in counted steps, not in time. */
import { readFileSync } from 'node:fs';
import { buildSchema, type DocumentNode, Kind, parse, visit } from 'graphql';
import { describe, expect, it } from 'vitest';
import { checkDocumentCost, contractLimits } from '../../src/graphql/limits.ts';
import { createValidation, maxValidationWork, validationWork } from '../../src/graphql/validation.ts';
import { Refusal } from '../../src/kernel/errors.ts';
import { hostile, list } from './hostile-documents.ts';

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
const validate = createValidation(schema, true);

/** Counts how often each name of a document is read. */
const counted = (document: DocumentNode): (() => number) => {
  let reads = 0;
  visit(document, {
    [Kind.NAME]: (node) => {
      const { value } = node;
      const get = (): string => {
        reads += 1;
        return value;
      };
      Object.defineProperty(node, 'value', { get });
    },
  });
  return () => reads;
};

const mostReads = 20_000;

describe('A hostile document', () => {
  // Contract: requests#cost-of-validation — Validation of a document ends soon, for any content
  it.each(hostile)('is refused after a bounded number of steps: %s', (_name, text) => {
    const document = parse(text, { maxLexicalTokens: contractLimits.tokens });
    const reads = counted(document);
    const refused = (): unknown => {
      try {
        checkDocumentCost(document, contractLimits);
        return validate(document);
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
        return error;
      }
    };
    refused();
    expect(reads()).toBeLessThan(mostReads);
  });

  it('lists at most five errors, and omits suggestions when it is long', () => {
    const errors = validate(parse(`{ ${list(900, (index) => `myMembershipz${index}`)} }`));
    expect(errors.length).toBeLessThanOrEqual(6);
    expect(JSON.stringify(errors)).not.toContain('Did you mean');
    expect(JSON.stringify(validate(parse('{ mee { id } }')))).toContain('Did you mean');
  });
});

describe('The work of a validation', () => {
  it('grows with the square of the repetitions of a field, at every level', () => {
    const workOf = (text: string): number => validationWork(parse(text));
    expect(workOf('{ me { id name } }')).toBe(0);
    expect(workOf('{ me { id id } }')).toBe(1);
    expect(workOf(`{ ${list(10, () => 'me { id }')} }`)).toBe(45 * 21 + 45);
    expect(workOf('{ members(first: 1) { totalCount } members(first: 1) { totalCount } }')).toBe(121 + 1);
    expect(workOf('{ ...a ...a me { id } } fragment a on Query { me { id } }')).toBe(5 + 21 + 1);
    expect(workOf(`{ ${list(15, (index) => `a${index}: me { id }`)} }`)).toBe(0);
  });

  // Contract: requests#cost-of-validation — Validation refuses nothing that a page needs
  it("accepts the combined queries of a page's components", () => {
    const page = `{ ${list(30, (index) => `...c${index}`)} } ${list(30, (index) => `fragment c${index} on Query { me { id name } }`)}`;
    expect(validationWork(parse(page))).toBeLessThan(maxValidationWork);
    expect(validate(parse(page))).toEqual([]);
  });
});
