/** The history of attempts to sign in: what is recorded of each way in, its filters and pages, and its bounds. */
import { describe, expect, it } from 'vitest';
import { SignInHistory } from '../../src/domain/sign-ins/sign-in-history.ts';
import { Refusal } from '../../src/kernel/errors.ts';
import { newId } from '../../src/kernel/ids.ts';
import { inviteByMail, submitProfile } from '../support/actors/invitations.ts';
import { addOneTimeCodes, challengeIn, complete, freshCode, wrongCode } from '../support/actors/one-time-codes.ts';
import { newPasskeyPerson, passkeySettings, sendAssertion, signInWithPasskey } from '../support/actors/passkeys.ts';
import { newOwner, newSuperAdmin, runAs } from '../support/actors/tenants.ts';
import { range } from '../support/checks/concurrency.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import {
  type Answer,
  bearer,
  goodPassword,
  newAddress,
  operations,
  post,
  register,
  registerAndSignIn,
  signUp,
  tokensOf,
} from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { runCleanup } from '../support/gatehouse/cleanup.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import {
  exchange,
  newIdentity,
  newSecret,
  providerSettings,
  returningBrowser,
  signInExternally,
} from '../support/servers/external.ts';

const service = serviceFixture({ ...providerSettings, ...passkeySettings });
const root = fixture(() => newSuperAdmin(service));

interface Attempt {
  readonly id: string;
  readonly at: string;
  readonly userId: string | null;
  readonly userEmail: string | null;
  readonly method: string;
  readonly outcome: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly sessionFamilyId: string | null;
}

