/** The share of the processor that a network's new documents get, by a clock of the tests. */
import { describe, expect, it } from 'vitest';
import { DocumentTime } from '../../src/graphql/document-time.ts';
import { Refusal } from '../../src/kernel/errors.ts';
import { range } from '../support/checks/concurrency.ts';
import { endpointForTest, totalCalls } from './endpoint-under-test.ts';

/** Both in milliseconds. */
const newClock = () => {
  const clock = { at: 0, used: 0, now: () => clock.at, spent: () => clock.used };
  return clock;
};

/** The seconds after which a refused document may be sent again; 0 for one that was prepared. */
const outcomeOf = (time: DocumentTime, address: string, prepare: () => void): number | undefined => {
  try {
    time.spend(address, prepare);
    return 0;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'RATE_LIMITED') return error.details.retryAfterSeconds;
    throw error;
  }
};

describe('New documents of a network', () => {
  it('get half a second of the processor at once, and a twentieth in the long run', () => {
    const clock = newClock();
    const time = new DocumentTime(clock);
    let prepared = 0;
    const send = () =>
      outcomeOf(time, '192.0.2.1', () => {
        prepared += 1;
        clock.used += 10;
      });
    expect(range(51).map(send)).toEqual(range(51).map(() => 0));
    expect([send(), prepared]).toEqual([1, 51]);
    clock.at += 1_000;
    // A second later, the processor time of a twentieth of it: five documents.
    expect(range(6).map(send)).toEqual([0, 0, 0, 0, 0, 1]);
    clock.at += 60_000;
    expect(range(52).map(send)).toEqual([...range(51).map(() => 0), 1]);
  });

  it('count also when their preparation fails', () => {
    const clock = newClock();
    const time = new DocumentTime(clock);
    const fail = (): void => {
      clock.used += 600;
      throw new Error('too costly');
    };
    expect(() => time.spend('192.0.2.1', fail)).toThrow('too costly');
    expect(outcomeOf(time, '192.0.2.1', fail)).toBe(2);
  });

  it('leave those of another network alone, and use up what their site gets', () => {
    const clock = newClock();
    const time = new DocumentTime(clock);
    const send = (address: string) =>
      outcomeOf(time, address, () => {
        clock.used += 501;
      });
    expect([send('192.0.2.1'), send('192.0.2.1'), send('198.51.100.1')]).toEqual([0, 1, 0]);
    expect(range(6).map((host) => send(`192.0.2.${host + 2}`))).toEqual([0, 0, 0, 0, 1, 1]);
    // Of IPv6, a network is a /64 and a site a /48.
    expect([send('2001:db8::1'), send('2001:db8::2'), send('2001:db8:0:1::1')]).toEqual([0, 1, 0]);
  });
});

describe('The endpoint', () => {
  it('refuses a new document unread once they are used up, and runs known ones', async () => {
    const clock = newClock();
    const documentTime = new DocumentTime({ ...clock, spent: () => (clock.used += 200) });
    const endpoint = await endpointForTest({ documentTime });
    const known = { query: '{ me { id } }' };
    expect((await endpoint.post(known)).status).toBe(200);
    expect((await endpoint.post({ query: '{ nope0 }' })).body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect((await endpoint.post({ query: '{ nope1 }' })).body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    const calls = totalCalls(endpoint.calls);
    for (const query of ['{ nope2 }', '{ me { id } } #', '{']) {
      const refused = await endpoint.post({ query });
      expect([refused.status, refused.body.errors?.[0]?.extensions]).toEqual([
        429,
        { code: 'RATE_LIMITED', http: { status: 429 }, retryAfterSeconds: 2 },
      ]);
      expect(refused.headers.get('retry-after')).toBe('2');
    }
    expect([totalCalls(endpoint.calls), endpoint.operations.length]).toEqual([calls, 1]);
    expect((await endpoint.post(known)).status).toBe(200);
  });
});
