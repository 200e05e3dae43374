/** Gauges read at scrape time: parts of the process, database rows and sign-ins. */
import { Authenticator } from '../domain/access/authenticate.ts';
import { signInMethods } from '../graphql/operations.ts';
import { scaledMillis } from '../kernel/waits/wait-scale.ts';
import { within } from '../kernel/waits/within.ts';
import { cachedAsync } from '../platform/caches.ts';
import type { Database, DatabaseStats } from '../platform/database/database.ts';
import { type JobRow, listJobs } from '../platform/jobs/scheduled-jobs.ts';
import { type MailQueueRow, readMailQueue } from '../platform/mail/outbox.ts';
import { outsideContext } from '../platform/observability/context.ts';
import {
  type Counter,
  type Counts,
  counter,
  type Family,
  gauge,
  type Instrument,
  type Labels,
  type Metrics,
  type Reading,
} from '../platform/observability/metrics.ts';
import type { PasswordHasher } from '../platform/passwords/password-hasher.ts';
import type { Redis } from '../platform/redis/redis.ts';

interface WatchedParts {
  readonly database: Database;
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  readonly passwords: Pick<PasswordHasher, 'load'>;
  /** Null when Redis is not configured. */
  readonly redis: Pick<Redis, 'isAvailable' | 'eviction'> | null;
}

/** Registers gauges that read the parts on every scrape of `metrics`. */
export const registerGauges = (metrics: Metrics, { database, authenticator, passwords, redis }: WatchedParts): void => {
  if (metrics.counts === null) return;
  for (const instrument of [
    ...signInInstruments(metrics.counts),
    ...poolInstruments(() => database.stats()?.pool),
    ...turnInstruments(() => database.stats()?.turns),
    ...primaryInstruments(() => database.stats()?.primary),
    // A benchmark supplies its own authenticator, which has no cache.
    ...(authenticator instanceof Authenticator ? cacheInstruments(authenticator) : []),
    ...passwordInstruments(passwords),
    ...(redis === null ? [] : redisInstruments(redis)),
    ...watchStored(database),
  ])
    metrics.add(instrument);
};

type Pool = NonNullable<DatabaseStats['pool']>;

/** Empty on the embedded engine, which has no pool and is always the only server. */
const readingsOf =
  <Known>(known: () => Known | undefined) =>
  (read: (known: Known) => readonly Reading[]) =>
  (): readonly Reading[] => {
    const found = known();
    return found === undefined ? [] : read(found);
  };

const poolInstruments = (pool: () => Pool | undefined): readonly Instrument[] => {
  const readings = readingsOf(pool);
  return [
    gauge(
      'gatehouse_database_pool_connections',
      'Connections in the PostgreSQL pool, by state; excludes the look-up connection.',
      readings(({ size, idle }) => [
        { value: size - idle, labels: { state: 'busy' } },
        { value: idle, labels: { state: 'idle' } },
      ]),
    ),
    gauge(
      'gatehouse_database_pool_connections_max',
      'Maximum number of connections in the pool.',
      readings(({ most }) => [{ value: most }]),
    ),
    gauge(
      'gatehouse_database_pool_waiting',
      'Statements and transactions that wait for a connection of the pool.',
      readings(({ waiting }) => [{ value: waiting }]),
    ),
  ];
};

const turnInstruments = (turns: () => DatabaseStats['turns'] | undefined): readonly Instrument[] => [
  gauge(
    'gatehouse_database_held_back',
    'Uses of the database that wait for others of the same person, organization or network.',
    () => turns()?.heldBack ?? 0,
  ),
  counter(
    'gatehouse_database_turns_refused',
    'Uses of the database that were refused because their turn did not come in time.',
    () => turns()?.refused ?? 0,
  ),
];

const serverRefusals = ['another_server', 'earlier_timeline', 'restored_copy'] as const;

const primaryInstruments = (primary: () => DatabaseStats['primary']): readonly Instrument[] => {
  const readings = readingsOf(primary);
  return [
    gauge(
      'gatehouse_database_heartbeat_age_seconds',
      'Seconds since the last heartbeat that PostgreSQL has committed was sent.',
      readings(({ ageSeconds }) => [{ value: ageSeconds }]),
    ),
    gauge(
      'gatehouse_database_commits_stalled',
      '1 while no change is begun because commits do not return, 0 otherwise.',
      readings(({ isStalled }) => [{ value: isStalled ? 1 : 0 }]),
    ),
    gauge(
      'gatehouse_database_server_refused',
      '1 when the last server at DATABASE_URL was refused for this reason, 0 otherwise.',
      readings(({ refusal }) =>
        serverRefusals.map((reason) => ({ value: reason === refusal ? 1 : 0, labels: { reason } })),
      ),
    ),
  ];
};

const cacheInstruments = (authenticator: Pick<Authenticator, 'lookups' | 'size'>): readonly Instrument[] => {
  const { lookups } = authenticator;
  return [
    counter('gatehouse_actor_cache_lookups', 'Look-ups of tokens in the actor cache, by result.', () =>
      (['hit', 'stale', 'miss'] as const).map((result) => ({ value: lookups[result], labels: { result } })),
    ),
    counter('gatehouse_actor_cache_evictions', 'Entries that a full actor cache evicted.', () => lookups.evicted),
    gauge('gatehouse_actor_cache_entries', 'Entries in the actor cache.', () => authenticator.size),
  ];
};

