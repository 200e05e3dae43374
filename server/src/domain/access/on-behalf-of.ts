/** The database as somebody who is signed in changes it: for every operation that may wait after it looked at authority. */
import type { Database } from '../../platform/database/database.ts';
import { withLastAct } from '../../platform/database/last-act.ts';
import type { Actor } from './actor.ts';
import { requireLiveSession } from './authorize.ts';

/**
 * The same database, but each transaction ends with the question whether the caller is still signed in: after the last
 * row that it waited for, whichever that was (I1).
 * @returns transactions throw Refusal UNAUTHENTICATED, and commit nothing, when the caller's session ended meanwhile
 */
export const onBehalfOf = (database: Database, actor: Actor): Database =>
  withLastAct(database, (transaction) => requireLiveSession(transaction, actor));
