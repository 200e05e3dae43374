/**
 * Doctor check of the database, which must be reachable, recent enough, safe and at this build's version, and of the
 * subscriptions in it. Writes nothing.
 */
import { randomUUID } from 'node:crypto';
import { constants, existsSync, statfsSync, statSync } from 'node:fs';
import { access, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { normalizeEmail } from '../../domain/users/text-rules.ts';
import { present } from '../../kernel/collections.ts';
import { DatabaseUnavailable, databaseNow, type Queryable } from '../../platform/database/database.ts';
import { DirectoryInUse, requireOwnDirectory } from '../../platform/database/embedded/embedded-directory.ts';
import {
  embeddedFiles,
  examineEmbedded,
  examinePostgres,
  type ServerState,
  serverState,
} from '../../platform/database/examine.ts';
import { DatabaseRefused, sqlState } from '../../platform/database/failure.ts';
import { listPendingMigrations } from '../../platform/database/migrate.ts';
import { examineOrigin, sentenceOf } from '../../platform/database/origin.ts';
import { migrationsDirectory, poolerOptionsOf, quietLogger } from '../open.ts';
import { checkAccounts } from './check-accounts.ts';
import { checkClock } from './check-clock.ts';
import {
  countSuperAdmins,
  findNamedAccount,
  listUnreadSubscriptions,
  type UnreadSubscription,
} from './doctor-store.ts';
import { type Finding, findingsOn, splitAdvice } from './findings.ts';

const { ok, warning, error } = findingsOn('database');

/** Findings that need the database: on itself, on the clock, the super admins and payments. */
export const checkDatabase = async (config: Config): Promise<Finding[]> => {
  try {
    return config.databaseUrl === undefined
      ? await lookAtFiles(config)
      : await lookAtServer(config, config.databaseUrl);
  } catch (thrown) {
    const finding = failure(thrown, config);
    if (finding === null) throw thrown;
    return [finding];
  }
};

/** Null for a defect. */
const failure = (thrown: unknown, config: Config): Finding | null => {
  if (thrown instanceof DirectoryInUse)
    return ok(
      'A running process uses the embedded database, as expected. Migrations and super admins were not checked: stop the process to check them.',
    );
  const names =
    config.databaseUrl === undefined
      ? 'DATA_DIR is the directory of the database.'
      : 'DATABASE_URL is the address of the database.';
  if (thrown instanceof DatabaseUnavailable)
    return error(thrown.message, `Start the database, or correct its setting. ${names}`);
  if (thrown instanceof DatabaseRefused) {
    const { says, advice } = splitAdvice(thrown.message);
    return error(says, `${advice} ${names}`.trim());
  }
  return sqlState(thrown) === '42501'
    ? error(
        'The user of DATABASE_URL may not read the tables of Gatehouse.',
        'Make it the owner of the tables, for example with REASSIGN OWNED BY their present owner.',
      )
    : null;
};

const lookAtServer = (config: Config, url: string): Promise<Finding[]> =>
  examinePostgres(
    url,
    async (session) => {
      const state = await session.one(serverState, []);
      const clock = checkClock(await readClock(session));
      return [...serverFindings(state), ...clock, ...(await lookInside(config, session))];
    },
    poolerOptionsOf(config),
  );

const readClock = async (session: Queryable) => {
  const askedAt = Date.now();
  const now = await databaseNow(session);
  return { askedAt, theirs: now.getTime(), answeredAt: Date.now() };
};

const oldestServer = 15;

/**
 * A condition that prevents a start is an error; one that a start tolerates is a warning.
 * @internal A test runs it alone.
 */
export const serverFindings = (facts: ServerState): Finding[] => {
  const major = Math.floor(facts.serverVersion / 10_000);
  const found = present(
    major < oldestServer &&
      error(`The server at DATABASE_URL is PostgreSQL ${major}, which is too old.`, 'Use PostgreSQL 15 or newer.'),
    facts.isStandby &&
      error('The server at DATABASE_URL is a read-only standby.', 'Point DATABASE_URL at the primary.'),
    ...durabilityFindings(facts),
    facts.encoding !== 'UTF8' &&
      error(
        `The database at DATABASE_URL has the encoding ${facts.encoding}, which lacks characters of names and texts.`,
        "Create it with UTF8, for example with CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8'.",
      ),
    !(facts.mayCreate || facts.isStandby) &&
      warning(
        'The user of DATABASE_URL may not create tables, so a migration will fail.',
        'GRANT CREATE ON the schema to that user, or run gatehouse migrate as one who may.',
      ),
  );
  return found.length > 0 ? found : [ok(`PostgreSQL ${major} answers, and its commits are durable.`)];
};

const durabilityFindings = (facts: ServerState): Finding[] =>
  present(
    facts.isStandbyMissing &&
      warning(
        'Commits of the server at DATABASE_URL wait for a synchronous standby, and none is connected: no change returns, and no process starts.',
        'Start the standby, or take it out of synchronous_standby_names.',
      ),
    facts.hasUnawaitedStandby &&
      warning(
        'A standby follows the server at DATABASE_URL, and no commit waits for it: a fail-over can lose acknowledged changes, and a former primary can accept what has ended.',
        'Name the standbys in synchronous_standby_names, with Patroni by synchronous_mode, and set synchronous_commit to on where it is local.',
      ),
    facts.synchronousCommit === 'off' &&
      error(
        'The server at DATABASE_URL has synchronous_commit off and would lose acknowledged writes.',
        'Set it to on, for example with ALTER DATABASE … SET synchronous_commit TO on.',
      ),
    !facts.hasFsync &&
      warning(
        'The server at DATABASE_URL has fsync off: a power cut can destroy the whole database.',
        'Set fsync to on in postgresql.conf.',
      ),
  );

/** Findings on the content of the database. Tables are read only at the version that this build knows. */
const lookInside = async (config: Config, session: Queryable): Promise<Finding[]> => {
  const pending = await listPendingMigrations(session, migrationsDirectory).catch((thrown: unknown) => {
    if (thrown instanceof DatabaseRefused) return thrown;
    throw thrown;
  });
  if (pending instanceof DatabaseRefused) {
    const { says, advice } = splitAdvice(pending.message);
    return [error(says, advice)];
  }
  if (pending.length > 0)
    return [
      warning(
        `Not applied yet: ${inBrief(pending)}. Super admins were not checked.`,
        'Run gatehouse migrate, or start the service, which migrates first.',
      ),
    ];
  return [
    ok('The database is at the version of this build.'),
    ...(await originFindings(config, session)),
    ...(await lookAtAccounts(config, session)),
    ...checkPayments(await session.many(listUnreadSubscriptions, [fewSubscriptions])),
  ];
};

const originFindings = async (config: Config, session: Queryable): Promise<Finding[]> => {
  const found = config.databaseUrl === undefined ? null : await examineOrigin(session);
  if (found === null) return [];
  const { says, advice } = splitAdvice(sentenceOf(found));
  return [warning(says, advice)];
};

const fewSubscriptions = 5;

/** A few migrations by their names, more by the first and the last one. */
const inBrief = (migrations: readonly string[]): string =>
  migrations.length <= 3
    ? migrations.join(', ')
    : `${migrations.length} migrations, ${migrations.at(0)} to ${migrations.at(-1)}`;

const lookAtAccounts = async (config: Config, session: Queryable): Promise<Finding[]> => {
  const counts = await session.one(countSuperAdmins, [config.relyingPartyId]);
  const email = config.superAdmin?.email;
  const named = email === undefined ? null : await session.maybeOne(findNamedAccount, [normalizeEmail(email)]);
  return checkAccounts(config, { ...counts, named });
};

const lookAtFiles = async (config: Config): Promise<Finding[]> => {
  const { dataDirectory } = config;
  const room = await roomFindings(dataDirectory);
  if (room.some(({ level }) => level === 'error')) return room;
  requireOwnDirectory(dataDirectory);
  if (!existsSync(join(embeddedFiles(dataDirectory), 'PG_VERSION')))
    return [...room, ok('There is no embedded database yet; the first start creates it.')];
  const inside = await examineEmbedded(dataDirectory, quietLogger(), (session) => lookInside(config, session));
  return [...room, ok('The embedded database opens.'), ...inside];
};

const megabyte = 1_048_576;
/** A log of 64 MB, as much again while it is recycled, and the growth of a day of use. */
const tightMegabytes = 512;
const fullMegabytes = 128;

const roomFindings = async (dataDirectory: string): Promise<Finding[]> => {
  const directory = nearestDirectory(resolve(dataDirectory));
  const isUsable = await access(directory, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => statSync(directory).isDirectory(),
    () => false,
  );
  if (!isUsable) return [unusable(dataDirectory)];
  const { bavail, bsize, blocks } = statfsSync(directory);
  if (blocks === 0) return [(await canKeepFiles(directory)) ? sizeless : unusable(dataDirectory)];
  const free = Math.floor((bavail * bsize) / megabyte);
  if (free >= tightMegabytes) return [];
  const says = `Only ${free} MB are free on the disk of DATA_DIR; a full disk stops the service.`;
  const fix = 'Free some space, or stop the service and move DATA_DIR to a larger disk.';
  return [free < fullMegabytes ? error(says, fix) : warning(says, fix)];
};

/** Used where a file system reports no size: that of processes has none either, and refuses every file. */
const canKeepFiles = async (directory: string): Promise<boolean> => {
  const path = join(directory, `.gatehouse-doctor-${randomUUID()}`);
  try {
    await writeFile(path, 'x', { flag: 'wx' });
    await rm(path);
    return true;
  } catch {
    return false;
  }
};

const sizeless = warning(
  'The file system of DATA_DIR reports no size, so its free space is unknown; a full one stops the service.',
  'Stop the service and move DATA_DIR to a disk: a file system in memory (ramfs, or tmpfs without a limit) is lost when the machine stops.',
);

const unusable = (dataDirectory: string): Finding =>
  error(
    `The data directory ${dataDirectory} cannot be used by this process.`,
    'Set DATA_DIR to a directory that this process may write to, or set DATABASE_URL.',
  );

/** The directory, or the nearest existing parent. */
const nearestDirectory = (path: string): string => (existsSync(path) ? path : nearestDirectory(dirname(path)));

/**
 * Whether the price of every running subscription names a product.
 * @param unread a few of the organizations whose subscription names no product, and the number of all
 */
const checkPayments = ([first, ...others]: readonly UnreadSubscription[]): Finding[] => {
  if (first === undefined) return [];
  const { organizationId, subscriptionId, total } = first;
  const names = [subscriptionId, ...others.map((other) => other.subscriptionId)].join(', ');
  return [
    findingsOn('payments').warning(
      total === 1
        ? `The price of the subscription ${subscriptionId} names no product, so organization ${organizationId} keeps the plan that it had.`
        : `The prices of ${total} subscriptions name no product (${names}${total > others.length + 1 ? ', …' : ''}), so their organizations keep the plans that they had.`,
      "Set product in the subscription's metadata at Stripe to the name of a product (docs/operations.md, “Payments”).",
    ),
  ];
};
