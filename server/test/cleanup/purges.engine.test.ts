/** Which expired rows are deleted, to the second, and which rows never are (docs/storage.md, "Lifetime"). */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ToolAudits } from '../../src/domain/audit/tool-audits.ts';
import { cleanupJobsFor } from '../../src/domain/cleanup/jobs.ts';
import { newId } from '../../src/kernel/ids.ts';
import { rowsAtOnce } from '../../src/platform/jobs/scheduled-jobs.ts';
import { seedPerson, seedSession } from '../support/actors/seeding.ts';
import { newSuperAdmin, runAs } from '../support/actors/tenants.ts';
import { newCall } from '../support/actors/tool-calls.ts';
import { until } from '../support/checks/concurrency.ts';
import { operations, post } from '../support/clients/clients.ts';
import { connect, newClient, newCode, redeem } from '../support/clients/oauth.ts';
import { runCleanup } from '../support/gatehouse/cleanup.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const cleanupJobs = cleanupJobsFor(30);

let userId: string;
const service = serviceFixture();
beforeAll(async () => {
  userId = await seedPerson(service.database, 'person@example.com');
  await newClient(service, { client_name: 'Client of the purges' });
  // Its timeline is written in batches, and a DELETE keeps the others of its network within bounds.
  await until('the timeline is written', async () => (await service.sql('SELECT FROM mcp_connections')).length > 0);
  await service.sql('CREATE TABLE batches (turn bigint GENERATED ALWAYS AS IDENTITY, size integer)');
  await service.sql(
    `CREATE FUNCTION note_batch() RETURNS trigger LANGUAGE plpgsql AS
     'BEGIN INSERT INTO batches (size) SELECT count(*) FROM went; RETURN NULL; END'`,
  );
});
afterAll(async () => {
  await service.sql('DROP FUNCTION note_batch');
  await service.sql('DROP TABLE batches');
});

interface Perishable {
  readonly job: string;
  /** By default named like the job. */
  readonly table?: string;
  readonly stays: string;
  /** Inserts rows that ended so many seconds ago, each with one of these ids. */
  readonly insert: string;
  /** The id that a row was inserted with; `id` by default; a cleared row has none. */
  readonly id?: string;
  readonly clears?: true;
}

const ended = `now() - n.age * interval '1 second'`;

/** $1 ids, $2 ages in seconds. */
const given = 'unnest($1::uuid[], $2::float8[]) AS n (id, age)';
const person = "(SELECT id FROM users WHERE email = 'person@example.com')";
const organization = `(SELECT organization_id FROM organization_members WHERE user_id = ${person})`;
const client = `(SELECT id FROM oauth_clients WHERE name = 'Client of the purges')`;
const bytesOf = (id: string): string => `decode(replace(${id}::text, '-', ''), 'hex')`;
const idOfBytes = (bytes: string): string => `encode(${bytes}, 'hex')::uuid`;

