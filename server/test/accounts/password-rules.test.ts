/** Password rules (contract/accounts.md#password-rules), storage of the hash, and how little a refusal reveals. */

import { compareSync, hashSync } from 'bcrypt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoPassword } from '../../src/cli/demo/demo-data.ts';
import { signInWithPassword } from '../../src/domain/sessions/sign-in.ts';
import { SignInHistory } from '../../src/domain/sign-ins/sign-in-history.ts';
import { Refusal } from '../../src/kernel/errors.ts';
import type { PasswordHasher } from '../../src/platform/passwords/password-hasher.ts';
import { me } from '../support/actors/credentials.ts';
import { seedPerson } from '../support/actors/seeding.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import {
  type Answer,
  goodPassword,
  newAddress,
  operations,
  post,
  register,
  registerByMail,
  signIn,
} from '../support/clients/clients.ts';
import { everythingStored } from '../support/database/stored-rows.ts';
import { type Service, startService } from '../support/gatehouse/gatehouse.ts';
import { limitsOn } from '../support/gatehouse/rate-limits.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const signUpWith = (password: string, email = newAddress()): Promise<Answer> =>
  post(service.url, operations.signUp, { input: { email, name: 'Test Person', password } });

const signInWith = (email: string, password: string): Promise<Answer> =>
  post(service.url, operations.signIn, { input: { email, password } });

const expectAccepted = async (password: string): Promise<void> => {
  expect((await signUpWith(password)).data).toMatchObject({ signUpWithPassword: { success: true } });
};

/** Expects a refusal that names only the field `password`, with such a reason. */
const expectRefused = async (password: string, reason: RegExp): Promise<void> => {
  const answer = await expectRefusal(service, 'BAD_USER_INPUT', () => signUpWith(password));
  expect(answer.extensions['fields']).toEqual({ password: expect.stringMatching(reason) as unknown });
};

const emoji = '😀';
const common = ['Password1!', 'Qwerty123.', 'W3lcome!!', 'Aaaaaa1!', '!QAZ2wsx', demoPassword];

