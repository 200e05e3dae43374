/** The outbox by itself, over a real database: when a mail is sent, how long it is retried, and how it is sealed. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Keyring } from '../../src/kernel/secrets.ts';
import type { Mail } from '../../src/platform/mail/mails.ts';
import { claimDueMails, createOutbox, type Outbox } from '../../src/platform/mail/outbox.ts';
import { createSmtpTransport, type MailTransport } from '../../src/platform/mail/transport.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { range, until } from '../support/checks/concurrency.ts';
import { lendDatabase } from '../support/database/database-pool.ts';
import { byNestedLoops } from '../support/database/nested-loops.ts';
import { sqlOn } from '../support/database/sql.ts';
import { fixture } from '../support/fixture.ts';
import { type SmtpService, startSmtp } from '../support/servers/smtp.ts';

const oldSecret = 'the older secret of the tests of the outbox';
const newSecret = 'the newer secret of the tests of the outbox';
const linkSecret = 'ab'.repeat(32);

const sender = { name: 'Gatehouse', address: 'gate@example.com' };

const mailTo = (to: string): Mail => ({
  mail: 'reinstated',
  to,
  values: { name: 'Ada Marlow', at: new Date() },
  links: [`https://id.example.com/verify/${linkSecret}`],
});

interface Row {
  readonly attempts: number;
  readonly wait: number;
}

let smtp: SmtpService;
let logs: Record<string, unknown>[];
let stops: (() => Promise<void>)[];

const stored = fixture(lendDatabase, (stored) => stored.drop());
const database = fixture(() => stored.open());
const sql = sqlOn(database);

beforeEach(async () => {
  smtp = await startSmtp();
  logs = [];
  stops = [];
});

afterEach(async () => {
  for (const stop of stops) await stop();
  await smtp.down();
  await sql('DELETE FROM mail_outbox');
});

const makeOutbox = (
  transport: MailTransport = createSmtpTransport({ url: smtp.url, ehloName: 'id.example.com' }, sender),
  secrets: readonly string[] = [oldSecret],
): Outbox => {
  const logger = createLogger('trace', { write: (line) => logs.push(JSON.parse(line) as Record<string, unknown>) });
  const outbox = createOutbox({ database, transport, logger, keyring: new Keyring(secrets) });
  stops.push(async () => {
    await outbox.stop();
    transport.close();
  });
  return outbox;
};

const enqueue = (outbox: Outbox, ...addresses: readonly string[]): Promise<void> =>
  database.transaction(async (transaction) => {
    for (const address of addresses) await outbox.enqueue(transaction, mailTo(address));
  });

const rows = (): Promise<Row[]> =>
  sql<Row>(
    `SELECT attempts, extract(epoch FROM next_attempt_at - now())::float8 AS wait FROM mail_outbox ORDER BY created_at, id`,
  );

const events = (): unknown[] => logs.map(({ event }) => event);
const untilLogged = (event: string, times = 1): Promise<void> =>
  until(`${event} is logged`, async () => events().filter((other) => other === event).length >= times);

/** Lets a new worker try everything once, now. */
const tryOnce = async (event: string, secrets?: readonly string[]): Promise<void> => {
  await sql('UPDATE mail_outbox SET next_attempt_at = now()');
  const seen = events().filter((other) => other === event).length;
  const outbox = makeOutbox(undefined, secrets);
  outbox.start();
  await untilLogged(event, seen + 1);
  await outbox.stop();
};

const outcomes: ReadonlySet<unknown> = new Set(['mail.sent', 'mail.failed', 'mail.abandoned']);

/** The events of the attempts so far, once a worker made another one. */
const outcomesAfter = async (outbox: Outbox): Promise<unknown[]> => {
  const made = () => events().filter((event) => outcomes.has(event));
  const before = made().length;
  outbox.start();
  await until('a mail was tried', async () => made().length > before);
  await outbox.stop();
  return made();
};

