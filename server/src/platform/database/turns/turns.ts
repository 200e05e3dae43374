/**
 * Owns: whose turn it is to use the database: people, networks, and the work that many requests share.
 * Promises: One person holds no connections that all others need; who waits for a turn has none, and has changed
 *   nothing.
 *
 * Changes of one person mostly wait for the lock of one row. While two uses of the pool by one person, or two
 * transactions of one organization, are under way, the next one waits here, without a connection. Those who wait take
 * turns, and a quarter of the pool is for sign-ins alone. Each process counts its own, so that the share of one person
 * in each pool is also the share in all pools together (decision 0073).
 */
import { startOwnTime, withinLeft } from '../../../kernel/waits/own-time.ts';
import { type Party, workInProgress } from '../../observability/context.ts';
import { DatabaseUnavailable } from '../database.ts';
import { waitLimits } from '../deadlines.ts';
import { FairQueue } from './fair-queue.ts';

/** All but sign-ins; of one network, its sign-ins or its signed-out work; a person; an organization. */
type Kind = 'ordinary' | 'signing in' | 'signed out' | 'person' | 'organization';

interface Counted {
  readonly kind: Kind;
  readonly key: string;
}

/** A use of the pool: the group that it takes turns in, and what it counts for. */
export interface Claim {
  readonly group: string;
  readonly counted: readonly Counted[];
}

/** Work of the process, and work that many requests share, such as permits: it is little, and much waits for it. */
export const shared: Claim = { group: 'shared', counted: [] };

const claimOf = ({ network, person, organization, signsIn }: Party, isTransaction: boolean): Claim => {
  // Sign-ins of a network, or of a person, do not wait behind the rest of its work.
  const group = `${signsIn ? 'sign-ins ' : ''}${person ?? network}`;
  const counted: Counted[] = signsIn
    ? [{ kind: 'signing in', key: `sign-ins ${network}` }]
    : [{ kind: 'ordinary', key: 'ordinary' }];
  if (person !== null) counted.push({ kind: 'person', key: group });
  else if (!signsIn) counted.push({ kind: 'signed out', key: group });
  if (organization !== null && isTransaction) counted.push({ kind: 'organization', key: organization });
  return { group, counted };
};

/** @param isTransaction whether it may lock the organization that the work changes */
export const claimInProgress = (isTransaction: boolean): Claim => {
  const party = workInProgress()?.party;
  return party === undefined ? shared : claimOf(party, isTransaction);
};

interface Waiting extends Claim {
  readonly start: () => void;
}

export class Turns {
  readonly #size: number;
  readonly #most: Readonly<Record<Kind, number>>;
  /** Turns under way: all of them, and for each key that they count for. */
  #taken = 0;
  readonly #takenFor = new Map<string, number>();
  /** After each change, none of the first of the groups may start. */
  readonly #waiting = new FairQueue<Waiting>();
  #refused = 0;

  constructor(size: number) {
    this.#size = size;
    const unreserved = size - Math.floor(size / 4);
    const ofOne = Math.min(2, Math.ceil(size / 2));
    // An office may be behind one address; others are left what one person has.
    const signedOut = Math.max(ofOne, unreserved - ofOne);
    this.#most = {
      ordinary: unreserved,
      'signing in': unreserved,
      'signed out': signedOut,
      person: ofOne,
      organization: ofOne,
    };
  }

  /** Those who wait; those whom others of their person, organization or network leave no turn; those refused. */
  get stats(): { readonly waiting: number; readonly heldBack: number; readonly refused: number } {
    const waiting = this.#waiting.all();
    const isReserved = ({ counted }: Claim): boolean =>
      counted.some((each) => each.kind !== 'ordinary' && this.#isFull(each));
    return { waiting: waiting.length, heldBack: waiting.filter(isReserved).length, refused: this.#refused };
  }

  /** Returns the function that ends the turn. @throws DatabaseUnavailable when there is none in time */
  async take(claim: Claim): Promise<() => void> {
    if (this.#waiting.has(claim.group) || !this.#mayStart(claim)) await this.#wait(claim);
    else this.#count(claim, 1);
    return () => {
      this.#count(claim, -1);
      this.#startNext();
    };
  }

  async #wait(claim: Claim): Promise<void> {
    const turn = Promise.withResolvers<void>();
    const waiting: Waiting = { ...claim, start: turn.resolve };
    this.#waiting.add(waiting);
    const [begun, ownMillis] = [performance.now(), startOwnTime(waitLimits.ownMillis)];
    const millisLeft = () => waitLimits.connectMillis + ownMillis() - (performance.now() - begun);
    await withinLeft(millisLeft, turn.promise, () => {
      this.#waiting.remove(waiting);
      this.#refused += 1;
      this.#startNext();
      throw new DatabaseUnavailable(`No turn for a connection within ${waitLimits.connectMillis} ms`);
    });
  }

  #startNext(): void {
    for (;;) {
      const next = this.#waiting.next((first) => this.#mayStart(first));
      if (next === undefined) return;
      this.#count(next, 1);
      next.start();
    }
  }

  #mayStart({ counted }: Claim): boolean {
    return this.#taken < this.#size && !counted.some((each) => this.#isFull(each));
  }

  #isFull({ kind, key }: Counted): boolean {
    return (this.#takenFor.get(key) ?? 0) >= this.#most[kind];
  }

  #count({ counted }: Claim, by: 1 | -1): void {
    this.#taken += by;
    for (const { key } of counted) {
      const taken = (this.#takenFor.get(key) ?? 0) + by;
      if (taken === 0) this.#takenFor.delete(key);
      else this.#takenFor.set(key, taken);
    }
  }
}