const perishables: readonly Perishable[] = [
  {
    job: 'credentials',
    stays: '7 days',
    insert: `INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id, credentials_revision,
        audience, auth_method, issued_at, expires_at, family_expires_at)
      SELECT n.id, ${bytesOf('n.id')}, 'user_session', n.id, n.id, ${person}, 0, 'api', 'password', ${ended} - interval '30 days',
        ${ended} - interval '29 days', ${ended} FROM ${given}`,
  },
  {
    job: 'machine_tokens',
    stays: '90 days',
    insert: `WITH secrets AS (
        INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id, credentials_revision,
          audience, auth_method, issued_at, expires_at, family_expires_at)
        SELECT n.id, ${bytesOf('n.id')}, 'machine', n.id, n.id, ${person}, 0, 'api', 'personal_token',
          ${ended} - interval '30 days', ${ended}, ${ended} + interval '83 days' FROM ${given})
      INSERT INTO machine_tokens (id, organization_id, user_id, membership_id, name, scopes, credential_id,
        last_characters, lifetime_seconds)
      SELECT n.id, ${organization}, ${person}, n.id, '', '{MEMBERS_VIEW}', n.id, '', 60 FROM ${given}`,
  },
  {
    job: 'service_accounts',
    stays: '90 days',
    insert: `INSERT INTO service_accounts (id, organization_id, name, description, scopes, deleted_at)
      SELECT n.id, ${organization}, '', '', '{MEMBERS_VIEW}', ${ended} FROM ${given}`,
  },
  {
    job: 'organizations',
    stays: '0 seconds',
    insert: `INSERT INTO organizations (id, name, deletes_at) SELECT n.id, '', ${ended} FROM ${given}`,
  },
  {
    job: 'organization_audits',
    // The chains go first (organization-chain.test.ts), then the notes of their ends.
    table: 'organization_audit_ends',
    stays: '90 days',
    insert: `INSERT INTO organization_audit_ends (organization_id, ended_at) SELECT n.id, ${ended} FROM ${given}`,
    id: 'organization_id',
  },
  {
    job: 'oauth_requests',
    stays: '1 day',
    insert: `INSERT INTO oauth_requests (id, client_id, redirect_uri, code_challenge, browser_hash, expires_at)
      SELECT n.id, ${client}, '', '', '', ${ended} FROM ${given}`,
  },
  {
    job: 'oauth_codes',
    stays: '31 days',
    insert: `INSERT INTO oauth_codes (code_hash, client_id, redirect_uri, code_challenge, user_id, credentials_revision,
        scopes, expires_at)
      SELECT ${bytesOf('n.id')}, ${client}, '', '', ${person}, 0, '{mcp:tools}', ${ended} FROM ${given}`,
    id: idOfBytes('code_hash'),
  },
  {
    job: 'oauth_clients',
    stays: '30 days',
    insert: `INSERT INTO oauth_clients (id, name, redirect_uris, registered_at)
      SELECT n.id, '', '{}', ${ended} FROM ${given}`,
  },
  {
    job: 'passkey_challenges',
    stays: '0 seconds',
    insert: `INSERT INTO passkey_challenges (challenge_hash, purpose, expires_at)
      SELECT ${bytesOf('n.id')}, 'sign_in', ${ended} FROM ${given}`,
    id: idOfBytes('challenge_hash'),
  },
  {
    job: 'external_exchanges',
    stays: '0 seconds',
    insert: `INSERT INTO external_exchanges (secret_hash, sealed_identity, expires_at)
      SELECT ${bytesOf('n.id')}, '', ${ended} FROM ${given}`,
    id: idOfBytes('secret_hash'),
  },
  {
    job: 'second_factor_challenges',
    stays: '0 seconds',
    insert: `INSERT INTO second_factor_challenges (challenge_hash, user_id, auth_method, credentials_revision, expires_at)
      SELECT ${bytesOf('n.id')}, ${person}, 'password', 0, ${ended} FROM ${given}`,
    id: idOfBytes('challenge_hash'),
  },
  {
    job: 'totp_enrolments',
    stays: '0 seconds',
    insert: `WITH people AS (INSERT INTO users (id, email, name) SELECT n.id, n.id || '@example.com', '' FROM ${given})
      INSERT INTO totp_enrolments (user_id, sealed_secret, expires_at) SELECT n.id, '', ${ended} FROM ${given}`,
    id: 'user_id',
  },
  {
    job: 'helper_session_entries',
    stays: '0 seconds',
    insert: `INSERT INTO helper_session_entries (session_hash, name, sealed_value, expires_at)
      SELECT ${bytesOf('n.id')}, 'name', '', ${ended} FROM ${given}`,
    id: idOfBytes('session_hash'),
  },
  {
    job: 'rate_limits',
    stays: '1 minute',
    insert: `INSERT INTO rate_limits (key, due_at)
      SELECT 'test:' || n.id, ${ended} FROM ${given}`,
    id: 'substr(key, 6)::uuid',
  },
  {
    job: 'mcp_connections',
    stays: '7 days',
    insert: `INSERT INTO mcp_connections (id, ip, network, user_agent, began_at, last_step_at)
      SELECT n.id, '', '', '', ${ended}, ${ended} FROM ${given}`,
  },
  {
    job: 'replaced_validation_tokens',
    table: 'users',
    stays: '1 hour',
    insert: `INSERT INTO users (id, email, name, email_validation_token_hash, email_validation_expires_at,
        replaced_validation_token_hash, account_mail_sent_at)
      SELECT n.id, n.id || '@example.com', '', ${bytesOf("'11' || n.id")}, now(), ${bytesOf('n.id')}, ${ended}
      FROM ${given}`,
    id: idOfBytes('replaced_validation_token_hash'),
    clears: true,
  },
  {
    job: 'abandoned_sign_ups',
    table: 'users',
    stays: '7 days',
    insert: `INSERT INTO users (id, email, name, password_hash, email_validation_token_hash, email_validation_expires_at)
      SELECT n.id, n.id || '@sign-ups.example.com', '', '', ${bytesOf("'22' || n.id")}, ${ended} FROM ${given}`,
  },
  {
    job: 'email_changes',
    stays: '0 seconds',
    insert: `WITH people AS (
        INSERT INTO users (id, email, name) SELECT n.id, n.id || '@changes.example.com', '' FROM ${given})
      INSERT INTO email_changes (user_id, new_email, old_email, credentials_revision, token_hash, expires_at)
      SELECT n.id, '', '', 0, ${bytesOf('n.id')}, ${ended} FROM ${given}`,
    id: 'user_id',
  },
  {
    job: 'former_authenticators',
    stays: '7 days',
    insert: `INSERT INTO former_authenticators (id, user_id, kind, replaced_at, stored)
      SELECT n.id, ${person}, 'users', ${ended}, '{}' FROM ${given}`,
  },
  {
    job: 'sign_ins',
    stays: '0 seconds',
    insert: `INSERT INTO sign_ins (id, method, outcome, expires_at)
      SELECT n.id, 'password', 'INVALID_CREDENTIALS', ${ended} FROM ${given}`,
  },
  {
    job: 'refused_sign_ins',
    stays: '0 seconds',
    insert: `WITH people AS (
        INSERT INTO users (id, email, name) SELECT n.id, n.id || '@refused.example.com', '' FROM ${given})
      INSERT INTO refused_sign_ins (id, user_id, day, attempts, listed, expires_at)
      SELECT n.id, n.id, floor(extract(epoch FROM now()) / 86400), 1, 1, ${ended} FROM ${given}`,
  },
  {
    job: 'rejected_sign_ups',
    stays: '1 hour',
    insert: `INSERT INTO rejected_sign_ups (address_digest, mailed_at) SELECT n.id, ${ended} FROM ${given}`,
    id: 'address_digest::uuid',
  },
];

