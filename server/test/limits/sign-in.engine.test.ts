/** Limits on sign-in: an attacker is stopped, and a user who knows the password is not. */
import { describe, expect, it } from 'vitest';
import { copyOf } from '../support/actors/visitors.ts';
import { inParallel, range, tally } from '../support/checks/concurrency.ts';
import { expectNoEcho } from '../support/checks/refusals.ts';
import {
  type Answer,
  Browser,
  goodPassword,
  newAddress,
  operations,
  post,
  register,
} from '../support/clients/clients.ts';
import { testFixture } from '../support/fixture.ts';
import { serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';

/** From one network. */
const guessesAtAnAccount = 10;
/** From all together. */
const guessesEverywhere = 100;
const wrongPassword = 'Wrong.horse7';

let nextNetwork = 0;
const service = serviceFixture({ RATE_LIMITS_ENABLED: 'true', TRUST_PROXY: '1' });

/** An IPv4 address that no other test uses. */
const newIp = (): string => {
  nextNetwork += 1;
  return `198.18.${Math.floor(nextNetwork / 250)}.${(nextNetwork % 250) + 1}`;
};

const tryFrom = (ip: string, email: string, password = wrongPassword): Promise<Answer> =>
  post(service.url, operations.signIn, { input: { email, password } }, { 'x-forwarded-for': ip });

/** As many as the queue of hashes accepts on any machine. */
const atOnce = (turns: readonly number[], guess: (turn: number) => Promise<Answer>): Promise<Answer[]> =>
  inParallel(turns, 4, guess);

const outcomes = (answers: readonly Answer[]): Record<string, number> => tally(answers.map(({ code }) => code ?? 'OK'));

/** Outsiders, each from its own network, use up the common permits of an address, except for this many. */
const useUp = async (email: string, left = 0): Promise<void> => {
  await service.sql(`DELETE FROM rate_limits WHERE key LIKE 'sign_in_everywhere:%'`);
  expect((await tryFrom(newIp(), email)).code).toBe('INVALID_CREDENTIALS');
  const rows = await service.sql(
    `UPDATE rate_limits SET due_at = now() + $1 * interval '1 minute' WHERE key LIKE 'sign_in_everywhere:%' RETURNING key`,
    [guessesEverywhere - left],
  );
  expect(rows).toHaveLength(1);
};

const expectLimited = (answer: Answer): void => {
  expect({ code: answer.code, status: answer.status }).toEqual({ code: 'RATE_LIMITED', status: 429 });
  const seconds = Number(answer.extensions['retryAfterSeconds']);
  expect(seconds).toBeGreaterThan(0);
  expect(answer.headers.get('retry-after')).toBe(String(seconds));
  expect(answer.headers.get('ratelimit')).toMatch(/r=0;t=\d+/);
  expect(answer.setCookies).toEqual([]);
  expectNoEcho(answer);
};

const sessionsOf = async (email: string): Promise<number> =>
  (await service.sql.value<number>(
    'SELECT count(*)::integer AS count FROM credentials c JOIN users u ON u.id = c.user_id WHERE u.email = $1',
    [email],
  )) ?? 0;

describe('Guesses at an account', () => {
  // Contract: requests#guesses-at-an-account — Guesses at an account from one network
  it('are ten at once from a network, after which the right password is not checked either', async () => {
    const email = await register(service);
    const ip = newIp();
    const answers = await atOnce(range(guessesAtAnAccount + 5), () => tryFrom(ip, email));
    expect(outcomes(answers)).toEqual({ INVALID_CREDENTIALS: guessesAtAnAccount, RATE_LIMITED: 5 });
    expectLimited(await tryFrom(ip, email, goodPassword));
    expect(await sessionsOf(email)).toBe(0);
  });

  // Contract: requests#guesses-at-an-account — Guesses at an account, from any number of networks
  it('are a hundred from any number of networks', async () => {
    const email = await register(service);
    await useUp(email, 2);
    const answers = await atOnce(range(5), () => tryFrom(newIp(), email));
    expect(outcomes(answers)).toEqual({ INVALID_CREDENTIALS: 2, RATE_LIMITED: 3 });
    expectLimited(await tryFrom(newIp(), email, goodPassword));
    expect(await sessionsOf(email)).toBe(0);
  });

  // Contract: requests#guesses-at-an-account — Limits do not show who has an account
  it('are counted alike whether the address has an account or not', async () => {
    const seen = async (email: string) => {
      const rounds = [];
      const ip = newIp();
      for (const _round of range(guessesAtAnAccount + 2)) rounds.push(await tryFrom(ip, email));
      return rounds.map(({ status, code, headers }) => ({
        status,
        code,
        // The permits of the network are restored while this runs.
        left: headers
          .get('ratelimit')
          ?.split(', ')
          .slice(1, 2)
          .map((item) => item.replace(/;t=\d+/, '')),
        policy: headers.get('ratelimit-policy'),
      }));
    };
    const [known, unknown] = [await seen(await register(service)), await seen(newAddress())];
    expect(known.at(-1)?.code).toBe('RATE_LIMITED');
    expect(known).toEqual(unknown);
  });

  // Contract: requests#guesses-at-an-account — Spellings of an address count together
  it('are counted for one address in any spelling', async () => {
    const email = await register(service);
    const spellings = [
      email,
      email.toUpperCase(),
      `  ${email} `,
      `${email.slice(0, 3).toUpperCase()}${email.slice(3)}`,
    ];
    const ip = newIp();
    const answers = await atOnce(range(guessesAtAnAccount + 4), (index) => tryFrom(ip, spellings[index % 4] ?? email));
    expect(outcomes(answers)).toEqual({ INVALID_CREDENTIALS: guessesAtAnAccount, RATE_LIMITED: 4 });
  });

  // Contract: requests#rate-limits — Refusals are logged
  it('that are refused are logged once a minute, without the attempted address', async () => {
    const reported = (): string[] => service.logs.filter((line) => line.includes('"rate_limits.refused"'));
    const ofAccounts = (): string[] => reported().filter((line) => line.includes('"sign_in_account"'));
    const before = ofAccounts().length;
    const [email, ip] = [await register(service), newIp()];
    await atOnce(range(guessesAtAnAccount + 4), () => tryFrom(ip, email));
    expect(ofAccounts().length - before).toBeLessThanOrEqual(1);
    expect(ofAccounts().length).toBeGreaterThan(0);
    for (const line of reported()) {
      expect(JSON.parse(line)).toMatchObject({ limit: expect.any(String) as unknown, security: true });
      expect(line).not.toContain(email);
    }
  });

  // Contract: requests#rate-limits — Limits that unrelated clients share do not show what others did
  it('do not reveal how many others made, until none is left', async () => {
    const email = await register(service);
    const reportedTo = async (ip: string) => (await tryFrom(ip, email)).headers;
    const alone = await reportedTo(newIp());
    await useUp(email, 1);
    const shared = await reportedTo(newIp());
    for (const name of ['ratelimit', 'ratelimit-policy']) expect(shared.get(name)).toBe(alone.get(name));
    expect((await reportedTo(newIp())).get('ratelimit')).toMatch(/"sign_in_everywhere";r=0;t=\d+/);
  });

  it('are forgotten with time', async () => {
    const email = await register(service);
    await useUp(email);
    expectLimited(await tryFrom(newIp(), email));
    await service.sql(
      `UPDATE rate_limits SET due_at = due_at - interval '1 minute' WHERE key LIKE 'sign_in_everywhere:%'`,
    );
    expect((await tryFrom(newIp(), email)).code).toBe('INVALID_CREDENTIALS');
    expectLimited(await tryFrom(newIp(), email));
  });
});

describe('The owner of an attacked account', () => {
  // Contract: requests#owners-under-attack — One attacker locks no owner out
  it('signs in from anywhere while the attempts come from one network', async () => {
    const [email, ip] = [await register(service), newIp()];
    const answers = await atOnce(range(guessesAtAnAccount + 4), () => tryFrom(ip, email));
    expect(outcomes(answers)).toEqual({ INVALID_CREDENTIALS: guessesAtAnAccount, RATE_LIMITED: 4 });
    expect((await tryFrom(newIp(), email, goodPassword)).code).toBeNull();
  });

  // Contract: requests#owners-under-attack — An attacker locks no owner out of their networks
  it('signs in from a network used before, and has as many guesses there', async () => {
    const email = await register(service);
    const [home, elsewhere] = [newIp(), newIp()];
    expect((await tryFrom(home, email, goodPassword)).code).toBeNull();
    await useUp(email);
    expectLimited(await tryFrom(elsewhere, email, goodPassword));
    const letIn = await tryFrom(home, email, goodPassword);
    expect(letIn.code).toBeNull();
    expect(letIn.headers.get('ratelimit')).not.toContain('r=0');
    const guesses = await atOnce(range(guessesAtAnAccount + 3), () => tryFrom(home, email));
    expect(outcomes(guesses)).toEqual({ INVALID_CREDENTIALS: guessesAtAnAccount, RATE_LIMITED: 3 });
  });

  // Contract: requests#owners-under-attack — An attacker locks no owner out of their browser
  it('signs in from a browser used before, at any network', async () => {
    const email = await register(service);
    const browser = new Browser(service);
    const input = { email, password: goodPassword };
    const signIn = (by: Browser, typed = input) =>
      by.run(operations.signIn, { input: typed }, { 'x-forwarded-for': newIp() });
    expect((await signIn(browser)).code).toBeNull();
    await browser.run(operations.signOut);
    const thief = copyOf(service, browser);
    await useUp(email);
    expectLimited(await signIn(new Browser(service)));
    expect((await signIn(browser, { ...input, email: ` ${email.toUpperCase()}` })).code).toBeNull();
    const guesses = await atOnce(range(guessesAtAnAccount + 2), () =>
      signIn(thief, { ...input, password: wrongPassword }),
    );
    expect(outcomes(guesses)).toEqual({ INVALID_CREDENTIALS: guessesAtAnAccount, RATE_LIMITED: 2 });
  });

  // Contract: requests#owners-under-attack — A browser proves nothing by a foreign value
  it('is not recognized by a browser used for another address, or with a forged cookie', async () => {
    const [email, other] = [await register(service), await register(service)];
    const browser = new Browser(service);
    await browser.run(operations.signIn, { input: { email: other, password: goodPassword } });
    const [entry = ''] = (browser.cookies.get('sign_in_device') ?? '').split('~');
    expect(entry.split('.')).toHaveLength(3);
    expect(decodeURIComponent(entry)).not.toContain(other);
    await useUp(email);
    const [id, since, mac] = entry.split('.');
    const forged = [entry, `${id}.${Number(since) + 1}.${mac}`, `${id}.${since}.${'A'.repeat(43)}`, '..', '~~~', 'x'];
    for (const value of forged) {
      const cookie = `sign_in_device=${value}`;
      const headers = { origin: service.url, cookie, 'x-forwarded-for': newIp() };
      expectLimited(await post(service.url, operations.signIn, { input: { email, password: goodPassword } }, headers));
    }
  });

  it('consumes no permit by signing in, and sets no browser cookie for a client with opaque tokens', async () => {
    const email = await register(service);
    const ip = newIp();
    const answers = [];
    for (const _time of range(guessesAtAnAccount + 2)) answers.push(await tryFrom(ip, email, goodPassword));
    expect(outcomes(answers)).toEqual({ OK: guessesAtAnAccount + 2 });
    expect(answers.flatMap(({ setCookies }) => setCookies)).toEqual([]);
    expect(answers.at(-1)?.headers.get('ratelimit')).toContain(`"sign_in_account";r=${guessesAtAnAccount}`);
  });
});

describe('Guesses of a network', () => {
  const failuresOfANetwork = 200;
  const secondsEach = 9;

  /** As if this many permits of the network had been consumed; no other network has a row by then. */
  const consumePermits = async (turns: number): Promise<void> => {
    const rows = await service.sql(
      `UPDATE rate_limits SET due_at = now() + $1 * interval '1 second' WHERE key LIKE 'sign_in_failures:%' RETURNING key`,
      [turns * secondsEach],
    );
    expect(rows).toHaveLength(1);
  };

  // Contract: requests#guesses-at-an-account — Guesses of a network; rotating addresses of IPv6
  it('for any account is limited too; 64 bits of IPv6 count as one', async () => {
    await service.sql(`DELETE FROM rate_limits WHERE key LIKE 'sign_in_failures:%'`);
    const from = (suffix: string): Promise<Answer> => tryFrom(`2001:db8:7:7:${suffix}`, newAddress());
    const first = await from(':1');
    expect(first.headers.get('ratelimit-policy')).toBe(
      '"sign_in_failures";q=200;w=1800, "sign_in_account";q=10;w=1800, "sign_in";q=2000;w=1000',
    );
    expect(first.headers.get('ratelimit')).toMatch(
      /^"sign_in_failures";r=199;t=9, "sign_in_account";r=9;t=180, "sign_in";r=1999;t=1$/,
    );
    await consumePermits(failuresOfANetwork - 2);
    const answers = [];
    for (const suffix of [':2', 'aaaa::3', 'ffff:1:2:3', ':1', ':9']) answers.push(await from(suffix));
    expect(outcomes(answers)).toEqual({ INVALID_CREDENTIALS: 2, RATE_LIMITED: 3 });
    expect((await tryFrom('2001:db8:7:8::1', newAddress())).code).toBe('INVALID_CREDENTIALS');
  });

  // Contract: requests#networks-and-sites — A port in X-Forwarded-For
  it.each([
    ['IPv4', (port: number) => `198.18.240.1:${port}`, '198.18.240.1'],
    ['IPv6', (port: number) => `[2001:db8:7:9::1]:${port}`, '2001:db8:7:9::1'],
    ['IPv4, written as IPv6,', (port: number) => `[::ffff:198.18.240.2]:${port}`, '198.18.240.2'],
  ])('at one address of %s count for one network, whatever port a proxy reports with it', async (_what, spell, ip) => {
    await service.sql('DELETE FROM rate_limits');
    const email = await register(service);
    for (const port of [1024, 65_535]) await tryFrom(spell(port), email);
    expect((await tryFrom(ip, email)).headers.get('ratelimit')).toContain('"sign_in_account";r=7;');
    await tryFrom(spell(4711), email, goodPassword);
    const [row] = await service.sql<{ ip: string }>(
      'SELECT c.issue_ip AS ip FROM credentials c JOIN users u ON u.id = c.user_id WHERE u.email = $1',
      [email],
    );
    expect(row?.ip).toBe(ip);
  });

  it('admit a user whose browser has signed in before', async () => {
    await service.sql('DELETE FROM rate_limits');
    const [ip, email, browser] = [newIp(), await register(service), new Browser(service)];
    const signIn = (password: string): Promise<Answer> =>
      browser.run(operations.signIn, { input: { email, password } }, { 'x-forwarded-for': ip });
    expect((await signIn(goodPassword)).code).toBeNull();
    await browser.run(operations.signOut);
    await service.sql(`DELETE FROM rate_limits WHERE key !~ '^sign_in_failures:'`);
    await tryFrom(ip, newAddress());
    await consumePermits(failuresOfANetwork + 1);
    expectLimited(await tryFrom(ip, email, goodPassword));
    expect((await signIn(wrongPassword)).code).toBe('INVALID_CREDENTIALS');
    expect((await signIn(goodPassword)).code).toBeNull();
    expectLimited(await tryFrom(ip, newAddress()));
  });

  it('that are limited consume no permit of the account', async () => {
    const email = newAddress();
    const dueAtAccounts = () =>
      service.sql(`SELECT key FROM rate_limits WHERE key ~ '^sign_in_(account|everywhere):' AND due_at > now()`);
    await service.sql('DELETE FROM rate_limits');
    const ip = newIp();
    await tryFrom(ip, newAddress());
    await service.sql(`DELETE FROM rate_limits WHERE key !~ '^sign_in_failures:'`);
    await consumePermits(failuresOfANetwork + 1);
    const answers = await atOnce(range(4), () => tryFrom(ip, email));
    expect(outcomes(answers)).toEqual({ RATE_LIMITED: 4 });
    expect(await dueAtAccounts()).toEqual([]);
    expect((await tryFrom(ip, email)).headers.get('ratelimit')).toMatch(/^"sign_in_failures";r=0;t=\d+$/);
  });
});

describe('Without a trusted proxy', () => {
  // Contract: requests#networks-and-sites — X-Forwarded-For without TRUST_PROXY
  it('clients with any X-Forwarded-For are one network', async () => {
    const direct = await testFixture(startService({ RATE_LIMITS_ENABLED: 'true' }));
    const from = (ip: string): Promise<Answer> =>
      post(
        direct.url,
        operations.signIn,
        { input: { email: newAddress(), password: wrongPassword } },
        { 'x-forwarded-for': ip, forwarded: `for=${ip}`, 'x-real-ip': ip },
      );
    for (const ip of ['192.0.2.1', '192.0.2.2', '2001:db8::1']) await from(ip);
    const rows = await direct.sql(`SELECT key FROM rate_limits WHERE key LIKE 'sign_in_failures:%'`);
    expect(rows).toHaveLength(1);
  });
});
