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

/**
 * Whether the mail server refused this recipient for good (5xx at RCPT TO), so that trying again is no use. A refused
 * sender or content is the operator's to mend: those mails wait.
 */
export const isPermanentRejection = (error: unknown): boolean => {
  if (!(error instanceof Error && 'command' in error && error.command === 'RCPT TO')) return false;
  if (!('code' in error && error.code === 'EENVELOPE' && 'responseCode' in error)) return false;
  const { responseCode } = error;
  return typeof responseCode === 'number' && responseCode >= 550 && responseCode < 560;
};
