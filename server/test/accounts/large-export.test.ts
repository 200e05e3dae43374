/** The export of a person with long lists: complete, in order, theirs alone, and read a page at a time. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Actor } from '../../src/domain/access/actor.ts';
import { exportMyData } from '../../src/domain/personal-data/export-my-data.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Database, Queryable } from '../../src/platform/database/database.ts';
import { bindingDeadline, Deadline, waitLimits } from '../../src/platform/database/deadlines.ts';
import { withContext } from '../../src/platform/observability/context.ts';
import { unlimited } from '../../src/platform/rate-limit/rate-limits.ts';
import { actorWith } from '../support/actors/actor.ts';
import { newOwner, runAs, type Tenant } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
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
  // Contract: account#export-of-personal-data — exportMyData of a person in 50 organizations with 10,000 audit rows
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
    await withContext({ correlationId: newId(), waits }, async () => {
      for await (const _ of (await begin(await actorOf(person), database)).json);
    });
    expect(deadlines.get('personal_data.export_account')).toEqual(new Set([waits]));
    const ofCalls = deadlines.get('personal_data.export_tool_calls');
    expect(ofCalls?.size).toBe(calls / pageSize + 1);
    expect(ofCalls?.has(waits)).toBe(false);
    expect(ofCalls?.has(null)).toBe(false);
  });
});

const begin = (actor: Actor, database: Database, onceAnswered: (ended: () => void) => void = () => undefined) =>
  exportMyData({ database, limits: unlimited, logger: silentLogger }, actor, onceAnswered);

/** Ends every session of the person, or takes that back. */
const moveRevision = ({ user }: Actor, by: number): Promise<unknown> =>
  service.sql('UPDATE users SET credentials_revision = credentials_revision + $2 WHERE id = $1', [user.id, by]);

const signedInOwner = (): Promise<Tenant> => newOwner(service);

describe('exportMyData', () => {
  it('holds one page of a list at a time, and reads none before the one before was taken', async () => {
    const { person } = colleagues;
    const { database, asked } = watchDatabase(service.database);
    const pages = (): number => asked.filter((name) => name.startsWith('personal_data.export_')).length;
    const { json } = await begin(await actorOf(person), database);
    const rows: number[] = [];
    for await (const chunk of json) {
      const read = pages();
      rows.push(chunk.split('"argumentDigest"').length - 1);
      await setImmediate();
      expect(pages()).toBe(read);
    }
    expect(Math.max(...rows)).toBe(pageSize);
    expect(rows.reduce((sum, each) => sum + each, 0)).toBe(calls);
  });

  // Contract: account#export-of-personal-data — exportMyData runs once at a time for a person
  it('is refused while another one of the person is on its way, and does nothing then', async () => {
    const person = await signedInOwner();
    const { json } = await begin(await actorOf(person), service.database);
    const reading = json[Symbol.asyncIterator]();
    await reading.next();
    const lines = service.logs.length;
    const refused = await expectRefusal(service, 'RATE_LIMITED', () => runAs(service, person, operations.exportMyData));
    expect(refused.extensions['retryAfterSeconds']).toBeGreaterThan(0);
    expect(service.logs.slice(lines).join('')).not.toContain('auth.data_exported');
    await reading.return?.();
    expect((await runAs(service, person, operations.exportMyData)).code).toBeNull();
  });

  it('is refused while four others are on their way, until one of their answers is over', async () => {
    const person = await signedInOwner();
    const ends: (() => void)[] = [];
    for (const other of await Promise.all([1, 2, 3, 4].map(signedInOwner))) {
      await begin(await actorOf(other), service.database, (ended) => ends.push(ended));
    }
    await expectRefusal(service, 'RATE_LIMITED', () => runAs(service, person, operations.exportMyData));
    ends[0]?.();
    expect((await runAs(service, person, operations.exportMyData)).code).toBeNull();
    for (const end of ends) end();
  });

  it('is over with the answer, also where its text is not asked for', async () => {
    const person = await signedInOwner();
    for (const _ of [1, 2]) {
      const answer = await runAs(service, person, 'mutation { exportMyData { createdAt } }');
      expect(answer.code).toBeNull();
    }
  });

  it('leaves the place of a later export when an earlier answer is over', async () => {
    const person = await signedInOwner();
    const actor = await actorOf(person);
    const ends: (() => void)[] = [];
    const first = await begin(actor, service.database, (ended) => ends.push(ended));
    for await (const _ of first.json);
    const second = await begin(actor, service.database, (ended) => ends.push(ended));
    ends[0]?.();
    await expectRefusal(service, 'RATE_LIMITED', () => runAs(service, person, operations.exportMyData));
    for await (const _ of second.json);
  });

  it('reads no further page for a session that ended', async () => {
    const { person } = colleagues;
    const actor = await actorOf(person);
    const { json } = await begin(actor, service.database);
    const reading = json[Symbol.asyncIterator]();
    await moveRevision(actor, 1);
    const readAll = async (): Promise<void> => {
      while ((await reading.next()).done !== true);
    };
    await expect(readAll()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await moveRevision(actor, -1);
    for await (const _ of (await begin(actor, service.database)).json);
  });

  it('answers its text once in a request', async () => {
    const person = await signedInOwner();
    const twice = 'mutation { exportMyData { json again: json } }';
    expect((await runAs(service, person, twice)).code).toBe('OPERATION_TOO_COSTLY');
  });
});

/** The person in their session. */
const actorOf = async ({ userId, email }: Tenant): Promise<Actor> => {
  const [session] = await service.sql<{ id: string; sessionFamilyId: string }>(
    'SELECT id, session_family_id AS "sessionFamilyId" FROM credentials WHERE user_id = $1 LIMIT 1',
    [userId],
  );
  if (session === undefined) throw new Error('The person has no session');
  return actorWith({ user: { id: userId, email }, credential: session });
};
