/** The address of /organization/tokens: what it says of the filters, and what is asked of the API. */
import { describe, expect, it } from 'vitest';
import { isFiltered } from '../../src/lists/list-view.ts';
import { tokenParams, toTokenFilter } from '../../src/pages/organization/tokens/view.ts';

const account = '00000000-0000-4000-8000-000000000001';

describe('the view of an organization’s tokens', () => {
  it('has an address without the first section and without filters that are not set', () => {
    expect(tokenParams({ section: 'tokens', kind: undefined })).toEqual({});
    expect(tokenParams({ section: 'policy' })).toEqual({ section: 'policy' });
    expect(tokenParams({ section: 'tokens', status: 'PENDING', account })).toEqual({ status: 'PENDING', account });
  });

  it('is filtered by anything but its section', () => {
    expect(isFiltered({ section: 'accounts' })).toBe(false);
    expect(isFiltered({ section: 'tokens', unused: '90' })).toBe(true);
  });

  it('asks the same within an hour', () => {
    const ask = (time: string) => toTokenFilter({ section: 'tokens', expires: '7' }, new Date(time));
    expect(ask('2030-01-01T10:10:00Z')).toEqual(ask('2030-01-01T10:50:00Z'));
    expect(ask('2030-01-01T10:10:00Z').expiresBefore).toBe('2030-01-08T11:00:00.000Z');
  });

  it('asks for nothing that is not filtered', () => {
    expect(Object.values(toTokenFilter({ section: 'tokens' }, new Date())).every((value) => value === null)).toBe(true);
    expect(toTokenFilter({ section: 'tokens', unused: '30', kind: 'SERVICE' }, new Date())).toMatchObject({
      unusedForDays: 30,
      kind: 'SERVICE',
    });
  });
});
