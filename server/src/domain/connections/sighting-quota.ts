/**
 * How many steps of one origin are written down in a minute: anyone on the internet can cause them. Counted in memory,
 * by address and user agent, and by network, because a user agent is whatever its sender likes.
 */
import { LRUCache } from 'lru-cache';
import { atMost } from '../../platform/cache-size.ts';

const windowMilliseconds = 60_000;
const mostOfOrigin = 120;
const mostOfNetwork = 600;
const mostOfAll = 5000;
const mostCounted = 10_000;

interface Turns {
  taken: number;
}

export class SightingQuota {
  readonly #counts = new LRUCache<string, Turns>({ ...atMost(mostCounted), ttl: windowMilliseconds });

  /**
   * Takes a turn of everybody's, of the network's and of the origin's, or none where one of them has none left.
   * @returns whether it was taken
   */
  take(network: string, userAgent: string): boolean {
    const all = this.#turnsOf('');
    const ofNetwork = this.#turnsOf(network);
    const ofOrigin = this.#turnsOf(`${network} ${userAgent}`);
    if (all.taken >= mostOfAll || ofNetwork.taken >= mostOfNetwork || ofOrigin.taken >= mostOfOrigin) return false;
    for (const turns of [all, ofNetwork, ofOrigin]) turns.taken += 1;
    return true;
  }

  #turnsOf(key: string): Turns {
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    const turns = { taken: 0 };
    this.#counts.set(key, turns);
    return turns;
  }
}