const passwordInstruments = (passwords: Pick<PasswordHasher, 'load'>): readonly Instrument[] => [
  gauge('gatehouse_password_hashes', 'Password hashes and comparisons, by state: running or waiting.', () => {
    const load = passwords.load();
    return (['running', 'waiting'] as const).map((state) => ({ value: load[state], labels: { state } }));
  }),
];

const redisInstruments = (redis: Pick<Redis, 'isAvailable' | 'eviction'>): readonly Instrument[] => [
  gauge('gatehouse_redis_up', '1 while there is a connection to Redis, 0 otherwise.', () =>
    redis.isAvailable ? 1 : 0,
  ),
  gauge(
    'gatehouse_redis_evicts',
    '1 while Redis deletes keys when its memory is full, so that the database counts for the limits, 0 otherwise.',
    () => (redis.eviction === 'evicts' ? 1 : 0),
  ),
];

// Gauges of database rows, the same in every process, read at most every few seconds. A database that does not answer
// look-ups in time is reported as down; a timeout while waiting for its pool only omits the values.

interface Stored {
  readonly mails: MailQueueRow;
  readonly jobs: readonly JobRow[];
}

const limits = scaledMillis({ readingMilliseconds: 1000 });
const freshness = { milliseconds: 5000, retryMilliseconds: 5000 };

const watchStored = (database: Database): readonly Instrument[] => {
  // The reading is shared by all scrapes, so it runs outside the trace and the deadline of any one request.
  const asked = <T>(ask: () => Promise<T>) => cachedAsync(() => outsideContext(() => nullWhenLate(ask())), freshness);
  const read = asked(() => readStored(database));
  const isUp = asked(() => database.ping().then(() => true));
  const stored = (name: string, description: string, readings: (stored: Stored) => readonly Reading[]) =>
    gauge(name, description, async () => {
      const found = await read();
      return found === null ? [] : readings(found);
    });
  const ofJobs = (name: string, description: string, numberOf: (job: JobRow) => number) =>
    stored(name, description, ({ jobs }) =>
      jobs.map((job) => ({ value: numberOf(job), labels: { job_name: job.name } })),
    );
  return [
    gauge('gatehouse_database_up', '1 when the database answered a look-up in time, 0 otherwise.', async () =>
      (await isUp()) === null ? 0 : 1,
    ),
    stored('gatehouse_mail_queue_depth', 'Mails that wait to be sent.', ({ mails }) => [{ value: mails.depth }]),
    stored('gatehouse_mail_queue_oldest_seconds', 'Age of the oldest mail that waits to be sent.', ({ mails }) => [
      { value: mails.oldestSeconds ?? 0 },
    ]),
    ofJobs(
      'gatehouse_job_last_success_timestamp_seconds',
      'Unix time of the last successful run of a job; 0 before the first one.',
      ({ lastSucceededAt }) => (lastSucceededAt?.getTime() ?? 0) / 1000,
    ),
    ofJobs('gatehouse_job_failures', 'Consecutive failed runs of a job.', ({ failures }) => failures),
    // A gauge, not a counter: a sum over all processes would count each row once per process.
    ofJobs('gatehouse_job_deleted_rows', 'Rows that a job has deleted, in all processes together.', ({ deletedRows }) =>
      Number(deletedRows),
    ),
  ];
};

const readStored = async (database: Database): Promise<Stored> => ({
  mails: await database.one(readMailQueue, []),
  jobs: await database.many(listJobs, []),
});

/** Null on failure or timeout; the next scrape tries again. */
const nullWhenLate = <T>(reading: Promise<T>): Promise<T | null> => {
  const none = (): null => null;
  return within(limits.readingMilliseconds, reading.catch(none), none);
};

// Sign-ins and refreshes of all surfaces, derived from the counters of the surfaces.

const signInInstruments = ({ operations, tokenRequests }: Counts): readonly Instrument[] => [
  counter('gatehouse_sign_ins', 'Attempts to sign in, by method and outcome.', () =>
    pick(operations, ({ operation = '', outcome = '' }) => {
      const method = signInMethods.get(operation);
      return method === undefined ? null : { method, outcome };
    }),
  ),
  counter('gatehouse_refreshes', 'Attempts to refresh a session, by surface and outcome.', () => [
    ...pick(operations, ({ operation, outcome = '' }) =>
      operation === 'refreshAccessToken' ? { surface: 'graphql', outcome } : null,
    ),
    ...pick(tokenRequests, ({ grant, outcome = '' }) =>
      grant === 'refresh_token' ? { surface: 'oauth', outcome } : null,
    ),
  ]),
];

const pick = (family: Family<Counter>, relabel: (labels: Labels) => Labels | null): readonly Reading[] =>
  Array.from(family.all()).flatMap(({ labels, member: { value } }) => {
    const shown = relabel(labels);
    return shown === null ? [] : [{ value, labels: shown }];
  });
