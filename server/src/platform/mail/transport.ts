/**
 * Owns how mail leaves the process: SMTP by nodemailer, loaded only when sending, or the development mailbox, the last
 * 500 mails in memory.
 */

import { newId } from '../../kernel/ids.ts';
import { within } from '../../kernel/within.ts';
import type { Counts } from '../observability/metrics.ts';
import type { MailMessage } from './message.ts';

export interface MailTransport {
  /** Resolves once the mail is accepted; rejects when it was not, or when the outcome is unknown. */
  send(message: MailMessage): Promise<void>;
  close(): void;
}

/** Less than the 30 s after which another process may claim the same mail. */
const deadlineMilliseconds = 25_000;

const connectionOptions = (url: string) => ({
  url,
  connectionTimeout: 5000,
  greetingTimeout: 5000,
  socketTimeout: 10_000,
  dnsTimeout: 5000,
  disableFileAccess: true,
  disableUrlAccess: true,
});

/**
 * @param url SMTP_URL
 * @param from MAIL_FROM
 */
export const createSmtpTransport = (url: string, from: string): MailTransport => {
  let pool: Pool | null = null;
  return {
    async send(message) {
      const open = await loadPool();
      pool ??= open(url);
      await within(deadlineMilliseconds, pool.sendMail({ from, ...message }), tooLate);
    },
    close: () => pool?.close(),
  };
};

const loadPool = async () => {
  const { createTransport } = await import('nodemailer');
  return (url: string) => createTransport({ ...connectionOptions(url), pool: true, maxConnections: 5 });
};

type Pool = ReturnType<Awaited<ReturnType<typeof loadPool>>>;

const tooLate = (): never => {
  throw new Error('The mail server took too long');
};

const verifyMilliseconds = 5000;

/**
 * Connects, greets and, when the URL contains a user, authenticates; sends nothing.
 * @param url SMTP_URL
 * @throws the mail library's error, whose `code` names the step, or our own after five seconds
 */
export const verifySmtp = async (url: string): Promise<void> => {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ ...connectionOptions(url), pool: false });
  try {
    await within(verifyMilliseconds, transport.verify(), tooLate);
  } finally {
    transport.close();
  }
};

/** RFC 3463: 5.1.x means a wrong address; 5.7.x, for example, that relaying is denied. */
const wrongAddress = /^55\d[ -]5\.1\.\d/;

/**
 * Whether the mail server rejected the recipient as nonexistent, so that a retry is useless. Other rejections, of the
 * sender, relaying or content, may be the operator's to fix: those mails wait.
 */
export const isPermanentRejection = (error: unknown): boolean =>
  error instanceof Error &&
  'command' in error &&
  error.command === 'RCPT TO' &&
  'response' in error &&
  typeof error.response === 'string' &&
  wrongAddress.test(error.response);

/** Counts attempts to send; returns the transport itself when metrics are off. */
export const countMails = (transport: MailTransport, counts: Pick<Counts, 'mails'> | null): MailTransport =>
  counts === null ? transport : counted(transport, counts);

const counted = (transport: MailTransport, { mails }: Pick<Counts, 'mails'>): MailTransport => ({
  send: async (message) => {
    try {
      await transport.send(message);
    } catch (error) {
      mails.at('failed').value += 1;
      throw error;
    }
    mails.at('sent').value += 1;
  },
  close: () => transport.close(),
});

// The development mailbox: the last 500 mails of this process, in memory, when no SMTP server is configured.

export interface MailboxEntry extends MailMessage {
  readonly id: string;
  /** The absolute URLs in the mail's text. */
  readonly links: readonly string[];
  /** ISO 8601, UTC. */
  readonly sentAt: string;
}

export interface Mailbox extends MailTransport {
  /** Newest first. */
  list(): readonly MailboxEntry[];
  find(id: string): MailboxEntry | null;
  empty(): void;
}

const capacity = 500;

export const createMailbox = (): Mailbox => {
  let entries: readonly MailboxEntry[] = [];
  return {
    async send(message) {
      const links = message.text.match(/https?:\/\/\S+/g) ?? [];
      entries = [{ id: newId(), ...message, links, sentAt: new Date().toISOString() }, ...entries].slice(0, capacity);
    },
    list: () => entries,
    find: (id) => entries.find((entry) => entry.id === id) ?? null,
    empty: () => {
      entries = [];
    },
    close: () => undefined,
  };
};