describe('Password rules', () => {
  // Contract: accounts#length-and-characters — 8 to 40 characters
  // Contract: accounts#length-and-characters — Password length: 8 to 40 characters
  it('accepts 8 and 40 characters and refuses 7 and 41', async () => {
    const ofLength = (length: number): string => `Aa1.${'x'.repeat(length - 4)}`;
    await expectAccepted(ofLength(8));
    await expectAccepted(ofLength(40));
    await expectRefused(ofLength(7), /8 to 40 characters/);
    await expectRefused(ofLength(41), /8 to 40 characters/);
  });

  // Contract: accounts#length-and-characters — Characters are counted as code points
  it('counts an emoji as one character', async () => {
    await expectAccepted(`Aa1.${emoji.repeat(4)}`);
    await expectRefused(`Aa1.${emoji.repeat(3)}`, /8 to 40 characters/);
    await expectAccepted(`Aa1.${'é'.repeat(34)}`);
  });

  // Contract: accounts#length-and-characters — At least one upper-case letter
  it('refuses a password without an upper-case letter', async () => {
    await expectRefused('correct.horse7', /upper-case letter/);
    await expectAccepted('Ñorrect.horse7');
  });

  // Contract: accounts#length-and-characters — At least one lower-case letter
  it('refuses a password without a lower-case letter', async () => {
    await expectRefused('CORRECT.HORSE7', /lower-case letter/);
  });

  // Contract: accounts#length-and-characters — At least one digit
  it('refuses a password without a digit', async () => {
    await expectRefused('Correct.horse', /digit/);
    await expectRefused('Correct.horse٣', /digit/);
  });

  // Contract: accounts#length-and-characters — At least one of @ . # $ ! % * ? &
  it('accepts each of the nine special characters and refuses a password with none of them', async () => {
    const specials = ['@', '.', '#', '$', '!', '%', '*', '?', '&'];
    for (const special of specials) await expectAccepted(`Correct${special}horse7`);
    for (const other of ['-', '_', ',', ' ', '＠', 'x'])
      await expectRefused(`Correct${other}horse7`, /@ \. # \$ ! % \* \? &/);
  });

  // Contract: accounts#length-and-characters — The reason names every part that is missing
  it('lists all missing parts at once', async () => {
    await expectRefused('--------', /upper-case letter, a lower-case letter, a digit and one of the characters/);
  });

  // Contract: accounts#length-and-characters — bcrypt ignores what follows byte 72
  it('refuses a password over 72 bytes with a clear reason', async () => {
    const longest = `Aa1.${emoji.repeat(17)}`;
    expect(Buffer.byteLength(longest)).toBe(72);
    await expectAccepted(longest);
    await expectRefused(`${longest}x`, /72 bytes/);
    await expectRefused(`Aa1.${emoji.repeat(36)}`, /72 bytes/);
  });

  // Contract: accounts#length-and-characters — bcrypt ignores what follows byte 72 and a NUL, at sign-in too
  it('never accepts a longer text that shares the first 72 bytes of the password', async () => {
    const longest = `Aa1.${emoji.repeat(17)}`;
    const email = await registerByMail(service, newAddress(), longest);
    await signIn(service, email, longest);
    for (const longer of [`${longest}x`, `${longest}${emoji.repeat(100)}`, `${longest}\u0000`]) {
      await expectRefusal(service, 'INVALID_CREDENTIALS', () => signInWith(email, longer));
    }
    const known = await register(service);
    await expectRefusal(service, 'INVALID_CREDENTIALS', () => signInWith(known, `${goodPassword}\u0000tail`));
  });

  it('accepts a common password when the block-list is off', async () => {
    for (const password of common) await expectAccepted(password);
  });

  // Contract: accounts#sign-in-with-a-password — Wrong password and unknown address answer alike
  it('answers an unknown address and a wrong password with the same INVALID_CREDENTIALS', async () => {
    const email = await register(service);
    const wrong = await expectRefusal(service, 'INVALID_CREDENTIALS', () => signInWith(email, 'Wrong.horse7'));
    const unknown = await expectRefusal(service, 'INVALID_CREDENTIALS', () => signInWith(newAddress(), 'Wrong.horse7'));
    expect(unknown.text).toBe(wrong.text);
    expect([...unknown.headers.keys()]).toEqual([...wrong.headers.keys()]);
    await service.sql('UPDATE users SET password_hash = NULL WHERE email = $1', [email]);
    const without = await expectRefusal(service, 'INVALID_CREDENTIALS', () => signInWith(email, goodPassword));
    expect(without.text).toBe(wrong.text);
  });

  // Contract: accounts#sign-in-with-a-password — A refused sign-in is logged without its input
  it('logs the account and the network of a refused sign-in, and none of its input', async () => {
    const email = await register(service);
    const user = await service.sql.value<string>('SELECT id FROM users WHERE email = $1', [email]);
    const before = service.logs.length;
    await signInWith(email, 'Wrong.horse7');
    await signInWith(newAddress(), 'Wrong.horse7');
    const lines = service.logs.slice(before).filter((line) => line.includes('auth.sign_in_refused'));
    const facts = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(facts).toMatchObject([
      { code: 'INVALID_CREDENTIALS', userId: user, ip: '127.0.0.1' },
      { code: 'INVALID_CREDENTIALS', userId: null, ip: '127.0.0.1' },
    ]);
    expect(lines.join('')).not.toMatch(/horse|@/);
  });

  // Contract: accounts#length-and-characters — A refused password leaves nothing behind and is not echoed
  it('names the field of a refused password, echoes no value and stores nothing', async () => {
    const email = newAddress();
    const answer = await expectRefusal(service, 'BAD_USER_INPUT', () => signUpWith('weak secret words', email));
    expect(Object.keys(answer.extensions['fields'] as object)).toEqual(['password']);
    expect(service.logs.join('\n')).not.toContain('weak secret words');
    expect(service.logs.join('\n')).not.toContain(email);
  });
});

describe('A service with other settings', () => {
  // Replaces the first service: each has a database.
  beforeAll(async () => {
    await service.close();
    service = await startService({ SALT_ROUNDS: '10', PASSWORD_BLOCKLIST: 'true' });
  });

  // Contract: accounts#common-passwords — PASSWORD_BLOCKLIST
  it('refuses a common password when the block-list is on', async () => {
    for (const password of common) {
      const answer = await expectRefusal(service, 'BAD_USER_INPUT', () => signUpWith(password));
      expect(answer.extensions['fields']).toEqual({ password: expect.stringContaining('too common') as unknown });
    }
    expect((await signUpWith(goodPassword)).code).toBeNull();
  });

  const withCheapHash = async () => {
    const [email, cheap] = [newAddress(), hashSync(goodPassword, 4)];
    await seedPerson(service.database, email);
    await service.sql('UPDATE users SET password_hash = $2 WHERE email = $1', [email, cheap]);
    return { email, cheap };
  };

  const hashOf = async (email: string): Promise<string> =>
    (await service.sql.value<string>('SELECT password_hash AS hash FROM users WHERE email = $1', [email])) ?? '';

  // Contract: accounts#stored-hash — Stored as bcrypt hash of the configured cost
  it('stores a bcrypt hash of the configured cost and never the password', async () => {
    const email = await registerByMail(service);
    const hash = await hashOf(email);
    expect(hash).toMatch(/^\$2b\$10\$[./A-Za-z0-9]{53}$/);
    expect(compareSync(goodPassword, hash)).toBe(true);
    const places = [...(await everythingStored(service)), ...service.logs].join('\n');
    expect(places).not.toContain(goodPassword);
  });

  // Contract: accounts#stored-hash — SALT_ROUNDS applies to older passwords too
  it('rehashes a password with the configured cost when its owner signs in', async () => {
    const { email } = await withCheapHash();
    await expectRefusal(service, 'INVALID_CREDENTIALS', () => signInWith(email, 'Wrong.horse7'));
    await signIn(service, email);
    expect(await hashOf(email)).toMatch(/^\$2b\$10\$/);
    await signIn(service, email);
  });

  it('signs in even when the password cannot be rehashed', async () => {
    const { email, cheap } = await withCheapHash();
    const full = new Refusal('RATE_LIMITED', 'Too many people are signing in.');
    const passwords: PasswordHasher = {
      requireRoom: () => undefined,
      load: () => ({ running: 0, waiting: 0 }),
      hash: () => Promise.reject(full),
      matches: async (password, hash) => hash !== null && compareSync(password, hash),
      close: async () => undefined,
    };
    const { config, database } = service;
    const limits = limitsOn(service, database, false);
    const settings = { ...config, relyingParty: null };
    const signIns = new SignInHistory(database, silentLogger, 0);
    const deps = { database, passwords, limits, logger: silentLogger, lifetimes: config, settings, signIns };
    const caller = { ip: null, userAgent: null };
    const signInContext = { audience: 'api', caller, detail: 'none', replacedTokens: [] } as const;
    const input = { email, password: goodPassword, deviceId: null, ...signInContext };
    const pair = await signInWithPassword(deps, input);
    expect((await me(service, pair.accessToken)).code).toBeNull();
    expect(await hashOf(email)).toBe(cheap);
  });
});
