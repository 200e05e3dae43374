/**
 * The mails of sign-up as they arrive at a real mail server: their content and number, and the effect of hostile names.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { renderMail } from '../../src/platform/mail/message.ts';
import { range, until } from '../support/checks/concurrency.ts';
import { type Answer, goodPassword, newAddress, operations, post } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { type ReceivedMail, startSmtp } from '../support/servers/smtp.ts';

const smtp = fixture(startSmtp, (smtp) => smtp.down());
const service = serviceFixture(() => ({ SMTP_URL: smtp.url, MAIL_FROM: 'Gatehouse Tests <gate@example.com>' }));

const signUp = (email: string, name = 'Ada Marlow'): Promise<Answer> =>
  post(service.url, operations.signUp, { input: { email, name, password: goodPassword } });

const waiting = async (): Promise<number> =>
  (await service.sql.value<number>('SELECT count(*)::integer AS count FROM mail_outbox')) ?? 0;

const untilSent = (): Promise<void> => until('the outbox is empty', async () => (await waiting()) === 0);

/** All mails to an address, oldest first, once the queue is empty. */
const mailsTo = async (address: string): Promise<ReceivedMail[]> => {
  await untilSent();
  return smtp.mails.filter(({ to }) => to.includes(address));
};

const headersOf = ({ headers }: ReceivedMail, name: string): string[] =>
  headers.filter(([other]) => other === name).map(([, value]) => value);

const linkOf = (mail: ReceivedMail | undefined): string => /\bhttp\S+/.exec(mail?.text ?? '')?.[0] ?? '';

/** An hour passes for these addresses. */
const letAnHourPass = (...emails: readonly string[]): Promise<unknown> =>
  service.sql(
    `UPDATE users SET account_mail_sent_at = account_mail_sent_at - interval '61 minutes' WHERE email = ANY ($1)`,
    [emails],
  );

const verify = async (mail: ReceivedMail | undefined): Promise<Answer> =>
  post(service.url, operations.validate, { token: linkOf(mail).split('/').at(-1) });

describe('the mails', () => {
  it('confirm an address, in text and in HTML', async () => {
    const email = newAddress();
    await signUp(email);
    const [mail, ...others] = await mailsTo(email);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ from: 'gate@example.com', to: [email] });
    if (mail === undefined) return;
    expect(headersOf(mail, 'from')).toEqual(['Gatehouse Tests <gate@example.com>']);
    expect(headersOf(mail, 'to')).toEqual([email]);
    expect(headersOf(mail, 'subject')).toEqual(['Confirm your e-mail address']);
    expect(linkOf(mail)).toMatch(new RegExp(`^${service.url}/verify/[0-9a-f]{64}$`));
    expect(mail.html).toContain(`href="${linkOf(mail)}"`);
    expect(mail.html).toContain(`href="${linkOf(mail)}/reject"`);
    for (const body of [mail.text, mail.html]) {
      expect(body).toMatch(/On \d{1,2} \w+ \d{4} at \d{2}:\d{2} UTC, an account was asked for with this address\./);
      expect(body).toContain('24 hours');
    }
    expect(mail.text).toContain(`I did not ask for this:\n${linkOf(mail)}/reject\n`);
    expect((await verify(mail)).data).toEqual({ validateEmail: { status: 'VERIFIED' } });
  });

  // Contract: accounts#contents-of-the-verification-mail — The verification mail names the time of the sign-up
  it('name the time of the sign-up, also when they are sent later', async () => {
    const email = newAddress();
    await signUp(email);
    await service.sql(
      `UPDATE users SET signed_up_at = '2026-03-01 09:05:59+00', account_mail_sent_at = now() - interval '2 hours'
       WHERE email = $1`,
      [email],
    );
    await signUp(email, 'Another Name');
    const [, mail] = await mailsTo(email);
    expect(mail?.text).toContain('On 1 March 2026 at 09:05 UTC, an account was asked for with this address.');
  });

  it('inform the owner of a registered address, without any secret', async () => {
    const email = newAddress();
    await signUp(email, 'The Owner');
    await verify((await mailsTo(email))[0]);
    await letAnHourPass(email);
    await signUp(email.toUpperCase(), 'A Stranger');
    const [, mail, ...others] = await mailsTo(email);
    expect(others).toEqual([]);
    if (mail === undefined) throw new Error('No second mail');
    expect(headersOf(mail, 'subject')).toEqual(['You already have an account']);
    expect(mail.text).toContain('Hello The Owner,');
    expect(linkOf(mail)).toBe(`${service.url}/signin`);
    for (const body of [mail.text, mail.html]) expect(body).not.toMatch(/Stranger|verify|[0-9a-f]{64}/);
    expect(mail.html).toContain(`href="${service.url}/signin"`);
  });

  it('reach an address at most once an hour, verified or not', async () => {
    const email = newAddress();
    for (const _time of range(3)) await signUp(email);
    expect(await mailsTo(email)).toHaveLength(1);
    await letAnHourPass(email);
    for (const _time of range(3)) await signUp(email);
    const [first, second, ...others] = await mailsTo(email);
    expect(others).toEqual([]);
    expect(linkOf(second)).not.toBe(linkOf(first));
    await verify(second);
    await signUp(email);
    expect(await mailsTo(email)).toHaveLength(2);
    await letAnHourPass(email);
    for (const _time of range(3)) await signUp(email);
    expect(await mailsTo(email)).toHaveLength(3);
  });

  it('wait while the mail server is unavailable, without an effect on sign-ups', async () => {
    await smtp.down();
    const addresses = range(3).map(newAddress);
    for (const email of addresses) {
      expect((await signUp(email)).data).toEqual({ signUpWithPassword: { success: true, verificationRequired: true } });
    }
    await until(
      'each was tried',
      async () =>
        (await service.sql.value<number>('SELECT count(*)::integer AS tried FROM mail_outbox WHERE attempts > 0')) ===
        addresses.length,
    );
    await smtp.up();
    await service.sql('UPDATE mail_outbox SET next_attempt_at = now()');
    // A new mail wakes the queue.
    await signUp(newAddress());
    for (const email of addresses) expect(await mailsTo(email)).toHaveLength(1);
  });
});

