/** The development mailbox: the page, its JSON, its bounds, and that production instances have none. */

import { type OutgoingHttpHeaders, request } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { Keyring } from '../../src/kernel/secrets.ts';
import type { Mail } from '../../src/platform/mail/mails.ts';
import { createOutbox } from '../../src/platform/mail/outbox.ts';
import { createMailbox, type MailboxEntry } from '../../src/platform/mail/transport.ts';
import { range, until } from '../support/checks/concurrency.ts';
import { newAddress, signUp } from '../support/clients/clients.ts';
import { lendDatabase } from '../support/database/database-pool.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

const service = serviceFixture();

const mailbox = (path = '', options: RequestInit = {}): Promise<Response> =>
  fetch(`${service.url}/dev/mailbox${path}`, options);

const list = async (): Promise<MailboxEntry[]> => (await (await mailbox('.json')).json()) as MailboxEntry[];

beforeEach(async () => {
  await mailbox('', { method: 'DELETE' });
});

/** Queues mails with any values, as an operation of this service would. */
const queue = async (mails: readonly Mail[]): Promise<void> => {
  const { database, config } = service;
  const outbox = createOutbox({
    database,
    transport: createMailbox(),
    logger: silentLogger,
    keyring: new Keyring(config.secrets),
  });
  await database.transaction(async (transaction) => {
    for (const mail of mails) await outbox.enqueue(transaction, mail);
  });
};

describe('/dev/mailbox.json', () => {
  it('lists the mails, newest first, with the links in them', async () => {
    const [first, second] = [newAddress(), newAddress()];
    const tokens = [await signUp(service, first), await signUp(service, second)];
    const mails = await list();
    expect(mails.map(({ to }) => to)).toEqual([second, first]);
    expect(mails.map(({ links }) => links)).toEqual(
      tokens.toReversed().map((token) => [`${service.url}/verify/${token}`, `${service.url}/verify/${token}/reject`]),
    );
    for (const mail of mails) {
      expect(Object.keys(mail).toSorted()).toEqual(['html', 'id', 'links', 'sentAt', 'subject', 'text', 'to']);
      expect(new Date(mail.sentAt).toISOString()).toBe(mail.sentAt);
      expect(mail.subject).toBe('Confirm your e-mail address');
    }
    expect(new Set(mails.map(({ id }) => id)).size).toBe(2);
  });

  it('shows a mail within two seconds of the sign-up', async () => {
    const email = newAddress();
    await signUp(service, email);
    await until('the mail is there', async () => (await list()).some(({ to }) => to === email));
  });

  it('is emptied by DELETE', async () => {
    await signUp(service, newAddress());
    expect(await list()).toHaveLength(1);
    const response = await mailbox('', { method: 'DELETE' });
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 204, text: '' });
    expect(await list()).toEqual([]);
    expect(await (await mailbox()).text()).toContain('No mail yet');
  });

  it('keeps the last 500', async () => {
    const kept = createMailbox();
    const addresses = range(510).map((index) => `person-${index}@example.com`);
    for (const to of addresses) await kept.send({ to, subject: 'A mail', text: 'This is a mail.', html: '' });
    const mails = kept.list();
    expect(mails.map(({ to }) => to)).toEqual(addresses.toReversed().slice(0, 500));
    const ages = mails.map(({ sentAt }) => sentAt);
    expect(ages).toEqual(ages.toSorted().toReversed());
  });
});

/** A request of a browser that resolves another site's name to this machine (DNS rebinding). */
const askAs = (host: string, path: string, method = 'GET', headers: OutgoingHttpHeaders = {}): Promise<Asked> =>
  new Promise((resolve, reject) => {
    const { port } = service.config;
    const sent = request({ host: '127.0.0.1', port, path, method, headers: { host, ...headers } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => resolve({ status: answer.statusCode, text: Buffer.concat(parts).toString() }));
    });
    sent.on('error', reject).end();
  });

interface Asked {
  readonly status: number | undefined;
  readonly text: string;
}

