/**
 * Authentication: from an access token to the actor, on every request.
 *
 * The actor is kept in memory under the token's hash, but never believed: each request re-reads revocation, expiry and
 * the versions of every row the actor was built from, and builds it anew when one of them moved. Requests of one turn
 * of the event loop share that read. So a revoked session or a changed role counts on the very next request, and the
 * cache saves the work of building, not the question.
 */
import { hash as digest } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Refusal } from '../../kernel/errors.ts';
import { atMost } from '../../platform/cache-size.ts';
import type { Histogram } from '../../platform/counts.ts';
import type { Database } from '../../platform/database/database.ts';
import type { HolderRow, RecheckRow } from '../credentials/holder-store.ts';
import { isWellFormedToken } from '../credentials/token.ts';
import { isPlatformScope } from '../scopes/scopes.ts';
import { type ActiveMembership, type Actor, activeMembership } from './actor.ts';
import { hashArray, loadActors, recheckCredentials } from './actor-store.ts';
import { Batch } from './batch.ts';

interface CachedActor {
  readonly actor: Actor;
  readonly versions: RecheckRow;
}

const cacheCapacity = 20_000;
const statementsInFlight = 2;

export class Authenticator {
  /** How often an actor in memory stood, was out of date, was not there, and had to make room for another. */
  readonly lookups = { hit: 0, stale: 0, miss: 0, evicted: 0 };
  readonly #cache = new LRUCache<string, CachedActor>({
    ...atMost(cacheCapacity),
    dispose: (_actor, _hash, reason) => {
      if (reason === 'evict') this.lookups.evicted += 1;
    },
  });
  readonly #rechecks: Batch<RecheckRow>;
  readonly #loads: Batch<HolderRow>;

  /** @param acceptance how long each answer of durable storage was under way, in seconds; null where nobody reads it */
  constructor(database: Database, acceptance: Pick<Histogram, 'observe'> | null = null) {
    const ask =
      <Row extends RecheckRow>(statement: Parameters<typeof database.lookups.many<Row, [hashes: string]>>[0]) =>
      async (hashes: readonly string[]): Promise<ReadonlyMap<string, Row>> => {
        const asked = performance.now();
        const rows = await database.lookups.many(statement, [hashArray(hashes)]);
        acceptance?.observe((performance.now() - asked) / 1000);
        return new Map(rows.map((row) => [row.tokenHash, row]));
      };
    this.#rechecks = new Batch(ask(recheckCredentials), statementsInFlight);
    this.#loads = new Batch(ask(loadActors), statementsInFlight);
  }

  /**
   * The actor behind an access token.
   * @param audiences those that the surface accepts
   * @throws Refusal UNAUTHENTICATED when malformed, unknown, revoked or of another audience; ACCESS_EXPIRED when only
   *   its time is over
   * @throws DatabaseUnavailable when storage does not answer; never a guess from memory
   */
  async authenticate(token: string, audiences: readonly string[]): Promise<Actor> {
    if (!isWellFormedToken('user_session', token)) throw unauthenticated();
    const hash = digest('sha256', token, 'hex');
    const cached = this.#cache.get(hash);
    // Before expiry is looked at: who waits for a refresh here would be refused again after it.
    if (cached !== undefined && !audiences.includes(cached.actor.credential.audience)) throw unauthenticated();
    if (cached !== undefined) return this.#recheck(hash, cached, audiences);
    this.lookups.miss += 1;
    return this.#load(hash, audiences);
  }

  /**
   * The actor of an access token that was just minted, as its transaction found the holder: nothing is asked. It is
   * remembered like every other, and re-read with the next request.
   */
  remember(token: string, holder: HolderRow): Actor {
    return this.#keep(digest('sha256', token, 'hex'), holder);
  }

  /** Actors in memory at the moment. */
  get size(): number {
    return this.#cache.size;
  }

  async #recheck(hash: string, cached: CachedActor, audiences: readonly string[]): Promise<Actor> {
    const row = await this.#rechecks.get(hash);
    this.#refuseUnlessLive(hash, row);
    const stands = row !== null && isSameVersion(row, cached.versions);
    this.lookups[stands ? 'hit' : 'stale'] += 1;
    return stands ? cached.actor : this.#load(hash, audiences);
  }

  async #load(hash: string, audiences: readonly string[]): Promise<Actor> {
    const row = await this.#loads.get(hash);
    if (row === null || !audiences.includes(row.audience)) throw unauthenticated();
    this.#refuseUnlessLive(hash, row);
    return this.#keep(hash, row);
  }

  #keep(hash: string, row: HolderRow): Actor {
    const actor = actorOf(row);
    this.#cache.set(hash, { actor, versions: row }, { ttl: Math.max(row.expiresAt.getTime() - Date.now(), 1) });
    return actor;
  }

  #refuseUnlessLive(hash: string, row: RecheckRow | null): void {
    if (row !== null && !row.revoked && !row.expired) return;
    this.#cache.delete(hash);
    if (row === null || row.revoked) throw unauthenticated();
    throw new Refusal('ACCESS_EXPIRED', 'The access token has expired. Refresh it and try again.');
  }
}

const unauthenticated = (): Refusal => new Refusal('UNAUTHENTICATED', 'You are not signed in.');

const isSameVersion = (left: RecheckRow, right: RecheckRow): boolean =>
  left.userVersion === right.userVersion &&
  left.membershipVersion === right.membershipVersion &&
  left.organizationVersion === right.organizationVersion;

const actorOf = (row: HolderRow): Actor => ({
  user: {
    id: row.userId,
    email: row.email,
    name: row.name,
    emailValidatedAt: row.emailValidatedAt,
    isSuperAdmin: row.isSuperAdmin,
    platformScopes: row.isSuperAdmin ? row.platformScopes.filter(isPlatformScope) : [],
    hasPassword: row.hasPassword,
    hasExternalIdentity: row.hasExternalIdentity,
    isPasswordInQuestion: row.isPasswordInQuestion,
  },
  credential: {
    id: row.credentialId,
    sessionFamilyId: row.sessionFamilyId,
    audience: row.audience,
    authMethod: row.authMethod,
    scopes: row.scopes,
    clientId: row.clientId,
    clientName: row.clientName,
  },
  membership: membershipOf(row),
});

const membershipOf = (row: HolderRow): ActiveMembership | null => {
  const { membershipId, role, organizationId, organizationName } = row;
  if (membershipId === null || role === null || organizationId === null || organizationName === null) return null;
  return activeMembership({ ...row, membershipId, role, organizationId, organizationName });
};
