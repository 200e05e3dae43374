/** SQL of the table `external_exchanges`: what the provider said of somebody, until the portal fetches the session. */
import { statement } from '../../platform/database/statement.ts';
import { rowsAtOnce } from '../../platform/scheduled-jobs.ts';

export const insertExchange = statement<unknown, [secretHash: Buffer, sealedIdentity: Buffer, lifeSeconds: number]>(
  'external_exchanges.insert',
  `INSERT INTO external_exchanges (secret_hash, sealed_identity, expires_at)
   VALUES ($1, $2, now() + $3 * interval '1 second')`,
);

/** The one statement that decides who gets an exchange. In another browser the hash is another, and the row stays. */
export const consumeExchange = statement<{ readonly sealedIdentity: Buffer }, [secretHash: Buffer]>(
  'external_exchanges.consume',
  `DELETE FROM external_exchanges WHERE secret_hash = $1 AND expires_at > now()
   RETURNING sealed_identity AS "sealedIdentity"`,
);

export const purgeExchanges = statement(
  'external_exchanges.purge',
  `DELETE FROM external_exchanges WHERE secret_hash = ANY (ARRAY(
     SELECT secret_hash FROM external_exchanges WHERE expires_at < now()
     ORDER BY expires_at LIMIT ${rowsAtOnce} FOR UPDATE SKIP LOCKED))`,
);
