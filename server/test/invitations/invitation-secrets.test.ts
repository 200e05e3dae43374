/** Secrecy of an invitation: towards the inviter, in the log, in the tables, in its mail. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Keyring, sha256 } from '../../src/kernel/secrets.ts';
import {
  accept,
  completeProfile,
  invite,
  inviteByMail,
  memberIdOf,
  newestInvitationToken,
  preview,
  submitProfile,
} from '../support/actors/invitations.ts';
import { runAs } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { findSecrets, type Haystack, tablesAsText } from '../support/checks/secret-scan.ts';
import {
  type Answer,
  goodPassword,
  headersOfOneAnswer,
  newAddress,
  newestVerificationToken,
  operations,
  post,
  register,
  registerAndSignIn,
  signIn,
  signUp,
} from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
const owner = fixture(() => registerAndSignIn(service));

const byOwner = (query: string, variables: Record<string, unknown> = {}): Promise<Answer> =>
  runAs(service, owner, query, variables);

const reset = (memberId: string): Promise<Answer> => byOwner(operations.resetInvitation, { memberId });
const cancel = (memberId: string): Promise<Answer> => byOwner(operations.cancelInvitation, { memberId });

describe('The link of an invitation', () => {
  // Contract: organizations#invitation-token-and-mail — The inviter never gets the token; only its hash is stored
  it('is in no answer to the inviter, no table and no line of the log, nor is its vToken', async () => {
    const person = await registerAndSignIn(service);
    const fresh = newAddress();
    const secrets = new Map<string, string>();
    const answers: string[] = [];
    for (const email of [person.email, fresh]) {
      const invited = await invite(service, owner.tokens, email);
      secrets.set(`first link to ${email}`, await newestInvitationToken(service, email));
      answers.push(invited.text, (await reset(memberIdOf(invited))).text);
      const token = await newestInvitationToken(service, email);
      secrets.set(`second link to ${email}`, token);
      secrets.set(`vToken of ${email}`, (await preview(service, token))?.vToken ?? `none ${token}`);
      await fetch(`${service.url}/invitation/${token}`);
      await expectRefusal(service, 'ACCOUNT_MISMATCH', () => accept(service, owner.tokens, token));
      await submitProfile(service, token, { vToken: 'wrong' });
    }
    await accept(service, person.tokens, await newestInvitationToken(service, person.email));
    await completeProfile(service, await newestInvitationToken(service, fresh));
    answers.push((await byOwner(operations.me)).text, (await byOwner('{ members { nodes { id email } } }')).text);

    const places: Haystack[] = [
      { name: 'answers to the inviter', bytes: Buffer.from(answers.join('\n')) },
      { name: 'log', bytes: Buffer.from(service.logs.join('\n')) },
      ...(await tablesAsText(service.sql)),
    ];
    const bare = [...secrets].map(([label, secret]): [string, string] => [
      `${label}, without hyphens`,
      secret.replaceAll('-', ''),
    ]);
    expect(secrets.size).toBe(6);
    expect(findSecrets(new Map([...secrets, ...bare]), places)).toEqual([]);
    // The search works: it finds the hash of a used link.
    const hash = sha256(secrets.get(`second link to ${fresh}`) ?? '');
    const table = places.find(({ name }) => name === 'table public.organization_members');
    expect(table?.bytes.includes(hash.toString('hex'))).toBe(true);
  });

  // Contract: organizations#invitation-token-and-mail — Invitations in the log: ids only
  it('is logged only by the ids of its events', async () => {
    const person = await registerAndSignIn(service);
    const first = await inviteByMail(service, owner.tokens, person.email);
    await reset(first.memberId);
    await accept(service, person.tokens, await newestInvitationToken(service, person.email));
    const second = await inviteByMail(service, owner.tokens, newAddress());
    await completeProfile(service, second.token);
    const third = await inviteByMail(service, owner.tokens, newAddress());
    await cancel(third.memberId);
    await expectRefusal(service, 'NOT_FOUND', () => cancel(third.memberId));

    const lines = service.logs.map((line): Record<string, unknown> => JSON.parse(line) as Record<string, unknown>);
    const ids = [first, second, third].map(({ memberId }) => memberId);
    const reported = lines.filter(({ memberId }) => typeof memberId === 'string' && ids.includes(memberId));
    expect(reported.map(({ event, memberId }) => [event, ids.indexOf(String(memberId))])).toEqual([
      ['invitation.created', 0],
      ['invitation.reissued', 0],
      ['invitation.accepted', 0],
      ['invitation.created', 1],
      ['invitation.profile_completed', 1],
      ['invitation.created', 2],
      ['invitation.cancelled', 2],
    ]);
    for (const line of reported) {
      expect(Object.keys(line).sort()).toEqual(
        'correlationId event level memberId msg organizationId security service time userId'.split(' '),
      );
    }
  });
});

describe('An inviter', () => {
  /** An answer without the parts that must differ between two invitations. */
  const shape = ({ status, text, headers }: Answer, email: string): unknown => ({
    status,
    text: text
      .replaceAll(email, 'ADDRESS')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/g, 'ID')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]{21}/g, 'PERSON')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'INSTANT'),
    headers: [...headers].filter(([name]) => !headersOfOneAnswer.has(name)),
  });

  // Contract: organizations#invitation-token-and-mail — An inviter learns nothing of accounts
  it('does not distinguish an address with an account from an unknown one', async () => {
    const unverified = newAddress();
    await signUp(service, unverified);
    const addresses = [await register(service), unverified, newAddress()];
    const shapes: unknown[] = [];
    for (const email of addresses) {
      const invited = await invite(service, owner.tokens, email);
      const memberId = memberIdOf(invited);
      const again = await invite(service, owner.tokens, email);
      const answers = [invited, again, await reset(memberId), await cancel(memberId)];
      const mails = (await service.mailsTo(email)).filter(({ subject }) => subject.startsWith('Invitation'));
      shapes.push([...answers.map((answer) => shape(answer, email)), mails.length]);
    }
    expect(shapes[1]).toEqual(shapes[0]);
    expect(shapes[2]).toEqual(shapes[0]);
  });
});

