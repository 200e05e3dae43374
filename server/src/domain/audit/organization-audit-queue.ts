/** Appends rows to the audits of organizations for calls that need no transaction of their own. */
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../kernel/ids.ts';
import { DatabaseUnavailable, type Queryable } from '../../platform/database/database.ts';
import { lockMillis } from '../../platform/database/deadlines.ts';
import { sqlState } from '../../platform/database/failure.ts';
import { currentCorrelationId } from '../../platform/observability/context.ts';
import { appendFreeOrganizationAudits, type OrganizationAudit, requireIds } from './organization-audits.ts';
import { listAppended } from './organization-audits-store.ts';
import { RecordQueue } from './record-queue.ts';

/** A row with the id by which a second attempt recognizes it. */
interface QueuedAudit {
  readonly id: string;
  readonly audit: OrganizationAudit;
}

/** Whether a row is appended; false while another transaction holds its chain. */
type IsAppended = (row: QueuedAudit) => boolean;

type Database = Pick<Queryable, 'many' | 'one'>;

/** SQLSTATE of a second row with an id (PostgreSQL, "Error Codes"). */
const uniqueViolation = '23505';

/** Before a row whose chain is held is tried again. */
const heldMillis = 20;

/**
 * Rows of all organizations share statements, and none waits for the chain of another organization: a transaction may hold one
 * for as long as the end of an account takes.
 */
export class OrganizationAuditQueue {
  readonly #queue: RecordQueue<QueuedAudit, boolean>;
  readonly #unfinished = new Set<Promise<void>>();

  constructor(database: Database) {
    this.#queue = new RecordQueue({
      write: unlessAppended(database, (rows) => appendFree(database, rows)),
      rewrite: unlessAppended(database, (rows) => appendMissing(database, rows)),
    });
  }

  /**
   * Resolves once the row is durable.
   * @throws DatabaseUnavailable: the database does not answer, another transaction holds the chain for longer than a request
   *   waits for a lock, or too many rows are queued; the row may be missing
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
    await Promise.allSettled(this.#unfinished);
  }

  async #append(row: QueuedAudit): Promise<void> {
    const end = performance.now() + lockMillis;
    while (!(await this.#queue.append(row))) {
      if (performance.now() >= end)
        throw new DatabaseUnavailable('Another transaction holds the audit of the organization');
      await sleep(heldMillis);
    }
  }
}

/** Appends the rows whose chains are free: together, or in a second statement without those whose chains are held. */
const appendFree = async (database: Database, rows: readonly QueuedAudit[]): Promise<IsAppended> => {
  const held = new Set<string>();
  for (let free = rows; free.length > 0; ) {
    const found = await appendFreeOrganizationAudits(
      database,
      free.map(({ audit }) => audit),
      free.map(({ id }) => id),
    );
    if (found.length === 0) break;
    for (const organizationId of found) held.add(organizationId);
    free = free.filter(({ audit }) => !held.has(audit.organizationId));
  }
  return ({ audit }) => !held.has(audit.organizationId);
};

/** Appends those of the rows that an earlier statement, whose outcome was unknown, has not. */
const appendMissing = async (database: Database, rows: readonly QueuedAudit[]): Promise<IsAppended> => {
  const found = await database.many(listAppended, [rows.map(({ id }) => id)]);
  const appended = new Set(found.map(({ id }) => id));
  const isAppended = await appendFree(
    database,
    rows.filter(({ id }) => !appended.has(id)),
  );
  return (row) => appended.has(row.id) || isAppended(row);
};

/** An earlier statement that was still running held the chains, and has then appended some of the rows. */
const unlessAppended =
  (database: Database, append: (rows: readonly QueuedAudit[]) => Promise<IsAppended>) =>
  async (rows: readonly QueuedAudit[]): Promise<IsAppended> => {
    try {
      return await append(rows);
    } catch (error) {
      if (sqlState(error) !== uniqueViolation) throw error;
      return appendMissing(database, rows);
    }
  };
