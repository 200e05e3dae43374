/** Networks as filters name them. */
import { expect, it } from 'vitest';
import { readInstant } from '../../src/kernel/instants.ts';
import { readNetwork } from '../../src/kernel/network.ts';

it.each([
  ['192.0.2.7', '192.0.2.7/32'],
  [' 192.0.2.7/24 ', '192.0.2.7/24'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:db8::/32', '2001:db8::/32'],
  ['::1', '::1/128'],
  ['::ffff:192.0.2.7', '192.0.2.7/32'],
  ['::FFFF:192.0.2.0/120', '192.0.2.0/24'],
])('reads %j as %s', (text, network) => {
  expect(readNetwork(text)).toBe(network);
});

it.each([
  '',
  'x',
  '192.0.2',
  '192.0.2.7/33',
  '192.0.2.7/',
  '192.0.2.7/-1',
  '192.0.2.7/1e1',
  '192.0.2.7/8/8',
  '192.0.2.7:80',
])('reads nothing from %j', (text) => {
  expect(readNetwork(text)).toBeNull();
});

it.each(['::/129', '::ffff:192.0.2.0/95', 'fe80::1%eth0', '[::1]', '010.0.0.1', '1'.repeat(10_000)])(
  'reads nothing from %j either',
  (text) => {
    expect(readNetwork(text)).toBeNull();
  },
);

it('reads instants with an offset, and no other text', () => {
  expect(readInstant('2026-11-20T09:30:00.000Z')?.toISOString()).toBe('2026-11-20T09:30:00.000Z');
  expect(readInstant('2026-11-20T09:30:00+02:00')?.toISOString()).toBe('2026-11-20T07:30:00.000Z');
  for (const text of ['', '2026-11-20', '2026-11-20T09:30:00', '2026-13-20T09:30:00Z', 'now'])
    expect(readInstant(text)).toBeNull();
});
