/** How many requests of a network begin in one turn of the event loop. */
import { describe, expect, it } from 'vitest';
import { RequestPace } from '../../src/http-kit/request-pace.ts';
import { range } from '../support/checks/concurrency.ts';

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Enters so many requests of a network at once, and writes down those that begin. */
const newRecord = () => {
  const pace = new RequestPace();
  const begun: string[] = [];
  const enter = (network: string, count: number): void => {
    for (const nth of range(count)) pace.enter(network, () => void begun.push(`${network} ${nth}`));
  };
  return { begun, enter };
};

describe('Requests of a network', () => {
  it('begin 32 in a turn, in their order, and those of others meanwhile', async () => {
    const { begun, enter } = newRecord();
    enter('a', 70);
    enter('b', 1);
    expect(begun).toEqual([...range(32).map((nth) => `a ${nth}`), 'b 0']);
    await turn();
    expect(begun).toHaveLength(65);
    // Behind those that came before.
    enter('a', 1);
    await turn();
    expect(begun).toHaveLength(72);
    expect(begun.slice(33)).toEqual([...range(38).map((nth) => `a ${nth + 32}`), 'a 0']);
  });

  it('begin no sooner because those of others began', async () => {
    const { begun, enter } = newRecord();
    enter('a', 100);
    for (const other of ['b', 'c', 'd']) enter(other, 8);
    await turn();
    expect(begun.filter((name) => name.startsWith('a'))).toHaveLength(64);
  });

  it('are forgotten with those of a thousand networks', async () => {
    const { begun, enter } = newRecord();
    for (const network of range(1_000)) enter(`${network}`, 1);
    await turn();
    for (const network of range(1_000)) {
      begun.length = 0;
      enter(`${network}`, 32);
      expect(begun).toHaveLength(32);
    }
  });

  it('are not counted in later turns', async () => {
    const { begun, enter } = newRecord();
    for (const _turn of range(5)) {
      enter('a', 32);
      await turn();
    }
    expect(begun).toHaveLength(160);
  });
});
