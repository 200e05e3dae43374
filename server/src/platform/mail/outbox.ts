/**
 * Owns: mail: its texts in every language, its layout, the queue in the database, SMTP.
 * Promises: A mail is sent if and only if its transaction commits, at least once; its link is sealed while it waits.
 *
 * A message is stored sealed (AES-256-GCM), because it contains a link's secret, and its row is deleted once it is
 * sent. docs/decisions explains why this is our own table and not a job queue.
 */
import { newId } from '../../kernel/ids.ts';
import { acceptedLanguage, type Language, sourceLanguage } from '../../kernel/languages.ts';
import type { Keyring } from '../../kernel/secrets.ts';
import { type Database, statement, type Transaction } from '../database/database.ts';
import { annotate, asWork, type Tracing, workInProgress } from '../observability/context.ts';
import type { Logger } from '../observability/logger.ts';
import type { Counts } from '../observability/metrics.ts';
import { WorkLoop } from '../work-loop.ts';
import { type Composer, createComposer, type MailOverrides } from './compose.ts';
import type { Mail } from './mails.ts';
import { type MailLook, type MailMessage, renderMail } from './message.ts';
import { isPermanentRejection, type MailTransport, replyStatusOf } from './transport.ts';

/** The part of the outbox that operations use: they queue inside their transaction. */
export interface MailQueue {
  /** In the language of the recipient's account, else of the request in progress; returns its subject. */
  enqueue(transaction: Transaction, mail: Mail): Promise<QueuedSubject>;
}

interface QueuedSubject {
  readonly subject: string;
}

/** The language that the first of some accounts with one has chosen, by their addresses; null when none has. */
export type FindLanguage = (transaction: Transaction, addresses: readonly string[]) => Promise<Language | null>;

export interface Outbox extends MailQueue {
  /** False after the queue could not be read, until a read succeeds. */
  readonly isWorking: boolean;
  /** Starts sending due mails. */
  start(): void;
  /** Waits for the mails in flight, and takes no more. */
  stop(): Promise<void>;
}

const sealPurpose = 'mail-outbox';
const batchSize = 10;
const pollMilliseconds = 5000;
/** By then the links inside have long expired. */
const abandonAfterSeconds = 3 * 24 * 3600;

interface OutboxDeps {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly transport: MailTransport;
  readonly logger: Logger;
  /** Counts attempts by their outcome; absent when metrics are off. */
  readonly counts?: Pick<Counts, 'mails'> | null;
  /** Absent when tracing is off. */
  readonly tracing?: Tracing | null;
  /** Absent: the look without a definition of an application. */
  readonly look?: MailLook;
  /** Absent: no account has chosen a language. */
  readonly findLanguage?: FindLanguage;
  /** Messages that the application replaces. */
  readonly overrides?: MailOverrides;
}

export const createOutbox = (deps: OutboxDeps): Outbox => new DatabaseOutbox(deps);

const languageFor = async (
  { findLanguage }: OutboxDeps,
  transaction: Transaction,
  { to, accounts = [to] }: Mail,
): Promise<Language> =>
  (await findLanguage?.(transaction, accounts)) ?? acceptedLanguage(workInProgress()?.acceptLanguage) ?? sourceLanguage;

