/**
 * Sequences of operations on sessions against a model of a page: who is signed in with which pair, and what each operation
 * must answer and leave. A sequence that fails is shrunk to the shortest one that does.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedSession } from '../support/actors/seeding.ts';
import { newOwner, newSuperAdmin, type Tenant } from '../support/actors/tenants.ts';
import { type Answer, bearer, operations, post, type Tokens, tokensOf } from '../support/clients/clients.ts';
import { type Service, startService } from '../support/gatehouse/gatehouse.ts';
import { expectCleanLog, timeoutMillis, tries } from '../support/random/fuzz.ts';

let service: Service;
let superAdmin: Tenant;

beforeAll(async () => {
  service = await startService();
  superAdmin = await newSuperAdmin(service);
});
afterAll(() => service.close());

/** A pair of a session, as the model knows it. */
interface Pair {
  readonly tokens: Tokens;
  readonly session: Session;
  state: 'live' | 'just rotated' | 'rotated long ago' | 'revoked';
  /** Whether the access token's time is over. */
  hasExpired: boolean;
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

const at = <T>(items: readonly T[], index: number): T => {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('There is nothing here');
  return item;
};

const endSession = ({ pairs }: Model, session: Session): void => {
  session.isLive = false;
  for (const pair of pairs) if (pair.session === session && pair.state === 'live') pair.state = 'revoked';
};

/** What `me` answers to the access token of a pair. */
const meOf = ({ state, hasExpired }: Pair): string | null => {
  if (state !== 'live') return 'UNAUTHENTICATED';
  return hasExpired ? 'ACCESS_EXPIRED' : null;
};

const expectCode = (answer: Answer, code: string | null): void =>
  expect([answer.code, answer.text]).toEqual([code, answer.text]);

abstract class Command implements Step {
  abstract readonly name: string;
  abstract run(model: Model, real: Real): Promise<void>;

  check(model: Readonly<Model>): boolean {
    return model.pairs.length > 0;
  }

  toString(): string {
    return this.name;
  }
}

class SignIn extends Command {
  readonly name: string;
  readonly #person: number;

  constructor(person: number) {
    super();
    this.#person = person;
    this.name = `sign in person ${person}`;
  }

  override check(): boolean {
    return true;
  }

  async run({ pairs }: Model, { people }: Real): Promise<void> {
    const person = this.#person % people.length;
    // What a sign-in does once the password is known; hashing one would take most of the time here.
    const tokens = await seedSession(service.database, at(people, person).userId);
    pairs.push({ tokens, session: { person, isLive: true }, state: 'live', hasExpired: false });
  }
}

class Me extends Command {
  readonly name: string;
  readonly #pair: number;

  constructor(pair: number) {
    super();
    this.#pair = pair;
    this.name = `me with pair ${pair}`;
  }

  async run({ pairs }: Model): Promise<void> {
    const pair = at(pairs, this.#pair);
    const answer = await post(service.url, '{ me { id } }', {}, bearer(pair.tokens));
    expectCode(answer, meOf(pair));
  }
}

class Refresh extends Command {
  readonly name: string;
  readonly #refresh: number;
  readonly #access: number;

  constructor(refresh: number, access: number) {
    super();
    this.#refresh = refresh;
    this.#access = access;
    this.name = `refresh pair ${refresh} with the access token of ${access}`;
  }

