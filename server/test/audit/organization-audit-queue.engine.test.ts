/** Rows of organizations' audits that need no transaction, under a connection that fails: each is appended once. */
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OrganizationAuditQueue } from '../../src/domain/audit/organization-audit-queue.ts';
import type { OrganizationAudit } from '../../src/domain/audit/organization-audits.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Queryable } from '../../src/platform/database/database.ts';
import { toFailure } from '../../src/platform/database/failure.ts';
import { openDatabase } from '../../src/platform/database/open.ts';
import { newOwner } from '../support/actors/tenants.ts';
import { range, until } from '../support/checks/concurrency.ts';
import { embedded, postgresOnly } from '../support/database/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { withProductionLimits } from '../support/gatehouse/wait-limits.ts';

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
  const execute: Queryable['execute'] = (statement, params) => service.database.execute(statement, params);
  return { database: { execute, many, one }, appends: () => appends };
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
    session.on('error', () => undefined);
    await session.connect();
    onTestFinished(() => session.end());
    await session.query(`SELECT pg_advisory_lock(hashtextextended('the audit of organization ' || $1::uuid, 0))`, [
      organizationId,
    ]);
    return () => session.end();
  };

  const count = async (organizationId: string): Promise<number> => (await positionsOf(organizationId)).length;

  it.skipIf(embedded)(`do not wait for the chain of another one${postgresOnly}`, async () => {
    const [held, free] = [await newOwner(service), await newOwner(service)];
    const queue = new OrganizationAuditQueue(service.database);
    const release = await hold(held.organizationId);
    const append = ({ organizationId }: typeof held) => queue.append(auditIn(organizationId));
    const waiting = append(held);
    // The first of these shares its statement with the row of the other one.
    for (const _row of range(3)) await append(free);
    expect([await count(held.organizationId), await count(free.organizationId)]).toEqual([0, 3]);
    await release();
    await waiting;
    expect(await count(held.organizationId)).toBe(1);
  });

  it.skipIf(embedded)(`are refused while it is held for longer, and appended afterwards${postgresOnly}`, async () => {
    const owners = await Promise.all(range(5).map(() => newOwner(service)));
    const releases = await Promise.all(owners.map(({ organizationId }) => hold(organizationId)));
    const order: string[] = [];
    const { databaseUrl: url } = service.config;
    const open = () => openDatabase({ url, dataDirectory: '', logger: silentLogger });
    const database = await testFixture(withProductionLimits(open));
    const queue = new OrganizationAuditQueue(database);
    await withProductionLimits(async () => {
      const refused = owners.map(({ organizationId }) =>
        queue.append(auditIn(organizationId)).catch((error: unknown) => {
          order.push('refused');
          throw error;
        }),
      );
      const settled = queue.settled().then(() => order.push('settled'));
      for (const each of await Promise.allSettled(refused)) {
        expect(each).toMatchObject({ status: 'rejected', reason: { name: 'DatabaseUnavailable' } });
      }
      await settled;
    });
    expect(order).toEqual([...range(5).map(() => 'refused'), 'settled']);
    for (const release of releases) await release();
    for (const { organizationId } of owners) {
      expect(await count(organizationId)).toBe(0);
      await queue.append(auditIn(organizationId));
      expect(await count(organizationId)).toBe(1);
    }
  });

  it.skipIf(embedded)(
    `are appended once when an attempt that was given up ends while they wait${postgresOnly}`,
    async () => {
      const { organizationId } = await newOwner(service);
      const release = await hold(organizationId);
      const late: (() => Promise<unknown>)[] = [];
      const { database } = failingOnce((append) => {
        late.push(append);
        return Promise.reject(cutOff());
      });
      const execute: Queryable['execute'] = async (statement, params) => {
        await release();
        await late.pop()?.();
        return database.execute(statement, params);
      };
      await new OrganizationAuditQueue({ ...database, execute }).append(auditIn(organizationId));
      expect(late).toEqual([]);
      expect(await positionsOf(organizationId)).toEqual([{ position: 1 }]);
    },
  );

  const waiters = (): Promise<number | undefined> =>
    service.sql.value<number>(
      `SELECT count(*)::integer FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );

  it.skipIf(embedded)(`are appended before a session that began to wait after them${postgresOnly}`, async () => {
    const queue = new OrganizationAuditQueue(service.database);
    const { organizationId } = await newOwner(service);
    const release = await hold(organizationId);
    const row = queue.append(auditIn(organizationId));
    const waits = (sessions: number) => async () => (await waiters()) === sessions;
    await until('the row waits', waits(1));
    const found = hold(organizationId).then(async (releaseSecond) => {
      const rows = await count(organizationId);
      await releaseSecond();
      return rows;
    });
    await until('a session waits behind it', waits(2));
    await release();
    await row;
    expect(await found).toBe(1);
  });
});