const secondsOf = async (interval: string): Promise<number> =>
  (await service.sql.value<number>('SELECT extract(epoch FROM $1::interval)::float8 AS seconds', [interval])) ??
  Number.NaN;

/** Inserts rows that ended so many seconds ago; returns their ids, in the order of the ages. */
const insertAged = async ({ insert }: Perishable, ages: readonly number[]): Promise<string[]> => {
  if (ages.length === 0) return [];
  const ids = ages.map(() => newId());
  await service.sql(insert, [ids, ages]);
  return ids;
};

const remaining = async ({ job, table = job, id = 'id' }: Perishable, ids: readonly string[]): Promise<Set<string>> => {
  if (ids.length === 0) return new Set();
  const rows = await service.sql<{ id: string }>(
    `SELECT found.id FROM (SELECT ${id} AS id FROM ${table} AS t) AS found WHERE found.id = ANY ($1::uuid[])`,
    [ids],
  );
  return new Set(rows.map((row) => row.id));
};

beforeEach(async () => {
  await runCleanup(service.database);
});

it('Every job is tested here', () => {
  expect(perishables.map(({ job }) => job).toSorted()).toEqual(cleanupJobs.map(({ name }) => name).toSorted());
});

describe.each(perishables)('Rows that $job deletes', (perishable) => {
  // Contract: organizations#expired-rows — Expired rows are deleted, at the limit of each table and not before
  it(`are deleted ${perishable.stays} after their end, and not a minute earlier`, async () => {
    const stays = await secondsOf(perishable.stays);
    const [over, young, fresh] = await insertAged(perishable, [stays + 1, stays - 60, -3600]);
    expect(await runCleanup(service.database)).toMatchObject({ [perishable.job]: 1 });
    expect(await remaining(perishable, [over ?? '', young ?? '', fresh ?? ''])).toEqual(new Set([young, fresh]));
  });

  // Contract: organizations#expired-rows — Expired rows are deleted in small batches
  it(`are deleted ${rowsAtOnce} at a time at most, oldest first, to the last one`, async () => {
    const { job, table = job, clears = false } = perishable;
    const stays = await secondsOf(perishable.stays);
    // One job represents all of them.
    const sizes = job === 'rate_limits' ? [rowsAtOnce, rowsAtOnce, 100] : [rowsAtOnce, 1];
    const total = sizes.reduce((sum, size) => sum + size);
    const ids = await insertAged(
      perishable,
      Array.from({ length: total }, (_, index) => stays + 1000 + index),
    );
    await service.sql('DELETE FROM batches');
    await service.sql(
      `CREATE TRIGGER batches AFTER ${clears ? 'UPDATE' : 'DELETE'} ON ${table}
       REFERENCING OLD TABLE AS went FOR EACH STATEMENT EXECUTE FUNCTION note_batch()`,
    );
    onTestFinished(async () => void (await service.sql(`DROP TRIGGER batches ON ${table}`)));
    const jobUnderTest = cleanupJobs.find(({ name }) => name === job);
    expect(await jobUnderTest?.purge(service.database)).toBe(rowsAtOnce);
    const others = total - rowsAtOnce;
    expect([...(await remaining(perishable, ids))].toSorted()).toEqual(ids.slice(0, others).toSorted());
    expect(await runCleanup(service.database)).toMatchObject({ [job]: others });
    expect(await service.sql('SELECT size FROM batches WHERE size > 0 ORDER BY turn')).toEqual(
      sizes.map((size) => ({ size })),
    );
  });
});