interface History {
  readonly nodes: readonly Attempt[];
  readonly totalCount: number;
  readonly totalCountIsCapped: boolean;
  readonly unlistedRefusals: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

const historyIn = (answer: Answer): History => {
  if (answer.code !== null) throw new Error(answer.text);
  const [history] = Object.values((JSON.parse(answer.text) as { data: Record<string, History> }).data);
  if (history === undefined) throw new Error(answer.text);
  return history;
};

const list = async (filter: object, page: object = {}): Promise<History> =>
  historyIn(await runAs(service, root, operations.signIns, { filter, ...page }));

const idOf = async (email: string): Promise<string> =>
  (await service.sql.value<string>('SELECT id FROM users WHERE email = $1', [email])) ?? '';

/**
 * Method and outcome of each attempt of a person, sorted: a refusal is written late, so that its instant is not exact.
 */
const attemptsOf = async (email: string): Promise<string[]> =>
  (await list({ userId: await idOf(email) })).nodes.map(({ method, outcome }) => `${method} ${outcome}`).toSorted();

const wrongPassword = 'Wrong.horse7';

const signIn = (email: string, password = goodPassword, headers = {}): Promise<Answer> =>
  post(service.url, operations.signIn, { input: { email, password } }, headers);

describe('The history of sign-ins', () => {
  // Contract: incidents#history-of-sign-ins — sign_ins_list · signIns: an attempt with its columns
  it('has a sign-in by password with its session, address and user agent, and a wrong password', async () => {
    const email = await register(service);
    await signIn(email, wrongPassword, { 'user-agent': 'Guesser/1' });
    // Written before the success.
    await list({});
    const tokens = tokensOf(await signIn(email, goodPassword, { 'user-agent': 'Browser/1' }));
    const userId = await idOf(email);
    const [family] = await service.sql<{ id: string }>(
      'SELECT session_family_id AS id FROM credentials WHERE user_id = $1 LIMIT 1',
      [userId],
    );
    const { nodes, totalCount } = await list({ userId });
    const common = { userId, userEmail: email, method: 'password', ip: '127.0.0.1' };
    expect(nodes).toEqual([
      {
        ...common,
        id: expect.any(String) as unknown,
        at: expect.stringMatching(/Z$/) as unknown,
        outcome: 'success',
        userAgent: 'Browser/1',
        sessionFamilyId: family?.id,
      },
      {
        ...common,
        id: expect.any(String) as unknown,
        at: expect.stringMatching(/Z$/) as unknown,
        outcome: 'INVALID_CREDENTIALS',
        userAgent: 'Guesser/1',
        sessionFamilyId: null,
      },
    ]);
    expect(totalCount).toBe(2);
    const own = historyIn(await post(service.url, operations.mySignIns, {}, bearer(tokens)));
    expect(own.nodes).toEqual(nodes);
  });

  it('has the attempt with an unknown address without the address', async () => {
    const typed = newAddress();
    await signIn(typed, wrongPassword, { 'user-agent': 'Unknown/1' });
    const { nodes } = await list({ outcome: 'INVALID_CREDENTIALS' });
    expect(nodes.filter(({ userAgent }) => userAgent === 'Unknown/1')).toEqual([
      expect.objectContaining({ userId: null, userEmail: null, method: 'password', outcome: 'INVALID_CREDENTIALS' }),
    ]);
    const stored = await service.sql('SELECT FROM sign_ins s WHERE to_jsonb(s)::text LIKE $1', [`%${typed}%`]);
    expect(stored).toEqual([]);
  });

  it('has an unverified address, and the link that verifies it with the password', async () => {
    const email = newAddress();
    const token = await signUp(service, email);
    await signIn(email);
    const confirm = (password: string) => post(service.url, operations.confirmSignUp, { input: { token, password } });
    await confirm(wrongPassword);
    await confirm(goodPassword);
    expect(await attemptsOf(email)).toEqual([
      'password EMAIL_NOT_VERIFIED',
      'password INVALID_CREDENTIALS',
      'password success',
    ]);
  });

  it('has the step that asks for a second factor, wrong codes, and the completion', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    const { secret } = await addOneTimeCodes(service, tokens);
    const challenge = challengeIn(await signIn(email));
    await complete(service, challenge, await wrongCode(service, secret));
    await complete(service, challenge, await freshCode(service, secret));
    expect(await attemptsOf(email)).toEqual([
      'password INVALID_CREDENTIALS',
      'password SECOND_FACTOR_REQUIRED',
      'password success',
      'password success',
    ]);
  });

  it('has passkeys, also one that is refused', async () => {
    const person = await newPasskeyPerson(service);
    await signInWithPasskey(service, person.authenticator, { userHandle: 'c29tZW9uZSBlbHNl' });
    await signInWithPasskey(service, person.authenticator);
    await sendAssertion(service, 'no assertion');
    expect(await attemptsOf(person.email)).toEqual([
      'passkey INVALID_CREDENTIALS',
      'passkey success',
      'password success',
    ]);
  });

  it('has a provider, and its secret that is used again', async () => {
    const identity = newIdentity();
    const { user } = await signInExternally(service, identity);
    const secret = await newSecret(service, identity);
    await service.sql('UPDATE users SET credentials_revision = credentials_revision + 1 WHERE id = $1', [user.id]);
    await exchange(returningBrowser(service, secret));
    expect(await attemptsOf(user.email)).toEqual(['google success']);
    const { nodes } = await list({ outcome: 'EXCHANGE_REFUSED', method: 'google' });
    expect(nodes.length).toBeGreaterThan(0);
  });

  it('has an invitation that is completed', async () => {
    const owner = await newOwner(service);
    const email = newAddress();
    const { token } = await inviteByMail(service, owner.tokens, email);
    await submitProfile(service, token);
    expect(await attemptsOf(email)).toEqual(['invitation success']);
  });

  it('has a suspended person', async () => {
    const email = await register(service);
    const variables = { id: await idOf(email), reason: 'A test' };
    await runAs(service, root, operations.suspendUser, variables);
    await signIn(email);
    expect(await attemptsOf(email)).toEqual(['password ACCOUNT_SUSPENDED']);
  });

  it('has neither a refresh, nor a switch, nor a proof in a session', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    const input = { password: wrongPassword };
    await post(service.url, operations.reauthenticate, { input }, bearer(tokens));
    await post(service.url, operations.refresh, { ...tokens });
    expect(await attemptsOf(email)).toEqual(['password success']);
  });

  it('goes with the account', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    await signIn(email, wrongPassword);
    const userId = await idOf(email);
    expect(await attemptsOf(email)).toHaveLength(2);
    expect((await post(service.url, operations.deleteAccount, { email }, bearer(tokens))).code).toBeNull();
    for (const table of ['sign_ins', 'refused_sign_ins']) {
      expect(await service.sql(`SELECT FROM ${table} WHERE user_id = $1`, [userId])).toEqual([]);
    }
  });
});

