/** Change of one's own address: requested, told by mail, confirmed once, and refused without a trace. */
import { describe, expect, it } from 'vitest';
import { ageAuthentication, me } from '../support/actors/credentials.ts';
import {
  ageChanges,
  changeAddress,
  confirmChange,
  confirmTokenOf,
  confirmTokens,
  requestChange,
  undoTokenOf,
} from '../support/actors/email-changes.ts';
import { accept, inviteByMail, preview } from '../support/actors/invitations.ts';
import { newOwner, newSuperAdmin, runAs } from '../support/actors/tenants.ts';
import { tally } from '../support/checks/concurrency.ts';
import { expectNoEffect, expectRefusal } from '../support/checks/refusals.ts';
import {
  type Answer,
  goodPassword,
  newAddress,
  operations,
  post,
  register,
  registerAndSignIn,
  registerByMail,
  signIn,
  signUp,
  type Tokens,
} from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

const otherPassword = 'Another.1word';

const outcomesOf = (answers: readonly Answer[]): Record<string, number> =>
  tally(answers.map(({ code }) => code ?? 'OK'));

const subjectsTo = async (email: string): Promise<string[]> =>
  (await service.mailsTo(email)).map(({ subject }) => subject);

const addressOf = async (tokens: Tokens): Promise<unknown> => {
  const { data } = JSON.parse((await me(service, tokens.accessToken)).text) as { data: { me: { email: string } } };
  return data.me.email;
};

const trySignIn = (email: string, password = goodPassword): Promise<Answer> =>
  post(service.url, operations.signIn, { input: { email, password } });

/** A person with an open link to a new address. */
const requested = async () => {
  const person = await registerAndSignIn(service);
  const newEmail = newAddress();
  await requestChange(service, person, newEmail);
  return { ...person, newEmail, token: await confirmTokenOf(service, newEmail) };
};

