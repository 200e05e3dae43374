/** `gatehouse doctor` on mail: real SMTP servers, which refuse or are down, and servers of other protocols. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { SMTPServer } from 'smtp-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { diagnose, expectFault, faults } from '../doctor/run-doctor.ts';
import { newDirectory } from '../support/database/databases.ts';
import type { Environment } from '../support/gatehouse/gatehouse-process.ts';
import { waitAsInProduction } from '../support/gatehouse/wait-limits.ts';
import { freePort, listen } from '../support/servers/listen.ts';
import { type SmtpService, startSmtp } from '../support/servers/smtp.ts';

waitAsInProduction();

const withMail = async (url: string, more: Environment = {}): Promise<Environment> => ({
  NODE_ENV: 'test',
  BASE_URL: 'http://localhost:1',
  DATA_DIR: await newDirectory(),
  SMTP_URL: url,
  ...more,
});

const says = (pattern: RegExp): unknown => expect.stringMatching(pattern);

/** A server that runs until the end of the test. */
const newSmtp = async (): Promise<SmtpService> => {
  const smtp = await startSmtp();
  onTestFinished(() => smtp.down());
  return smtp;
};

const hardened = {
  NODE_ENV: 'production',
  BASE_URL: 'https://localhost:1',
  FRONTEND_URL: 'https://localhost:1',
  DATABASE_URL: 'postgres://127.0.0.1:1/x',
  GATEHOUSE_SECRET: 'Canary-0123456789-abcdefghijklmnopqrstuvwxyz',
};

describe('Mail', () => {
  it('is valid in development without a server: the mailbox shows it', async () => {
    const { findings } = await diagnose(await withMail(''));
    expect(findings).toContainEqual(
      expect.objectContaining({ check: 'mail', level: 'ok', says: says(/\/dev\/mailbox/) }),
    );
  });

  it('is valid when the server accepts the configuration, and none is sent', async () => {
    const smtp = await newSmtp();
    const url = smtp.url.replace('smtp://', 'smtp://mailer:Canary-mail@');
    expect(faults(await diagnose(await withMail(url)), 'mail')).toEqual([]);
    expect(smtp.mails).toEqual([]);
  });

  it('has a fault when the server refuses the password', async () => {
    const server = new SMTPServer({
      allowInsecureAuth: true,
      hideSTARTTLS: true,
      disableReverseLookup: true,
      onAuth: ({ password }, _session, answer) => answer(new Error(`No entry for ${String(password)}`)),
    });
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const port = await freePort();
    const listening = server.listen(port, '127.0.0.1');
    if (!listening.listening) await once(listening, 'listening');
    expectFault(await diagnose(await withMail(`smtp://mailer:Canary-mail@127.0.0.1:${port}`)), 'mail', {
      level: 'error',
      says: /refused the user or the password \(535\)/,
      fix: /SMTP_URL/,
    });
  });

  it.each([
    ['no server listens there', 'smtp://127.0.0.1:1', /127\.0\.0\.1:1 cannot be reached/],
    ['the host is unknown', 'smtps://mail.invalid', /mail\.invalid:465/],
  ])('has a fault when %s', async (_what, url, pattern) => {
    expectFault(await diagnose(await withMail(url)), 'mail', { level: 'error', says: pattern });
  });

  it('has a fault when a server without TLS is contacted with TLS', async () => {
    const { url } = await newSmtp();
    const diagnosis = await diagnose(await withMail(url.replace('smtp:', 'smtps:')));
    expectFault(diagnosis, 'mail', { level: 'error', fix: /smtps:\/\// });
  });

  it('has a fault when a web server listens there', async () => {
    const { port, close } = await listen(createServer((_request, response) => response.end('hello')));
    onTestFinished(close);
    expectFault(await diagnose(await withMail(`smtp://127.0.0.1:${port}`)), 'mail', { level: 'error' });
  });

  it('has a fault when a password would go unencrypted to another machine', async () => {
    const plain = await diagnose(await withMail('smtp://mailer:Canary-mail@mail.invalid'));
    expect(faults(plain, 'mail')).toContainEqual(
      expect.objectContaining({ level: 'warning', fix: says(/requireTLS=true/) }),
    );
    const asked = await diagnose(await withMail('smtp://mailer:Canary-mail@mail.invalid?requireTLS=true'));
    expect(faults(asked, 'mail').map(({ level }) => level)).toEqual(['error']);
  });

  it('has a fault when production may send mail without TLS, which it refuses by default', async () => {
    const environment = await withMail('smtp://mail.invalid', { ...hardened, MAIL_FROM: 'no-reply@gatehouse.dev' });
    const refused = await diagnose(environment);
    expect(refused.findings).toContainEqual(expect.objectContaining({ says: says(/^SMTP_URL must use TLS/) }));
    const allowed = await diagnose({ ...environment, SMTP_PLAINTEXT: 'allowed' });
    expect(faults(allowed, 'mail')).toContainEqual(
      expect.objectContaining({ level: 'warning', says: says(/^SMTP_URL is smtp:/), fix: says(/requireTLS=true/) }),
    );
  });

  it('reports an error when production sends from a reserved domain', async () => {
    for (const [from, found] of [
      ['Gatehouse <gatehouse@localhost>', 1],
      ['no-reply@example.com', 1],
      ['Gatehouse <no-reply@gatehouse.dev>', 0],
    ] as const) {
      const environment = await withMail('smtp://127.0.0.1:1', { ...hardened, MAIL_FROM: from });
      const warnings = faults(await diagnose(environment), 'mail').filter(({ level }) => level === 'warning');
      expect(warnings, from).toHaveLength(found);
    }
  });
});