describe('signIns', () => {
  /** One success and one refusal of a new person, from an address of documentation. */
  const seeded = async (ip: string, ageSeconds = 0): Promise<string> => {
    const { userId } = await newOwner(service);
    await service.sql(
      `INSERT INTO sign_ins (id, at, user_id, method, outcome, ip, expires_at)
       SELECT gen_random_uuid(), now() - $3 * interval '1 second', $1::uuid, 'passkey', outcome, $2::inet,
         now() + interval '1 day' FROM unnest('{success,INVALID_CREDENTIALS}'::text[]) AS outcome`,
      [userId, ip, ageSeconds],
    );
    return userId;
  };

  it.each([
    ['203.0.113.9', ['203.0.113.9', '203.0.113.0/24', '203.0.112.0/20', '203.0.113.9/32', '::ffff:203.0.113.9']],
    ['2001:db8:7::5', ['2001:db8:7::5', '2001:db8:7::/48', '2001:db8::/32', '2001:DB8:7:0::5/128']],
  ])('finds %s by its address and the networks that have it', async (ip, networks) => {
    const userId = await seeded(ip);
    for (const network of networks) {
      expect([network, (await list({ userId, network })).totalCount]).toEqual([network, 2]);
      expect((await list({ network })).nodes.map((node) => node.userId)).toContain(userId);
    }
    for (const network of ['203.0.113.10', '198.51.100.0/24', '2001:db8:8::/48', '10.0.0.0/8']) {
      expect((await list({ userId, network })).nodes).toEqual([]);
    }
  });

  it('is filtered by outcome, method and time, which hold together', async () => {
    const userId = await seeded('198.51.100.7', 3600);
    const anHourAgo = Date.now() - 3_600_000;
    const [before, after] = [anHourAgo - 60_000, anHourAgo + 60_000].map((at) => new Date(at).toISOString());
    const outcomesOf = async (filter: object) =>
      (await list({ userId, ...filter })).nodes.map(({ outcome }) => outcome).toSorted();
    expect(await outcomesOf({ outcome: 'success' })).toEqual(['success']);
    expect(await outcomesOf({ outcome: 'INVALID_CREDENTIALS' })).toEqual(['INVALID_CREDENTIALS']);
    expect(await outcomesOf({ outcome: 'ACCOUNT_SUSPENDED' })).toEqual([]);
    expect(await outcomesOf({ method: 'passkey', from: before, to: after })).toHaveLength(2);
    expect(await outcomesOf({ method: 'password' })).toEqual([]);
    expect(await outcomesOf({ from: after })).toEqual([]);
    expect(await outcomesOf({ to: before })).toEqual([]);
  });

  it('has the attempts of the millisecond that it ends with', async () => {
    const { userId } = await newOwner(service);
    await service.sql(
      `INSERT INTO sign_ins (id, at, user_id, method, outcome, expires_at)
       SELECT gen_random_uuid(), date_trunc('second', now()) - micros * interval '1 microsecond', $1, 'password', 'success',
         now() + interval '1 day' FROM unnest('{998001,998999,997000}'::integer[]) AS micros`,
      [userId],
    );
    const { nodes } = await list({ userId });
    const ends = nodes.map(({ at }) => at);
    expect(await Promise.all(ends.map(async (to) => (await list({ userId, to })).totalCount))).toEqual([3, 2, 2]);
  });

  // Contract: incidents#empty-answer — a filter that names nothing is BAD_USER_INPUT naming the argument
  it.each([
    ['userId', { userId: newId() }],
    ['userId', { userId: 'no id' }],
    ['network', { network: 'no network' }],
    ['network', { network: '' }],
    ['network', { network: '203.0.113.0/33' }],
    ['network', { network: '2001:db8::/129' }],
    ['network', { network: '203.0.113.0/24/24' }],
    ['network', { network: '203.0.113.0/-1' }],
    ['network', { network: 'fe80::1%eth0' }],
    ['network', { network: '203.0.113.9\u0000' }],
    ['outcome', { outcome: 'SUCCESS' }],
    ['outcome', { outcome: '' }],
    ['method', { method: 'magic' }],
  ])('names %s of %j', async (field, filter) => {
    const answer = await expectNothingStored(service, () => runAs(service, root, operations.signIns, { filter }));
    expect([answer.code, Object.keys(answer.extensions['fields'] as object)]).toEqual(['BAD_USER_INPUT', [field]]);
  });

  it('is read in pages, each attempt once, the newest first', async () => {
    const { userId } = await newOwner(service);
    await service.sql(
      `INSERT INTO sign_ins (id, at, user_id, method, outcome, expires_at)
       SELECT gen_random_uuid(), now() - (n / 3) * interval '1 second', $1, 'password', 'success', now() + interval '1 day'
       FROM generate_series(1, 25) AS n`,
      [userId],
    );
    const seen: Attempt[] = [];
    for (let after: string | null = null; ; ) {
      const { nodes, totalCount, pageInfo } = await list({ userId }, { first: 7, after });
      expect(totalCount).toBe(25);
      seen.push(...nodes);
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(25);
    const times = seen.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().reverse());
  });

  it('refuses pages that do not exist', async () => {
    for (const page of [{ first: 0 }, { first: 101 }, { after: 'no cursor' }]) {
      const answer = await runAs(service, root, operations.signIns, page);
      expect([answer.code, Object.keys(answer.extensions['fields'] as object)]).toEqual([
        'BAD_USER_INPUT',
        Object.keys(page),
      ]);
    }
  });

  it('is for super admins with sessions:view alone', async () => {
    const { tokens } = await registerAndSignIn(service);
    const without = await newSuperAdmin(service, ['users:view']);
    for (const other of [{ tokens }, without]) {
      expect((await runAs(service, other, operations.signIns)).code).toBe('FORBIDDEN');
    }
  });
});

