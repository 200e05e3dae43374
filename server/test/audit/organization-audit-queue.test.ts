/** Rows of organizations' audits that need no transaction, under a connection that fails: each is appended once. */
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { OrganizationAuditQueue } from '../../src/domain/audit/organization-audit-queue.ts';
import type { OrganizationAudit } from '../../src/domain/audit/organization-audits.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Queryable } from '../../src/platform/database/database.ts';
import { toFailure } from '../../src/platform/database/failure.ts';
import { newOwner } from '../support/actors/tenants.ts';
import { range } from '../support/checks/concurrency.ts';
import { embedded, postgresOnly } from '../support/database/engines.ts';
import { serviceFixture } from '../support/fixture.ts';

const service = serviceFixture();

const auditIn = (organizationId: string, correlationId = newId()): OrganizationAudit => ({
  organizationId,
  event: 'MCP_TOOL_CALLED',
  actor: null,
  subjectId: null,
  tool: 'whoami',
  correlationId,
});

const positionsOf = (organizationId: string) =>
  service.sql<{ position: number }>(
    'SELECT position::integer FROM organization_audits WHERE organization_id = $1 ORDER BY position',
    [organizationId],
  );

const cutOff = (): Error => toFailure(new Error('Connection terminated unexpectedly'));

type First = <Row>(append: () => Promise<Row>) => Promise<Row>;

/** The database of the service, whose first append does this instead. */
const failingOnce = (first: First) => {
  let appends = 0;
  const one: Queryable['one'] = (statement, params) => {
    appends += 1;
    const append = () => service.database.one(statement, params);
    return appends === 1 ? first(append) : append();
  };
  const many: Queryable['many'] = (statement, params) => service.database.many(statement, params);
  return { database: { one, many }, appends: () => appends };
};

describe('A row', () => {
  it('is appended again when the connection ended before it was', async () => {
    const { organizationId } = await newOwner(service);
    const { database, appends } = failingOnce(() => Promise.reject(cutOff()));
    await new OrganizationAuditQueue(database).append(auditIn(organizationId));
    expect([appends(), await positionsOf(organizationId)]).toEqual([2, [{ position: 1 }]]);
  });

  it('is appended once when the connection ended after it was', async () => {
    const { organizationId } = await newOwner(service);
    const { database, appends } = failingOnce(async (append) => {
      await append();
      throw cutOff();
    });
    await new OrganizationAuditQueue(database).append(auditIn(organizationId));
    expect([appends(), await positionsOf(organizationId)]).toEqual([1, [{ position: 1 }]]);
  });

  it('is appended once when the first attempt ends between the question and the second', async () => {
    const { organizationId } = await newOwner(service);
    const late: (() => Promise<unknown>)[] = [];
    const { database } = failingOnce((append) => {
      late.push(append);
      return Promise.reject(cutOff());
    });
    const many: Queryable['many'] = async (statement, params) => {
      const answer = await database.many(statement, params);
      await late.pop()?.();
      return answer;
    };
    await new OrganizationAuditQueue({ ...database, many }).append(auditIn(organizationId));
    expect(await positionsOf(organizationId)).toEqual([{ position: 1 }]);
  });

  it('is refused with another failure, and with an id that is none', async () => {
    const { organizationId } = await newOwner(service);
    const refusing = failingOnce(() => Promise.reject(new pg.DatabaseError('permission denied', 0, 'error')));
    await expect(new OrganizationAuditQueue(refusing.database).append(auditIn(organizationId))).rejects.toThrow(
      'permission denied',
    );
    await expect(new OrganizationAuditQueue(service.database).append(auditIn('no id'))).rejects.toThrow('by ids');
    expect(await positionsOf(organizationId)).toEqual([]);
  });
});

describe('Rows of several organizations', () => {
  it('share statements, each in its own chain', async () => {
    const owners = [await newOwner(service), await newOwner(service)];
    const { database, appends } = failingOnce((append) => append());
    const queue = new OrganizationAuditQueue(database);
    await Promise.all(
      range(40).map((index) => queue.append(auditIn(owners[index % 2]?.organizationId ?? '', newId()))),
    );
    await queue.settled();
    expect(appends()).toBeLessThan(10);
    for (const { organizationId } of owners) {
      expect(await positionsOf(organizationId)).toEqual(range(20).map((index) => ({ position: index + 1 })));
    }
  });

  /** Holds the chain of an organization in another session, as a transaction does. @returns what releases it */
  const hold = async (organizationId: string): Promise<() => Promise<void>> => {
    const url = new URL(process.env['TEST_DATABASE_URL'] ?? '');
    url.pathname = (await service.sql.value<string>('SELECT current_database()')) ?? '';
    const session = new pg.Client({ connectionString: url.href });
    await session.connect();
    await session.query(`SELECT pg_advisory_lock(hashtextextended('the audit of organization ' || $1::uuid, 0))`, [
      organizationId,
    ]);
    return () => session.end();
  };

  it.skipIf(embedded)(`do not wait for the chain of another one${postgresOnly}`, async () => {
    const [held, free] = [await newOwner(service), await newOwner(service)];
    const queue = new OrganizationAuditQueue(service.database);
    const release = await hold(held.organizationId);
    const append = ({ organizationId }: typeof held) => queue.append(auditIn(organizationId));
    const waiting = append(held).then(
      () => 'appended',
      () => 'refused',
    );
    // One statement at a time writes the rows, so the last of these has passed that of the held one.
    for (const _row of range(3)) await append(free);
    expect(await positionsOf(held.organizationId)).toEqual([]);
    expect(await positionsOf(free.organizationId)).toEqual(range(3).map((index) => ({ position: index + 1 })));
    await release();
    // On a busy machine the time may have passed before the release.
    const rows = (await waiting) === 'appended' ? [{ position: 1 }] : [];
    expect(await positionsOf(held.organizationId)).toEqual(rows);
  });

  it.skipIf(embedded)(
    `are refused while their chain is held for longer, and appended afterwards${postgresOnly}`,
    async () => {
      const { organizationId } = await newOwner(service);
      const queue = new OrganizationAuditQueue(service.database);
      const release = await hold(organizationId);
      const [refused] = await Promise.allSettled([queue.append(auditIn(organizationId)), queue.settled()]);
      expect(refused).toMatchObject({ status: 'rejected', reason: { name: 'DatabaseUnavailable' } });
      expect(await positionsOf(organizationId)).toEqual([]);
      await release();
      await queue.append(auditIn(organizationId));
      expect(await positionsOf(organizationId)).toEqual([{ position: 1 }]);
    },
  );
});
