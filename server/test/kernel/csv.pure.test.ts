/** Comma-separated values: read back as they were, and never run as a formula. */
import { describe, expect, it } from 'vitest';
import { csvOf } from '../../src/kernel/csv.ts';

describe('csvOf', () => {
  it('separates rows by CRLF, and quotes what would divide a cell', () => {
    expect(csvOf([['a', 'b,c', 'd"e', 'f\r\ng', null, 7, -7], ['h']])).toBe('a,"b,c","d""e","f\r\ng",,7,-7\r\nh\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', '＝1+1', '＋1', '－1', '＠SUM(A1)'])(
    'puts an apostrophe before the formula %j',
    (text) => {
      expect(csvOf([[text]]).replaceAll('"', '')).toBe(`'${text}\r\n`);
    },
  );

  it.each(['=', '+', '-', '@', '＝', '＋', '－', '＠'])('leaves %j alone within a cell, which runs nothing', (sign) => {
    const text = `a${sign}b ${sign} "${sign}"`;
    expect(csvOf([[text]])).toBe(`"${text.replaceAll('"', '""')}"\r\n`);
  });

  const separators = [';', '\t', '\r', '\n', '; ', ';"', ';\u00a0"', ' ', '\ufeff', '"'];

  it.each(separators)(
    'puts an apostrophe before a formula at the beginning of a cell or a row, behind %j',
    (before) => {
      for (const sign of ['=', '+', '-', '@', '＝', '＋', '－', '＠']) {
        expect(csvOf([[`${before}${sign}1+1`]])).toContain(`'${sign}1+1`);
      }
    },
  );

  it.each(separators.slice(0, 7))('does so also where spreadsheets divide our cells, behind %j', (before) => {
    for (const sign of ['=', '+', '-', '@', '＝', '＋', '－', '＠']) {
      const cell = csvOf([[`a${before}${sign}1+1${before}${sign}2`]]);
      expect(cell).toContain(`'${sign}1+1`);
      expect(cell).toContain(`'${sign}2`);
    }
  });

  it('is done with a long run of separators at once', () => {
    const run = ';'.repeat(200_000);
    expect(csvOf([[`${run}x`]])).toBe(`"${run}x"\r\n`);
  });
});