describe('mySignIns', () => {
  it("lists the caller's own attempts alone", async () => {
    const other = await registerAndSignIn(service);
    const { email, tokens } = await registerAndSignIn(service);
    const own = historyIn(await post(service.url, operations.mySignIns, {}, bearer(tokens)));
    expect(own.nodes.map(({ userEmail }) => userEmail)).toEqual([email]);
    expect(own.nodes.map(({ userEmail }) => userEmail)).not.toContain(other.email);
  });
});

describe('Refused attempts', () => {
  const refuse = (history: SignInHistory, userId: string | null): void =>
    history.refuse(
      { method: 'password', ip: '198.51.100.9', userAgent: null },
      new Refusal('INVALID_CREDENTIALS', 'Wrong.', { userId }),
    );

  // Contract: incidents#history-of-sign-ins — failures beyond 100 a day of a person are counted, not listed
  it('beyond 100 a day of one person are counted and not listed', async () => {
    const today = () => service.sql.value<number>('SELECT floor(extract(epoch FROM now()) / 86400)::integer');
    const refused = async (): Promise<string> => {
      const { userId } = await newOwner(service);
      const history = new SignInHistory(service.database, silentLogger, 30);
      for (const attempts of [95, 15, 5]) {
        for (const _ of range(attempts)) refuse(history, userId);
        await history.flush();
      }
      return userId;
    };
    const day = await today();
    const first = await refused();
    // The attempts of two days are counted apart.
    const userId = (await today()) === day ? first : await refused();
    expect(await list({ userId })).toMatchObject({ totalCount: 100, unlistedRefusals: 15 });
    expect((await list({})).unlistedRefusals).toBeGreaterThanOrEqual(15);
  });

  it('of a person who is gone are left out, and fail no others', async () => {
    const { userId } = await newOwner(service);
    const history = new SignInHistory(service.database, silentLogger, 30);
    refuse(history, newId());
    refuse(history, userId);
    await history.flush();
    expect((await list({ userId })).totalCount).toBe(1);
  });

  it('of several people and of no known person are written together', async () => {
    const people = [await newOwner(service), await newOwner(service)];
    const history = new SignInHistory(service.database, silentLogger, 30);
    for (const userId of [people[0]?.userId ?? '', null, people[1]?.userId ?? '', people[0]?.userId ?? '', null]) {
      refuse(history, userId);
    }
    await history.flush();
    const counts = await Promise.all(people.map(async ({ userId }) => (await list({ userId })).totalCount));
    expect(counts).toEqual([2, 1]);
  });

  it('for which the database does not answer are lost alone', async () => {
    const { userId } = await newOwner(service);
    let isDown = true;
    const database = {
      execute: (...call: Parameters<typeof service.database.execute>) =>
        isDown ? Promise.reject(new Error('down')) : service.database.execute(...call),
    };
    const history = new SignInHistory(database, silentLogger, 30);
    refuse(history, userId);
    await history.flush();
    isDown = false;
    refuse(history, userId);
    await history.flush();
    expect((await list({ userId })).totalCount).toBe(1);
  });

  it('of a rate limit are none of a person, and not recorded', async () => {
    const { userId } = await newOwner(service);
    const history = new SignInHistory(service.database, silentLogger, 30);
    const attempt = { method: 'password', ip: null, userAgent: null } as const;
    history.refuse(attempt, new Refusal('RATE_LIMITED', 'Later.', { userId }));
    await history.flush();
    expect((await list({ userId })).totalCount).toBe(0);
  });
});

