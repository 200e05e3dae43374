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

/** The database of the service, whose first append does this instead. */
const failingOnce = (first: (append: () => Promise<number>) => Promise<number>) => {
  let appends = 0;
  const execute: Queryable['execute'] = (statement, params) => {
    appends += 1;
    const append = () => service.database.execute(statement, params);
    return appends === 1 ? first(append) : append();
  };
  const one: Queryable['one'] = (statement, params) => service.database.one(statement, params);
  return { database: { execute, one }, appends: () => appends };
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
    let late: () => Promise<number> = () => Promise.resolve(0);
    const { database } = failingOnce((append) => {
      late = append;
      return Promise.reject(cutOff());
    });
    const one: Queryable['one'] = async (statement, params) => {
      const answer = await database.one(statement, params);
      await late();
      late = () => Promise.resolve(0);
      return answer;
    };
    await new OrganizationAuditQueue({ ...database, one }).append(auditIn(organizationId));
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
});
