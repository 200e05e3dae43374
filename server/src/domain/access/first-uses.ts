/**
 * First uses of a pair that replaced another one, recorded before the answer
 * (contract/credentials.md#lost-answer-to-a-refresh). Until then `rotation-store.ts` may replace it.
 */
import { type Database, statement } from '../../platform/database/database.ts';
import { withinDeadline, withNewDeadline } from '../../platform/database/deadlines.ts';
import { withContext, workInProgress } from '../../platform/observability/context.ts';
import { shareUser } from '../credentials/credentials-store.ts';

export class FirstUses {
  readonly #database: Pick<Database, 'maybeOne'>;
  /** Writes in progress, by the hash of the access token: the first requests with a new token often come together. */
  readonly #writes = new Map<string, Promise<unknown>>();

  constructor(database: Pick<Database, 'maybeOne'>) {
    this.#database = database;
  }

  /**
   * Records the first use of a pair, unless it ended or was used: the caller reads it again.
   * @param hash the SHA-256 of its access token, in hex
   * @param person the id of its user
   * @throws DatabaseUnavailable: perhaps not recorded, so that the token must not be accepted now
   */
  async record(hash: string, person: string): Promise<void> {
    const write = this.#writes.get(hash) ?? this.#begin(hash, person);
    await withinDeadline(Number.POSITIVE_INFINITY, () => write);
  }

  /** Shared by requests, so part of none of them. It keeps the person signed in, like the refresh before it. */
  #begin(hash: string, person: string): Promise<unknown> {
    const network = workInProgress()?.party?.network ?? '';
    const party = { network, person, organization: null, signsIn: true };
    const write = withContext({ correlationId: crypto.randomUUID(), party }, () =>
      withNewDeadline(() => this.#database.maybeOne(recordFirstUse, [Buffer.from(hash, 'hex')])),
    ).finally(() => this.#writes.delete(hash));
    this.#writes.set(hash, write);
    return write;
  }
}

/** The lock makes it one before or after a replacement of the pair, whose condition it ends. */
const recordFirstUse = statement<unknown, [accessHash: Buffer]>(
  'credentials.record_first_use',
  `WITH pair AS MATERIALIZED (
     SELECT c.pair_id, c.session_family_id AS family,
       ${shareUser('c.user_id')} AND lock_session_family(c.session_family_id) AS locked
     FROM credentials c WHERE c.token_hash = $1 AND c.kind = 'user_session')
   UPDATE credentials c SET unused_after = NULL FROM pair
   WHERE pair.locked AND c.session_family_id = pair.family AND c.pair_id = pair.pair_id AND c.unused_after IS NOT NULL
     AND c.revoked_at IS NULL`,
);

/** Marks a family's first pair as the unused successor of the pair that these credentials were. */
export const markUnused = statement<unknown, [sessionFamilyId: string, replacedIds: readonly string[]]>(
  'credentials.mark_unused',
  `UPDATE credentials c SET unused_after = replaced.pair_id
   FROM (SELECT pair_id FROM credentials WHERE id = ANY ($2::uuid[]) AND kind = 'user_refresh') AS replaced
   WHERE c.session_family_id = $1 AND c.revoked_at IS NULL`,
);
