/** The parts that all lists share: parameters of the URL, local times, and merged pages. */
import { describe, expect, it } from 'vitest';
import { idOf, instantOf, isFiltered, oneOf, textOf, toSearchParams } from '../../src/lists/list-view.ts';
import { mergePages } from '../../src/lists/paged-list.ts';
import { fromLocalTime, toLocalTime } from '../../src/lists/time-field.tsx';

describe('a parameter of the URL', () => {
  it('is read as what the filter needs, and is none for anything else', () => {
    const id = '0190f0a0-0000-7000-8000-00000000000a';
    expect([textOf(' a '), textOf(' '), textOf(undefined)]).toEqual([' a ', undefined, undefined]);
    expect([idOf(` ${id.toUpperCase()} `), idOf(`${id}1`), idOf('')]).toEqual([id, undefined, undefined]);
    expect([instantOf('2026-01-02'), instantOf('never')]).toEqual(['2026-01-02T00:00:00.000Z', undefined]);
    expect([oneOf(['up', 'down'], 'up'), oneOf(['up', 'down'], 'UP')]).toEqual(['up', undefined]);
  });

  it('is written only for a filter that is set, and the section of a page is no filter', () => {
    expect(toSearchParams({ section: 'calls', search: '', user: undefined, tool: 'x' })).toEqual({
      section: 'calls',
      tool: 'x',
    });
    expect([isFiltered({ section: 'calls', user: undefined }), isFiltered({ user: 'a' })]).toEqual([false, true]);
  });
});

describe('a local time', () => {
  it('is restored to the minute', () => {
    const instant = '2026-07-01T12:34:00.000Z';
    expect(fromLocalTime(toLocalTime(instant))).toBe(instant);
  });

  it('is undefined while it is incomplete', () => {
    expect(toLocalTime(undefined)).toBe('');
    expect(fromLocalTime('')).toBeUndefined();
    expect(fromLocalTime('0002-01-01T00:00')).toBeUndefined();
  });
});

describe('the pages of a list', () => {
  const part = (ids: readonly string[], totalCount: number) => ({
    nodes: ids.map((id) => ({ id })),
    totalCount,
    totalCountIsCapped: totalCount === 4,
    pageInfo: { hasNextPage: false, endCursor: null },
  });

  it('are merged without duplicates, with the newest total', () => {
    expect(mergePages(undefined, () => '')).toBeUndefined();
    expect(mergePages([part(['a', 'b'], 3), part(['b', 'c'], 4)], ({ id }) => id)).toEqual({
      rows: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
      total: 4,
      isCapped: true,
    });
  });
});