describe('sending', () => {
  it('happens once the transaction is committed, and then the row is deleted', async () => {
    const outbox = makeOutbox();
    outbox.start();
    await database.transaction(async (transaction) => {
      await outbox.enqueue(transaction, mailTo('one@example.com'));
      expect(smtp.mails).toEqual([]);
    });
    await untilLogged('mail.sent');
    expect(smtp.mails.map(({ from, to }) => ({ from, to }))).toEqual([
      { from: 'gate@example.com', to: ['one@example.com'] },
    ]);
    // Waits for what the worker still does.
    await outbox.stop();
    expect(await rows()).toEqual([]);
  });

  it('does not happen after a rollback', async () => {
    const outbox = makeOutbox();
    outbox.start();
    const undone = database.transaction(async (transaction) => {
      await outbox.enqueue(transaction, mailTo('undone@example.com'));
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await enqueue(outbox, 'done@example.com');
    await untilLogged('mail.sent');
    expect(smtp.mails.map(({ to }) => to)).toEqual([['done@example.com']]);
    await outbox.stop();
    expect(await rows()).toEqual([]);
  });

  it('continues with the mails of an earlier process', async () => {
    await enqueue(makeOutbox(), ...range(25).map((index) => `left-${index}@example.com`));
    makeOutbox().start();
    await until('all are sent', async () => (await rows()).length === 0);
    expect(new Set(smtp.mails.map(({ to }) => to[0])).size).toBe(25);
    expect(smtp.mails).toHaveLength(25);
  });

  it('by two workers at once sends each mail once', async () => {
    const sent: string[] = [];
    const transport: MailTransport = {
      send: async ({ to }) => {
        sent.push(to);
        await new Promise((resolve) => {
          setTimeout(resolve, Math.random() * 5);
        });
      },
      close: () => undefined,
    };
    const [left, right] = [makeOutbox(transport), makeOutbox(transport)];
    const addresses = range(120).map((index) => `person-${index}@example.com`);
    await enqueue(left, ...addresses.slice(0, 60));
    left.start();
    right.start();
    for (const address of addresses.slice(60)) await enqueue(sent.length % 2 === 0 ? left : right, address);
    await until('all are sent', async () => (await rows()).length === 0);
    expect(sent.toSorted()).toEqual(addresses.toSorted());
  });
});

it('A worker claims no more mails than its limit, by any plan of the statement', async () => {
  await sql(`INSERT INTO mail_outbox (id, sealed_message) SELECT gen_random_uuid(), '' FROM generate_series(1, 40)`);
  const claimed = await byNestedLoops(database, (each) => each.many(claimDueMails, [10]));
  expect(claimed).toHaveLength(10);
  expect((await rows()).filter(({ attempts }) => attempts === 1)).toHaveLength(10);
});

describe('a mail server that does not accept a mail', () => {
  it('is retried, later each time, and nothing is lost during the outage', async () => {
    await enqueue(makeOutbox(), 'patient@example.com');
    await smtp.down();
    const waits: number[] = [];
    for (const attempt of range(4)) {
      await tryOnce('mail.failed');
      const [row, ...others] = await rows();
      expect({ attempts: row?.attempts, others }).toEqual({ attempts: attempt + 1, others: [] });
      waits.push(row?.wait ?? 0);
    }
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeLessThanOrEqual(30 * 2 ** index);
      expect(wait).toBeGreaterThan(30 * 2 ** index - 20);
    }
    await smtp.up();
    await tryOnce('mail.sent');
    expect(smtp.mails.map(({ to }) => to)).toEqual([['patient@example.com']]);
    expect(await rows()).toEqual([]);
  });

  it('is retried at least every half hour', async () => {
    await enqueue(makeOutbox(), 'patient@example.com');
    await smtp.down();
    await sql('UPDATE mail_outbox SET attempts = 500');
    await tryOnce('mail.failed');
    const [row] = await rows();
    expect(row?.wait).toBeLessThanOrEqual(1800);
    expect(row?.wait).toBeGreaterThan(1700);
  });

  it.each([
    { stage: 'MAIL FROM', code: 451, says: 'not now', why: 'a failing server' },
    { stage: 'RCPT TO', code: 503, says: 'log in first', why: 'a login that the operator can mend' },
    { stage: 'MAIL FROM', code: 553, says: '5.1.8 unknown here', why: 'a sender that the operator can mend' },
    { stage: 'MAIL FROM', code: 550, says: 'not this sender', why: 'a sender that the operator can mend' },
    { stage: 'DATA', code: 530, says: '5.7.0 log in first', why: 'a login that the operator can mend' },
    { stage: 'RCPT TO', code: 554, says: '5.7.1 relay access denied', why: 'a server that does not relay for us' },
    { stage: 'RCPT TO', code: 554, says: '5.7.1 client host blocked', why: 'a client that is refused with delay' },
    { stage: 'RCPT TO', code: 553, says: '5.7.1 not owned by the user', why: 'a sender that is refused with delay' },
    { stage: 'RCPT TO', code: 550, says: '5.1.8 no such domain', why: 'a sender that is refused with delay' },
    { stage: 'RCPT TO', code: 504, says: '5.5.2 need a full name', why: 'a name in EHLO that is not accepted' },
    { stage: 'DATA', code: 550, says: '5.7.26 not authenticated', why: 'the proof of the domain of the sender' },
    { stage: 'RCPT TO', code: 451, says: '4.7.1 not now', why: 'greylisting' },
    { stage: 'RCPT TO', code: 550, says: '4.2.1 not now', why: 'a status that is transient' },
    { stage: 'DATA', code: 452, says: '4.3.1 not now', why: 'a full disk' },
    { stage: 'DATA', code: 451, says: '5.7.1 not now', why: 'a code that is transient' },
  ] as const)('is retried after $code $says at $stage: $why', async ({ stage, code, says }) => {
    await enqueue(makeOutbox(), 'patient@example.com');
    smtp.refuse(stage, code, says);
    expect(await outcomesAfter(makeOutbox())).toEqual(['mail.failed']);
    expect(await rows()).toMatchObject([{ attempts: 1 }]);
    smtp.accept();
    await tryOnce('mail.sent');
    expect(smtp.mails.map(({ to }) => to)).toEqual([['patient@example.com']]);
  });

  it.each([
    { stage: 'RCPT TO', code: 550, says: '5.1.1 unknown@example.com is unknown here', status: '550 5.1.1' },
    { stage: 'RCPT TO', code: 550, says: 'unknown@example.com is unknown here', status: '550' },
    { stage: 'RCPT TO', code: 552, says: '5.2.2 the mailbox of unknown is full', status: '552 5.2.2' },
    { stage: 'RCPT TO', code: 550, says: '5.1.10 unknown@example.com takes no mail', status: '550 5.1.10' },
    { stage: 'RCPT TO', code: 501, says: '5.1.3 unknown@example.com is malformed', status: '501 5.1.3' },
    { stage: 'DATA', code: 554, says: '5.7.1 unknown here', status: '554 5.7.1' },
    { stage: 'DATA', code: 554, says: 'unknown here', status: '554' },
  ] as const)(
    'is tried once when it says $status at $stage, which the log reports without its words',
    async (refusal) => {
      await enqueue(makeOutbox(), 'unknown@example.com');
      smtp.refuse(refusal.stage, refusal.code, refusal.says);
      expect(await outcomesAfter(makeOutbox())).toEqual(['mail.abandoned']);
      expect(await rows()).toEqual([]);
      expect(smtp.mails).toEqual([]);
      const line = logs.find(({ event }) => event === 'mail.abandoned');
      const code = refusal.stage === 'DATA' ? 'EMESSAGE' : 'EENVELOPE';
      expect(line).toMatchObject({ level: 'warn', attempts: 1, reason: `Error ${code} ${refusal.status}` });
      expect(JSON.stringify(logs)).not.toMatch(/unknown@|unknown here|mailbox|malformed/);
    },
  );

  it('is retried after it refuses the login, whatever the code', async () => {
    const login = new URL(smtp.url);
    [login.username, login.password] = ['mailer', 'Canary-mail'];
    smtp.refuse('AUTH', 535, '5.7.8 not accepted');
    const outbox = makeOutbox(createSmtpTransport({ url: login.href, ehloName: 'id.example.com' }, sender));
    await enqueue(outbox, 'patient@example.com');
    expect(await outcomesAfter(outbox)).toEqual(['mail.failed']);
    expect(await rows()).toMatchObject([{ attempts: 1 }]);
    expect(logs.find(({ event }) => event === 'mail.failed')).toMatchObject({ reason: 'Error EAUTH 535 5.7.8' });
  });

  it('is abandoned after days, when every link in the mail has expired', async () => {
    await enqueue(makeOutbox(), 'late@example.com');
    await smtp.down();
    await sql(`UPDATE mail_outbox SET created_at = now() - interval '4 days'`);
    await tryOnce('mail.abandoned');
    expect(await rows()).toEqual([]);
  });
});

describe('a queued mail', () => {
  it('is sealed: its row holds neither the link nor the address', async () => {
    await enqueue(makeOutbox(), 'sealed@example.com');
    const [row] = await sql<{ hex: string; sealed: Buffer; text: string }>(
      `SELECT encode(sealed_message, 'hex') AS hex, sealed_message AS sealed, m::text AS text FROM mail_outbox m`,
    );
    const dump = `${row?.text} ${row?.sealed.toString('latin1')} ${Buffer.from(row?.hex ?? '', 'hex').toString('utf8')}`;
    expect(dump.length).toBeGreaterThan(1000);
    expect(dump).not.toMatch(/(ab){16}|verify|sealed@|example\.com/);
  });

  it('cannot be opened with another secret, and waits for the right one', async () => {
    await enqueue(makeOutbox(), 'sealed@example.com');
    await tryOnce('mail.unreadable', [newSecret]);
    expect(smtp.mails).toEqual([]);
    expect(await rows()).toMatchObject([{ attempts: 1 }]);
    expect(logs.find(({ event }) => event === 'mail.unreadable')).toMatchObject({ level: 'error' });
    await tryOnce('mail.sent', [newSecret, oldSecret]);
    expect(smtp.mails.map(({ to }) => to)).toEqual([['sealed@example.com']]);
  });

  it('waits for the right secret for a limited time', async () => {
    await enqueue(makeOutbox(), 'sealed@example.com');
    await sql(`UPDATE mail_outbox SET created_at = now() - interval '4 days'`);
    await tryOnce('mail.unreadable', [newSecret]);
    expect(await rows()).toEqual([]);
    expect(logs.find(({ event }) => event === 'mail.abandoned')).toMatchObject({ level: 'warn', reason: 'unreadable' });
  });

  it('cannot be moved to another row', async () => {
    await enqueue(makeOutbox(), 'sealed@example.com');
    await sql('UPDATE mail_outbox SET id = gen_random_uuid()');
    await tryOnce('mail.unreadable');
    expect(smtp.mails).toEqual([]);
  });
});
