/**
 * A page of sessions or credentials that all end between the statement that chooses and the one that describes them.
 */
import { describe, expect, it } from 'vitest';
import { seedSession } from '../support/actors/seeding.ts';
import { newOwner, newSuperAdmin, runAs } from '../support/actors/tenants.ts';
import { range } from '../support/checks/concurrency.ts';
import { operations } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
const root = fixture(() => newSuperAdmin(service));

interface Page {
  readonly nodes: readonly unknown[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** Ends what the first statement with such a name chose, before its caller goes on. */
const endAfter = (name: RegExp, condition: string): (() => void) => {
  const { database } = service;
  const many: typeof database.many = database.many.bind(database);
  let isFirst = true;
  database.many = async (statement, params) => {
    const rows = await many(statement, params);
    if (isFirst && name.test(statement.name)) {
      isFirst = false;
      const ids = (rows as readonly { readonly id: string }[]).map(({ id }) => id);
      await service.sql(
        `UPDATE credentials SET revoked_at = now(), revocation_reason = 'signed_out' WHERE ${condition} = ANY ($1::uuid[])`,
        [ids],
      );
    }
    return rows;
  };
  return () => Object.assign(database, { many });
};

describe('A page whose rows all end while it is read', () => {
  it.each([
    ['sessionFamilies', { orderBy: 'FIRST_ISSUED' }, /^credentials\.sort_families/, 'session_family_id'],
    ['sessionFamilies', {}, /^credentials\.(near|newest)_/, 'session_family_id'],
    ['activeSessions', {}, /^credentials\.near_/, 'id'],
  ] as const)('of %s %j has those that follow', async (name, order, chooses, condition) => {
    const { userId } = await newOwner(service);
    for (const _ of range(5)) await seedSession(service.database, userId);
    const filter = { userId, network: '127.0.0.1' };
    const restore = endAfter(chooses, condition);
    const answer = await runAs(service, root, operations[name], { first: 2, filter, ...order }).finally(restore);
    if (answer.data === null) throw new Error(answer.text);
    const { [name]: page } = answer.data as Readonly<Record<typeof name, Page>>;
    expect(page.nodes).toHaveLength(2);
    expect(page.pageInfo.hasNextPage).toBe(true);
    expect(page.pageInfo.endCursor).not.toBeNull();
  });
});
