/** Appends rows to the audits of organizations for calls that need no transaction of their own. */
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../kernel/ids.ts';
import { DatabaseUnavailable, type Queryable } from '../../platform/database/database.ts';
import { waitLimits } from '../../platform/database/deadlines.ts';
import { sqlState } from '../../platform/database/failure.ts';
import { currentCorrelationId } from '../../platform/observability/context.ts';
import {
  appendFreeOrganizationAudits,
  appendOrganizationAudits,
  type OrganizationAudit,
  requireIds,
} from './organization-audits.ts';
import { listAppended } from './organization-audits-store.ts';
import { RecordQueue } from './record-queue.ts';

/** A row with the id by which a second attempt recognizes it. */
interface QueuedAudit {
  readonly id: string;
  readonly audit: OrganizationAudit;
}

/** Whether a row is appended; false while another transaction holds its chain. */
type IsAppended = (row: QueuedAudit) => boolean;

type Append = (rows: readonly QueuedAudit[]) => Promise<IsAppended>;
type Database = Pick<Queryable, 'execute' | 'many' | 'one'>;
type Rows = RecordQueue<QueuedAudit, boolean>;

/** Rows of one organization that wait for its locked chain, in the order of PostgreSQL's lock. */
interface ChainQueue {
  readonly queue: Rows;
  /** How many rows are in it; it ends with the last. */
  rows: number;
}

/** SQLSTATE of a second row with an id (PostgreSQL, "Error Codes"). */
const uniqueViolation = '23505';

/** Each holds a connection while it waits. */
const maxChainQueues = 3;

/** Before a row whose chain is held is tried again, while other organizations have all the queues. */
const pauseMillis = 20;

/**
 * Rows of all organizations share statements, which take only chains that are free: a transaction may hold one for as
 * long as the end of an account takes. Rows of a locked chain wait in a queue for that chain.
 */
export class OrganizationAuditQueue {
  readonly #database: Database;
  readonly #shared: Rows;
  /** By organization. */
  readonly #chainQueues = new Map<string, ChainQueue>();
  readonly #unfinished = new Set<Promise<void>>();

  constructor(database: Database) {
    this.#database = database;
    this.#shared = queueOf(database, (rows) => appendFree(database, rows));
  }

  /**
   * Resolves once the row is durable.
   * @throws DatabaseUnavailable: no answer, the chain held for too long, or the queue full; the row may be missing
   */
  async append(audit: OrganizationAudit): Promise<void> {
    requireIds(audit);
    const appending = this.#append({ id: newId(), audit: { correlationId: currentCorrelationId(), ...audit } });
    this.#unfinished.add(appending);
    try {
      await appending;
    } finally {
      this.#unfinished.delete(appending);
    }
  }

  /** Resolves when no row waits to be appended. */
  async settled(): Promise<void> {
    while (this.#unfinished.size > 0) await Promise.allSettled(this.#unfinished);
  }

  async #append(row: QueuedAudit): Promise<void> {
    const { organizationId } = row.audit;
    const end = performance.now() + waitLimits.lockMillis;
    while (!this.#chainQueues.has(organizationId)) {
      if (await this.#shared.append(row)) return;
      if (this.#chainQueues.size < maxChainQueues) break;
      if (performance.now() >= end)
        throw new DatabaseUnavailable('Other transactions hold the audits of organizations');
      await sleep(pauseMillis);
    }
    await this.#appendToChain(row);
  }

  async #appendToChain(row: QueuedAudit): Promise<void> {
    const { organizationId } = row.audit;
    const waiting = this.#chainQueues.get(organizationId) ?? this.#newChainQueue();
    this.#chainQueues.set(organizationId, waiting);
    waiting.rows += 1;
    try {
      await waiting.queue.append(row);
    } finally {
      waiting.rows -= 1;
      if (waiting.rows === 0) this.#chainQueues.delete(organizationId);
    }
  }

  #newChainQueue(): ChainQueue {
    return { queue: queueOf(this.#database, (rows) => appendHeld(this.#database, rows)), rows: 0 };
  }
}

const queueOf = (database: Database, append: Append): Rows =>
  new RecordQueue({
    write: (rows) => appendOnce({ database, append, tries: 0 }, rows),
    rewrite: (rows) => appendMissing({ database, append, tries: 0 }, rows),
  });

/** Appends the rows whose chains are free: together, or in a second statement without those whose chains are held. */
const appendFree = async (database: Database, rows: readonly QueuedAudit[]): Promise<IsAppended> => {
  const held = new Set<string>();
  for (let free = rows; free.length > 0; ) {
    const found = await appendFreeOrganizationAudits(database, auditsOf(free), idsOf(free));
    if (found.length === 0) break;
    for (const organizationId of found) held.add(organizationId);
    free = free.filter(({ audit }) => !held.has(audit.organizationId));
  }
  return ({ audit }) => !held.has(audit.organizationId);
};

/** Waits for the chain. */
const appendHeld = async (database: Database, rows: readonly QueuedAudit[]): Promise<IsAppended> => {
  await appendOrganizationAudits(database, auditsOf(rows), idsOf(rows));
  return () => true;
};

interface Attempt {
  readonly database: Database;
  readonly append: Append;
  /** How often a row was found to be appended in the meantime. */
  readonly tries: number;
}

const maxTries = 3;

/** Appends rows of which an earlier statement, whose outcome is unknown, may append some in the meantime. */
const appendOnce = async (attempt: Attempt, rows: readonly QueuedAudit[]): Promise<IsAppended> => {
  try {
    return await attempt.append(rows);
  } catch (error) {
    if (sqlState(error) !== uniqueViolation || attempt.tries >= maxTries) throw error;
    return appendMissing({ ...attempt, tries: attempt.tries + 1 }, rows);
  }
};

/** Appends those of the rows that no earlier statement has appended. */
const appendMissing = async (attempt: Attempt, rows: readonly QueuedAudit[]): Promise<IsAppended> => {
  const found = await attempt.database.many(listAppended, [idsOf(rows)]);
  const appended = new Set(found.map(({ id }) => id));
  const isAppended = await appendOnce(
    attempt,
    rows.filter(({ id }) => !appended.has(id)),
  );
  return (row) => appended.has(row.id) || isAppended(row);
};

const auditsOf = (rows: readonly QueuedAudit[]): readonly OrganizationAudit[] => rows.map(({ audit }) => audit);
const idsOf = (rows: readonly QueuedAudit[]): readonly string[] => rows.map(({ id }) => id);
