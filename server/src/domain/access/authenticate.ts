/**
 * Owns: the actor of a request, their membership, and authentication on every request.
 * Promises: No request is authorized from memory alone: a revocation takes effect with the next request, everywhere.
 *
 * Authentication of every request: resolves an access token to the actor.
 *
 * The actor is cached under the token's hash but never trusted from the cache: each request re-reads revocation, expiry
 * and the versions of the rows that the actor was built from, and rebuilds it when one of them changed. Requests in the
 * same tick of the event loop share that read. A revoked session or a changed role therefore takes effect on the next
 * request; the cache saves the rebuild, not the read.
 */
import { hash as digest } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Refusal } from '../../kernel/errors.ts';
import { atMost } from '../../platform/caches.ts';
import type { Database, Statement } from '../../platform/database/database.ts';
import { outsideContext } from '../../platform/observability/context.ts';
import type { Histogram } from '../../platform/observability/metrics.ts';
import { TurnBatch } from '../../platform/turn-batch.ts';
import { type ActorRow, loadActors, type RecheckRow, recheckCredentials } from '../credentials/actor-store.ts';
import {
  loadMachines,
  type MachineActorRow,
  type MachineRecheckRow,
  recheckMachines,
} from '../credentials/machine-actor-store.ts';
import { isMachineToken, isWellFormedToken } from '../credentials/token.ts';
import type { Application } from '../scopes/application.ts';
import { isPlatformScope, type PlatformScope } from '../scopes/scopes.ts';
import { storedLanguage } from '../users/language.ts';
import { type ActiveMembership, type Actor, activeMembership } from './actor.ts';
import { FirstUses } from './first-uses.ts';
import { machineActorOf } from './machine-actor.ts';

/** Versions of the rows that an actor was built from, and what has no version; the last three are a machine's. */
type Versions = Pick<RecheckRow, 'userVersion' | 'membershipVersion' | 'organizationVersion' | 'hasSecondFactor'> & {
  readonly [Fact in 'serviceAccountVersion' | 'isPending' | 'expiresAtSeconds']?: MachineRecheckRow[Fact] | undefined;
};

interface CachedActor {
  readonly actor: Actor;
  readonly versions: Versions;
}

interface AuthenticatorOptions {
  /** SUPER_ADMIN_SECOND_FACTOR: without a second factor in the session, a super admin has no authority as one. */
  readonly superAdminsNeedSecondFactor: boolean;
  /** MACHINE_TOKENS_ENABLED: without it, tokens of machines are refused. */
  readonly machineTokens?: boolean;
  /** Called for each use of a secret of a machine's token that a rotation has ended. */
  readonly onOldSecret?: ((tokenId: string) => void) | undefined;
  /** Observes the duration of each read from durable storage, in seconds; null where metrics are off. */
  readonly acceptance?: Pick<Histogram, 'observe'> | null;
}

const cacheCapacity = 20_000;
const statementsInFlight = 2;
/** The longest delay of a timer in Node, in milliseconds: 24.8 days. */
const longestTimer = 2_147_483_647;

