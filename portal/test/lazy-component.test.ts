/** Lazily loaded components: one load, retry, and reload after a release. */
import { describe, expect, it, vi } from 'vitest';
import { ChunkLoadError, createLazyState } from '../src/components/lazy-component.tsx';

const Page = () => null;
const missing = new TypeError('Failed to fetch dynamically imported module');

const failureOf = (lazy: { readonly component: () => unknown }): unknown => {
  try {
    return lazy.component();
  } catch (error) {
    return error;
  }
};

describe('the chunk of a page', () => {
  it('is loaded once for concurrent callers, and not again', async () => {
    const load = vi.fn(async () => Page);
    const lazy = createLazyState({ load, isReachable: async () => true, reloadOnce: () => true });
    expect(lazy.component()).toBeUndefined();
    await Promise.all([lazy.fetch(), lazy.fetch()]);
    await lazy.fetch();
    expect(lazy.component()).toBe(Page);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('that cannot be loaded without a connection leaves the portal usable, and can be loaded again', async () => {
    const load = vi.fn(async () => Page).mockRejectedValueOnce(missing);
    const reloadOnce = vi.fn(() => true);
    const lazy = createLazyState({ load, isReachable: async () => false, reloadOnce });
    await lazy.fetch();
    const failure = failureOf(lazy);
    expect(failure).toBeInstanceOf(ChunkLoadError);
    expect(failure).toMatchObject({ code: 'OFFLINE', cause: missing });
    await (failure as ChunkLoadError).retry();
    expect(lazy.component()).toBe(Page);
    expect(reloadOnce).not.toHaveBeenCalled();
  });

  it('that a new release has replaced reloads the page once, and fails after that', async () => {
    const load = () => Promise.reject(missing);
    const reloadOnce = vi.fn(() => false);
    const lazy = createLazyState({ load, isReachable: async () => true, reloadOnce });
    await lazy.fetch();
    expect(failureOf(lazy)).toBe(missing);
    expect(reloadOnce).toHaveBeenCalledTimes(1);
  });
});
