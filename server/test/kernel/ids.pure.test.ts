/** Identifiers of rows. */
import { afterEach, expect, it, vi } from 'vitest';
import { isId, newId } from '../../src/kernel/ids.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** RFC 9562: the millisecond in the first 48 bits, then the version, and later the variant. */
const layout = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it('count up within a millisecond, and begin with its time', () => {
  const at = Date.parse('2026-03-04T05:06:07.089Z');
  vi.useFakeTimers({ now: at, toFake: ['Date'] });
  const ids = Array.from({ length: 2000 }, newId);
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) {
    expect(id).toMatch(layout);
    expect(isId(id)).toBe(true);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(at);
  }
});

it('are random except for the time and the count', () => {
  const tails = Array.from({ length: 100 }, () => newId().slice(19));
  expect(new Set(tails).size).toBe(tails.length);
});
