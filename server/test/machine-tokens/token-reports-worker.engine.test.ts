/**
 * Working off reports of leaked tokens: nothing that was accepted is lost, whatever fails, and no token is told of
 * twice.
 */
import { fastify } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { hashToken, newToken } from '../../src/domain/credentials/token.ts';
import { endReported } from '../../src/domain/machine-tokens/end-reported.ts';
import { TokenReports } from '../../src/domain/machine-tokens/report-leaks.ts';
import { claimDueReport, insertReport, newUnclaimedId } from '../../src/domain/machine-tokens/report-leaks-store.ts';
import { defaultApplication } from '../../src/domain/scopes/application-definition.ts';
import { mountFailures } from '../../src/http/fallbacks.ts';
import { mountTokenReport } from '../../src/http/token-report.ts';
import { registerRateLimitHeaders } from '../../src/http-kit/rate-limit-headers.ts';
import { BodyBudget, leaveBodiesUnread } from '../../src/http-kit/request-bodies.ts';
import { type Database, DatabaseUnavailable } from '../../src/platform/database/database.ts';
import type { Mail } from '../../src/platform/mail/mails.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { unlimited } from '../../src/platform/rate-limit/rate-limits.ts';
import { newOwner } from '../support/actors/tenants.ts';
import { range } from '../support/checks/concurrency.ts';
import { lendDatabase } from '../support/database/database-pool.ts';
import { sqlOn } from '../support/database/sql.ts';
import { fixture } from '../support/fixture.ts';
import { auditsOf, entry, reasonOf, report, reportsWaiting, seedPersonalToken } from './reported.ts';

const stored = fixture(lendDatabase, (each) => each.drop());
const database = fixture(() => stored.open());
const sql = sqlOn(database);
const site = { database, sql };

let mails: string[];
let logs: Record<string, unknown>[];
/** Called for each mail before it is queued. */
let onMail: (mail: Mail) => void;

beforeEach(async () => {
  [mails, logs, onMail] = [[], [], () => undefined];
  await sql('DELETE FROM token_reports');
});

const depsOn = (on: Database) => ({
  application: defaultApplication,
  database: on,
  logger: createLogger('trace', { write: (line) => logs.push(JSON.parse(line) as Record<string, unknown>) }),
  mail: {
    enqueue: async (_transaction: unknown, mail: Mail) => {
      onMail(mail);
      mails.push(mail.to);
      return { subject: '' };
    },
  },
  settings: { frontendUrl: 'https://app.example.com' },
});

/** Those of a process; no work begins before `flush`, because it never starts. */
const newReports = (on: Database = database): TokenReports => new TokenReports(depsOn(on));

const reported = (token: string) => ({ token, url: '', source: '' });
const makeDue = () => sql('UPDATE token_reports SET next_attempt_at = now()');

/** A database that fails every statement of these names. */
const failing = (...names: readonly string[]): Database => {
  const guarded =
    (run: (statement: { readonly name: string }, params: unknown) => unknown) =>
    async (statement: { readonly name: string }, params: unknown) => {
      if (names.includes(statement.name)) throw new DatabaseUnavailable('This test has no such storage');
      return run(statement, params);
    };
  return new Proxy(database, {
    get: (target, key): unknown => {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      const bound = value.bind(target) as (...args: readonly unknown[]) => unknown;
      return ['many', 'one', 'maybeOne', 'execute'].includes(String(key)) ? guarded(bound) : bound;
    },
  });
};