describe('a name in a mail', () => {
  const hostileNames = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '"Bob" <bob@evil.example>',
    'Bob, <bob@evil.example>; cc: bob@evil.example',
    "'; DROP TABLE users; --",
    '=?utf-8?q?=0d=0aBcc:_bob@evil.example?=',
    '%0d%0aBcc: bob@evil.example',
    '{{greeting}} %s %n',
    '&lt;b&gt; &amp; <b>',
    'Zoë 山田 👩‍🚀',
    'evil.example',
    'Ada (see evil.example/login)',
    'Ada 192.0.2.1:8080/x',
    'EVIL.EXAMPLE',
    'пример.рф',
    'evil。example',
  ];

  /** A word joiner follows each dot inside a word, so that no mail program takes it for a host name. */
  const withoutLinks = (name: string): string => name.replaceAll(/[.。．｡](?=[^\s.])/g, '$&\u2060');

  const people = hostileNames.map((name) => ({ name, email: newAddress() }));
  const emails = people.map(({ email }) => email);
  /** Some get a second one of the mails without a name. */
  const repeating = people.slice(0, 4);
  /** They sign up at once, and the mails are sent. */
  const signUpAll = async (those: typeof people): Promise<void> => {
    const answers = await Promise.all(those.map(({ email, name }) => signUp(email, name)));
    expect(answers.map(({ code }) => code)).toEqual(those.map(() => null));
    await untilSent();
  };
  /** The mails to a user before they verified the address, and those after. */
  const mailsOf = async (person: (typeof people)[number]) => {
    const mails = await mailsTo(person.email);
    const early = repeating.includes(person) ? 2 : 1;
    return { early: mails.slice(0, early), late: mails.slice(early) };
  };
  beforeAll(async () => {
    await signUpAll(people);
    await letAnHourPass(...emails);
    await signUpAll(repeating);
    for (const email of emails) expect((await verify((await mailsTo(email)).at(-1))).code).toBeNull();
    await letAnHourPass(...emails);
    await signUpAll(people.map(({ email }) => ({ email, name: 'A Stranger' })));
  });

  // Contract: accounts#contents-of-the-verification-mail — The verification mail contains no input of the sign-up
  it('is in no mail about an address that is not verified', async () => {
    for (const person of people) {
      const { early, late } = await mailsOf(person);
      expect([early.length, late.length]).toEqual([repeating.includes(person) ? 2 : 1, 1]);
      for (const mail of early) {
        expect(headersOf(mail, 'subject')).toEqual(['Confirm your e-mail address']);
        expect(mail.text.split('\n')[0]).toBe('Hello,');
        for (const body of [mail.text, mail.html, JSON.stringify(mail.headers)]) {
          expect(body).not.toContain(person.name);
          expect(body).not.toMatch(/evil|alert|Bob|DROP|山田|192\.0/);
        }
      }
    }
  });

  it.each(people)('is only a name in the mails of its owner: $name', async (person) => {
    const { name, email } = person;
    const [mail, ...others] = (await mailsOf(person)).late;
    if (mail === undefined) throw new Error('No mail');
    expect({ to: mail.to, others }).toEqual({ to: [email], others: [] });
    expect(headersOf(mail, 'to')).toEqual([email]);
    expect(headersOf(mail, 'subject')).toEqual(['You already have an account']);
    expect(new Set(mail.headers.map(([header]) => header)).size).toBe(mail.headers.length);
    for (const header of ['cc', 'bcc', 'reply-to', 'sender']) expect(headersOf(mail, header)).toEqual([]);
    const shown = withoutLinks(name);
    expect(mail.text.split('\n')[0]).toBe(`Hello ${shown},`);
    const greeting = shown.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const escaped = greeting.replaceAll('"', '&quot;').replaceAll("'", '&#39;');
    expect(mail.html).toContain(`>Hello ${escaped},</p>`);
    expect(mail.html).not.toMatch(/<(script|img|b)\b/);
    const withoutAction = [mail.text, mail.html].map((body) => body.replaceAll(linkOf(mail), ''));
    for (const body of withoutAction) {
      expect(body.slice(body.indexOf('Hello'))).not.toMatch(/[\p{L}\p{N}][.。．｡][\p{L}\p{N}]/u);
    }
  });

  it.each([
    'Bob\r\nBcc: bob@evil.example',
    'Bob\nSubject: Free money',
    'Bob\u2028Bcc: bob@evil.example',
    'Bob\u0000',
    '\u202eboB',
  ])('that would break a line or reverse the text is refused: %j', async (name) => {
    const email = newAddress();
    const answer = await signUp(email, name);
    expect(answer).toMatchObject({
      code: 'BAD_USER_INPUT',
      extensions: { fields: { name: expect.anything() as unknown } },
    });
    expect(await mailsTo(email)).toEqual([]);
  });
});

