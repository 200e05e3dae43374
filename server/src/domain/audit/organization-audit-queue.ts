/** Appends rows to the audits of organizations for calls that need no transaction of their own. */
import { newId } from '../../kernel/ids.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { sqlState } from '../../platform/database/failure.ts';
import { currentCorrelationId } from '../../platform/observability/context.ts';
import { appendOrganizationAudits, type OrganizationAudit, requireIds } from './organization-audits.ts';
import { countAudits } from './organization-audits-store.ts';
import { RecordQueue } from './record-queue.ts';

/** A row with the id by which a second attempt recognizes it. */
interface QueuedAudit {
  readonly id: string;
  readonly audit: OrganizationAudit;
}

/** SQLSTATE of a second row with an id (PostgreSQL, "Error Codes"). */
const uniqueViolation = '23505';

export class OrganizationAuditQueue {
  readonly #queue: RecordQueue<QueuedAudit, null>;

  constructor(database: Pick<Queryable, 'execute' | 'one'>) {
    const write = async (rows: readonly QueuedAudit[]) => {
      await appendOrganizationAudits(
        database,
        rows.map(({ audit }) => audit),
        rows.map(({ id }) => id),
      );
      return () => null;
    };
    // The rows of a statement are written together or not at all. One that still runs holds the locks of the chains: a
    // second one waits for it, and then finds its own ids taken.
    const areWritten = async (rows: readonly QueuedAudit[]): Promise<boolean> =>
      (await database.one(countAudits, [rows.map(({ id }) => id)])).count === rows.length;
    const rewrite = async (rows: readonly QueuedAudit[]) => {
      if (await areWritten(rows)) return () => null;
      try {
        return await write(rows);
      } catch (error) {
        if (sqlState(error) === uniqueViolation && (await areWritten(rows))) return () => null;
        throw error;
      }
    };
    this.#queue = new RecordQueue({ write, rewrite });
  }

  /**
   * Resolves once the row is durable.
   * @throws DatabaseUnavailable: the database does not answer, or too many rows are queued; the row may be missing
   */
  async append(audit: OrganizationAudit): Promise<void> {
    requireIds(audit);
    await this.#queue.append({ id: newId(), audit: { correlationId: currentCorrelationId(), ...audit } });
  }

  /** Resolves when no row waits to be appended. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }
}
