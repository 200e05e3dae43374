/**
 * SQL of authentication: the actor behind a token hash, and the re-check that every request makes.
 *
 * Both take their hashes as one array (an array literal of bytea in hex, see `hashArray`), so that the requests of one
 * turn of the event loop share one statement.
 */
import { statement } from '../../platform/database/statement.ts';
import {
  type HolderRow,
  holderColumns,
  holderJoins,
  type RecheckRow,
  recheckColumns,
  recheckJoins,
} from '../credentials/holder-store.ts';

const condition = `WHERE c.token_hash = ANY ($1::bytea[]) AND c.kind = 'user_session'`;

export const recheckCredentials = statement<RecheckRow, [hashes: string]>(
  'access.recheck_credentials',
  `SELECT ${recheckColumns} ${recheckJoins('credentials')} ${condition}`,
);

export const loadActors = statement<HolderRow, [hashes: string]>(
  'access.load_actors',
  `SELECT ${holderColumns} ${holderJoins('credentials')} ${condition}`,
);

/** A PostgreSQL array literal of bytea values given in hex. */
export const hashArray = (hashes: readonly string[]): string => `{${hashes.map((hash) => `"\\\\x${hash}"`).join(',')}}`;