describe('Live rows', () => {
  // Contract: organizations#expired-rows — Live rows are never deleted
  it('are not deleted or changed, whatever other rows exist', async () => {
    const staying = await Promise.all(perishables.map(({ stays }) => secondsOf(stays)));
    const row = fc.record({
      kind: fc.nat({ max: perishables.length - 1 }),
      // Shortly before the limit, and anywhere; no row of this file expires while the tests run.
      offset: fc.oneof(fc.integer({ min: 600, max: 1200 }), fc.integer({ min: 600, max: 10_000_000 })),
      isOver: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), async (rows) => {
        const alive: Inserted[] = [];
        const over: Inserted[] = [];
        for (const [kind, perishable] of perishables.entries()) {
          const own = rows.filter((each) => each.kind === kind);
          const stays = staying[kind] ?? Number.NaN;
          const ids = await insertAged(
            perishable,
            own.map(({ isOver, offset }) => (isOver ? stays + offset : stays - offset)),
          );
          for (const [index, id] of ids.entries()) (own[index]?.isOver === true ? over : alive).push({ kind, id });
        }
        const before = await snapshot(alive);
        expect(before).toHaveLength(alive.length);
        expect(await snapshot(over)).toHaveLength(over.length);
        await runCleanup(service.database);
        expect(await snapshot(alive)).toEqual(before);
        expect(await snapshot(over)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  /** A row, by its id and the index of its kind. */
  interface Inserted {
    readonly kind: number;
    readonly id: string;
  }

  /** The existing rows among these, whole, as text. */
  const snapshot = (rows: readonly Inserted[]): Promise<readonly string[]> =>
    service.sql.column<string>(
      `WITH sought AS MATERIALIZED (SELECT id, kind FROM unnest($1::uuid[], $2::integer[]) AS s (id, kind)), ${perishables
        .map(
          ({ job, table = job, id = 'id' }, kind) =>
            `k${kind} AS (SELECT ${kind} AS kind, t::text AS line FROM ${table} AS t
               WHERE ${id} = ANY (ARRAY(SELECT s.id FROM sought s WHERE s.kind = ${kind})))`,
        )
        .join(', ')} ${perishables.map((_, kind) => `SELECT * FROM k${kind}`).join(' UNION ALL ')} ORDER BY kind, line`,
      [rows.map(({ id }) => id), rows.map(({ kind }) => kind)],
    );

  it('keeps a session working, and an ended one unusable', async () => {
    const [young, old] = [await seedSession(service.database, userId), await seedSession(service.database, userId)];
    await ageFamily(old.accessToken, '8 days');
    expect(await runCleanup(service.database)).toMatchObject({ credentials: 2 });
    const rotated = await post(service.url, operations.refresh, { ...young });
    expect(rotated.code).toBeNull();
    expect((await post(service.url, operations.refresh, { ...old })).code).toBe('REFRESH_REFUSED');
  });

  // Contract: organizations#rows-that-are-kept — A stolen refresh token, a replayed code: known for as long as a
  //   session can be revoked for it
  it('keeps a stolen refresh token and a replayed code known for as long as a session can be revoked for it', async () => {
    const stolen = await seedSession(service.database, userId);
    expect((await post(service.url, operations.refresh, { ...stolen })).code).toBeNull();
    await service.sql(`UPDATE credentials SET revoked_at = now() - interval '29 days' WHERE revoked_at IS NOT NULL`);
    const { userId: root } = await newSuperAdmin(service);
    const code = await newCode(service, { clientId: await newClient(service), userId: root });
    expect((await redeem(service, code)).status).toBe(200);
    await service.sql(`UPDATE oauth_codes SET expires_at = now() - interval '29 days'`);
    await runCleanup(service.database);
    expect((await post(service.url, operations.refresh, { ...stolen })).code).toBe('REFRESH_REFUSED');
    expect((await redeem(service, code)).status).toBe(400);
    expect(await endedBy('refresh_reuse')).toBe(2);
    expect(await endedBy('code_replayed')).toBe(2);
  });

  const endedBy = async (reason: string): Promise<number> =>
    (await service.sql('SELECT FROM credentials WHERE revocation_reason = $1', [reason])).length;
});

/** Moves the end of a token's family into the past. */
const ageFamily = (accessToken: string, interval: string): Promise<unknown> =>
  service.sql(
    `UPDATE credentials SET expires_at = now() - $2::interval, family_expires_at = now() - $2::interval
     WHERE session_family_id = (SELECT session_family_id FROM credentials WHERE token_hash = sha256($1::bytea))`,
    [Buffer.from(accessToken), interval],
  );

interface ClientPage {
  readonly nodes: readonly { readonly id: string; readonly lastUsedAt: string | null }[];
}

describe('Permanent rows', () => {
  it('include the last use of a client, after its credentials were deleted', async () => {
    const { clientId: used, tokens } = await connect(service);
    await service.sql(`UPDATE credentials SET last_seen_at = now() - interval '40 days' WHERE client_id = $1`, [used]);
    const root = await newSuperAdmin(service);
    const lastUsedAt = async (): Promise<unknown> => {
      const { data } = await runAs(service, root, operations.mcpClients, {});
      const page = data?.['mcpClients'] as ClientPage | undefined;
      return page?.nodes.find(({ id }) => id === used)?.lastUsedAt;
    };
    const before = await lastUsedAt();
    // Rows of the tests above were a minute too young: on a busy machine they have come of age.
    await runCleanup(service.database);
    await ageFamily(tokens.accessToken, '9 days');
    expect(await runCleanup(service.database)).toMatchObject({ credentials: 2 });
    expect(before).toEqual(expect.any(String));
    expect(await lastUsedAt()).toBe(before);
  });

  // Contract: organizations#rows-that-are-kept — Records of payments and tool calls are permanent
  it('include records of payments and tool calls, queued mail, reports of tokens, and invited users who never came', async () => {
    await new ToolAudits(service.database).append(newCall());
    await service.sql(
      `INSERT INTO payment_events (event_id, type, created_at, received_at)
       VALUES ('evt_old', 'test', now() - interval '10 years', now() - interval '10 years')`,
    );
    await service.sql(
      `INSERT INTO mail_outbox (id, sealed_message, created_at, next_attempt_at)
       VALUES ($1, '', now() - interval '10 years', now() + interval '1 hour')`,
      [newId()],
    );
    await service.sql(
      `INSERT INTO users (id, email, name, created_at)
       VALUES ($1, 'never@example.com', '', now() - interval '10 years')`,
      [newId()],
    );
    await service.sql(
      `INSERT INTO token_reports (id, received_at, correlation_id, entries, next_attempt_at)
       VALUES ($1, now() - interval '10 years', $1, '[]', now() + interval '1 hour')`,
      [newId()],
    );
    const records = ['mcp_tool_audits', 'payment_events', 'mail_outbox', 'token_reports'];
    const kept = [...records, 'users', 'organizations', 'organization_members'];
    const everything = async (): Promise<unknown[]> =>
      Promise.all(kept.map((table) => service.sql(`SELECT t::text FROM ${table} AS t ORDER BY 1`)));
    const before = await everything();
    await runCleanup(service.database);
    expect(await everything()).toEqual(before);
    await service.sql('DELETE FROM mail_outbox');
    await service.sql('DELETE FROM token_reports');
  });
});
