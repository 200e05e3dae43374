/** How mail leaves the process: SMTP by nodemailer, or the development mailbox. */
import { createTransport } from 'nodemailer';
import type { MailMessage } from './message.ts';

export interface MailTransport {
  /** Resolves once the mail is accepted; rejects when it was not, or when nobody knows. */
  send(message: MailMessage): Promise<void>;
  close(): void;
}

/** Below the 30 s after which another process may take the same mail. */
const deadlineMilliseconds = 25_000;

/**
 * @param url SMTP_URL
 * @param from MAIL_FROM
 */
export const createSmtpTransport = (url: string, from: string): MailTransport => {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 5,
    connectionTimeout: 5000,
    greetingTimeout: 5000,
    socketTimeout: 10_000,
    dnsTimeout: 5000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(message) {
      let timer: NodeJS.Timeout | undefined;
      const deadline = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('The mail server took too long')), deadlineMilliseconds);
      });
      try {
        await Promise.race([transport.sendMail({ from, ...message }), deadline]);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => transport.close(),
  };
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
