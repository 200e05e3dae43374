/**
 * Owns the refusal of changes while commits do not return, most often because the server waits for a standby: each
 * would keep a session and its locks there, of unknown outcome.
 */
import { getOrInsert } from '../../../kernel/collections.ts';
import { outsideContext } from '../../observability/context.ts';
import type { Logger } from '../../observability/logger.ts';
import type { NamedText } from '../connection.ts';
import { DatabaseUnavailable } from '../database.ts';

export class CommitStall {
  readonly #logger: Logger;
  #isStalled = false;
  #isProbing = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  get isStalled(): boolean {
    return this.#isStalled;
  }

  /** A commit has not returned within two seconds. */
  begin(): void {
    if (this.#isStalled) return;
    this.#isStalled = true;
    this.#logger.warn(
      { event: 'database.commits_stalled' },
      'Commits do not return; no change is begun until one does within two seconds',
    );
  }

  /** Ends the stall when `commit` returns; one attempt at a time. @param commit bounded; rejects when it was late */
  probe(commit: () => Promise<void>): void {
    if (!this.#isStalled || this.#isProbing) return;
    this.#isProbing = true;
    outsideContext(() => {
      commit()
        .then(
          () => this.#end(),
          () => undefined,
        )
        .finally(() => {
          this.#isProbing = false;
        });
    });
  }

  #end(): void {
    this.#isStalled = false;
    this.#logger.info({ event: 'database.commits_returned' }, 'Commits return again; changes are accepted');
  }

  /** @throws DatabaseUnavailable: nothing was sent */
  requireNone(): void {
    if (this.#isStalled) throw new DatabaseUnavailable('Commits do not return, so no change is begun');
  }
}

/**
 * With the functions that change tables; without permits, whose table is unlogged, so that no standby is waited for.
 */
const changes =
  /\b(?:(?:INSERT|UPDATE|DELETE|MERGE)\b|nextval\(|pg_logical_emit_message\(|(?:record|append|erase|purge|note|forget)_\w+\()/i;
const known = new WeakMap<NamedText, boolean>();

/** Whether a single statement changes or locks something, so that its end is a commit that may wait. */
export const isChange = (asked: NamedText): boolean => getOrInsert(known, asked, () => changes.test(asked.text));
