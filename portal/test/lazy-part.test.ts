/** The code of pages and forms that arrives late, or not at all. */
import { describe, expect, it, vi } from 'vitest';
import { createPart, PartMissing } from '../src/components/lazy-component.tsx';

const Page = () => null;
const missing = new TypeError('Failed to fetch dynamically imported module');

const failureOf = (part: { readonly component: () => unknown }): unknown => {
  try {
    return part.component();
  } catch (error) {
    return error;
  }
};

describe('the code of a page', () => {
  it('is fetched once for all who ask, and not again', async () => {
    const load = vi.fn(async () => Page);
    const part = createPart({ load, isReachable: async () => true, startAfresh: () => true });
    expect(part.component()).toBeUndefined();
    await Promise.all([part.fetch(), part.fetch()]);
    await part.fetch();
    expect(part.component()).toBe(Page);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('that cannot be fetched without a connection leaves the portal open, and can be fetched again', async () => {
    const load = vi.fn(async () => Page).mockRejectedValueOnce(missing);
    const startAfresh = vi.fn(() => true);
    const part = createPart({ load, isReachable: async () => false, startAfresh });
    await part.fetch();
    const failure = failureOf(part);
    expect(failure).toBeInstanceOf(PartMissing);
    expect(failure).toMatchObject({ code: 'OFFLINE', cause: missing });
    await (failure as PartMissing).fetchAgain();
    expect(part.component()).toBe(Page);
    expect(startAfresh).not.toHaveBeenCalled();
  });

  it('that a new release has replaced starts the portal afresh, and is a failure where that was in vain', async () => {
    const load = () => Promise.reject(missing);
    const startAfresh = vi.fn(() => false);
    const part = createPart({ load, isReachable: async () => true, startAfresh });
    await part.fetch();
    expect(failureOf(part)).toBe(missing);
    expect(startAfresh).toHaveBeenCalledTimes(1);
  });
});
