/** Loops of redirects between the portal and a back end. */
import { describe, expect, it } from 'vitest';
import { isRedirectLoop } from '../../src/redirects/redirect-loop.ts';

const open = () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  return (target: string, now: number) => isRedirectLoop(target, () => storage, now);
};

describe('a loop of redirects', () => {
  it('ends the sixth time within ten seconds', () => {
    const visit = open();
    const visits = [0, 1, 2, 3, 4, 9999].map((now) => visit('https://app.example/notes?a=b c', now));
    expect(visits).toEqual([false, false, false, false, false, true]);
  });

  it('is none for a person who comes back later, or goes elsewhere between', () => {
    const visit = open();
    const times = [0, 1, 2, 3, 4, 10_000, 10_001, 10_002, 10_003, 10_004];
    expect(times.some((now) => visit('/notes', now))).toBe(false);
    expect(visit('/other', 10_005)).toBe(false);
    expect(visit('/notes', 10_006)).toBe(false);
  });

  it('is not found where the browser denies its storage', () => {
    const denied = () => {
      throw new Error('denied');
    };
    expect([1, 2, 3, 4, 5, 6].some((now) => isRedirectLoop('/notes', denied, now))).toBe(false);
  });
});