/** Sends due mails in batches: at once when woken, else every few seconds, for mails that other processes left. */
class DatabaseOutbox implements Outbox {
  readonly #deps: OutboxDeps;
  readonly #composer: Composer;
  readonly #loop: WorkLoop;
  #isWorking = true;
  /** Sent but not yet deleted, as while the database is unavailable; deleted before others are claimed. */
  readonly #sent = new Set<string>();

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
    this.#composer = createComposer(deps.overrides);
    this.#loop = new WorkLoop({
      pollMilliseconds,
      round: () => this.#sendDue(),
      onFailed: (error) => {
        // The database is unavailable: the rows are still there.
        this.#isWorking = false;
        deps.logger.warn({ event: 'mail.queue.unavailable', err: error }, 'The mail queue cannot be read');
      },
    });
  }

  start(): void {
    this.#loop.start();
    this.#loop.wake();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  get isWorking(): boolean {
    return this.#isWorking;
  }

  async enqueue(transaction: Transaction, mail: Mail): Promise<QueuedSubject> {
    const deps = this.#deps;
    const content = await this.#composer.compose(mail, await languageFor(deps, transaction, mail));
    const id = newId();
    const sealed = deps.keyring.seal(sealPurpose, id, JSON.stringify(queuedNow(renderMail(content, deps.look))));
    await transaction.execute(insertMail, [id, sealed]);
    transaction.afterCommit(() => this.#loop.wake());
    return { subject: content.subject };
  }

  async #sendDue(): Promise<boolean> {
    for (const id of this.#sent) await this.#forget(id);
    const due = await this.#deps.database.many(claimDueMails, [batchSize]);
    this.#isWorking = true;
    await allSettled(due.map((mail) => this.#send(mail)));
    return due.length === batchSize;
  }

  /** Sends one mail. Its log lines have the correlation id of the request that queued it. */
  async #send(mail: DueMail): Promise<void> {
    const queued = this.#open(mail);
    if (queued === null) return this.#dropUnreadable(mail);
    const { correlationId, traceparent, ...message } = queued;
    return asWork(
      this.#deps.tracing ?? null,
      {
        correlationId: correlationId ?? crypto.randomUUID(),
        span: {
          name: 'mail send',
          kind: 'consumer',
          attributes: { 'mail.id': mail.id, 'mail.attempts': mail.attempts },
        },
        link: traceparent ?? undefined,
      },
      () => this.#deliver(mail, message),
    );
  }

  async #dropUnreadable({ id, attempts, ageSeconds }: DueMail): Promise<void> {
    const { logger, database } = this.#deps;
    const facts = { mailId: id, attempts, ageSeconds };
    logger.error({ event: 'mail.unreadable', ...facts }, 'A queued mail cannot be decrypted with GATEHOUSE_SECRET');
    if (ageSeconds <= abandonAfterSeconds) return;
    await database.execute(deleteMail, [id]);
    this.#count('abandoned');
    logger.warn({ event: 'mail.abandoned', ...facts, reason: 'unreadable' }, 'A mail was given up');
  }

  async #deliver(mail: DueMail, message: MailMessage): Promise<void> {
    const { logger, transport, database } = this.#deps;
    const facts = { mailId: mail.id, attempts: mail.attempts, ageSeconds: mail.ageSeconds };
    try {
      await transport.send(message);
    } catch (error) {
      annotate({ 'mail.failure': reasonOf(error) });
      const isFinal = isPermanentRejection(error) || mail.ageSeconds > abandonAfterSeconds;
      this.#count(isFinal ? 'abandoned' : 'failed');
      if (isFinal) await database.execute(deleteMail, [mail.id]);
      logger.warn(
        { event: isFinal ? 'mail.abandoned' : 'mail.failed', ...facts, reason: reasonOf(error) },
        isFinal ? 'A mail was given up' : 'A mail could not be sent and will be tried again',
      );
      return;
    }
    this.#count('sent');
    logger.info({ event: 'mail.sent', ...facts }, 'A mail was sent');
    this.#sent.add(mail.id);
    await this.#forget(mail.id);
  }

  #count(outcome: 'sent' | 'failed' | 'abandoned'): void {
    const counter = this.#deps.counts?.mails.at(outcome);
    if (counter !== undefined) counter.value += 1;
  }

  async #forget(id: string): Promise<void> {
    await this.#deps.database.execute(deleteMail, [id]);
    this.#sent.delete(id);
  }

  #open(mail: DueMail): QueuedMail | null {
    const text = this.#deps.keyring.open(sealPurpose, mail.id, mail.sealedMessage);
    return text === null ? null : (JSON.parse(text) as QueuedMail);
  }
}

/** The content sealed into a row. */
interface QueuedMail extends MailMessage {
  /** Correlation id of the request that queued it; null when there was none. Old rows lack it. */
  readonly correlationId?: string | null;
  /** Trace context of that request, when tracing is on. */
  readonly traceparent?: string | null;
}

const queuedNow = (message: MailMessage): QueuedMail => {
  const work = workInProgress();
  return { ...message, correlationId: work?.correlationId ?? null, traceparent: work?.span?.traceparent ?? null };
};

/** Waits for all, also after a failure; throws the first one. */
const allSettled = async (works: readonly Promise<void>[]): Promise<void> => {
  const ends = await Promise.allSettled(works);
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
};

/** Code and status of the reply only: a server's full answer may quote the recipient or the text. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error ? String(error.code) : '';
  const status = replyStatusOf(error);
  return `${error.name} ${code} ${status}`.trimEnd();
};

// SQL of the outbox: queued mails that are not sent yet.

const insertMail = statement<unknown, [id: string, sealedMessage: Buffer]>(
  'mail.insert',
  'INSERT INTO mail_outbox (id, sealed_message) VALUES ($1, $2)',
);

interface DueMail {
  readonly id: string;
  readonly sealedMessage: Buffer;
  readonly attempts: number;
  readonly ageSeconds: number;
}

/**
 * Claims due mails for this process: their next attempt moves into the future (30 s, doubling, at most half an hour),
 * when another process may claim them if this one died. SKIP LOCKED keeps processes apart. The array is computed once:
 * a subquery in a join may be evaluated for each row, and then exceeds the limit.
 * @internal A test runs it alone.
 */
export const claimDueMails = statement<DueMail, [limit: number]>(
  'mail.claim',
  `UPDATE mail_outbox SET attempts = attempts + 1,
     next_attempt_at = now() + least(30 * power(2, least(attempts, 10)), 1800) * interval '1 second'
   WHERE id = ANY (ARRAY(
     SELECT id FROM mail_outbox WHERE next_attempt_at <= now()
     ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED))
   RETURNING id, sealed_message AS "sealedMessage", attempts,
     extract(epoch FROM now() - created_at)::integer AS "ageSeconds"`,
);

export interface MailQueueRow {
  /** Unsent mails, counted up to a hundred thousand. */
  readonly depth: number;
  /** Null when the queue is empty. */
  readonly oldestSeconds: number | null;
}

/** Queue state for monitoring; the oldest mail by id order, so accurate within the clock difference of processes. */
export const readMailQueue = statement<MailQueueRow>(
  'mail.read_queue',
  `SELECT (SELECT count(*)::integer FROM (SELECT 1 FROM mail_outbox LIMIT 100000) AS counted) AS depth,
     (SELECT extract(epoch FROM clock_timestamp() - created_at)::float8 FROM mail_outbox ORDER BY id LIMIT 1)
       AS "oldestSeconds"`,
);

const deleteMail = statement<unknown, [id: string]>('mail.delete', 'DELETE FROM mail_outbox WHERE id = $1');
