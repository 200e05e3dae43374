/** Sequences of operations on sessions against a small model of the pairs of each user. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { seedSession } from '../support/actors/seeding.ts';
import { newOwner, newSuperAdmin, runAs, type Tenant } from '../support/actors/tenants.ts';
import { type Answer, operations, post, type Tokens, tokensOf } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { expectCleanLog, tries } from '../support/random/fuzz.ts';
import { at, step } from '../support/random/model.ts';

const service = serviceFixture();
const superAdmin = fixture(() => newSuperAdmin(service));

interface Pair {
  readonly tokens: Tokens;
  readonly session: Session;
  /** `replaced`: another pair was issued in its place before any use. */
  state: 'live' | 'rotated' | 'replaced' | 'revoked';
  hasExpired: boolean;
  /** Whether its access token was accepted. */
  isUsed: boolean;
  /**
   * When it was rotated or, while it lives, issued in place of another one: steps of waiting ago; null if it was not.
   */
  waits: number | null;
  /** What the rotation issued, or what was issued in place of that. */
  successor: Pair | null;
}

interface Session {
  readonly person: number;
  isLive: boolean;
}

interface Model {
  readonly pairs: Pair[];
}

interface Real {
  readonly people: readonly Tenant[];
}

type Step = fc.AsyncCommand<Model, Real>;

const newPair = (tokens: Tokens, session: Session, waits: number | null = null): Pair => ({
  tokens,
  session,
  state: 'live',
  hasExpired: false,
  isUsed: false,
  waits,
  successor: null,
});

const endSession = ({ pairs }: Model, session: Session): void => {
  session.isLive = false;
  for (const pair of pairs) if (pair.session === session && pair.state === 'live') pair.state = 'revoked';
};

/** The answer of `me` to the access token of a pair. */
const meOf = ({ state, hasExpired }: Pair): string | null => {
  if (state !== 'live') return 'UNAUTHENTICATED';
  return hasExpired ? 'ACCESS_EXPIRED' : null;
};

const expectCode = (answer: Answer, code: string | null): void =>
  expect([answer.code, answer.text]).toEqual([code, answer.text]);

const hasPairs = ({ pairs }: Readonly<Model>): boolean => pairs.length > 0;

const signIn = (number: number): Step =>
  step(
    `sign in person ${number}`,
    () => true,
    async ({ pairs }, { people }) => {
      const person = number % people.length;
      // The effect of a sign-in once the password is verified; hashing one would take most of the time here.
      const tokens = await seedSession(service.database, at(people, person).userId);
      pairs.push(newPair(tokens, { person, isLive: true }));
    },
  );

const me = (index: number): Step =>
  step(`me with pair ${index}`, hasPairs, async ({ pairs }) => {
    const pair = at(pairs, index);
    const answer = await runAs(service, pair, '{ me { id } }');
    expectCode(answer, meOf(pair));
    pair.isUsed ||= answer.code === null;
  });

/** What becomes of a pair that is presented with its own access token, while its session lives. */
const endingOf = ({ state, waits, successor }: Pair): 'rotated' | 'superseded' | 'recovered' | 'stolen' => {
  if (state === 'live') return 'rotated';
  if (state === 'replaced') return 'stolen';
  if (waits === 0) return 'superseded';
  if (waits !== 1 || successor?.state !== 'live' || successor.isUsed) return 'stolen';
  return successor.waits === 0 ? 'superseded' : 'recovered';
};

const refresh = (refreshing: number, accessing: number): Step =>
  step(`refresh pair ${refreshing} with the access token of ${accessing}`, hasPairs, async (model) => {
    const { pairs } = model;
    const [pair, other] = [at(pairs, refreshing), at(pairs, accessing)];
    const answer = await post(service.url, operations.refresh, {
      refreshToken: pair.tokens.refreshToken,
      accessToken: other.tokens.accessToken,
    });
    if (pair !== other || !pair.session.isLive || pair.state === 'revoked') {
      expectCode(answer, 'REFRESH_REFUSED');
      return;
    }
    const ending = endingOf(pair);
    if (ending === 'superseded') return expectCode(answer, 'REFRESH_SUPERSEDED');
    if (ending === 'stolen') {
      expectCode(answer, 'REFRESH_REFUSED');
      return endSession(model, pair.session);
    }
    expectCode(answer, null);
    const issued = newPair(tokensOf(answer), pair.session, ending === 'recovered' ? 0 : null);
    if (pair.successor !== null) pair.successor.state = 'replaced';
    if (ending === 'rotated') [pair.state, pair.waits] = ['rotated', 0];
    pair.successor = issued;
    pairs.push(issued);
  });

