/** The page of sessions: filter and sorting in the URL, and what is wrong with a filter. */
import { describe, expect, it } from 'vitest';
import { nextRow } from '../../src/pages/console/sessions/active-row.ts';
import {
  isFiltered,
  nextSorting,
  readSessionView,
  sortingOf,
  toSessionFilter,
  wrongFilters,
} from '../../src/pages/console/sessions/sessions.ts';
import { Refusal } from '../../src/session/refusal.ts';

describe('the URL of the page', () => {
  it('has the filters that the API knows, by their names there', () => {
    const view = readSessionView({ email: ' ada@ ', agent: 'curl', method: 'password', other: 'x', network: '' });
    expect(view).toEqual({ email: ' ada@ ', agent: 'curl', method: 'password' });
    expect(isFiltered(view)).toBe(true);
    expect(toSessionFilter(view)).toEqual({ email: 'ada@', userAgent: 'curl', authMethod: 'password' });
    expect(isFiltered(readSessionView({ sort: 'person' }))).toBe(false);
  });

  it('has instants of any form, and asks nothing for one that is none', () => {
    expect(toSessionFilter({ issuedAfter: '2026-01-02' })).toEqual({ issuedAfter: '2026-01-02T00:00:00.000Z' });
    expect(toSessionFilter({ issuedAfter: 'never' })).toBeNull();
    expect(wrongFilters({ issuedAfter: 'never' }, null)).toEqual([{ name: 'issuedAfter', reason: undefined }]);
  });

  it('has a kind of the API, and asks nothing for another one', () => {
    expect(toSessionFilter({ kind: 'machine' })).toEqual({ kind: 'machine' });
    expect(wrongFilters({ kind: 'machine' }, null)).toEqual([]);
    expect(toSessionFilter({ kind: 'robot' })).toBeNull();
    expect(wrongFilters({ kind: 'robot' }, null)).toEqual([{ name: 'kind', reason: undefined }]);
  });

  it('sorts by a column down, then up, then by the newest again', () => {
    expect(nextSorting({}, 'person')).toEqual({ sort: 'person' });
    expect(nextSorting({ sort: 'person' }, 'person')).toEqual({ sort: 'person', direction: 'asc' });
    expect(nextSorting({ sort: 'person', direction: 'asc' }, 'person')).toEqual({});
    expect(nextSorting({ sort: 'person' }, 'seen')).toEqual({ sort: 'seen' });
    expect(sortingOf({ sort: 'no such column', direction: 'asc' })).toEqual({ column: undefined, direction: 'DESC' });
  });
});

describe('a refused filter', () => {
  it('is named as the page names it', () => {
    const fields = { userId: 'No person has this id.', filter: 'Too much.' };
    expect(wrongFilters({ user: 'x' }, new Refusal('BAD_USER_INPUT', '', { fields }))).toEqual([
      { name: 'user', reason: 'No person has this id.' },
      { name: 'filter', reason: 'Too much.' },
    ]);
    expect(wrongFilters({ user: 'x' }, new Refusal('UNAVAILABLE', ''))).toEqual([]);
  });
});

describe('the row that the keys move to', () => {
  const rows = ['a', 'b', 'c'].map((sessionFamilyId) => ({ sessionFamilyId }));

  it('is the first one at first, and stays within the rows', () => {
    expect(nextRow(rows, undefined, 1)).toBe(0);
    expect(nextRow(rows, undefined, -1)).toBe(0);
    expect(nextRow(rows, { sessionFamilyId: 'c', index: 2 }, 1)).toBe(2);
    expect(nextRow(rows, { sessionFamilyId: 'a', index: 0 }, -1)).toBe(0);
    expect(nextRow([], undefined, 1)).toBe(-1);
  });

  it('is counted from the same session when rows came above it', () => {
    expect(nextRow(rows, { sessionFamilyId: 'b', index: 0 }, 1)).toBe(2);
    expect(nextRow(rows, { sessionFamilyId: 'b', index: 0 }, -1)).toBe(0);
  });

  it('is the one in the place of a session that has ended', () => {
    expect(nextRow(rows, { sessionFamilyId: 'ended', index: 1 }, 1)).toBe(1);
    expect(nextRow(rows, { sessionFamilyId: 'ended', index: 1 }, -1)).toBe(0);
    expect(nextRow(rows, { sessionFamilyId: 'ended', index: 3 }, 1)).toBe(2);
  });
});
