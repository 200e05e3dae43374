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

/** A mail server, and the name by which the service greets it. */
interface SmtpServer {
  /** SMTP_URL */
  readonly url: string;
  /** SMTP_EHLO_NAME: the name in EHLO (RFC 5321, section 4.1.1.1). */
  readonly ehloName: string;
}

const connectionOptions = ({ url, ehloName }: SmtpServer) => ({
  url,
  name: ehloName,
  connectionTimeout: 5000,
  greetingTimeout: 5000,
  socketTimeout: 10_000,
  dnsTimeout: 5000,
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** On every mail: automatic replies, such as those of an absence, do not answer it (RFC 3834, section 5). */
const headers = { 'Auto-Submitted': 'auto-generated' };

/**
 * @param from MAIL_FROM, its name apart: the library quotes or encodes it, and does not read an address list in it
 */
export const createSmtpTransport = (
  server: SmtpServer,
  from: { readonly name: string; readonly address: string },
): MailTransport => {
  let pool: Pool | null = null;
  return {
    async send(message) {
      const open = await loadPool();
      pool ??= open(server);
      await within(deadlineMilliseconds, pool.sendMail({ from, headers, ...message }), tooLate);
    },
    close: () => pool?.close(),
  };
};

const loadPool = async () => {
  const { createTransport } = await import('nodemailer');
  return (server: SmtpServer) => createTransport({ ...connectionOptions(server), pool: true, maxConnections: 5 });
};

type Pool = ReturnType<Awaited<ReturnType<typeof loadPool>>>;

const tooLate = (): never => {
  throw new Error('The mail server took too long');
};

const verifyMilliseconds = 5000;

/**
 * Connects, greets and, when the URL contains a user, authenticates; sends nothing.
 * @throws the mail library's error, whose `code` names the step, or our own after five seconds
 */
export const verifySmtp = async (server: SmtpServer): Promise<void> => {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ ...connectionOptions(server), pool: false });
  try {
    await within(verifyMilliseconds, transport.verify(), tooLate);
  } finally {
    transport.close();
  }
};

/**
 * The commands of one mail (RFC 5321, section 3.3). The reply to MAIL FROM judges the sender, which all mails have, and
 * that to any other the connection.
 */
const commandsOfMail: ReadonlySet<unknown> = new Set(['RCPT TO', 'DATA']);

/** The service has to log in first: 530 to 538 (RFC 4954, section 6), or 503, which some servers answer instead. */
const loginRequired = /^5(?:03|3\d)/;

/**
 * Whether the mail server refused this mail for good, so that the same attempt is useless (RFC 5321, section 4.2.1): a
 * 5yz reply to one of its commands whose enhanced status, if any, is of class 5 (RFC 3463, section 3.1). Mails wait after
 * a refused sender, login or connection, which the operator mends for all of them.
 */
export const isPermanentRejection = (error: unknown): boolean =>
  error instanceof Error &&
  'command' in error &&
  commandsOfMail.has(error.command) &&
  /^5\d\d(?! 4)/.test(replyStatusOf(error)) &&
  !loginRequired.test(replyStatusOf(error));

const replyStatus = /^(\d{3})(?:[ -]([245]\.\d{1,3}\.\d{1,3})\b)?/;

/**
 * The code of the mail server's reply and its enhanced status (RFC 3463), for example `550 5.1.1`, without its text,
 * which may quote the recipient or the mail.
 * @returns empty when the server did not answer
 */
export const replyStatusOf = (error: Error): string => {
  const [, code, status] = replyStatus.exec('response' in error ? String(error.response) : '') ?? [];
  return [code, status].filter((part) => part !== undefined).join(' ');
};

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
