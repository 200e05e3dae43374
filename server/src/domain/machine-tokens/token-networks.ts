/**
 * The networks that tokens of machines are used from: noted in memory during the request, written in batches outside of
 * it. The first use from each network is a row of the audit of the organization.
 */
import { LRUCache } from 'lru-cache';
import { siteOf, storableAddress } from '../../kernel/network.ts';
import { atMost } from '../../platform/caches.ts';
import { type Database, statement } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { WriteBehind } from '../../platform/write-behind.ts';
import type { MachineToken } from '../access/actor.ts';
import {
  type AuditedActor,
  appendOrganizationAudits,
  auditedActorOf,
  type OrganizationAudit,
} from '../audit/organization-audits.ts';

/** The parts of an actor that a recorded use takes. */
interface TokenActor {
  readonly machine: Pick<MachineToken, 'kind' | 'id'> | null;
  readonly user: { readonly id: string };
  readonly credential: { readonly id: string };
}

/** A token that was used from a network. */
interface NetworkUse {
  readonly tokenId: string;
  readonly network: string;
  readonly actor: AuditedActor;
  /** Monotonic milliseconds. */
  readonly at: number;
}

export class TokenNetworks {
  readonly #known = new LRUCache<string, true>(atMost(50_000));
  readonly #uses: WriteBehind<NetworkUse>;

  constructor(database: Pick<Database, 'transaction'>, logger: Logger) {
    this.#uses = new WriteBehind({
      maxPending: 20_000,
      batchSize: 500,
      write: (batch) => record(database, batch),
      onLost: (error) => {
        this.#known.clear();
        const line = { event: 'tokens.networks.lost', err: error } as const;
        logger.warn(line, 'The networks that some tokens were used from could not be written');
      },
    });
  }

  /**
   * Costs one map look-up for a known address; never waits. Sessions and unknown addresses note nothing.
   * @param ip of the caller; null when a back end asks for one of its own
   */
  note(actor: TokenActor, ip: string | null): void {
    const tokenId = actor.machine?.id;
    if (tokenId === undefined || ip === null) return;
    const key = `${tokenId} ${ip}`;
    if (this.#known.has(key) || this.#uses.isFull) return;
    this.#known.set(key, true);
    const address = storableAddress(ip);
    if (address === null) return;
    const network = siteOf(address);
    const use = { tokenId, network, actor: auditedActorOf(actor), at: performance.now() };
    this.#uses.add(`${tokenId} ${network}`, use);
  }

  /** Writes the pending notes. A failure is logged and loses only these notes; the next use notes again. */
  flush(): Promise<void> {
    return this.#uses.flush();
  }
}

/** Records the networks that are new, and audits each; a token that is gone meanwhile has neither. */
const record = (database: Pick<Database, 'transaction'>, batch: readonly NetworkUse[]): Promise<void> =>
  database.transaction(async (transaction) => {
    const now = performance.now();
    const actors = new Map(batch.map(({ tokenId, network, actor }) => [`${tokenId} ${network}`, actor]));
    const added = await transaction.many(insertNetworks, [
      batch.map(({ tokenId }) => tokenId),
      batch.map(({ network }) => network),
      batch.map(({ at }) => Math.round(now - at)),
    ]);
    await appendOrganizationAudits(
      transaction,
      added.map((row) => auditOf(row, actors.get(`${row.tokenId} ${row.network}`) ?? null)),
    );
  });

interface NewNetworkRow {
  readonly tokenId: string;
  readonly network: string;
  /** The token's own, or that of its service account. */
  readonly name: string;
  readonly organizationId: string;
  /** Null for a service token. */
  readonly userId: string | null;
}

const auditOf = (
  { tokenId, network, name, organizationId, userId }: NewNetworkRow,
  actor: AuditedActor | null,
): OrganizationAudit => ({
  organizationId,
  event: 'TOKEN_USED_FROM_NEW_NETWORK',
  actor,
  subjectId: tokenId,
  subjectUserId: userId,
  details: { name, network },
});

/**
 * In the order of the key, so that two processes do not wait for each other in turn. Holds the tokens, as the foreign
 * key does: one that is being deleted is left out, and does not fail the others.
 */
const insertNetworks = statement<
  NewNetworkRow,
  [tokenIds: readonly string[], networks: readonly string[], agesMilliseconds: readonly number[]]
>(
  'machine_tokens.insert_networks',
  `WITH held AS MATERIALIZED (
     SELECT t.id FROM machine_tokens t WHERE t.id = ANY ($1::uuid[]) ORDER BY t.id FOR KEY SHARE OF t SKIP LOCKED),
   added AS (
     INSERT INTO machine_token_networks (token_id, network, first_seen_at)
     SELECT held.id, batch.network, now() - batch.age * interval '1 millisecond'
     FROM unnest($1::uuid[], $2::text[], $3::integer[]) AS batch (id, network, age) JOIN held ON held.id = batch.id
     ORDER BY held.id, batch.network
     ON CONFLICT (token_id, network) DO NOTHING
     RETURNING token_id, network)
   SELECT added.token_id AS "tokenId", added.network, coalesce(t.name, a.name) AS name,
     t.organization_id AS "organizationId", t.user_id AS "userId"
   FROM added JOIN machine_tokens t ON t.id = added.token_id
   LEFT JOIN service_accounts a ON a.id = t.service_account_id ORDER BY 1, 2`,
);
