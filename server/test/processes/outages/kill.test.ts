/** kill -9 during refreshes, sign-outs and sign-ups: acknowledged writes are kept, unknown ones are whole or absent. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedPerson, seedSession, seedSessions } from '../../support/actors/seeding.ts';
import { inParallel, outcomeOf, pauseUpTo, range, tally, until } from '../../support/checks/concurrency.ts';
import {
  type Answer,
  bearer,
  goodPassword,
  operations,
  post,
  type Tokens,
  tokensOf,
} from '../../support/clients/clients.ts';
import { isOnPostgres } from '../../support/database/engines.ts';
import { sqlOn } from '../../support/database/sql.ts';
import { brokenPairs } from '../../support/database/whole-rows.ts';
import { type CrashSite, startCrashSite, tokensMailedTo } from '../../support/gatehouse/crash-site.ts';
import {
  accessWhile,
  type RefreshHistory,
  refreshUntilGone,
  signOutUntilGone,
  signUpUntilGone,
} from '../../support/gatehouse/crash-workload.ts';

/** Few, to keep the suite short: a restart of the embedded engine takes seconds on a busy machine. */
const rounds = Number(process.env['TEST_CRASH_ROUNDS'] ?? (isOnPostgres ? 15 : 6));
const refreshers = 6;
const signOuts = 2;
const sessionsToEnd = 40;
const signUps = 4;
/**
 * A rotated token that is presented again within this time is superseded. From then on, its unused successor is
 * replaced (decision 0085), and after a minute it is treated as stolen.
 */
const graceMillis = 10_000;
const where = isOnPostgres ? 'one of two processes on PostgreSQL' : 'the one process on the embedded engine';