describe('Names in the mail of an invitation', () => {
  const hostileNames = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    'Ada, see evil.example/login',
    'Ada <bob@evil.example>',
    "'; DROP TABLE users; --",
    'Zoë 山田 👩‍🚀',
  ];

  // Contract: organizations#invitation-token-and-mail — Names in the invitation e-mail
  it.each(hostileNames)('are only names: %s', async (name) => {
    const [inviter, email] = [newAddress(), newAddress()];
    await post(service.url, operations.signUp, { input: { email: inviter, name, password: goodPassword } });
    await post(service.url, operations.validate, { token: await newestVerificationToken(service, inviter) });
    const { token } = await inviteByMail(service, await signIn(service, inviter), email);
    const [mail, ...others] = await service.mailsTo(email);
    expect(others).toEqual([]);
    const shown = name.replaceAll(/\.(?=\w)/g, '.\u2060');
    expect(mail?.subject).toBe(`Invitation to join “${shown}'s organization”`);
    expect(mail?.text).toContain(`\n\n${shown} invites you to join “${shown}'s organization” as a member.\n\n`);
    expect(mail?.links).toEqual([`${service.portalUrl}/invitation/${token}`]);
    expect(mail?.html).not.toMatch(/<(script|img|bob)\b|evil\.example/);
    expect(await preview(service, token)).toMatchObject({ organizationName: `${name}'s organization` });
  });

  it.each(['x'.repeat(10_000), 'https://evil.example', 'www.evil.example', 'Ada\r\nBcc: bob@evil.example'])(
    'cannot be %j',
    async (name) => {
      const { token } = await inviteByMail(service, owner.tokens, newAddress());
      const answer = await expectRefusal(service, 'BAD_USER_INPUT', () => submitProfile(service, token, { name }));
      expect(Object.keys(answer.extensions['fields'] ?? {})).toEqual(['name']);
    },
  );
});

describe('A keyring', () => {
  const [first, second] = ['first', 'second'].map((name) => `${name} secret ${randomBytes(32).toString('hex')}`);
  const [older = '', newer = ''] = [first, second];

  it('accepts codes of every secret, creates them with the newest, and accepts no other secret, purpose or text', () => {
    const both = new Keyring([newer, older]);
    expect(both.mac('a', 'text')).toBe(new Keyring([newer]).mac('a', 'text'));
    expect(both.isMac('a', 'text', new Keyring([older]).mac('a', 'text'))).toBe(true);
    expect(both.isMac('a', 'text', both.mac('a', 'text'))).toBe(true);
    expect(new Keyring([older]).isMac('a', 'text', both.mac('a', 'text'))).toBe(false);
    expect(both.isMac('b', 'text', both.mac('a', 'text'))).toBe(false);
    expect(both.isMac('a', 'texT', both.mac('a', 'text'))).toBe(false);
    for (const candidate of [
      '',
      'A',
      both.mac('a', 'text').slice(1),
      `${both.mac('a', 'text')}AAAA`,
      '💥'.repeat(20),
    ]) {
      expect(both.isMac('a', 'text', candidate)).toBe(false);
    }
  });
});