describe('requestEmailChange', () => {
  // Contract: account#request-for-another-address — requestEmailChange: a link to the new address, a notice to the old
  //   one
  it('sends a link to the new address and a notice to the present one, and changes nothing yet', async () => {
    const person = await registerAndSignIn(service);
    const newEmail = newAddress();
    const answer = await requestChange(service, person, ` ${newEmail.toUpperCase()} `);
    expect(answer.text).toBe('{"data":{"requestEmailChange":{"success":true}}}');
    expect(await subjectsTo(newEmail)).toEqual(['Confirm your new e-mail address']);
    expect((await subjectsTo(person.email))[0]).toBe('A new e-mail address was requested for your account');
    expect(await addressOf(person.tokens)).toBe(person.email);
    expect((await trySignIn(newEmail)).code).toBe('INVALID_CREDENTIALS');
  });

  it('stores the hash of the token alone', async () => {
    const { token } = await requested();
    const rows = await service.sql('SELECT to_jsonb(c)::text AS row FROM email_changes c');
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(service.logs.join('')).not.toContain(token);
  });

  // Contract: account#request-for-another-address — requestEmailChange answers alike whether or not the new address has
  //   an account
  it('answers alike for every address, and tells the owner of a registered one instead', async () => {
    const person = await registerAndSignIn(service);
    const [verified, unverified] = [await registerByMail(service), newAddress()];
    await signUp(service, unverified);
    await service.sql(`UPDATE users SET account_mail_sent_at = account_mail_sent_at - interval '2 hours'`);
    const answers = [];
    for (const newEmail of [newAddress(), verified, unverified]) {
      const { status, text } = await requestChange(service, person, newEmail);
      answers.push({ status, text });
      expect((await service.mailsTo(person.email)).filter(({ subject }) => subject.startsWith('A new'))).toHaveLength(
        answers.length,
      );
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const [notice] = await service.mailsTo(verified);
    expect(notice?.subject).toBe('You already have an account');
    expect(notice?.text).toContain('asked to use this address');
    expect((await subjectsTo(unverified)).filter((subject) => subject === 'Confirm your e-mail address')).toHaveLength(
      2,
    );
    for (const email of [verified, unverified]) expect(await confirmTokens(service, email)).toEqual([]);
  });

  it('tells the owner of a registered address at most once an hour, for all requesters together', async () => {
    const owner = await registerByMail(service);
    await service.sql(`UPDATE users SET account_mail_sent_at = account_mail_sent_at - interval '2 hours'`);
    for (const person of [await registerAndSignIn(service), await registerAndSignIn(service)]) {
      await requestChange(service, person, owner);
    }
    const notices = (await subjectsTo(owner)).filter((subject) => subject === 'You already have an account');
    expect(notices).toHaveLength(1);
  });

  // Contract: account#request-for-another-address — requestEmailChange asked again for the same address within the
  //   hour: nothing is sent
  it('sends nothing for the same address within the hour, and the link stays', async () => {
    const { newEmail, token, ...person } = await requested();
    const again = await expectNoEffect(service, () => requestChange(service, person, newEmail));
    expect(again.code).toBeNull();
    expect((await confirmChange(service, person.tokens, token)).code).toBeNull();
  });

  it('sends another link after an hour, and the former one is dead', async () => {
    const { newEmail, token, ...person } = await requested();
    await ageChanges(service, '61 minutes');
    await requestChange(service, person, newEmail);
    const [fresh = '', former] = await confirmTokens(service, newEmail);
    expect(former).toBe(token);
    await expectRefusal(service, 'LINK_NOT_OPEN', () => confirmChange(service, person.tokens, token));
    expect((await confirmChange(service, person.tokens, fresh)).code).toBeNull();
  });

  // Contract: account#request-for-another-address — A stolen session that changes the address without reauthentication
  it('refuses a session that did not authenticate recently', async () => {
    const person = await registerAndSignIn(service);
    await ageAuthentication(service, person.tokens.accessToken, '11 minutes');
    await expectRefusal(service, 'REAUTHENTICATION_REQUIRED', () => requestChange(service, person, newAddress()));
    await runAs(service, person, operations.reauthenticate, { input: { password: goodPassword } });
    expect((await requestChange(service, person, newAddress())).code).toBeNull();
  });

  it.each(['', 'no address', 'a@b\u0000.example', `${'x'.repeat(250)}@example.com`])('refuses %j', async (newEmail) => {
    const person = await registerAndSignIn(service);
    await expectRefusal(service, 'BAD_USER_INPUT', () => requestChange(service, person, newEmail));
  });

  it("refuses the person's own address, and who is signed out", async () => {
    const person = await registerAndSignIn(service);
    const own = await expectRefusal(service, 'BAD_USER_INPUT', () => requestChange(service, person, person.email));
    expect(own.extensions['fields']).toEqual({ newEmail: 'This is your address already.' });
    await expectRefusal(service, 'UNAUTHENTICATED', () =>
      post(service.url, operations.requestEmailChange, { newEmail: newAddress() }),
    );
  });
});

describe('confirmEmailChange', () => {
  // Contract: account#confirmation-of-an-address — confirmEmailChange changes the address, and tells the old one with
  //   the undo link
  it('changes the address, everywhere at once, and keeps the session', async () => {
    const { email, newEmail, token, tokens } = await requested();
    const answer = await confirmChange(service, tokens, token);
    expect(answer.data).toMatchObject({ confirmEmailChange: { email: newEmail } });
    expect(await addressOf(tokens)).toBe(newEmail);
    expect((await trySignIn(email)).code).toBe('INVALID_CREDENTIALS');
    expect(await addressOf(await signIn(service, newEmail))).toBe(newEmail);
    expect((await subjectsTo(email))[0]).toBe('The e-mail address of your account was changed');
    expect(await undoTokenOf(service, email)).toMatch(/^[0-9a-f]{64}$/);
    const admin = await newSuperAdmin(service);
    expect((await runAs(service, admin, operations.platformUsers, { search: newEmail })).data).toMatchObject({
      platformUsers: { nodes: [{ email: newEmail }] },
    });
    expect((await runAs(service, admin, operations.platformUsers, { search: email })).data).toMatchObject({
      platformUsers: { nodes: [] },
    });
    expect((await runAs(service, admin, operations.activeSessions, { filter: { email: newEmail } })).text).toContain(
      newEmail,
    );
  });

  // Contract: account#confirmation-of-an-address — The replay of each link
  it('works once', async () => {
    const { tokens, token } = await requested();
    await confirmChange(service, tokens, token);
    await expectRefusal(service, 'LINK_NOT_OPEN', () => confirmChange(service, tokens, token));
  });

  it('works for 24 hours', async () => {
    const { tokens, token } = await requested();
    await ageChanges(service, '23 hours 59 minutes');
    const other = await requested();
    await ageChanges(service, '1 minute');
    await expectRefusal(service, 'LINK_NOT_OPEN', () => confirmChange(service, tokens, token));
    expect((await confirmChange(service, other.tokens, other.token)).code).toBeNull();
  });

  // Contract: account#confirmation-of-an-address — confirmEmailChange by another person: ACCOUNT_MISMATCH, the link
  //   stays
  it('refuses another person, and the link stays', async () => {
    const { tokens, token } = await requested();
    const other = await registerAndSignIn(service);
    await expectRefusal(service, 'ACCOUNT_MISMATCH', () => confirmChange(service, other.tokens, token));
    await expectRefusal(service, 'UNAUTHENTICATED', () => post(service.url, operations.confirmEmailChange, { token }));
    expect((await confirmChange(service, tokens, token)).code).toBeNull();
  });

  // Contract: account#confirmation-of-an-address — The address taken between request and confirmation
  it.each([
    ['a sign-up', (email: string) => signUp(service, email)],
    ['an account', (email: string) => register(service, email)],
  ])('refuses an address that %s took meanwhile', async (_, take) => {
    const { tokens, token, email, newEmail } = await requested();
    await take(newEmail);
    await expectRefusal(service, 'LINK_NOT_OPEN', () => confirmChange(service, tokens, token));
    expect(await addressOf(tokens)).toBe(email);
  });

  // Contract: account#confirmation-of-an-address — Two confirmations at once have one winner
  it('has one winner among confirmations at once', async () => {
    const { tokens, token, newEmail } = await requested();
    const answers = await Promise.all([1, 2, 3, 4].map(() => confirmChange(service, tokens, token)));
    expect(outcomesOf(answers)).toEqual({ OK: 1, LINK_NOT_OPEN: 3 });
    expect(await addressOf(tokens)).toBe(newEmail);
  });

  it('has one winner among two people who want one address', async () => {
    const newEmail = newAddress();
    const people = [await registerAndSignIn(service), await registerAndSignIn(service)];
    for (const person of people) await requestChange(service, person, newEmail);
    const links = (await confirmTokens(service, newEmail)).toReversed();
    const answers = await Promise.all(
      people.map(({ tokens }, index) => confirmChange(service, tokens, links[index] ?? '')),
    );
    expect(outcomesOf(answers)).toEqual({ OK: 1, LINK_NOT_OPEN: 1 });
    expect(await service.sql('SELECT FROM users WHERE email = $1', [newEmail])).toHaveLength(1);
  });

  it('takes over the invitations of a new address that was only invited', async () => {
    const inviter = await newOwner(service);
    const { tokens, token, newEmail } = await requested();
    const invitation = await inviteByMail(service, inviter.tokens, newEmail);
    expect((await preview(service, invitation.token, tokens))?.isYours).toBe(false);
    expect((await confirmChange(service, tokens, token)).code).toBeNull();
    expect(await preview(service, invitation.token, tokens)).toMatchObject({ isYours: true, vToken: null });
    expect((await accept(service, tokens, invitation.token)).code).toBeNull();
  });

  it.each(['', 'x', '0'.repeat(63), '0'.repeat(64), 'G'.repeat(64), `${'0'.repeat(64)}\n`])(
    'refuses the token %j',
    async (token) => {
      const { tokens } = await registerAndSignIn(service);
      await expectRefusal(service, 'LINK_NOT_OPEN', () => confirmChange(service, tokens, token));
    },
  );
});

describe('A requested change ends', () => {
  const ends: readonly (readonly [string, (person: { tokens: Tokens; email: string }) => Promise<Tokens>])[] = [
    [
      'when another address is requested',
      async (person) => {
        await requestChange(service, person, newAddress());
        return person.tokens;
      },
    ],
    [
      'when the password is changed',
      async (person) => {
        const input = { currentPassword: goodPassword, newPassword: otherPassword };
        expect((await runAs(service, person, operations.changePassword, { input })).code).toBeNull();
        return person.tokens;
      },
    ],
    [
      'when the person signs out everywhere',
      async (person) => {
        await runAs(service, person, operations.signOutEverywhere);
        return signIn(service, person.email);
      },
    ],
    [
      'when a super admin signs the person out everywhere',
      async (person) => {
        const id = await service.sql.value<string>('SELECT id FROM users WHERE email = $1', [person.email]);
        await runAs(service, await newSuperAdmin(service), operations.revokeUserSessions, { id });
        return signIn(service, person.email);
      },
    ],
  ];

  // Contract: account#end-of-a-requested-change — what ends a requested change of address
  it.each(ends)('%s', async (_, end) => {
    const { token, newEmail, ...person } = await requested();
    const tokens = await end(person);
    await expectRefusal(service, 'LINK_NOT_OPEN', () => confirmChange(service, tokens, token));
    expect(await addressOf(tokens)).toBe(person.email);
    await requestChange(service, { tokens }, newEmail);
    const [fresh = ''] = await confirmTokens(service, newEmail);
    expect(fresh).not.toBe(token);
    expect((await confirmChange(service, tokens, fresh)).code).toBeNull();
  });

  it('but not when the person signs out of one session', async () => {
    const { token, email, tokens } = await requested();
    await runAs(service, { tokens }, operations.signOut);
    expect((await confirmChange(service, await signIn(service, email), token)).code).toBeNull();
  });

  it('and a confirmed one stays, whatever the person does afterwards', async () => {
    const person = await registerAndSignIn(service);
    const { newEmail } = await changeAddress(service, person);
    await runAs(service, person, operations.signOutEverywhere);
    expect(await addressOf(await signIn(service, newEmail))).toBe(newEmail);
  });
});
