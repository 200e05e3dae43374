/** Owns the events of the database, a part of the closed list in `events.ts`. */
import { operation } from './event-facts.ts';

export const databaseEvents = {
  'database.migrated': operation('info', 'applied current', 'migrations were applied'),
  'database.silent': operation('warn', 'err', 'at a start, PostgreSQL did not answer, and is asked again'),
  'database.connection_cut': operation('warn', 'err', 'a connection to PostgreSQL was lost'),
  'database.lookups_cut': operation('warn', 'err', 'the look-up connection, which authenticates requests, was lost'),
  'database.lookups_unreachable': operation('warn', 'err delayMillis', 'the look-up connection is still lost'),
  'database.lookups_back': operation('info', '', 'the look-up connection is restored'),
  'database.lookups_not_closed': operation('warn', 'err', 'a lost look-up connection did not close'),
  'database.heartbeat_lost': operation(
    'warn',
    'err',
    'the heartbeat was not committed, or its server was refused, for the reason in `err`; look-ups are refused after `DATABASE_FENCE_SECONDS`. One line for each change',
  ),
  'database.heartbeat_back': operation('info', '', 'the heartbeat is committed again'),
  'database.commits_stalled': operation(
    'warn',
    '',
    'commits do not return, most often because the server waits for a standby: no change is begun until one does within two seconds',
  ),
  'database.commits_returned': operation('info', '', 'commits return again, and changes are accepted'),
  'database.abandoned_left': operation(
    'warn',
    '',
    'the server refused to end sessions that this process had given up without an answer; they end when their commits return. Logged once',
  ),
  'database.abandoned_ended': operation(
    'warn',
    'sessions waited',
    'sessions that this process had given up without an answer were ended at the server; so many `waited` for a standby. What they had committed may become visible; none of it was acknowledged',
  ),
  'database.standby_not_awaited': operation(
    'warn',
    '',
    'at the start: a standby follows PostgreSQL, and `synchronous_standby_names` is empty or `synchronous_commit` is `local`: a fail-over can lose acknowledged changes',
  ),
  'database.not_rolled_back': operation(
    'warn',
    'err',
    'a transaction could not be rolled back; its connection is closed',
  ),
  'database.effect_failed': operation('error', 'err', 'a defect: an effect that follows a commit failed'),
  'database.opening': operation('info', 'seconds isNew', 'the embedded database takes long to open, or to be created'),
  'database.closed_in_transaction': operation('warn', '', 'the embedded database was closed during a transaction'),
  'database.upkeep_failed': operation('warn', 'err', 'the cleanup of the embedded database failed'),
  'database.holder_not_written': operation(
    'warn',
    'err',
    'the file that names the process of the embedded database could not be written',
  ),
  'database.fatal': operation('error', '', 'the embedded database failed permanently, and the process ends'),
} as const;
