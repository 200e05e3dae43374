/** Operation exportMyData (contract, account.md, "Account"): all that is kept of the caller, as JSON text. */
import { type Database, databaseNow } from '../../platform/database/database.ts';
import { withNewDeadline } from '../../platform/database/deadlines.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import type { Actor } from '../access/actor.ts';
import { requireRecentAuthentication } from '../access/authorize.ts';
import type { Deps } from '../access/deps.ts';
import { type ExportedList, exportAccount, exportedLists } from './export-store.ts';

/** The source object of the GraphQL type PersonalData. */
export interface PersonalData {
  readonly createdAt: Date;
  /** JSON text. */
  readonly json: string;
}

/**
 * Reads what is kept of the caller: no secret, no hash of one, and nothing of other people. Long lists are read in pages,
 * one at a time, so that only the text grows with them; its parts are joined once.
 * @throws Refusal REAUTHENTICATION_REQUIRED; RATE_LIMITED; UNAUTHENTICATED: the session ended meanwhile
 */
export const exportMyData = async (
  { database, limits, logger }: Deps<'database' | 'limits' | 'logger'>,
  actor: Actor,
): Promise<PersonalData> => {
  const { id: userId } = actor.user;
  await requireRecentAuthentication(database, actor);
  await limits.consume(rateLimits.dataExport, userId);
  const createdAt = await databaseNow(database);
  const { account } = await database.one(exportAccount, [userId]);
  const parts = [`{"createdAt":${JSON.stringify(createdAt)},"account":${account}`];
  for (const [name, list] of Object.entries(exportedLists)) {
    parts.push(`,${JSON.stringify(name)}:[`);
    await readPages(database, list, userId, parts);
    parts.push(']');
  }
  parts.push('}');
  logger.info(
    { event: 'auth.data_exported', userId, credentialId: actor.credential.id },
    'A person exported what is kept of them',
  );
  return { createdAt, json: parts.join('') };
};

/**
 * Adds the items of a list to the text, in JSON, separated by commas. Each page has a deadline of its own: together the
 * pages of a long list take longer than a request may wait for the database.
 */
const readPages = async (
  database: Database,
  { page, start }: ExportedList,
  userId: string,
  parts: string[],
): Promise<void> => {
  for (let after: string | null = start; after !== null; ) {
    const place: string = after;
    const { items, last } = await withNewDeadline(() => database.one(page, [userId, place]));
    if (items !== null) parts.push(place === start ? '' : ',', items);
    after = last;
  }
};