describe('An accepted report', () => {
  it('is worked off by another process when the one that accepted it has died', async () => {
    const owner = await newOwner(site);
    const live = await seedPersonalToken(site, owner);
    await newReports().accept([reported(live.secret)], null);
    expect(await reasonOf(site, live.secret)).toBeNull();
    await newReports().flush();
    expect(await reasonOf(site, live.secret)).toBe('reported_leaked');
    expect([mails, await reportsWaiting(site)]).toEqual([[owner.email], 0]);
  });

  it('keeps no token, only hashes of what has the format of one', async () => {
    const { secret: token } = await seedPersonalToken(site, await newOwner(site));
    const other = newToken('user_refresh');
    const strange = 'gate_p_that-is-none';
    await newReports().accept([{ token, url: `https://x.example/?${other}`, source: token }, reported(strange)], null);
    const [row] = await sql<{ entries: readonly object[] }>('SELECT entries FROM token_reports');
    const hash = hashToken(token).toString('hex');
    expect(row?.entries).toEqual([{ hash, url: 'https://x.example/?gate_…', source: 'gate_…' }]);
  });

  it('waits while storage does not answer, and is then worked off', async () => {
    const live = await seedPersonalToken(site, await newOwner(site));
    await newReports().accept([reported(live.secret)], null);
    await newReports(failing('token_reports.claim')).flush();
    await newReports(failing('token_reports.list_reported')).flush();
    expect(logs.filter(({ event }) => event === 'token.reports_unavailable')).toHaveLength(2);
    expect([await reasonOf(site, live.secret), await reportsWaiting(site)]).toEqual([null, 1]);
    // Claimed: another process leaves it alone until the claim is over.
    await newReports().flush();
    expect(await reasonOf(site, live.secret)).toBeNull();
    await makeDue();
    await newReports().flush();
    expect([await reasonOf(site, live.secret), await reportsWaiting(site)]).toEqual(['reported_leaked', 0]);
  });

  it('ends the other tokens when one cannot be ended, and tries that one again until it succeeds', async () => {
    const [broken, owner] = [await newOwner(site), await newOwner(site)];
    const [first, second] = [await seedPersonalToken(site, broken), await seedPersonalToken(site, owner)];
    onMail = ({ to }) => {
      if (to === broken.email) throw new Error('This mail cannot be written');
    };
    await newReports().accept([reported(first.secret), reported(second.secret)], null);
    await newReports().flush();
    expect([await reasonOf(site, first.secret), await reasonOf(site, second.secret)]).toEqual([
      null,
      'reported_leaked',
    ]);
    expect(await auditsOf(site, broken.organizationId)).toEqual([]);
    expect(logs.filter(({ event }) => event === 'token.report_failed')).toMatchObject([
      { level: 'error', attempts: 1 },
    ]);
    onMail = () => undefined;
    await makeDue();
    await newReports().flush();
    expect(await reasonOf(site, first.secret)).toBe('reported_leaked');
    expect([mails, await reportsWaiting(site)]).toEqual([[owner.email, broken.email], 0]);
  });

  it('is left to the next process when this one stops', async () => {
    const owner = await newOwner(site);
    const tokens = [await seedPersonalToken(site, owner), await seedPersonalToken(site, owner)];
    const stopping = newReports();
    const stops: Promise<void>[] = [];
    onMail = () => stops.push(stopping.stop());
    await stopping.accept(
      tokens.map(({ secret }) => reported(secret)),
      null,
    );
    await stopping.flush();
    await Promise.all(stops);
    expect([mails.length, await reportsWaiting(site)]).toEqual([1, 1]);
    await makeDue();
    await newReports().flush();
    expect([mails.length, await reportsWaiting(site)]).toEqual([2, 0]);
  });

  it('has the correlation id of its request in the lines of its work', async () => {
    const owner = await newOwner(site);
    const live = await seedPersonalToken(site, owner);
    await newReports().accept([reported(live.secret)], null);
    const [row] = await sql<{ id: string }>('SELECT correlation_id AS id FROM token_reports');
    await newReports().flush();
    const [audit] = await sql<{ id: string }>(
      'SELECT correlation_id AS id FROM organization_audits WHERE organization_id = $1',
      [owner.organizationId],
    );
    const line = logs.find(({ event }) => event === 'token.reported_leaked');
    expect([audit?.id, line?.['correlationId']]).toEqual([row?.id, row?.id]);
  });
});

describe('A token', () => {
  // Contract: machine-credentials#effect-of-a-report — One mail a token
  it('that two processes end at the same time is told of once', async () => {
    const owner = await newOwner(site);
    const { id: sessionFamilyId } = await seedPersonalToken(site, owner);
    const family = { kind: 'machine', sessionFamilyId } as const;
    await Promise.all(range(4).map(() => endReported(depsOn(database), family, { url: '', source: '' })));
    expect(mails).toEqual([owner.email]);
    expect(await auditsOf(site, owner.organizationId)).toHaveLength(1);
  });
});

