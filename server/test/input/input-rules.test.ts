/** Addresses and names as people really type them, and tokens that cause no lookup. */
import { describe, expect, it } from 'vitest';
import { newToken } from '../../src/domain/credentials/token.ts';
import { normalizeName } from '../../src/domain/users/text-rules.ts';
import { newId } from '../../src/kernel/ids.ts';
import { requestChange } from '../support/actors/email-changes.ts';
import { invite } from '../support/actors/invitations.ts';
import { newOwner, newSuperAdmin, runAs } from '../support/actors/tenants.ts';
import { expectNoEcho, expectNoEffect, expectRefusal } from '../support/checks/refusals.ts';
import {
  type Answer,
  goodPassword,
  newAddress,
  newestVerificationToken,
  operations,
  post,
  registerAndSignIn,
  registerByMail,
  signIn,
} from '../support/clients/clients.ts';
import { fixture, testFixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { watchService } from '../support/gatehouse/watched-gatehouse.ts';

const service = serviceFixture();

const signUp = (email: string, name = 'Test Person'): Promise<Answer> =>
  post(service.url, operations.signUp, { input: { email, name, password: goodPassword } });

const storedName = (email: string): Promise<string | undefined> =>
  service.sql.value<string>('SELECT name FROM users WHERE email = $1', [email]);

describe('An address', () => {
  const variantsOf = (email: string): string[] => [
    email.toUpperCase(),
    `  ${email}\t`,
    `\n${email.replace('p', 'P')}\u00a0`,
  ];

  // Contract: requests#addresses-and-passwords — E-mail in other case and with spaces
  it('in other case and with spaces around it is the same account', async () => {
    const email = await registerByMail(service);
    for (const variant of variantsOf(email)) {
      await signIn(service, variant);
      await expectNoEffect(service, () => signUp(variant));
    }
  });

  it.each([
    ['a zero-width space', '\u200b'],
    ['a zero-width joiner', '\u200d'],
    ['a word joiner', '\u2060'],
    ['a left-to-right mark', '\u200e'],
    ['a right-to-left isolate', '\u2067'],
    ['a soft hyphen', '\u00ad'],
    ['a byte order mark', '\ufeff'],
  ])('with %s, as it is pasted, is the same account in every field', async (_name, sign) => {
    const pasted = (email: string): string =>
      `${sign} ${email.replace('@', `${sign}@`).replace('.', `.${sign}`)}${sign}`;
    const email = await registerByMail(service);
    const tokens = await signIn(service, email);
    const input = { email: pasted(email), password: goodPassword };
    expect((await post(service.url, operations.signIn, { input })).code).toBeNull();
    await expectNoEffect(service, () => signUp(pasted(email)));
    const invited = newAddress();
    const invitation = { emails: [invited, pasted(invited)], role: 'MEMBER' };
    expect((await runAs(service, { tokens }, operations.inviteMembers, { input: invitation })).code).toBeNull();
    const newEmail = newAddress();
    expect((await requestChange(service, { tokens }, pasted(newEmail))).code).toBeNull();
    expect(await service.mailsTo(newEmail)).toHaveLength(1);
    expect(await service.mailsTo(invited)).toHaveLength(1);
  });

  it('with a domain in its own letters is the same account as in ASCII, and its mails go there', async () => {
    const local = newAddress().split('@')[0] ?? '';
    const [own, ascii] = [`${local}@Bücher.example`, `${local}@xn--bcher-kva.example`];
    await signUp(own);
    expect(await storedName(ascii)).toBe('Test Person');
    const [mail, ...others] = await service.mailsTo(ascii);
    expect([mail?.to, others]).toEqual([ascii, []]);
    await post(service.url, operations.validate, { token: await newestVerificationToken(service, ascii) });
    for (const email of [own, ascii, `${local}@BÜCHER.example`, `${local}@bu\u0308cher。example`]) {
      const answer = await post(service.url, operations.signIn, { input: { email, password: goodPassword } });
      expect([answer.code, answer.data]).toMatchObject([null, { signInWithPassword: { user: { email: ascii } } }]);
      await expectNoEffect(service, () => signUp(email));
    }
    const { tokens } = await newSuperAdmin(service);
    const found = await runAs(service, { tokens }, operations.platformUsers, { search: own });
    expect(found.data).toMatchObject({ platformUsers: { nodes: [{ email: ascii }] } });
    // Another letter that looks alike is another domain.
    const alike = await post(service.url, operations.signIn, {
      input: { email: `${local}@bücher.ехample`, password: goodPassword },
    });
    expect(alike.code).toBe('INVALID_CREDENTIALS');
  });

  it('is found by a search for it as it is pasted, and names by what they have', async () => {
    const { userId, tokens } = await newSuperAdmin(service);
    await service.sql("UPDATE users SET name = 'Mi\u200cnu' WHERE id = $1", [userId]);
    const { email } = await newOwner(service);
    const found = (search: string) => runAs(service, { tokens }, operations.platformUsers, { search });
    expect((await found(`\u200b${email}\u2060`)).data).toMatchObject({ platformUsers: { nodes: [{ email }] } });
    expect((await found('mi\u200cnu')).data).toMatchObject({ platformUsers: { nodes: [{ id: userId }] } });
  });

  it('is stored in lower case without the spaces', async () => {
    const email = newAddress();
    await signUp(` ${email.toUpperCase()} `);
    expect(await storedName(email)).toBe('Test Person');
    await newestVerificationToken(service, email);
  });

  it.each([
    'plain',
    '@example.com',
    'a@',
    'a@localhost',
    'a@b@example.com',
    'a b@example.com',
    'a@exam ple.com',
    '.a@example.com',
    'a..b@example.com',
    'a@-example.com',
    'a@example..com',
    'a@example.com.',
    'a@[127.0.0.1]',
    '"a b"@example.com',
    'ä@example.com',
    'a@exäm ple.com',
    'a@exämple..com',
    'a@-exämple.com',
    'a@exa\u0338mple!.com',
    'Name <a@example.com>',
    'a@example.com,b@example.com',
    'a@example.com\r\nBcc: b@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${`${'b'.repeat(60)}.`.repeat(5)}com`,
  ])('is not %j', async (email) => {
    const answer = await expectRefusal(service, 'BAD_USER_INPUT', () => signUp(email));
    expect(Object.keys(answer.extensions['fields'] ?? {})).toEqual(['email']);
  });

  describe('of a service account', () => {
    const owner = fixture(() => newOwner(service));
    const address = ` ${newId()}@Service-Account.INVALID`;
    const change = async (): Promise<Answer> => {
      const { tokens } = owner;
      return runAs(service, { tokens }, operations.requestEmailChange, { newEmail: address });
    };

    it.each<[field: string, how: string, ask: () => Promise<Answer>]>([
      ['email', 'signed up', () => signUp(address)],
      ['email', 'asked to verify it again', () => post(service.url, operations.resendVerification, { email: address })],
      ['email', 'invited', () => invite(service, owner.tokens, address)],
      ['newEmail', 'given another address', change],
    ])('(%s) is no person’s who is %s', async (field, _, ask) => {
      const answer = await expectRefusal(service, 'BAD_USER_INPUT', ask);
      expect(Object.keys(answer.extensions['fields'] ?? {})).toEqual([field]);
    });

    it('is invited with no list of addresses', async () => {
      const input = { emails: [address], role: 'MEMBER' };
      const answer = await expectNoEffect(service, () => runAs(service, owner, operations.inviteMembers, { input }));
      expect(answer.data).toMatchObject({ inviteMembers: { reports: [{ email: null, outcome: 'MALFORMED' }] } });
    });
  });

  it.each(['a.b+c', "o'hara", '0', 'x_y-z', '{a}'])('may begin with %j', async (local) => {
    expect((await signUp(`${local}-${newAddress()}`)).data).toMatchObject({ signUpWithPassword: { success: true } });
  });
});

describe('A name', () => {
  const longest = 'n'.repeat(100);

  it('is stored in composed form without the spaces around it', async () => {
    const typed = [
      '  Ada  Lovelace ',
      'Zoe\u0308',
      '李小龍',
      'محمد',
      'محمد\u200f (A\u200e)',
      'سارة\u061c',
      '👩‍👩‍👧 family',
      longest,
      '😀'.repeat(100),
    ];
    for (const name of typed) {
      const email = newAddress();
      await signUp(email, name);
      expect(await storedName(email)).toBe(name.normalize('NFC').trim());
    }
  });

  it.each([
    `${longest}n`,
    '😀'.repeat(101),
    '',
    ' ',
    '\u200b\u2060 \u00ad',
    '\u3164',
    'a\u0000b',
    'a\nb',
    'a\u202eb',
    '\u200e\u200f',
    '\u2067a',
    '\ufeffa\ufeffb',
    'a\ud800',
    'Win at https://evil.example',
    'see WWW.evil.example',
  ])('is not %j', async (name) => {
    const answer = await expectRefusal(service, 'BAD_USER_INPUT', () => signUp(newAddress(), name));
    expect(Object.keys(answer.extensions['fields'] ?? {})).toEqual(['name']);
  });

  // Normalizing takes the square of a run of accents: a body full of them would delay every other request.
  it('is not normalized when it is longer than any name', () => {
    const accents = `a${'\u0301'.repeat(5000)}`;
    expect(normalizeName(` ${accents}`)).toBe(accents);
    expect(accents.normalize('NFC')).not.toBe(accents);
  });

  // Contract: requests#texts-of-people — Markup in a name is harmless in a mail
  it('is not in the mail to an address that another person signed up', async () => {
    const email = newAddress();
    const name = `<img src=x onerror="alert('1')"><a href='//evil.example'>&amp;`;
    await signUp(email, name);
    const [mail] = await service.mailsTo(email);
    expect(mail?.to).toBe(email);
    for (const part of [mail?.html, mail?.text, mail?.subject]) expect(part).not.toMatch(/img|onerror|evil/);
  });
});

describe('A malformed token', () => {
  const wrecksOf = (token: string): string[] => [
    '',
    'undefined',
    token.slice(0, -1),
    `${token}A`,
    token.toUpperCase(),
    `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    token.replace(/^gate_(.)_/, (_all, kind) => (kind === 'a' ? 'gate_r_' : 'gate_a_')),
    `${token} ${token}`,
    'x'.repeat(8000),
    "' OR 1=1 --",
  ];

  // Contract: credentials#format-of-tokens — Malformed tokens are refused without a database query
  it('is refused without a database query', async () => {
    const watched = await testFixture(watchService(service));
    const { tokens } = await registerAndSignIn(service);
    const expectCode = async (code: string | null, sent: Promise<Answer>): Promise<void> => {
      const answer = await sent;
      expect(answer.code).toBe(code);
      expectNoEcho(answer);
    };
    const asked = await watched.during(async () => {
      for (const wreck of wrecksOf(tokens.accessToken)) {
        const authorization = `Bearer ${wreck}`;
        await expectCode('UNAUTHENTICATED', post(watched.url, operations.me, {}, { authorization }));
        const cookie = `auth_access=${encodeURIComponent(wreck)}`;
        await expectCode('UNAUTHENTICATED', post(watched.url, operations.me, {}, { cookie }));
        const pair = { ...tokens, accessToken: wreck };
        await expectCode('REFRESH_REFUSED', post(watched.url, operations.refresh, pair));
      }
      for (const refreshToken of wrecksOf(tokens.refreshToken)) {
        const pair = { ...tokens, refreshToken };
        await expectCode('REFRESH_REFUSED', post(watched.url, operations.refresh, pair));
      }
      for (const token of [...wrecksOf('0'.repeat(64)), '0'.repeat(63), 'g'.repeat(64), `${'0'.repeat(64)}\n`]) {
        if (/^[0-9a-f]{64}$/.test(token)) continue;
        await expectCode(null, post(watched.url, operations.validate, { token }));
      }
    });
    expect(asked).toEqual([]);
  });

  it('is distinguished from a well-formed unknown one, which costs one query', async () => {
    const watched = await testFixture(watchService(service));
    const authorization = `Bearer ${newToken('user_session')}`;
    const asked = await watched.during(() => post(watched.url, operations.me, {}, { authorization }));
    expect(asked).toEqual(['access.load_actors']);
  });
});
