/** Comma-separated values: read back as they were, and never run as a formula. */
import { describe, expect, it } from 'vitest';
import { csvOf } from '../../src/kernel/csv.ts';

describe('csvOf', () => {
  it('separates rows by CRLF, and quotes what would divide a cell', () => {
    expect(csvOf([['a', 'b,c', 'd"e', 'f\r\ng', null, 7, -7], ['h']])).toBe('a,"b,c","d""e","f\r\ng",,7,-7\r\nh\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])('puts an apostrophe before the formula %j', (text) => {
    expect(csvOf([[text]]).replaceAll('"', '')).toBe(`'${text}\r\n`);
  });
});