/** The endpoint over a database, and a report of a live token to it. */
const reportOver = async (on: Database) => {
  const app = fastify();
  registerRateLimitHeaders(app);
  mountFailures(app);
  leaveBodiesUnread(app);
  await mountTokenReport(app, { reports: newReports(on), limits: unlimited, bodies: new BodyBudget() });
  const live = await seedPersonalToken(site, await newOwner(site));
  try {
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    return { live, reply: await report({ url }, [entry(live.secret)]) };
  } finally {
    await app.close();
  }
};

describe('A report that cannot be kept', () => {
  it('is 503 where storage does not answer, so that its sender tries again', async () => {
    const { live, reply } = await reportOver(failing('token_reports.insert'));
    expect([reply.status, JSON.parse(reply.body)]).toMatchObject([503, { error: { code: 'UNAVAILABLE' } }]);
    expect([await reasonOf(site, live.secret), await reportsWaiting(site)]).toEqual([null, 0]);
  });
});

describe('The reports that wait', () => {
  const accept = (...tokens: readonly string[]) => newReports().accept(tokens.map(reported), null);
  const rows = () => sql('SELECT id, received_at FROM token_reports');

  // Contract: machine-credentials#effect-of-a-report — Strangers do not fill the reports that wait
  it('are none of tokens that are unknown, revoked or expired, however many are reported', async () => {
    const owner = await newOwner(site);
    const [revoked, expired] = [await seedPersonalToken(site, owner), await seedPersonalToken(site, owner)];
    await sql(
      "UPDATE credentials SET revoked_at = now(), revocation_reason = 'signed_out_everywhere' WHERE session_family_id = $1",
      [revoked.id],
    );
    await sql("UPDATE credentials SET expires_at = now() - interval '1 second' WHERE session_family_id = $1", [
      expired.id,
    ]);
    for (const _ of range(20)) {
      await accept(...range(100).map(() => newToken('service_token')), revoked.secret, expired.secret);
    }
    expect(await reportsWaiting(site)).toBe(0);
  });

  it('are one for a live token, however often it is reported, as of the first report', async () => {
    const owner = await newOwner(site);
    const [first, second] = [await seedPersonalToken(site, owner), await seedPersonalToken(site, owner)];
    await accept(first.secret, newToken('personal_token'));
    const before = await rows();
    for (const _ of range(5)) await accept(first.secret);
    expect(await rows()).toEqual(before);
    await Promise.all(
      range(4).flatMap(() => [accept(first.secret, second.secret), accept(second.secret, first.secret)]),
    );
    expect(await reportsWaiting(site)).toBe(2);
    await newReports().flush();
    expect([mails, await reportsWaiting(site)]).toEqual([[owner.email, owner.email], 0]);
  });

  it('are accepted however many wait', async () => {
    await sql(
      `INSERT INTO token_reports (id, correlation_id, entries, next_attempt_at)
       SELECT gen_random_uuid(), gen_random_uuid(), '[{}]', 'infinity' FROM generate_series(1, 2000)`,
    );
    expect((await reportOver(database)).reply).toMatchObject({ status: 202, body: '' });
    expect(await reportsWaiting(site)).toBe(2001);
  });

  it('are written to by a report without a live token too, within 256 rows that no process claims', async () => {
    const id = '00000000-0000-4000-8000-0000000000ff';
    const entries = JSON.stringify([{ hash: '00', url: '', source: '' }]);
    for (const _ of range(3)) {
      expect(await database.execute(insertReport, [crypto.randomUUID(), entries, id])).toBe(1);
    }
    expect(await rows()).toHaveLength(1);
    expect(await database.maybeOne(claimDueReport, [])).toBeNull();
    expect(newUnclaimedId()).toMatch(/^00000000-0000-4000-8000-0000000000[0-9a-f]{2}$/);
  });
});
