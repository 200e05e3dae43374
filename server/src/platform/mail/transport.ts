/** Owns how mail leaves the process: nodemailer (SMTP_URL, MAIL_FROM), loaded when sending, or the mailbox. */
import { newId } from '../../kernel/ids.ts';
import { within } from '../../kernel/waits/within.ts';
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

/** @param from MAIL_FROM, its name apart: the library quotes or encodes it, and does not read an address list in it */
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

/** The commands of one mail (RFC 5321, section 3.3); MAIL FROM names the sender, which all mails have. */
const commandsOfMail: ReadonlySet<unknown> = new Set(['RCPT TO', 'DATA']);

/**
 * Replies that concern all mails, although many servers give them at RCPT TO only: a missing login (530 to 538, RFC
 * 4954, section 6, or 503), the sender's address (status 5.1.7 and 5.1.8), the protocol (5.5, such as a refused EHLO),
 * and the proof of the sender's domain (5.7.20 to 5.7.29, RFC 7372 and RFC 7505).
 */
const concernsAllMails = /^5(?:03|3\d)|^5\d\d 5\.(?:1\.[78]|5\.\d+|7\.2\d)$/;
/** At RCPT TO also 5.7: relaying is denied, or the client or the sender is refused. At DATA it is the mail. */
const concernsClient = /^5\d\d 5\.7\./;

/**
 * Whether the mail server refused this mail for good (RFC 5321, section 4.2.1): a 5yz reply whose enhanced status, if
 * any, is of class 5 (RFC 3463, section 3.1). Mails wait after a refused sender, login or connection, which the
 * operator mends for all of them.
 */
export const isPermanentRejection = (error: unknown): boolean => {
  if (!(error instanceof Error && 'command' in error && commandsOfMail.has(error.command))) return false;
  const status = replyStatusOf(error);
  if (concernsAllMails.test(status) || (error.command === 'RCPT TO' && concernsClient.test(status))) return false;
  return /^5\d\d(?! 4)/.test(status);
};

const replyStatus = /^(\d{3})(?:[ -]([245]\.\d{1,3}\.\d{1,3})\b)?/;

/**
 * The code of the reply and its enhanced status (RFC 3463), for example `550 5.1.1`, without its text, which may quote
 * the mail; empty when the server did not answer.
 */
export const replyStatusOf = (error: Error): string => {
  const [, code, status] = replyStatus.exec('response' in error ? String(error.response) : '') ?? [];
  return [code, status].filter((part) => part !== undefined).join(' ');
};

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