it('A text of a mail is one line, also with a name that breaks lines', () => {
  const name = 'Bob\r\nBcc: bob@evil\n\nClick\u2028here';
  const shown = 'Bob Bcc: bob@evil Click here';
  const { subject, text, html } = renderMail({
    to: 'ada@example.com',
    language: 'en',
    subject: `${name} invites you`,
    greeting: `Hello ${name},`,
    paragraphs: [name],
    action: { label: name, url: 'https://app.example.com/' },
    remark: name,
    support: name,
    openAddress: name,
  });
  expect(subject).toBe(`${shown} invites you`);
  expect(text.split('\n\n')).toEqual([`Hello ${shown},`, shown, `${shown}:\nhttps://app.example.com/`, shown]);
  expect(html).toContain(`>${shown}</a>`);
});

describe('an address in a mail', () => {
  it.each([
    'Bob <bob@evil.example>',
    'a@example.com,b@evil.example',
    'a@example.com b@evil.example',
    'a@example.com\r\nRCPT TO:<b@evil.example>',
    'a@example.com\nBcc: b@evil.example',
    '"a b"@example.com',
    'group:a@example.com;',
    '<a@example.com>',
    'a@[127.0.0.1]',
    '-oQ/tmp@localhost',
  ])('that is more than an address is refused: %j', async (email) => {
    const before = smtp.mails.length;
    expect(await signUp(email)).toMatchObject({
      code: 'BAD_USER_INPUT',
      extensions: { fields: { email: expect.anything() as unknown } },
    });
    expect(await waiting()).toBe(0);
    expect(smtp.mails).toHaveLength(before);
  });

  it.each(["o'hara@", 'a+b=c@', '=?utf-8?q?bob=40evil.example?=@', '{a}|b@', '-x@', '#!$%&*@'])(
    'gets its mail, and no other address does: %s',
    async (local) => {
      const email = `${local}${Math.random().toString(36).slice(2)}.example.com`;
      expect((await signUp(email)).code).toBeNull();
      const [mail, ...others] = await mailsTo(email);
      expect({ to: mail?.to, others }).toEqual({ to: [email], others: [] });
      expect(mail === undefined ? [] : headersOf(mail, 'to')).toEqual([email]);
    },
  );
});
