/** The hash chain of the record of tool calls: every change of its rows that the service did not make is detected. */
import { appendFileSync, cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { addKnownPosition } from '../../src/cli/verify-audit.ts';
import { appendOrganizationAudits } from '../../src/domain/audit/organization-audits.ts';
import { ToolAudits } from '../../src/domain/audit/tool-audits.ts';
import type { ToolAuditEntry } from '../../src/domain/audit/tool-audits-store.ts';
import type { Verification } from '../../src/domain/audit/verify-chain.ts';
import { verifyToolAudits } from '../../src/domain/audit/verify-tool-audits.ts';
import { newId } from '../../src/kernel/ids.ts';
import { newAudit, withoutGuardOfAudits } from '../support/actors/organization-audits.ts';
import { expectSoundChain, newCall, storedCalls, withoutAppendOnly } from '../support/actors/tool-calls.ts';
import { lendDatabase } from '../support/database/database-pool.ts';
import { newDirectory, type TestDatabase } from '../support/database/databases.ts';
import { embedded } from '../support/database/engines.ts';
import { type Sql, sqlOn } from '../support/database/sql.ts';
import { fixture } from '../support/fixture.ts';
import { runHere } from '../support/gatehouse/command-line.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { environmentFor } from '../support/gatehouse/gatehouse-process.ts';

/** A forger who knows the hash function: recomputes link and hash of every row from a position on. */
const rehashFrom = (position: number): string => `DECLARE r record; link bytea;
  BEGIN FOR r IN SELECT * FROM mcp_tool_audits WHERE position >= ${position} ORDER BY position LOOP
    SELECT hash INTO link FROM mcp_tool_audits WHERE position = r.position - 1;
    UPDATE mcp_tool_audits SET previous_hash = link, hash = sha256(link || convert_to((
      SELECT string_agg(octet_length(part) || ':' || part, '' ORDER BY turn) FROM unnest(ARRAY[r.position::text,
        r.id::text, r.actor_user_id::text, r.credential_id::text, r.client_id::text, r.tool, r.outcome,
        r.correlation_id::text, r.argument_digest, (extract(epoch FROM r.created_at) * 1000000)::bigint::text])
        WITH ORDINALITY AS c (part, turn)), 'UTF8')) WHERE position = r.position;
  END LOOP; END`;

const size = 7;

const twoRowsChangePlaces = `UPDATE mcp_tool_audits SET position = 100 WHERE position = 4;
  UPDATE mcp_tool_audits SET position = 4 WHERE position = 5;
  UPDATE mcp_tool_audits SET position = 5 WHERE position = 100`;

describe('The database function', () => {
  const service = serviceFixture();
  const others = [newCall(), newCall(), newCall()];

  const record = (calls: readonly ToolAuditEntry[]) =>
    service.sql<{ correlation: string; place: number; hash: string }>(
      `SELECT correlation, place, encode(link, 'hex') AS hash
       FROM record_mcp_tool_calls($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        calls.map(() => newId()),
        calls.map(({ actorUserId }) => actorUserId),
        calls.map(({ credentialId }) => credentialId),
        calls.map(({ clientId }) => clientId),
        calls.map(({ tool }) => tool),
        calls.map(({ outcome }) => outcome),
        calls.map(({ correlationId }) => correlationId),
        calls.map(({ argumentDigest }) => argumentDigest),
      ],
    );

  // Contract: incidents#chain-of-rows — Each batch continues the rows before it, whatever letters they have
  it('continues the rows of the batches before', async () => {
    await record(others.slice(0, 2));
    expect(await record(others.slice(2))).toMatchObject([{ correlation: others[2]?.correlationId, place: 3 }]);
    await record([newCall({ tool: 'tool_é', argumentDigest: 'ü' })]);
    await record([newCall({ tool: 'tool_é', argumentDigest: 'ü'.repeat(9) })]);
    await expectSoundChain(service.database, 5);
  });

  // Contract: incidents#record-of-tool-calls — One row per tools/call: never two
  it('adds each call of a batch once, and answers the place of all', async () => {
    const [first, second] = [newCall(), newCall()];
    const [known] = others;
    const rows = await record([first, known ?? first, second, first]);
    expect(
      rows.map(({ correlation, place }) => [correlation, place]).sort(([, a], [, b]) => Number(a) - Number(b)),
    ).toEqual(
      [known?.correlationId, first.correlationId, second.correlationId].map((id, index) => [id, [1, 6, 7][index]]),
    );
    const stored = await service.sql<{ hash: string }>(
      `SELECT encode(hash, 'hex') AS hash FROM mcp_tool_audits WHERE position IN (1, 6, 7) ORDER BY hash`,
    );
    expect(rows.map(({ hash }) => hash).sort()).toEqual(stored.map(({ hash }) => hash));
    expect(await record([first, first])).toMatchObject([{ correlation: first.correlationId, place: 6 }]);
    expect(await record([])).toEqual([]);
    await expectSoundChain(service.database, 7);
  });
});

describe('verifyToolAudits', () => {
  const service = serviceFixture();
  beforeAll(async () => {
    const audits = new ToolAudits(service.database);
    await Promise.all(Array.from({ length: size }, () => audits.append(newCall())));
  });

  const idAt = (sql: Sql, position: number): Promise<string | undefined> =>
    sql.value<string>('SELECT id FROM mcp_tool_audits WHERE position = $1', [position]);

  /** Tampers, verifies, and rolls back. */
  const lookAfter = async (change: string, noted?: { readonly position: number; readonly hash: string }) => {
    const undone = new Error('undone');
    let found: { readonly verification: Verification; readonly id: string | undefined } | undefined;
    const work = service.database.transaction(async (transaction) => {
      const sql = sqlOn(transaction);
      await withoutAppendOnly(sql, change);
      const verification = await verifyToolAudits(transaction, noted);
      found = { verification, id: verification.isSound ? undefined : await idAt(sql, verification.position) };
      throw undone;
    });
    await expect(work).rejects.toBe(undone);
    await expectSoundChain(service.database, size);
    return found ?? { verification: undefined, id: undefined };
  };

  // Contract: incidents#verification-of-the-record — A change of the record shows
  it.each([
    ['the actor', 'actor_user_id = gen_random_uuid()'],
    ['the credential', 'credential_id = gen_random_uuid()'],
    ['the client', 'client_id = gen_random_uuid()'],
    ['the tool', `tool = 'users_search'`],
    ['the outcome', `outcome = 'deny'`],
    ['the correlation id', 'correlation_id = gen_random_uuid()'],
    ['the digest', `argument_digest = repeat('e', 43)`],
    ['the instant, by a microsecond', `created_at = created_at + interval '1 microsecond'`],
    ['the id', 'id = gen_random_uuid()'],
    ['the hash', `hash = sha256('x')`],
    // Moves the border between two columns: their concatenation is unchanged.
    ['the border between two columns', `tool = 'mcp_whoamis', outcome = 'error'`],
  ])('detects a change of %s', async (_what, columns) => {
    const { verification, id } = await lookAfter(`UPDATE mcp_tool_audits SET ${columns} WHERE position = 4`);
    expect(verification).toEqual({ isSound: false, position: 4, id, problem: 'hash' });
  });

  it('accepts an empty chain, at the position that every later chain continues from', async () => {
    const { verification } = await lookAfter('DELETE FROM mcp_tool_audits');
    const place = { position: 0, hash: '0'.repeat(64) };
    expect(verification).toEqual({ isSound: true, count: 0, lastPosition: place.position, lastHash: place.hash });
    expect(await verifyToolAudits(service.database, place)).toMatchObject({ isSound: true, count: size });
  });

  // Contract: incidents#verification-of-the-record — A change of the record shows: a row taken out, put in, moved
  it('detects a removed row at the row after it', async () => {
    const { verification, id } = await lookAfter('DELETE FROM mcp_tool_audits WHERE position = 3');
    expect(verification).toEqual({ isSound: false, position: 4, id, problem: 'gap' });
  });

  it.each([
    ['a removed first row', 'DELETE FROM mcp_tool_audits WHERE position = 1', 2, 'gap'],
    [
      'a removed row whose successors moved up',
      `DELETE FROM mcp_tool_audits WHERE position = 3;
       UPDATE mcp_tool_audits SET position = position + 100 WHERE position > 3;
       UPDATE mcp_tool_audits SET position = position - 101 WHERE position > 100`,
      3,
      'link',
    ],
    ['two swapped rows', twoRowsChangePlaces, 4, 'link'],
    [
      'two swapped rows that kept their links',
      `${twoRowsChangePlaces};
       UPDATE mcp_tool_audits a SET previous_hash = b.previous_hash FROM mcp_tool_audits b
         WHERE (a.position, b.position) IN ((4, 5), (5, 4))`,
      4,
      'hash',
    ],
    [
      'an inserted row',
      `UPDATE mcp_tool_audits SET position = position + 100 WHERE position > 4;
       UPDATE mcp_tool_audits SET position = position - 99 WHERE position > 100;
       INSERT INTO mcp_tool_audits SELECT 5, gen_random_uuid(), actor_user_id, credential_id, client_id, tool, outcome,
         gen_random_uuid(), argument_digest, created_at, hash, sha256(hash) FROM mcp_tool_audits WHERE position = 4`,
      5,
      'hash',
    ],
  ])('detects %s', async (_what, change, position, problem) => {
    const { verification } = await lookAfter(change);
    expect(verification).toMatchObject({ isSound: false, position, problem });
  });

  // Contract: incidents#verification-of-the-record — A change of the record shows: limits of the chain alone
  it('detects rows missing at the end only by a noted position', async () => {
    const sound = await verifyToolAudits(service.database);
    if (!sound.isSound) throw new Error('The chain is broken');
    const noted = { position: sound.lastPosition, hash: sound.lastHash };
    const cut = `DELETE FROM mcp_tool_audits WHERE position > ${size - 2}`;
    expect((await lookAfter(cut)).verification).toMatchObject({ isSound: true, count: size - 2 });
    expect((await lookAfter(cut, noted)).verification).toEqual({
      isSound: false,
      position: size,
      id: null,
      problem: 'noted_missing',
    });
  });

  it('detects a recomputed chain only by a noted position', async () => {
    const sound = await verifyToolAudits(service.database);
    if (!sound.isSound) throw new Error('The chain is broken');
    const forge = `UPDATE mcp_tool_audits SET outcome = 'deny' WHERE position = 2; ${rehashFrom(2)}`;
    expect((await lookAfter(forge)).verification).toMatchObject({ isSound: true, count: size });
    const noted = { position: sound.lastPosition, hash: sound.lastHash };
    expect((await lookAfter(forge, noted)).verification).toMatchObject({ position: size, problem: 'noted_hash' });
  });

  it('reads a chain of several pages, and finds a break in a later one', async () => {
    const audits = new ToolAudits(service.database);
    // Slightly more than two pages of 1000.
    const more = 2000;
    await Promise.all(Array.from({ length: more }, () => audits.append(newCall())));
    await expectSoundChain(service.database, size + more);
    await withoutAppendOnly(service.sql, `UPDATE mcp_tool_audits SET tool = 'other' WHERE position = 2003`);
    expect(await verifyToolAudits(service.database)).toMatchObject({ isSound: false, position: 2003, problem: 'hash' });
  });
});

describe('gatehouse verify-audit', () => {
  const stored = fixture(lendDatabase, (stored) => stored.drop());
  const database = fixture(() => stored.open());
  const sql = sqlOn(database);

  /** A copy of the current database for the command alone, taken from the files of the open engine. */
  const asItIs = async (): Promise<Pick<TestDatabase, 'url' | 'dataDirectory'>> => {
    if (!embedded) return stored;
    await sql('CHECKPOINT');
    const dataDirectory = await newDirectory();
    const copy = join(dataDirectory, 'database');
    cpSync(join(stored.dataDirectory, 'database'), copy, { recursive: true });
    // Opens as after a power cut, which would bring every file to disk first.
    appendFileSync(join(copy, 'postgresql.conf'), 'fsync = off\n');
    return { dataDirectory };
  };
  const verify = (at: Pick<TestDatabase, 'url' | 'dataDirectory'>, ...options: readonly string[]) =>
    runHere(['verify-audit', ...options], environmentFor(at));
  const zeros = '0'.repeat(64);

  // Contract: incidents#verification-of-the-record — gatehouse verify-audit
  it('prints the end of a sound chain, which a later run can expect, and names the first changed row', async () => {
    const audits = new ToolAudits(database);
    await Promise.all([newCall(), newCall(), newCall()].map((call) => audits.append(call)));
    const first = await verify(await asItIs());
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const [, place = ''] = /: 3 rows\. .* (3:[0-9a-f]{64})\n$/.exec(first.stdout) ?? [];
    await audits.append(newCall());
    const longer = await asItIs();
    const second = await verify(longer, '--json', '--expect', place);
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(second.stdout)).toMatchObject({ isSound: true, count: 4, lastPosition: 4 });
    expect(await verify(longer, '--expect', `5:${zeros}`)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Row 5 is missing: the chain ends before the noted position.\n',
    });
    await withoutAppendOnly(sql, `UPDATE mcp_tool_audits SET outcome = 'error' WHERE position = 2`);
    const id = await sql.value<string>('SELECT id FROM mcp_tool_audits WHERE position = 2');
    const tampered = await verify(await asItIs(), '--json');
    const stderr = `Row 2 (${id}) does not match its own hash: a column was changed.\n`;
    expect(tampered).toMatchObject({ code: 1, stderr });
    expect(JSON.parse(tampered.stdout)).toEqual({ isSound: false, position: 2, id, problem: 'hash' });
  });

  // Contract: machine-credentials#chain-of-an-organization — Audit: gatehouse verify-audit verifies every chain
  it('verifies the audit of each organization, and names the first changed row and its organization', async () => {
    await sql(`DO $$ BEGIN ALTER TABLE mcp_tool_audits DISABLE TRIGGER mcp_tool_audits_append_only;
      DELETE FROM mcp_tool_audits; ALTER TABLE mcp_tool_audits ENABLE TRIGGER mcp_tool_audits_append_only; END $$`);
    const organizationId = newId();
    const append = (count: number): Promise<void> =>
      database.transaction((transaction) =>
        appendOrganizationAudits(
          transaction,
          Array.from({ length: count }, () => newAudit({ organizationId })),
        ),
      );
    await append(2);
    const at = await asItIs();
    expect((await verify(at)).stdout).toMatch(/\nThe audit of 1 organization is intact: 2 rows\. --json .*\n$/);
    const printed = await verify(at, '--json');
    const { organizations } = JSON.parse(printed.stdout) as { organizations: [{ lastHash: string }] };
    expect(organizations).toEqual([
      { organizationId, isSound: true, count: 2, lastPosition: 2, lastHash: organizations[0].lastHash },
    ]);
    await append(1);
    const noted = `${organizationId}:2:${organizations[0].lastHash}`;
    const longer = await asItIs();
    expect(await verify(longer, '--expect', noted, '--expect', `0:${zeros}`)).toMatchObject({ code: 0, stderr: '' });
    expect(await verify(longer, '--expect', `${organizationId}:4:${zeros}`)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `Row 4 of the audit of organization ${organizationId} is missing: the chain ends before the noted position.\n`,
    });
    expect(await verify(longer, '--expect', noted, '--expect', noted)).toMatchObject({ code: 2, stdout: '' });
    await withoutGuardOfAudits(sql, `UPDATE organization_audits SET details = '{}' WHERE position = 2`);
    const id = await sql.value<string>('SELECT id FROM organization_audits WHERE position = 2');
    const tampered = await verify(await asItIs(), '--json');
    expect(tampered).toMatchObject({
      code: 1,
      stderr: `Row 2 (${id}) of the audit of organization ${organizationId} does not match the digest of its details: they were changed.\n`,
    });
    expect(JSON.parse(tampered.stdout)).toEqual({
      organizationId,
      isSound: false,
      position: 2,
      id,
      problem: 'details',
    });
  });

  it('refuses a database of another version, and does not migrate it', async () => {
    await sql('DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations)');
    const before = await sql('SELECT * FROM schema_migrations');
    const { code, stdout, stderr } = await verify(await asItIs());
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^The database is not at the version of this build: [\w-]+ not applied\. Run gatehouse migrate first\.\n$/,
    );
    expect(await sql('SELECT * FROM schema_migrations')).toEqual(before);
  });

  it.runIf(embedded)('refuses a data directory without a database, and creates none', async () => {
    const dataDirectory = await newDirectory();
    const stderr = `There is no database in the data directory ${dataDirectory}.\n`;
    expect(await verify({ dataDirectory })).toMatchObject({ code: 1, stdout: '', stderr });
    expect(readdirSync(dataDirectory)).toEqual([]);
  });

  it('refuses an invalid position as a usage error', async () => {
    expect(await verify(stored, '--expect', '3')).toMatchObject({ code: 2, stdout: '' });
  });

  it.each([['3'], ['x:y'], [`-1:${zeros}`], [`3:${zeros}0`], [` 3:${zeros}`], [`3:3:${zeros}`], ['']])(
    'does not parse %j as a position',
    (text) => {
      expect(() => addKnownPosition(text)).toThrow('POSITION:HASH');
    },
  );
});

describe('The rows of the chain', () => {
  it('are in the order of their instants', async () => {
    const stored = await lendDatabase();
    const database = await stored.open();
    const sql = sqlOn(database);
    const audits = [new ToolAudits(database), new ToolAudits(database)];
    await Promise.all(audits.flatMap((each) => Array.from({ length: 100 }, () => each.append(newCall()))));
    const [row] = await sql<{ ordered: boolean }>(
      `SELECT bool_and(created_at >= before) AS ordered FROM
         (SELECT created_at, lag(created_at, 1, created_at) OVER (ORDER BY position) AS before FROM mcp_tool_audits) t`,
    );
    expect(row).toEqual({ ordered: true });
    expect(await storedCalls(sql)).toHaveLength(200);
    await database.close();
    await stored.drop();
  });
});
