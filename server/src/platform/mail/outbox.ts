/**
 * The outbox: a mail is queued in the transaction that causes it and sent after the commit, at least once.
 *
 * The message waits sealed (AES-256-GCM), because it carries a link's secret, and its row is deleted once it is sent.
 * docs/decisions tells why this is a table of our own and not a job queue.
 */
import { newId } from '../../kernel/ids.ts';
import type { Keyring } from '../../kernel/secrets.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { Logger } from '../logger.ts';
import { type MailContent, type MailMessage, renderMail } from './message.ts';
import { claimDueMails, type DueMail, deleteMail, insertMail } from './outbox-store.ts';
import { isPermanentRejection, type MailTransport } from './transport.ts';

/** What operations see of the mail: they queue, inside their transaction. */
export interface MailQueue {
  enqueue(transaction: Transaction, content: MailContent): Promise<void>;
}

export interface Outbox extends MailQueue {
  /** Begins to send what is due. */
  start(): void;
  /** Lets the mails in flight end, and takes no more. */
  stop(): Promise<void>;
}

const sealPurpose = 'mail-outbox';
const batchSize = 10;
const pollMilliseconds = 5000;
/** After this the links inside are long dead. */
const abandonAfterSeconds = 3 * 24 * 3600;

interface OutboxDeps {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly transport: MailTransport;
  readonly logger: Logger;
}

export const createOutbox = (deps: OutboxDeps): Outbox => {
  const worker = new OutboxWorker(deps);
  return {
    async enqueue(transaction, content) {
      const id = newId();
      const sealed = deps.keyring.seal(sealPurpose, id, JSON.stringify(renderMail(content)));
      await transaction.execute(insertMail, [id, sealed]);
      transaction.afterCommit(() => worker.wake());
    },
    start: () => worker.start(),
    stop: () => worker.stop(),
  };
};

/** Sends due mails one batch after another: at once when woken, else every few seconds for what others left behind. */
class OutboxWorker {
  readonly #deps: OutboxDeps;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #wokenMeanwhile = false;
  #started = false;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#started = true;
    this.#timer = setInterval(() => this.wake(), pollMilliseconds).unref();
    this.wake();
  }

  async stop(): Promise<void> {
    this.#started = false;
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#running;
  }

  wake(): void {
    this.#wokenMeanwhile = true;
    if (!this.#started || this.#running !== null) return;
    this.#running = this.#drain().finally(() => {
      this.#running = null;
      if (this.#wokenMeanwhile) this.wake();
    });
  }

  async #drain(): Promise<void> {
    try {
      do {
        this.#wokenMeanwhile = false;
        const due = await this.#deps.database.many(claimDueMails, [batchSize]);
        await Promise.all(due.map((mail) => this.#send(mail)));
        if (due.length === batchSize) this.#wokenMeanwhile = true;
      } while (this.#wokenMeanwhile && this.#started);
    } catch (error) {
      // The database is away: the rows are still there, and the next poll tries again.
      this.#wokenMeanwhile = false;
      this.#deps.logger.warn({ event: 'mail.queue.unavailable', err: error }, 'The mail queue cannot be read');
    }
  }

  async #send(mail: DueMail): Promise<void> {
    const { logger, transport, database } = this.#deps;
    const facts = { mailId: mail.id, attempts: mail.attempts, ageSeconds: mail.ageSeconds };
    const message = this.#open(mail);
    if (message === null) {
      logger.error({ event: 'mail.unreadable', ...facts }, 'A queued mail cannot be opened with GATEHOUSE_SECRET');
      if (mail.ageSeconds > abandonAfterSeconds) await database.execute(deleteMail, [mail.id]);
      return;
    }
    try {
      await transport.send(message);
      await database.execute(deleteMail, [mail.id]);
      logger.info({ event: 'mail.sent', ...facts }, 'A mail was sent');
    } catch (error) {
      const isFinal = isPermanentRejection(error) || mail.ageSeconds > abandonAfterSeconds;
      if (isFinal) await database.execute(deleteMail, [mail.id]);
      logger.warn(
        { event: isFinal ? 'mail.abandoned' : 'mail.failed', ...facts, reason: reasonOf(error) },
        isFinal ? 'A mail was given up' : 'A mail could not be sent and will be tried again',
      );
    }
  }

  #open(mail: DueMail): MailMessage | null {
    const text = this.#deps.keyring.open(sealPurpose, mail.id, mail.sealedMessage);
    return text === null ? null : (JSON.parse(text) as MailMessage);
  }
}

/** Code and SMTP status only: a server's full answer may quote the recipient or the text. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error ? String(error.code) : '';
  const status = 'responseCode' in error ? String(error.responseCode) : '';
  return `${error.name} ${code} ${status}`.trimEnd();
};
