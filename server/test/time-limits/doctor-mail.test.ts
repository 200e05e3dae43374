/**
 * `gatehouse doctor` on mail: real SMTP servers, which refuse or are down, and servers of other protocols. No mail is
 * sent.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { SMTPServer } from 'smtp-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { diagnose, faults, theFault } from '../doctor/run-doctor.ts';
import { newDirectory } from '../support/database/databases.ts';
import { freePort } from '../support/gatehouse/gatehouse.ts';
import type { Environment } from '../support/gatehouse/gatehouse-process.ts';
import { listen } from '../support/servers/listen.ts';
import { startSmtp } from '../support/servers/smtp.ts';

const withMail = async (url: string, more: Environment = {}): Promise<Environment> => ({
  NODE_ENV: 'test',
  BASE_URL: 'http://localhost:1',
  DATA_DIR: await newDirectory(),
  SMTP_URL: url,
  ...more,
});

const says = (pattern: RegExp): unknown => expect.stringMatching(pattern);

describe('Mail', () => {
  it('is valid in development without a server: the mailbox shows it', async () => {
    const diagnosis = await diagnose(await withMail(''));
    expect(diagnosis.findings).toContainEqual(
      expect.objectContaining({ check: 'mail', level: 'ok', says: says(/\/dev\/mailbox/) }),
    );
  });

  it('is valid when the server accepts the configuration, and none is sent', async () => {
    const smtp = await startSmtp();
    try {
      const url = new URL(smtp.url);
      url.username = 'mailer';
      url.password = 'Canary-mail';
      const diagnosis = await diagnose(await withMail(url.href));
      expect(faults(diagnosis, 'mail')).toEqual([]);
      expect(smtp.mails).toEqual([]);
    } finally {
      await smtp.down();
    }
  });

  it('has a fault when the server refuses the password', async () => {
    const server = new SMTPServer({
      allowInsecureAuth: true,
      hideSTARTTLS: true,
      disableReverseLookup: true,
      onAuth: ({ password }, _session, answer) => answer(new Error(`No entry for ${String(password)}`)),
    });
    const port = await freePort();
    const listening = server.listen(port, '127.0.0.1');
    if (!listening.listening) await once(listening, 'listening');
    try {
      const diagnosis = await diagnose(await withMail(`smtp://mailer:Canary-mail@127.0.0.1:${port}`));
      expect(theFault(diagnosis, 'mail')).toMatchObject({
        level: 'error',
        says: says(/refused the user or the password \(535\)/),
        fix: says(/SMTP_URL/),
      });
    } finally {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    }
  });

  it('reports an error when no server listens there', async () => {
    const diagnosis = await diagnose(await withMail('smtp://127.0.0.1:1'));
    expect(theFault(diagnosis, 'mail')).toMatchObject({
      level: 'error',
      says: says(/127\.0\.0\.1:1 cannot be reached/),
    });
  });

  it('has a fault when the host is unknown', async () => {
    const diagnosis = await diagnose(await withMail('smtps://mail.invalid'));
    expect(theFault(diagnosis, 'mail')).toMatchObject({ level: 'error', says: says(/mail\.invalid:465/) });
  });

  it('has a fault when a server without TLS is contacted with TLS', async () => {
    const smtp = await startSmtp();
    try {
      const diagnosis = await diagnose(await withMail(smtp.url.replace('smtp:', 'smtps:')));
      expect(theFault(diagnosis, 'mail')).toMatchObject({ level: 'error', fix: says(/smtps:\/\//) });
    } finally {
      await smtp.down();
    }
  });

  it('has a fault when a web server listens there', async () => {
    const server = createServer((_request, response) => response.end('hello'));
    const { port, close } = await listen(server);
    onTestFinished(close);
    expect(theFault(await diagnose(await withMail(`smtp://127.0.0.1:${port}`)), 'mail').level).toBe('error');
  });

  it('has a fault when a password would go unencrypted to another machine', async () => {
    const plain = await diagnose(await withMail('smtp://mailer:Canary-mail@mail.invalid'));
    expect(faults(plain, 'mail')).toContainEqual(
      expect.objectContaining({ level: 'warning', fix: says(/requireTLS=true/) }),
    );
    const asked = await diagnose(await withMail('smtp://mailer:Canary-mail@mail.invalid?requireTLS=true'));
    expect(faults(asked, 'mail').map(({ level }) => level)).toEqual(['error']);
  });

  it('reports an error when production sends from a reserved domain', async () => {
    const hardened = {
      NODE_ENV: 'production',
      BASE_URL: 'https://localhost:1',
      FRONTEND_URL: 'https://localhost:1',
      DATABASE_URL: 'postgres://127.0.0.1:1/x',
      GATEHOUSE_SECRET: 'Canary-0123456789-abcdefghijklmnopqrstuvwxyz',
    };
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
