/**
 * The headers and the greeting of mails that go to a real mail server: their sender, EHLO, and the mark of a machine.
 */
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ConfigRefused, readConfig } from '../../src/config/config.ts';
import { createSmtpTransport } from '../../src/platform/mail/transport.ts';
import { type ReceivedMail, type SmtpService, startSmtp } from '../support/servers/smtp.ts';

let smtp: SmtpService;

beforeEach(async () => {
  smtp = await startSmtp();
});

afterEach(() => smtp.down());

/** One mail, as it arrives from a service with these variables. */
const sentWith = async (environment: Readonly<Record<string, string>>): Promise<ReceivedMail> => {
  const { smtpEhloName: ehloName, mailFrom } = readConfig({ NODE_ENV: 'test', ...environment }, () => 'x'.repeat(32));
  const transport = createSmtpTransport({ url: smtp.url, ehloName }, mailFrom);
  onTestFinished(() => transport.close());
  await transport.send({ to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' });
  const [mail] = smtp.mails;
  if (mail === undefined) throw new Error('No mail arrived');
  return mail;
};

const headerOf = ({ headers }: ReceivedMail, name: string): readonly string[] =>
  headers.filter(([other]) => other === name).map(([, value]) => value);

describe('The sender', () => {
  it.each([
    ['Acme <gate@example.com>', 'Acme <gate@example.com>'],
    ['gate@example.com', 'gate@example.com'],
    ['<gate@example.com>', 'gate@example.com'],
    ['Acme: Support <gate@example.com>', '"Acme: Support" <gate@example.com>'],
    ['Acme; Billing <gate@example.com>', '"Acme; Billing" <gate@example.com>'],
    ['Acme (Europe) <gate@example.com>', '"Acme (Europe)" <gate@example.com>'],
    ['Acme, Inc. <gate@example.com>', '"Acme, Inc." <gate@example.com>'],
    ['"Acme, Inc." <gate@example.com>', '"Acme, Inc." <gate@example.com>'],
    [String.raw`"The \"Acme\" Team" <gate@example.com>`, String.raw`"The \"Acme\" Team" <gate@example.com>`],
    ['The "Acme" Team <gate@example.com>', String.raw`"The \"Acme\" Team" <gate@example.com>`],
    ['Acme <Europe> <gate@example.com>', '"Acme <Europe>" <gate@example.com>'],
    ['other@example.com, Acme <gate@example.com>', '"other@example.com, Acme" <gate@example.com>'],
    ["Acme's Team <gate@example.com>", '"Acme\'s Team" <gate@example.com>'],
  ])('%s has its name and its address apart', async (from, header) => {
    const mail = await sentWith({ MAIL_FROM: from });
    expect(mail.from).toBe('gate@example.com');
    expect(headerOf(mail, 'from')).toEqual([header]);
  });

  it.each([
    'Acme: gate@example.com',
    'gate@example.com, other@example.com',
    'Acme <gate@example.com',
    'Acme <gate@example.com>, Other <other@example.com>;',
    'mailto:gate@example.com',
    'Acme <one@example.com:two@example.com>',
  ])('cannot be %s', (from) => {
    expect(() => readConfig({ NODE_ENV: 'test', MAIL_FROM: from }, () => 'x'.repeat(32))).toThrow(ConfigRefused);
  });
});

describe('The service greets the mail server', () => {
  it.each([
    ['https://id.example.com', 'id.example.com'],
    ['http://localhost:4000', 'localhost'],
    ['http://127.0.0.1:4000', '[127.0.0.1]'],
    ['http://[::1]:4000', '[IPv6:::1]'],
  ])('of BASE_URL %s as %s', async (baseUrl, name) => {
    expect((await sentWith({ BASE_URL: baseUrl })).ehlo).toBe(name.toLowerCase());
  });

  it.each(['mail.example.com', '[192.0.2.1]', '[IPv6:2001:db8::1]'])('by SMTP_EHLO_NAME %s', async (name) => {
    expect((await sentWith({ BASE_URL: 'https://id.example.com', SMTP_EHLO_NAME: name })).ehlo).toBe(
      name.toLowerCase(),
    );
  });

  it.each([
    'https://id.example.com',
    'two words',
    '192.0.2.1/24',
    '[2001:db8::1]',
    '[IPv6:192.0.2.1]',
    'id..example.com',
    '-id.example.com',
    'id.example.com\r\nMAIL FROM:<x@example.com>',
    `${'a'.repeat(250)}.example.com`,
  ])('not as %s', (name) => {
    expect(() => readConfig({ NODE_ENV: 'test', SMTP_EHLO_NAME: name }, () => 'x'.repeat(32))).toThrow(ConfigRefused);
  });
});

it('A mail is marked as automatic, so that no automatic reply answers it', async () => {
  expect(headerOf(await sentWith({}), 'auto-submitted')).toEqual(['auto-generated']);
});
