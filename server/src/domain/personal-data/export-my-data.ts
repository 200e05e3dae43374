/** Operation exportMyData (contract/account.md#export-of-personal-data): all that is kept of the caller, as JSON. */
import { Refusal } from '../../kernel/errors.ts';
import { type Database, databaseNow } from '../../platform/database/database.ts';
import { withNewDeadline } from '../../platform/database/deadlines.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import type { Actor } from '../access/actor.ts';
import { requireLiveSession, requireRecentAuthentication } from '../access/authorize.ts';
import type { Deps } from '../access/deps.ts';
import { type ExportedList, exportAccount, exportedLists } from './export-store.ts';

/** The source object of the GraphQL type PersonalData. */
export interface PersonalData {
  readonly createdAt: Date;
  /** Pieces of JSON text, each of at most a page of a list. They are read once, and as late as they are asked for. */
  readonly json: AsyncIterable<string>;
}

type ExportDeps = Deps<'database' | 'limits' | 'logger'>;

/** The export of each person that this process reads and sends: one at a time, and a few together. */
const exporting = new Map<string, symbol>();
const mostAtOnce = 4;

/**
 * Begins to read what is kept of the caller: no secret or hash of one, and nothing of other people.
 * @param onceAnswered calls back when the answer was sent or given up
 * @throws Refusal REAUTHENTICATION_REQUIRED; RATE_LIMITED: also while one of theirs or four others run;
 *   UNAUTHENTICATED. Nothing is read then
 */
export const exportMyData = async (
  deps: ExportDeps,
  actor: Actor,
  onceAnswered: (ended: () => void) => void,
): Promise<PersonalData> => {
  const { database, limits, logger } = deps;
  const { id: userId } = actor.user;
  await requireRecentAuthentication(database, actor);
  if (exporting.has(userId) || exporting.size >= mostAtOnce) throw exportsAreRunning();
  const own = Symbol(userId);
  const ended = (): void => {
    if (exporting.get(userId) === own) exporting.delete(userId);
  };
  exporting.set(userId, own);
  try {
    await limits.consume(rateLimits.dataExport, userId);
    const createdAt = await databaseNow(database);
    const { account } = await database.one(exportAccount, [userId]);
    onceAnswered(ended);
    const line = { event: 'auth.data_exported', userId, credentialId: actor.credential.id } as const;
    logger.info(line, 'A person exported what is kept of them');
    return { createdAt, json: readLists(database, actor, { createdAt, account }, ended) };
  } catch (error) {
    ended();
    throw error;
  }
};

const exportsAreRunning = (): Refusal =>
  new Refusal('RATE_LIMITED', 'Too many exports are running at the moment. Wait a moment, then try again.', {
    retryAfterSeconds: 10,
  });

/** The lists are read in pages, one at a time: what is held does not grow with them. */
const readLists = async function* (
  database: Database,
  actor: Actor,
  { createdAt, account }: { readonly createdAt: Date; readonly account: string },
  ended: () => void,
): AsyncGenerator<string> {
  try {
    yield `{"createdAt":${JSON.stringify(createdAt)},"account":${account}`;
    for (const [name, list] of Object.entries(exportedLists)) {
      yield `,${JSON.stringify(name)}:[`;
      yield* readPages(database, actor, list);
      yield ']';
    }
    yield '}';
  } finally {
    ended();
  }
};

/**
 * The items of a list in JSON, separated by commas. Each page has a deadline of its own: together the pages of a long
 * list take longer than a request may wait for the database. A session that ends meanwhile reads no further page.
 */
const readPages = async function* (
  database: Database,
  actor: Actor,
  { page, start }: ExportedList,
): AsyncGenerator<string> {
  for (let after: string | null = start; after !== null; ) {
    const place: string = after;
    const { items, last } = await withNewDeadline(async () => {
      if (place !== start) await requireLiveSession(database, actor);
      return database.one(page, [actor.user.id, place]);
    });
    if (items !== null) yield place === start ? items : `,${items}`;
    after = last;
  }
};
