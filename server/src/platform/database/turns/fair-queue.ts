/** Owns a queue that is fair: groups take turns, and within a group the first to arrive is the first. */
import { getOrInsert } from '../../../kernel/collections.ts';
export class FairQueue<Item extends { readonly group: string }> {
  /** In the order of their turns. No group is empty. */
  readonly #groups = new Map<string, Item[]>();

  all(): readonly Item[] {
    return [...this.#groups.values()].flat();
  }

  countOf(group: string): number {
    return this.#groups.get(group)?.length ?? 0;
  }

  /** The number of those that wait for others of their group. */
  get behind(): number {
    return this.all().length - this.#groups.size;
  }

  has(group: string): boolean {
    return this.#groups.has(group);
  }

  add(item: Item): void {
    getOrInsert(this.#groups, item.group, () => []).push(item);
  }

  remove(item: Item): void {
    const left = this.#groups.get(item.group)?.filter((other) => other !== item) ?? [];
    if (left.length === 0) this.#groups.delete(item.group);
    else this.#groups.set(item.group, left);
  }

  /**
   * Takes out the first item of the group whose turn it is, and moves this group to the end.
   * @param mayStart groups whose first item may not start keep their place
   */
  next(mayStart: (item: Item) => boolean = () => true): Item | undefined {
    for (const [group, items] of this.#groups) {
      const [first, ...others] = items;
      if (first === undefined || !mayStart(first)) continue;
      this.#groups.delete(group);
      if (others.length > 0) this.#groups.set(group, others);
      return first;
    }
    return undefined;
  }
}
