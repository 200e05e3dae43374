/** How mail leaves the process: SMTP by nodemailer, which only who sends loads, or the development mailbox. */
import type { MailMessage } from './message.ts';

export interface MailTransport {
  /** Resolves once the mail is accepted; rejects when it was not, or when nobody knows. */
  send(message: MailMessage): Promise<void>;
  close(): void;
}

/** Below the 30 s after which another process may take the same mail. */
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
      await within(deadlineMilliseconds, pool.sendMail({ from, ...message }));
    },
    close: () => pool?.close(),
  };
};

const loadPool = async () => {
  const { createTransport } = await import('nodemailer');
  return (url: string) => createTransport({ ...connectionOptions(url), pool: true, maxConnections: 5 });
};

type Pool = ReturnType<Awaited<ReturnType<typeof loadPool>>>;

const within = async (milliseconds: number, work: Promise<unknown>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The mail server took too long')), milliseconds);
  });
  try {
    await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
};

const verifyMilliseconds = 5000;

/**
 * Connects, greets and, where the address holds a user, signs in; sends nothing.
 * @param url SMTP_URL
 * @throws what the mail library threw; its `code` says at which step. An error of its own after five seconds
 */
export const verifySmtp = async (url: string): Promise<void> => {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ ...connectionOptions(url), pool: false });
  try {
    await within(verifyMilliseconds, transport.verify());
  } finally {
    transport.close();
  }
};

/** RFC 3463: 5.1.x says that the address is wrong; 5.7.x, for one, that relaying is denied. */
const wrongAddress = /^55\d[ -]5\.1\.\d/;

/**
 * Whether the mail server said that there is no such recipient, so that trying again is no use. Any other refusal, of
 * the sender, of relaying, of the content, may be the operator's to mend: those mails wait.
 */
export const isPermanentRejection = (error: unknown): boolean =>
  error instanceof Error &&
  'command' in error &&
  error.command === 'RCPT TO' &&
  'response' in error &&
  typeof error.response === 'string' &&
  wrongAddress.test(error.response);
