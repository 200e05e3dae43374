/** Networks as filters, policies and TRUST_PROXY name them, and addresses however they are spelled. */
import { expect, it } from 'vitest';
import { readInstant } from '../../src/kernel/instants.ts';
import { networkOf, plainAddress, readNetwork } from '../../src/kernel/network.ts';

it.each([
  ['192.0.2.7', '192.0.2.7/32'],
  [' 192.0.2.7/24 ', '192.0.2.7/24'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:db8::/32', '2001:db8::/32'],
  ['::1', '::1/128'],
  ['::ffff:192.0.2.7', '192.0.2.7/32'],
  ['::FFFF:192.0.2.0/120', '192.0.2.0/24'],
  ['::ffff:c000:207', '192.0.2.7/32'],
  ['0:0:0:0:0:FFFF:c000:200/120', '192.0.2.0/24'],
  ['::ffff:0:0/96', '0.0.0.0/0'],
  ['::ffff:0.0.0.0/96', '0.0.0.0/0'],
  ['::ffff:0:0/97', '0.0.0.0/1'],
  // Another range (RFC 7915), and one that the mapped addresses are a small part of.
  ['::ffff:0:0:0/96', '::ffff:0:0:0/96'],
  ['::/64', '::/64'],
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

it.each(['::/129', '::ffff:192.0.2.0/95', '::ffff:0:0/95', 'fe80::1%eth0', '[::1]', '010.0.0.1', '1'.repeat(10_000)])(
  'reads nothing from %j either',
  (text) => {
    expect(readNetwork(text)).toBeNull();
  },
);

it.each([
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['0:0:0:0:0:ffff:c000:207', '192.0.2.7'],
  ['0000:0000:0000:0000:0000:ffff:192.0.2.7', '192.0.2.7'],
  ['::0:FFFF:C000:0207', '192.0.2.7'],
  ['[::ffff:c000:207]:443', '192.0.2.7'],
  ['::ffff:0:0', '0.0.0.0'],
  ['::ffff:ffff:ffff', '255.255.255.255'],
])('takes %s for %s, and for the network of it', (ip, address) => {
  expect([plainAddress(ip), networkOf(ip)]).toEqual([address, address]);
});

it.each([
  '::ffff',
  '::ffff:1',
  '::ffff:0:c000:207',
  '1::ffff:c000:207',
  '::fffe:c000:207',
  '::ffff:300.1.2.3',
  '::ffff:x',
])('leaves %s as it is', (ip) => {
  expect(plainAddress(ip)).toBe(ip);
});

it('reads instants with an offset, and no other text', () => {
  expect(readInstant('2026-11-20T09:30:00.000Z')?.toISOString()).toBe('2026-11-20T09:30:00.000Z');
  expect(readInstant('2026-11-20T09:30:00+02:00')?.toISOString()).toBe('2026-11-20T07:30:00.000Z');
  for (const text of ['', '2026-11-20', '2026-11-20T09:30:00', '2026-13-20T09:30:00Z', 'now'])
    expect(readInstant(text)).toBeNull();
});