export class Authenticator {
  /** Cache look-ups: current (hit), outdated (stale) and absent (miss) actors, and evictions. */
  readonly lookups = { hit: 0, stale: 0, miss: 0, evicted: 0 };
  readonly #cache = new LRUCache<string, CachedActor>({
    ...atMost(cacheCapacity),
    dispose: (_actor, _hash, reason) => {
      if (reason === 'evict') this.lookups.evicted += 1;
    },
  });
  readonly #rechecks: TurnBatch<RecheckRow | null>;
  readonly #loads: TurnBatch<ActorRow | null>;
  readonly #machineRechecks: TurnBatch<MachineRecheckRow | null>;
  readonly #machineLoads: TurnBatch<MachineActorRow | null>;
  readonly #firstUses: FirstUses;
  readonly #application: Application;
  readonly #superAdminsNeedSecondFactor: boolean;
  readonly #acceptsMachines: boolean;
  readonly #onOldSecret: AuthenticatorOptions['onOldSecret'];

  /** @param application decides what a membership grants */
  constructor(
    database: Database,
    application: Application,
    { superAdminsNeedSecondFactor, machineTokens = false, onOldSecret, acceptance = null }: AuthenticatorOptions,
  ) {
    this.#application = application;
    this.#superAdminsNeedSecondFactor = superAdminsNeedSecondFactor;
    this.#acceptsMachines = machineTokens;
    this.#onOldSecret = onOldSecret;
    const batch = <Row extends RecheckRow>(read: Statement<Row, [hashes: string]>): TurnBatch<Row | null> =>
      new TurnBatch({
        maximumInFlight: statementsInFlight,
        run: async (requests) => {
          const asked = performance.now();
          const rows = await outsideContext(() => database.lookups.many(read, [hashArray([...requests.keys()])]));
          acceptance?.observe((performance.now() - asked) / 1000);
          const byHash = new Map(rows.map((row) => [row.tokenHash, row]));
          return (hash) => byHash.get(hash) ?? null;
        },
      });
    this.#rechecks = batch(recheckCredentials);
    this.#loads = batch(loadActors);
    this.#machineRechecks = batch(recheckMachines);
    this.#machineLoads = batch(loadMachines);
    this.#firstUses = new FirstUses(database);
  }

  /**
   * Resolves an access token, or a machine's, to its actor; `requireAcceptedMachine` then asks the policy.
   * @param audiences those that the surface accepts
   * @throws Refusal UNAUTHENTICATED: malformed, unknown, revoked or of another audience, or a machine's that has
   *   expired; ACCESS_EXPIRED: an access token that has only expired
   * @throws DatabaseUnavailable: the cache alone never authenticates
   */
  async authenticate(token: string, audiences: readonly string[]): Promise<Actor> {
    const isMachine = !isWellFormedToken('user_session', token);
    if (isMachine && !(this.#acceptsMachines && isMachineToken(token))) throw unauthenticated();
    const hash = digest('sha256', token, 'hex');
    const cached = this.#cache.get(hash);
    // Checked before expiry: a client that gets ACCESS_EXPIRED here would refresh and be refused again.
    if (cached !== undefined && !audiences.includes(cached.actor.credential.audience)) throw unauthenticated();
    if (cached !== undefined) return this.#recheck(hash, cached, audiences);
    this.lookups.miss += 1;
    return isMachine ? this.#loadMachine(hash, audiences) : this.#load(hash, audiences);
  }

  /** The actor of a newly issued access token, from the row that its transaction read: cached, without a query. */
  remember(token: string, row: ActorRow): Actor {
    return this.#keep(digest('sha256', token, 'hex'), row);
  }

  get size(): number {
    return this.#cache.size;
  }

  async #recheck(hash: string, cached: CachedActor, audiences: readonly string[]): Promise<Actor> {
    const isMachine = cached.actor.machine !== null;
    const row = await (isMachine ? this.#recheckMachine(hash) : this.#rechecks.get(hash));
    this.#refuseUnlessLive(hash, row, isMachine);
    if (row?.isUnused === true) await this.#recordFirstUse(hash, cached.actor.user.id);
    const isCurrent = row !== null && isSameVersion(row, cached.versions);
    this.lookups[isCurrent ? 'hit' : 'stale'] += 1;
    if (isCurrent) return cached.actor;
    return isMachine ? this.#loadMachine(hash, audiences) : this.#load(hash, audiences);
  }

  async #recheckMachine(hash: string): Promise<MachineRecheckRow | null> {
    const row = await this.#machineRechecks.get(hash);
    if (row !== null) this.#noteOldSecret(row);
    return row;
  }

  async #load(hash: string, audiences: readonly string[]): Promise<Actor> {
    const row = await this.#loads.get(hash);
    if (row === null || !audiences.includes(row.audience)) throw unauthenticated();
    this.#refuseUnlessLive(hash, row, false);
    if (row.isUnused) await this.#recordFirstUse(hash, row.userId);
    return this.#keep(hash, row);
  }

  /** Its pair may have been replaced a moment before: only what is read after the record says that it lives. */
  async #recordFirstUse(hash: string, person: string): Promise<void> {
    await this.#firstUses.record(hash, person);
    this.#refuseUnlessLive(hash, await this.#rechecks.get(hash), false);
  }

  async #loadMachine(hash: string, audiences: readonly string[]): Promise<Actor> {
    const row = await this.#machineLoads.get(hash);
    if (row === null || !audiences.includes(row.audience)) throw unauthenticated();
    this.#noteOldSecret(row);
    this.#refuseUnlessLive(hash, row, true);
    return this.#cacheActor(hash, machineActorOf(this.#application, row), row);
  }

  #keep(hash: string, row: ActorRow): Actor {
    return this.#cacheActor(hash, actorOf(this.#application, row, this.#superAdminsNeedSecondFactor), row);
  }

  #cacheActor(hash: string, actor: Actor, row: Versions): Actor {
    // Not the whole row: 20,000 of them would stay in memory.
    const { userVersion, membershipVersion, organizationVersion, hasSecondFactor } = row;
    const { serviceAccountVersion, isPending, expiresAtSeconds } = row;
    const versions = {
      userVersion,
      membershipVersion,
      organizationVersion,
      hasSecondFactor,
      serviceAccountVersion,
      isPending,
      expiresAtSeconds,
    };
    const lifeLeft = actor.credential.expiresAt.getTime() - Date.now();
    this.#cache.set(hash, { actor, versions }, { ttl: Math.min(Math.max(lifeLeft, 1), longestTimer) });
    return actor;
  }

  /** A secret that another one replaced has come back: it is refused, and ends nothing. */
  #noteOldSecret({ replacedOf, revoked, expired }: MachineRecheckRow): void {
    if (replacedOf !== null && (revoked || expired)) this.#onOldSecret?.(replacedOf);
  }

  #refuseUnlessLive(hash: string, row: RecheckRow | null, isMachine: boolean): void {
    if (row !== null && !row.revoked && !row.expired) return;
    this.#cache.delete(hash);
    // Nothing refreshes the token of a machine.
    if (row === null || row.revoked || isMachine) throw unauthenticated();
    throw new Refusal('ACCESS_EXPIRED', 'The access token has expired. Refresh it and try again.');
  }
}

