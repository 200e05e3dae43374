/** Pages of a list: the total is counted on demand, once, and only where the page does not tell it. */
import { describe, expect, it } from 'vitest';
import { maxCounted, pageOf } from '../../src/kernel/paging.ts';

const page = (rows: number, { first = 2, after = null as string | null, counted = 7 } = {}) => {
  const counts: number[] = [];
  const count = async (): Promise<number> => counts.push(counted) * counted;
  const built = pageOf(
    Array.from({ length: rows }, (_, index) => String(index)),
    { first, after },
    count,
    (row) => [row],
  );
  return { built, counts };
};

describe('The total of a page', () => {
  it('is not counted until it is asked for, and then once', async () => {
    const { built, counts } = page(3);
    expect(counts).toEqual([]);
    expect(await Promise.all([built.total(), built.total()])).toEqual([
      { totalCount: 7, totalCountIsCapped: false },
      { totalCount: 7, totalCountIsCapped: false },
    ]);
    expect(counts).toHaveLength(1);
  });

  it('is that of the page where the list is one page', async () => {
    for (const rows of [0, 1, 2]) {
      const { built, counts } = page(rows);
      expect([await built.total(), counts]).toEqual([{ totalCount: rows, totalCountIsCapped: false }, []]);
    }
    const last = page(1, { after: 'a cursor' });
    expect([(await last.built.total()).totalCount, last.counts.length]).toEqual([7, 1]);
  });

  it('ends at the bound', async () => {
    expect(await page(3, { counted: maxCounted }).built.total()).toEqual({
      totalCount: maxCounted,
      totalCountIsCapped: false,
    });
    expect(await page(3, { counted: maxCounted + 1 }).built.total()).toEqual({
      totalCount: maxCounted,
      totalCountIsCapped: true,
    });
  });
});