const signOut = (index: number): Step =>
  step(`sign out with pair ${index}`, hasPairs, async (model) => {
    const pair = at(model.pairs, index);
    const answer = await runAs(service, pair, operations.signOut);
    expectCode(answer, meOf(pair));
    if (answer.code === null) endSession(model, pair.session);
  });

const signOutEverywhere = (index: number): Step =>
  step(`sign out everywhere with pair ${index}`, hasPairs, async (model) => {
    const pair = at(model.pairs, index);
    const answer = await runAs(service, pair, operations.signOutEverywhere);
    expectCode(answer, meOf(pair));
    if (answer.code === null) endAllOf(model, pair.session.person);
  });

const endAllOf = (model: Model, person: number): void => {
  for (const { session } of model.pairs) if (session.person === person) endSession(model, session);
};

const revokeByGovernance = (number: number): Step =>
  step(`a super admin signs person ${number} out everywhere`, hasPairs, async (model, { people }) => {
    const person = number % people.length;
    const live = model.pairs.filter((pair) => pair.session.person === person && pair.state === 'live');
    // Expired sessions are not counted.
    const count = live.reduce((sum, { hasExpired }) => sum + (hasExpired ? 1 : 2), 0);
    const tokens = await seedSession(service.database, superAdmin.userId);
    const answer = await runAs(service, { tokens }, operations.revokeUserSessions, { id: at(people, person).userId });
    expect(answer.data).toMatchObject({ revokeUserSessions: { success: true, revokedCredentials: count } });
    endAllOf(model, person);
  });

/** What happened just now is then 20 seconds ago, and what was then, 100 seconds. */
const wait: Step = step('wait', hasPairs, async ({ pairs }) => {
  const later = (column: string): string =>
    `${column} = CASE WHEN ${column} IS NULL THEN NULL WHEN ${column} > now() - interval '10 seconds'
       THEN now() - interval '20 seconds' ELSE now() - interval '100 seconds' END`;
  await service.sql(
    `UPDATE credentials SET ${later('revoked_at')}, ${later('recovered_at')}
     WHERE revoked_at IS NOT NULL OR recovered_at IS NOT NULL`,
  );
  for (const pair of pairs) if (pair.waits !== null) pair.waits += 1;
});

const expire: Step = step('wait until every access token has run out', hasPairs, async ({ pairs }) => {
  await service.sql("UPDATE credentials SET expires_at = now() - interval '1 second' WHERE kind = 'user_session'");
  for (const pair of pairs) pair.hasExpired = true;
});

/** The rows of each pair equal the model, after any requests. */
const audit: Step = step('compare with the database', hasPairs, async ({ pairs }, { people }) => {
  const rows = await service.sql<{ live: number; families: number }>(
    `SELECT count(*)::integer AS live, count(DISTINCT session_family_id)::integer AS families FROM credentials c
     JOIN users u ON u.id = c.user_id
     WHERE c.user_id = ANY ($1) AND c.revoked_at IS NULL AND c.credentials_revision = u.credentials_revision`,
    [people.map(({ userId }) => userId)],
  );
  const live = pairs.filter(({ state }) => state === 'live').length;
  expect(rows[0]?.live).toBe(live * 2);
  expect(rows[0]?.families).toBe(live);
});

const steps = fc.oneof(
  { weight: 3, arbitrary: fc.nat(2).map(signIn) },
  { weight: 6, arbitrary: fc.nat(9).map(me) },
  { weight: 6, arbitrary: fc.nat(9).map((pair) => refresh(pair, pair)) },
  { weight: 2, arbitrary: fc.tuple(fc.nat(9), fc.nat(9)).map(([pair, other]) => refresh(pair, other)) },
  { weight: 2, arbitrary: fc.nat(9).map(signOut) },
  { weight: 1, arbitrary: fc.nat(9).map(signOutEverywhere) },
  { weight: 1, arbitrary: fc.nat(2).map(revokeByGovernance) },
  { weight: 2, arbitrary: fc.constant(wait) },
  { weight: 1, arbitrary: fc.constant(expire) },
  { weight: 2, arbitrary: fc.constant(audit) },
);

// Contract: requests#any-order-of-requests — Sequences of operations on sessions against a model
it('Sessions answer and end as in the model, for any requests in any order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands([steps], { maxCommands: 40, size: 'max' }), async (commands) => {
      const people = [await newOwner(service), await newOwner(service), await newOwner(service)];
      await service.sql('DELETE FROM credentials WHERE user_id = ANY ($1)', [people.map(({ userId }) => userId)]);
      await fc.asyncModelRun(() => ({ model: { pairs: [] }, real: { people } }), commands);
    }),
    tries(40),
  );
  expectCleanLog(service.logs, []);
});