describe('A request to another host name', () => {
  const paths = ['/dev/mailbox', '/dev/mailbox.json', '/dev/mailbox.css', '/dev/%6dailbox.json'];

  // Contract: requests#development-mailbox — /dev/mailbox answers only its own Host
  it('is answered 421, reads no mail and deletes none', async () => {
    await signUp(service, newAddress());
    const kept = await list();
    const { port } = service.config;
    const hosts = [
      'evil.example',
      `evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      '127.0.0.1:1',
      '127.0.0.1',
    ];
    const asked = [...paths, `/dev/mailbox/${kept[0]?.id}`].map((path) => [path, 'GET'] as const);
    for (const host of hosts) {
      for (const [path, method] of [...asked, ['/dev/mailbox', 'DELETE'] as const]) {
        const { status, text } = await askAs(host, path, method);
        expect({ host, path, status }).toEqual({ host, path, status: 421 });
        expect(text).not.toContain('verify');
        expect(text).not.toContain('evil');
        expect(text).toContain(`host and port of BASE_URL: ${service.config.baseUrl}/dev/mailbox.`);
      }
    }
    expect(await list()).toEqual(kept);
  });

  it('is accepted for any name of this machine', async () => {
    const { port } = service.config;
    for (const host of [`localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`, `127.0.0.1:${port}`]) {
      expect({ host, status: (await askAs(host, '/dev/mailbox.json')).status }).toEqual({ host, status: 200 });
    }
  });

  // Contract: requests#development-mailbox — DELETE /dev/mailbox from a foreign page
  it('deletes nothing from a page of another site either', async () => {
    await signUp(service, newAddress());
    const kept = await list();
    for (const origin of ['https://evil.example', 'null']) {
      const { status, text } = await askAs(new URL(service.url).host, '/dev/mailbox', 'DELETE', { origin });
      expect({ origin, status }).toEqual({ origin, status: 403 });
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'ORIGIN_REFUSED' } });
    }
    expect(await list()).toEqual(kept);
    expect((await mailbox('', { method: 'DELETE', headers: { origin: service.url } })).status).toBe(204);
    expect(await list()).toEqual([]);
  });
});

describe('the page', () => {
  const hostile = `<script>alert("1")</script><img src=x onerror='alert(1)'>`;

  const showHostile = async (): Promise<MailboxEntry> => {
    await queue([
      {
        mail: 'organizationDeleted',
        to: `${hostile}@example.com`,
        values: { name: hostile, organization: hostile, deleter: hostile, until: new Date() },
        links: [`https://id.example.com/"${hostile}`],
      },
    ]);
    const email = newAddress();
    await signUp(service, email);
    await service.mailsTo(email);
    const mail = (await list()).find(({ subject }) => subject.startsWith(hostile));
    if (mail === undefined) throw new Error('The mail is not there');
    return mail;
  };

  it('escapes HTML in mails', async () => {
    await showHostile();
    const response = await mailbox();
    const page = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;');
    expect(page).not.toMatch(/<(script|img)\b/);
    // Every attribute ends where the page ends it.
    for (const [, link] of page.matchAll(/href="([^"]*)"/g)) expect(link).not.toMatch(/[<>]/);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/script-src|unsafe/);
  });

  it('shows a mail in its own frame, which runs no script and can be embedded only by this page', async () => {
    const { id } = await showHostile();
    expect(await (await mailbox()).text()).toContain(`src="/dev/mailbox/${id}"`);
    const response = await mailbox(`/${id}`);
    expect(await response.text()).not.toMatch(/<(script|img)\b/);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/(^|; )default-src 'none'/);
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).toMatch(/(^|; )sandbox(?!.*allow-(scripts|same-origin|forms))/);
    expect(policy).not.toContain('script-src');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('an instance that sends real mail, or is not in development', () => {
  const hardened = {
    BASE_URL: 'https://id.example.com',
    FRONTEND_URL: 'https://id.example.com',
    DATABASE_URL: 'postgres://gatehouse@127.0.0.1:1/gatehouse',
    GATEHOUSE_SECRET: 'Zk3vQ9xw7Rb2TnLpYs8MdHf5Jc1Ga6Ue',
    MAIL_FROM: 'Gatehouse <gate@example.com>',
  };

  it.each(['development', 'test', 'staging', 'production'])('has no mailbox with SMTP_URL in %s', async (mode) => {
    const stored = await lendDatabase();
    const config = readConfig({ ...hardened, NODE_ENV: mode, SMTP_URL: 'smtp://127.0.0.1:1' }, () => '');
    const database = await stored.open({ logger: silentLogger });
    const app = await createApp({ config, database, logger: silentLogger, portalDirectory: null });
    for (const url of ['/dev/mailbox', '/dev/mailbox.json', '/dev/mailbox/x', '/dev/mailbox.css']) {
      const { statusCode, headers } = await app.http.inject({ url, headers: { accept: 'text/html' } });
      expect({ url, statusCode }).toEqual({ url, statusCode: 404 });
      expect(headers['content-type']).toMatch(/^application\/json/);
    }
    expect((await app.http.inject({ method: 'DELETE', url: '/dev/mailbox' })).statusCode).toBe(404);
    await app.close();
    await stored.drop();
  });
});