describe('Attempts of before SIGN_IN_HISTORY_DAYS', () => {
  it('are not listed, and are deleted when their time is over', async () => {
    const { userId } = await newOwner(service);
    await service.sql(
      `INSERT INTO sign_ins (id, at, user_id, method, outcome, expires_at)
       VALUES (gen_random_uuid(), now() - interval '31 days', $1, 'password', 'success', now() - interval '1 day')`,
      [userId],
    );
    expect((await list({ userId })).nodes).toEqual([]);
    await runCleanup(service.database);
    expect(await service.sql('SELECT FROM sign_ins WHERE user_id = $1', [userId])).toEqual([]);
  });
});

describe('A smaller SIGN_IN_HISTORY_DAYS', () => {
  const keep = async (userId: string): Promise<void> => {
    await service.sql(
      `INSERT INTO sign_ins (id, at, user_id, method, outcome, expires_at)
       SELECT gen_random_uuid(), now() - days * interval '1 day', $1, 'password', 'success', now() + interval '90 days'
       FROM unnest('{0,6,8}'::integer[]) AS days`,
      [userId],
    );
    await service.sql(
      `INSERT INTO refused_sign_ins (user_id, day, attempts, listed, expires_at)
       SELECT $1, floor(extract(epoch FROM now()) / 86400) - days, 101, 100, now() + interval '90 days'
       FROM unnest('{0,6,8}'::integer[]) AS days`,
      [userId],
    );
  };

  const keptOf = async (userId: string): Promise<(number | undefined)[]> => [
    await service.sql.value<number>('SELECT count(*)::integer FROM sign_ins WHERE user_id = $1', [userId]),
    await service.sql.value<number>('SELECT count(*)::integer FROM refused_sign_ins WHERE user_id = $1', [userId]),
  ];

  it('deletes what was to be kept for longer, and nothing else; 0 deletes all', async () => {
    const { userId } = await newOwner(service);
    await keep(userId);
    await runCleanup(service.database, 30);
    expect(await keptOf(userId)).toEqual([3, 3]);
    await runCleanup(service.database, 7);
    expect(await keptOf(userId)).toEqual([2, 2]);
    await runCleanup(service.database, 0);
    expect(await keptOf(userId)).toEqual([0, 0]);
  });
});

describe('SIGN_IN_HISTORY_DAYS=0', () => {
  const off = serviceFixture({ SIGN_IN_HISTORY_DAYS: '0' });

  // Contract: incidents#history-of-sign-ins — SIGN_IN_HISTORY_DAYS=0 keeps none
  it('records nothing, and lists nothing', async () => {
    const { email, tokens } = await registerAndSignIn(off);
    await post(off.url, operations.signIn, { input: { email, password: wrongPassword } });
    const own = historyIn(await post(off.url, operations.mySignIns, {}, bearer(tokens)));
    expect(own).toMatchObject({ nodes: [], totalCount: 0, unlistedRefusals: 0 });
    expect(await off.sql('SELECT FROM sign_ins')).toEqual([]);
    expect(await off.sql('SELECT FROM refused_sign_ins')).toEqual([]);
  });
});