  async run(model: Model): Promise<void> {
    const { pairs } = model;
    const [pair, other] = [at(pairs, this.#refresh), at(pairs, this.#access)];
    const answer = await post(service.url, operations.refresh, {
      refreshToken: pair.tokens.refreshToken,
      accessToken: other.tokens.accessToken,
    });
    if (pair !== other || !pair.session.isLive || pair.state === 'revoked') {
      expectCode(answer, 'REFRESH_REFUSED');
    } else if (pair.state === 'just rotated') {
      expectCode(answer, 'REFRESH_SUPERSEDED');
    } else if (pair.state === 'rotated long ago') {
      expectCode(answer, 'REFRESH_REFUSED');
      endSession(model, pair.session);
    } else {
      expectCode(answer, null);
      pair.state = 'just rotated';
      pairs.push({ tokens: tokensOf(answer), session: pair.session, state: 'live', hasExpired: false });
    }
  }
}

class SignOut extends Command {
  readonly name: string;
  readonly #pair: number;

  constructor(pair: number) {
    super();
    this.#pair = pair;
    this.name = `sign out with pair ${pair}`;
  }

  async run(model: Model): Promise<void> {
    const pair = at(model.pairs, this.#pair);
    const answer = await post(service.url, operations.signOut, {}, bearer(pair.tokens));
    expectCode(answer, meOf(pair));
    if (answer.code === null) endSession(model, pair.session);
  }
}

class SignOutEverywhere extends Command {
  readonly name: string;
  readonly #pair: number;

  constructor(pair: number) {
    super();
    this.#pair = pair;
    this.name = `sign out everywhere with pair ${pair}`;
  }

  async run(model: Model): Promise<void> {
    const pair = at(model.pairs, this.#pair);
    const answer = await post(service.url, operations.signOutEverywhere, {}, bearer(pair.tokens));
    expectCode(answer, meOf(pair));
    if (answer.code === null) endAllOf(model, pair.session.person);
  }
}

const endAllOf = (model: Model, person: number): void => {
  for (const { session } of model.pairs) if (session.person === person) endSession(model, session);
};

class RevokeByGovernance extends Command {
  readonly name: string;
  readonly #person: number;

  constructor(person: number) {
    super();
    this.#person = person;
    this.name = `a super admin signs person ${person} out everywhere`;
  }

  async run(model: Model, { people }: Real): Promise<void> {
    const person = this.#person % people.length;
    const live = model.pairs.filter((pair) => pair.session.person === person && pair.state === 'live');
    // What has run out by itself is not counted.
    const count = live.reduce((sum, { hasExpired }) => sum + (hasExpired ? 1 : 2), 0);
    const tokens = await seedSession(service.database, superAdmin.userId);
    const answer = await post(
      service.url,
      operations.revokeUserSessions,
      { id: at(people, person).userId },
      bearer(tokens),
    );
    expect(answer.data).toMatchObject({ revokeUserSessions: { success: true, revokedCredentials: count } });
    endAllOf(model, person);
  }
}

class Wait extends Command {
  readonly name = 'wait eleven seconds';

  async run({ pairs }: Model): Promise<void> {
    await service.sql(
      "UPDATE credentials SET revoked_at = revoked_at - interval '11 seconds' WHERE revoked_at IS NOT NULL",
    );
    for (const pair of pairs) if (pair.state === 'just rotated') pair.state = 'rotated long ago';
  }
}

class Expire extends Command {
  readonly name = 'wait until every access token has run out';

  async run({ pairs }: Model): Promise<void> {
    await service.sql("UPDATE credentials SET expires_at = now() - interval '1 second' WHERE kind = 'user_session'");
    for (const pair of pairs) pair.hasExpired = true;
  }
}

/** What the database says of each pair is what the model says, whatever was asked in between. */
class Audit extends Command {
  readonly name = 'compare with the database';

  async run({ pairs }: Model, { people }: Real): Promise<void> {
    const rows = await service.sql<{ live: number; families: number }>(
      `SELECT count(*)::integer AS live, count(DISTINCT session_family_id)::integer AS families FROM credentials c
       JOIN users u ON u.id = c.user_id
       WHERE c.user_id = ANY ($1) AND c.revoked_at IS NULL AND c.credentials_revision = u.credentials_revision`,
      [people.map(({ userId }) => userId)],
    );
    const live = pairs.filter(({ state }) => state === 'live').length;
    expect(rows[0]?.live).toBe(live * 2);
    expect(rows[0]?.families).toBe(live);
  }
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.nat(2).map((person) => new SignIn(person)) },
  { weight: 6, arbitrary: fc.nat(9).map((pair) => new Me(pair)) },
  { weight: 6, arbitrary: fc.nat(9).map((pair) => new Refresh(pair, pair)) },
  { weight: 2, arbitrary: fc.tuple(fc.nat(9), fc.nat(9)).map(([pair, other]) => new Refresh(pair, other)) },
  { weight: 2, arbitrary: fc.nat(9).map((pair) => new SignOut(pair)) },
  { weight: 1, arbitrary: fc.nat(9).map((pair) => new SignOutEverywhere(pair)) },
  { weight: 1, arbitrary: fc.nat(2).map((person) => new RevokeByGovernance(person)) },
  { weight: 2, arbitrary: fc.constant(new Wait()) },
  { weight: 1, arbitrary: fc.constant(new Expire()) },
  { weight: 2, arbitrary: fc.constant(new Audit()) },
);

describe('Sessions', () => {
  // Specification: Bad input — Sequences of operations on sessions against a model
  it(
    'answer and end as the model says, whatever is asked in whatever order',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.commands([step], { maxCommands: 40, size: 'max' }), async (commands) => {
          const people = [await newOwner(service), await newOwner(service), await newOwner(service)];
          await service.sql('DELETE FROM credentials WHERE user_id = ANY ($1)', [people.map(({ userId }) => userId)]);
          await fc.asyncModelRun(() => ({ model: { pairs: [] }, real: { people } }), commands);
        }),
        tries(40),
      );
      expectCleanLog(service.logs, []);
    },
    timeoutMillis(600),
  );
});