describe(`kill -9 of ${where}, ${rounds} times`, () => {
  let site: CrashSite;
  let sessions: Tokens[];
  let steady: Tokens;
  const signedUp: { acknowledged: string[]; unknown: string[] } = { acknowledged: [], unknown: [] };
  const facts = { refreshes: 0, signOuts: 0, lostSignOuts: 0, verdicts: [] as string[] };

  beforeAll(async () => {
    const started = await startCrashSite(async (database) => ({
      sessions: await seedSessions(database, rounds * (refreshers + sessionsToEnd), 20),
      steady: await seedSession(database, await seedPerson(database)),
    }));
    site = started.site;
    ({ sessions, steady } = started.seeded);
  }, 120_000);
  afterAll(() => site.close());

  /** The answer of every process to a pair's access token: one outcome when they agree. */
  const accessOf = async (pair: Tokens): Promise<string> => {
    const answers = await Promise.all(site.urls.map((url) => post(url, operations.me, {}, bearer(pair))));
    return [...new Set(answers.map(outcomeOf))].join(' but ');
  };

  const refresh = (pair: Tokens) => post(site.victim.url, operations.refresh, { ...pair });

  const judgeRotated = async (answer: Answer, isLate: boolean): Promise<string> => {
    const outcome = outcomeOf(answer);
    if (isLate && outcome === 'OK') return `refresh ${await accessOf(tokensOf(answer))} in place of the lost one`;
    const expected = isLate && outcome === 'REFRESH_REFUSED' ? outcome : 'REFRESH_SUPERSEDED';
    return outcome === expected ? 'refresh done' : `refresh UNAUTHENTICATED, then ${outcome}`;
  };

  /** The last acknowledged pair either is still live and rotates, or the lost refresh rotated it whole. */
  const judgeRefresh = async ({ last, lostAt }: RefreshHistory): Promise<string> => {
    const use = await accessOf(last);
    const answer = await refresh(last);
    const outcome = outcomeOf(answer);
    if (use === 'UNAUTHENTICATED') return judgeRotated(answer, performance.now() - lostAt > graceMillis);
    if (use !== 'OK' || outcome !== 'OK') return `refresh ${use}, then ${outcome}`;
    const uses = [await accessOf(tokensOf(answer)), await accessOf(last)].join(', ');
    return uses === 'OK, UNAUTHENTICATED' ? 'refresh not done' : `refresh not done, then ${uses}`;
  };

  const judgeSignOut = async (pair: Tokens, isAcknowledged: boolean): Promise<string> => {
    const seen = `${await accessOf(pair)}, ${outcomeOf(await refresh(pair))}`;
    if (seen === 'UNAUTHENTICATED, REFRESH_REFUSED') return 'sign-out done';
    return seen === 'OK, OK' && !isAcknowledged ? 'sign-out not done' : `sign-out ${seen}`;
  };

  const round = async (): Promise<void> => {
    const { url } = site.victim;
    const firstSignUp = Promise.withResolvers<void>();
    const state = { isOver: false };
    const toEnd = sessions.splice(0, sessionsToEnd);
    const refreshing = sessions.splice(0, refreshers).map((pair) => refreshUntilGone(url, pair));
    const signingOut = range(signOuts).map(() => signOutUntilGone(url, toEnd));
    const signingUp = range(signUps).map(() => signUpUntilGone(url, firstSignUp.resolve));
    const using = site.survivor === null ? null : accessWhile(site.survivor.url, steady, () => state.isOver);
    const histories = Promise.all([Promise.all(refreshing), Promise.all(signingOut), Promise.all(signingUp)]);
    // Every kind of operation is in flight from here on; the exact end is random.
    await Promise.race([firstSignUp.promise, histories]);
    await pauseUpTo(150);
    await site.victim.kill();
    const [refreshed, signedOut, signed] = await histories;
    await site.victim.restart();
    facts.refreshes += refreshed.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
    const ended = signedOut.flatMap(({ acknowledged }) => acknowledged);
    facts.signOuts += ended.length;
    facts.lostSignOuts += signedOut.flatMap((history) => history.unknown).length;
    for (const { acknowledged, unknown } of signed) {
      signedUp.acknowledged.push(...acknowledged);
      signedUp.unknown.push(...unknown);
    }
    const unknown = signedOut.flatMap((history) => history.unknown);
    facts.verdicts.push(
      ...(await inParallel(refreshed, 4, judgeRefresh)),
      ...(await inParallel(ended, 4, (pair) => judgeSignOut(pair, true))),
      ...(await inParallel(unknown, 4, (pair) => judgeSignOut(pair, false))),
      // The rest is unchanged.
      ...(await inParallel(toEnd.slice(0, 4), 4, async (pair) => `untouched ${await accessOf(pair)}`)),
    );
    state.isOver = true;
    expect(await using).toEqual(site.survivor === null ? null : []);
  };

  // Contract: credentials#killed-process — Nothing acknowledged is lost, kill -9 during refresh and sign-out
  it('loses no acknowledged refresh or sign-out, and leaves none half done', async () => {
    for (let index = 0; index < rounds; index += 1) await round();
    const counts = tally(facts.verdicts);
    const {
      'refresh done': done = 0,
      'refresh OK in place of the lost one': replaced = 0,
      'refresh not done': undone = 0,
      ...rest
    } = counts;
    const {
      'sign-out done': ended = 0,
      'sign-out not done': notEnded = 0,
      'untouched OK': untouched = 0,
      ...wrong
    } = rest;
    expect(wrong).toEqual({});
    expect(done + replaced + undone).toBe(rounds * refreshers);
    expect(ended).toBeGreaterThanOrEqual(facts.signOuts);
    expect(ended + notEnded).toBe(facts.signOuts + facts.lostSignOuts);
    expect(untouched).toBeGreaterThan(0);
    expect(facts.refreshes).toBeGreaterThan(rounds);
    expect(facts.signOuts).toBeGreaterThan(rounds);
    expect(site.defects()).toEqual([]);
  }, 600_000);

  // Contract: credentials#killed-process — One live pair of a family, kill -9 included
  it('leaves only whole pairs, one not rotated in each family', async () => {
    const broken = await site.withDatabase((database) => sqlOn(database)(brokenPairs));
    expect(broken).toEqual([]);
  });

  // Contract: credentials#killed-process — Nothing acknowledged is lost, kill -9 during a sign-up and its mail
  it('has mailed every acknowledged sign-up, and its link and password work', async () => {
    // A mail claimed by the killed process is due again in half a minute: makes it due now, by the database's clock.
    await site.withDatabase((database) => sqlOn(database)('UPDATE mail_outbox SET next_attempt_at = now()'));
    const { acknowledged, unknown } = signedUp;
    // Also those of unacknowledged sign-ups: they are complete as well.
    await until('every queued mail is sent', () =>
      site.withDatabase(async (database) => (await sqlOn(database)('SELECT id FROM mail_outbox')).length === 0),
    );
    expect(acknowledged.filter((email) => tokensMailedTo(site, email).length === 0)).toEqual([]);
    const mailed = [...acknowledged, ...unknown].filter((email) => tokensMailedTo(site, email).length > 0);
    const seen = await inParallel(mailed, 4, async (email) => {
      const [token] = tokensMailedTo(site, email);
      const { text } = await post(site.victim.url, operations.validate, { token });
      const signIn = { input: { email, password: goodPassword } };
      const outcome = outcomeOf(await post(site.victim.url, operations.signIn, signIn));
      return `${/"status":"([A-Z]+)"/.exec(text)?.[1] ?? text}, ${outcome}`;
    });
    expect(tally(seen)).toEqual({ 'VERIFIED, OK': mailed.length });
    expect(acknowledged.length).toBeGreaterThanOrEqual(rounds);
  }, 120_000);

  // Contract: credentials#killed-process — Whole or not at all, kill -9 during a sign-up
  it('leaves no user without their organization, no organization without its owner, and no mail without its user', async () => {
    const { broken, users, queued } = await site.withDatabase(async (database) => {
      const sql = sqlOn(database);
      return {
        broken: await sql(
          `SELECT email AS what FROM users u
             LEFT JOIN organization_members m ON m.id = u.current_membership AND m.user_id = u.id AND m.role = 'OWNER'
             LEFT JOIN subscriptions s ON s.organization_id = m.organization_id AND s.status = 'ACTIVE'
           WHERE m.joined_at IS NULL OR s.organization_id IS NULL
           UNION ALL
           SELECT o.name FROM organizations o
           WHERE NOT EXISTS (SELECT 1 FROM organization_members m WHERE m.organization_id = o.id)`,
        ),
        users: await sql<{ email: string; verified: boolean }>(
          'SELECT email, email_validation_token_hash IS NULL AS verified FROM users WHERE password_hash IS NOT NULL',
        ),
        queued: await sql('SELECT id FROM mail_outbox'),
      };
    });
    expect(broken).toEqual([]);
    expect(queued).toEqual([]);
    const known = new Set(users.map(({ email }) => email));
    expect(site.mails.filter(({ to }) => !to.some((address) => known.has(address)))).toEqual([]);
    // Also those whose client never received the answer: they are whole, so mailed, so verified by the test above.
    expect(users.filter(({ verified }) => !verified)).toEqual([]);
  });
});
