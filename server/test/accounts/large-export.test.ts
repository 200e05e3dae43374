/** The export of a person with long lists: complete, in order, theirs alone, and read a page at a time. */
import { describe, expect, it } from 'vitest';
import type { Actor } from '../../src/domain/access/actor.ts';
import { exportMyData } from '../../src/domain/personal-data/export-my-data.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Queryable } from '../../src/platform/database/database.ts';
import { bindingDeadline, Deadline, waitLimits } from '../../src/platform/database/deadlines.ts';
import { withContext } from '../../src/platform/observability/context.ts';
import { unlimited } from '../../src/platform/rate-limit/rate-limits.ts';
import { actorWith } from '../support/actors/actor.ts';
import { newOwner, runAs, type Tenant } from '../support/actors/tenants.ts';
import { operations } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { watchDatabase, watchService } from '../support/gatehouse/watched-gatehouse.ts';

const service = serviceFixture();
const watched = fixture(() => watchService(service));

const organizations = 50;
const calls = 10_000;
const pageSize = 1000;

/** The person and a colleague, both members of the same organizations. */
const colleagues = fixture(async () => {
  const [person, colleague] = [await newOwner(service), await newOwner(service)];
  await service.sql(
    `WITH fresh AS (
       INSERT INTO organizations (id, name)
       SELECT gen_random_uuid(), 'Organization ' || n FROM generate_series(2, ${organizations}) AS n RETURNING id)
     INSERT INTO organization_members (id, user_id, organization_id, role, joined_at)
     SELECT gen_random_uuid(), member, fresh.id, 'MEMBER', now() FROM fresh, unnest($1::uuid[]) AS member`,
    [[person.userId, colleague.userId]],
  );
  await recordCalls(person, colleague);
  return { person, colleague };
});

/** Calls of both in turn, in batches as the service records them. */
const recordCalls = (person: Tenant, colleague: Tenant): Promise<unknown> =>
  service.sql(
    `SELECT count(*) FROM generate_series(0, 9) AS batch CROSS JOIN LATERAL (
       SELECT array_agg(gen_random_uuid()) AS ids,
         array_agg(CASE n % 2 WHEN 0 THEN $1::uuid ELSE $2::uuid END ORDER BY n) AS actors,
         array_agg('tool_' || batch * ${calls / 10} + n / 2 ORDER BY n) AS tools,
         array_agg('success'::text) AS outcomes, array_agg('d'::text) AS digests
       FROM generate_series(0, ${calls / 5 - 1}) AS n) AS c
     CROSS JOIN LATERAL record_mcp_tool_calls(c.ids, c.actors, c.ids, c.ids, c.tools, c.outcomes, c.ids, c.digests)`,
    [person.userId, colleague.userId],
  );

interface Exported {
  readonly memberships: readonly { readonly organizationId: string }[];
  readonly mcpToolCalls: readonly { readonly id: string; readonly tool: string }[];
}

const exported = async (person: Tenant): Promise<string> => {
  const { text } = await runAs(watched, person, operations.exportMyData);
  return (JSON.parse(text) as { data: { exportMyData: { json: string } } }).data.exportMyData.json;
};

describe('exportMyData of a person with long lists', () => {
  // Specification: Account — exportMyData of a person in 50 organizations with 10,000 audit rows
  it('has every organization and every tool call, each once and in order, and nothing of a colleague', async () => {
    const { person, colleague } = colleagues;
    const text = await exported(person);
    const { memberships, mcpToolCalls } = JSON.parse(text) as Exported;
    const organizationIds = memberships.map(({ organizationId }) => organizationId);
    expect(new Set(organizationIds).size).toBe(organizations);
    expect(organizationIds).toHaveLength(organizations);
    expect(mcpToolCalls.map(({ tool }) => tool)).toEqual(Array.from({ length: calls }, (_, n) => `tool_${n}`));
    expect(new Set(mcpToolCalls.map(({ id }) => id)).size).toBe(calls);
    for (const secret of [colleague.userId, colleague.email, colleague.memberId]) expect(text).not.toContain(secret);
    const others = await service.sql.column<string>('SELECT id FROM mcp_tool_audits WHERE actor_user_id = $1', [
      colleague.userId,
    ]);
    expect(others).toHaveLength(calls);
    const theirs = new Set(others);
    expect(mcpToolCalls.filter(({ id }) => theirs.has(id))).toEqual([]);
  });

  it('reads a page of a list at a time, so that no statement grows with the list', async () => {
    const { person } = colleagues;
    const asked = await watched.during(() => exported(person));
    const pages = (name: string): number => asked.filter((each) => each === `personal_data.export_${name}`).length;
    // The last page of the calls is empty: the one before it was full.
    expect(pages('tool_calls')).toBe(calls / pageSize + 1);
    expect(pages('memberships')).toBe(1);
  });

  it('gives each page a deadline of its own, because together they take longer than a request may wait', async () => {
    const { person } = colleagues;
    const deadlines = new Map<string, Set<unknown>>();
    const noted: Queryable['one'] = (statement, params) => {
      const ofName = deadlines.get(statement.name) ?? new Set();
      deadlines.set(statement.name, ofName.add(bindingDeadline()));
      return service.database.one(statement, params);
    };
    const database = { ...watchDatabase(service.database).database, one: noted };
    const waits = new Deadline(waitLimits.requestMillis);
    await withContext({ correlationId: newId(), waits }, async () =>
      exportMyData({ database, limits: unlimited, logger: silentLogger }, await actorOf(person)),
    );
    expect(deadlines.get('personal_data.export_account')).toEqual(new Set([waits]));
    const ofCalls = deadlines.get('personal_data.export_tool_calls');
    expect(ofCalls?.size).toBe(calls / pageSize + 1);
    expect(ofCalls?.has(waits)).toBe(false);
    expect(ofCalls?.has(null)).toBe(false);
  });
});

/** The person in their session. */
const actorOf = async ({ userId, email }: Tenant): Promise<Actor> => {
  const sessionFamilyId = await service.sql.value<string>(
    'SELECT session_family_id AS id FROM credentials WHERE user_id = $1 LIMIT 1',
    [userId],
  );
  return actorWith({ user: { id: userId, email }, credential: { sessionFamilyId: sessionFamilyId ?? '' } });
};
