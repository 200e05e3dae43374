/** SQL of the outbox: mails that were queued in a transaction and are not sent yet. */
import { statement } from '../database/statement.ts';

export const insertMail = statement<unknown, [id: string, sealedMessage: Buffer]>(
  'mail.insert',
  'INSERT INTO mail_outbox (id, sealed_message) VALUES ($1, $2)',
);

export interface DueMail {
  readonly id: string;
  readonly sealedMessage: Buffer;
  readonly attempts: number;
  readonly ageSeconds: number;
}

/**
 * Takes due mails for this process alone: their next attempt moves into the future (30 s, doubling, at most half an
 * hour), which is also when another process may take them should this one die. SKIP LOCKED keeps processes apart.
 * The array is computed once: a subquery in a join may be evaluated for each row, and then takes more than the limit.
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
  /** Mails that are not sent yet, counted up to a hundred thousand. */
  readonly depth: number;
  /** Null when there is none. */
  readonly oldestSeconds: number | null;
}

/** For whoever watches; the oldest as the ids order them, so within what the clocks of processes differ by. */
export const readMailQueue = statement<MailQueueRow>(
  'mail.read_queue',
  `SELECT (SELECT count(*)::integer FROM (SELECT 1 FROM mail_outbox LIMIT 100000) AS counted) AS depth,
     (SELECT extract(epoch FROM clock_timestamp() - created_at)::float8 FROM mail_outbox ORDER BY id LIMIT 1)
       AS "oldestSeconds"`,
);

export const deleteMail = statement<unknown, [id: string]>('mail.delete', 'DELETE FROM mail_outbox WHERE id = $1');