const unauthenticated = (): Refusal => new Refusal('UNAUTHENTICATED', 'You are not signed in.');

const isSameVersion = (left: Versions, right: Versions): boolean =>
  left.userVersion === right.userVersion &&
  left.membershipVersion === right.membershipVersion &&
  left.organizationVersion === right.organizationVersion &&
  left.hasSecondFactor === right.hasSecondFactor &&
  left.serviceAccountVersion === right.serviceAccountVersion &&
  left.isPending === right.isPending &&
  left.expiresAtSeconds === right.expiresAtSeconds;

const actorOf = (application: Application, row: ActorRow, superAdminsNeedSecondFactor: boolean): Actor => ({
  application,
  machine: null,
  user: userOf(row, superAdminsNeedSecondFactor),
  credential: {
    id: row.credentialId,
    sessionFamilyId: row.sessionFamilyId,
    audience: row.audience,
    authMethod: row.authMethod,
    hasSecondFactor: row.hasSecondFactor,
    issuedAt: row.issuedAt,
    expiresAt: row.expiresAt,
    scopes: row.scopes,
    grantedScopes: row.grantedScopes,
    clientId: row.clientId,
    clientName: row.clientName,
    isClientRefused: row.isClientRefused,
    clientMetadataUrl: row.clientMetadataUrl,
  },
  membership: membershipOf(application, row),
});

const userOf = (row: ActorRow, needsFactorAsSuperAdmin: boolean): Actor['user'] => ({
  id: row.userId,
  email: row.email,
  name: row.name,
  language: storedLanguage(row.language),
  emailValidatedAt: row.emailValidatedAt,
  // A grant for an organization never has the authority of a super admin.
  isSuperAdmin: row.isSuperAdmin && !row.isBound,
  platformScopes: heldPlatformScopes(row, needsFactorAsSuperAdmin && !row.hasSecondFactor),
  needsFactorAsSuperAdmin,
  hasPassword: row.hasPassword,
  hasExternalIdentity: row.hasExternalIdentity,
  isPasswordInQuestion: row.isPasswordInQuestion,
});

const heldPlatformScopes = (
  { isSuperAdmin, isBound, platformScopes }: ActorRow,
  isWithheld: boolean,
): readonly PlatformScope[] => (isSuperAdmin && !isBound && !isWithheld ? platformScopes.filter(isPlatformScope) : []);

const membershipOf = (application: Application, row: ActorRow): ActiveMembership | null => {
  const { membershipId, role, organizationId, organizationName } = row;
  if (membershipId === null || role === null || organizationId === null || organizationName === null) return null;
  const organization = { organizationId, organizationName, requireSecondFactor: row.requireSecondFactor === true };
  const facts = { ...row, ...organization, membershipId, role, deletesAt: null };
  const membership = activeMembership(application, facts, row.hasSecondFactor);
  return row.isClientRefused ? { ...membership, scopes: [] } : membership;
};

/** A PostgreSQL array literal of bytea values given in hex. */
const hashArray = (hashes: readonly string[]): string => `{${hashes.map((hash) => `"\\\\x${hash}"`).join(',')}}`;
