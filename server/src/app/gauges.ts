/**
 * Gauges read at scrape time: parts of the process, database rows and sign-ins.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { Authenticator } from '../domain/access/authenticate.ts';
import type { Database, DatabaseStats } from '../platform/database/database.ts';
import { type JobRow, listJobs } from '../platform/jobs/scheduled-jobs.ts';
import { cachedAsync } from '../platform/kept-fresh.ts';
import { type MailQueueRow, readMailQueue } from '../platform/mail/outbox.ts';
import { apart } from '../platform/observability/context.ts';
import type {
  Counter,
  Counts,
  Family,
  Instrument,
  Labels,
  Metrics,
  Reading,
} from '../platform/observability/metrics.ts';
import type { PasswordHasher } from '../platform/passwords/password-hasher.ts';
import type { Redis } from '../platform/redis/redis.ts';

// Gauges of the parts of a service, read on each scrape.

interface WatchedParts {
  readonly database: Database;
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  readonly passwords: Pick<PasswordHasher, 'load'>;
  /** Null when Redis is not configured. */
  readonly redis: Pick<Redis, 'isAvailable'> | null;
}

/** Registers gauges that read the parts on every scrape of `metrics`. */
export const registerGauges = (metrics: Metrics, { database, authenticator, passwords, redis }: WatchedParts): void => {
  if (metrics.counts === null) return;
  for (const instrument of [
    ...signInInstruments(metrics.counts),
    ...poolInstruments(() => database.stats()?.pool),
    // A benchmark supplies its own authenticator, which has no cache.
    ...(authenticator instanceof Authenticator ? cacheInstruments(authenticator) : []),
    ...passwordInstruments(passwords),
    ...(redis === null ? [] : redisInstruments(redis)),
    ...watchStored(database),
  ])
    metrics.add(instrument);
};

const gauge = (name: string, description: string, read: () => Iterable<Reading>): Instrument => ({
  name,
  description,
  kind: 'gauge',
  read,
});

type Pool = DatabaseStats['pool'];

/** Empty on the embedded engine, which has no pool. */
const poolInstruments = (pool: () => Pool | undefined): readonly Instrument[] => {
  const readings = (read: (pool: Pool) => readonly Reading[]) => (): readonly Reading[] => {
    const known = pool();
    return known === undefined ? [] : read(known);
  };
  return [
    gauge(
      'gatehouse_database_pool_connections',
      'Connections to PostgreSQL, by what they do; that for look-ups is not among them.',
      readings(({ size, idle }) => [
        { value: size - idle, labels: { state: 'busy' } },
        { value: idle, labels: { state: 'idle' } },
      ]),
    ),
    gauge(
      'gatehouse_database_pool_connections_max',
      'How many connections there may be.',
      readings(({ most }) => [{ value: most }]),
    ),
    gauge(
      'gatehouse_database_pool_waiting',
      'Statements and transactions that wait for a connection.',
      readings(({ waiting }) => [{ value: waiting }]),
    ),
  ];
};

const cacheInstruments = (authenticator: Pick<Authenticator, 'lookups' | 'size'>): readonly Instrument[] => {
  const { lookups } = authenticator;
  return [
    {
      name: 'gatehouse_actor_cache_lookups',
      description: 'Whether the person behind a token was in memory, and not out of date.',
      kind: 'counter',
      read: () => (['hit', 'stale', 'miss'] as const).map((result) => ({ value: lookups[result], labels: { result } })),
    },
    {
      name: 'gatehouse_actor_cache_evictions',
      description: 'Persons who had to make room in memory for others.',
      kind: 'counter',
      read: () => [{ value: lookups.evicted }],
    },
    gauge('gatehouse_actor_cache_entries', 'Persons in memory.', () => [{ value: authenticator.size }]),
  ];
};

const passwordInstruments = (passwords: Pick<PasswordHasher, 'load'>): readonly Instrument[] => [
  gauge('gatehouse_password_hashes', 'Passwords that are hashed or compared, and that wait for it.', () => {
    const { running, waiting } = passwords.load();
    return [
      { value: running, labels: { state: 'running' } },
      { value: waiting, labels: { state: 'waiting' } },
    ];
  }),
];

const redisInstruments = (redis: Pick<Redis, 'isAvailable'>): readonly Instrument[] => [
  gauge('gatehouse_redis_up', '1 while there is a connection to Redis, 0 otherwise.', () => [
    { value: redis.isAvailable ? 1 : 0 },
  ]),
];

// Gauges of database rows. Every process reports the same values, read at most every few seconds, however many scrapes
// arrive. A database that does not answer lookups in time is reported as down; a timeout while waiting for its pool
// only omits the values.

interface Stored {
  readonly mails: MailQueueRow;
  readonly jobs: readonly JobRow[];
}

const timeoutMilliseconds = 1000;
const freshness = { milliseconds: 5000, retryMilliseconds: 5000 };

const watchStored = (database: Database): readonly Instrument[] => {
  // The reading is shared by all scrapes, so it runs outside the trace and the deadline of any one request.
  const asked = <T>(ask: () => Promise<T>) => cachedAsync(() => apart(() => inTime(ask())), freshness);
  const read = asked(() => readStored(database));
  const isUp = asked(() => database.ping().then(() => true));
  const gauge = (name: string, description: string, tell: (stored: Stored) => readonly Reading[]): Instrument => ({
    name,
    description,
    kind: 'gauge',
    read: async () => {
      const stored = await read();
      return stored === null ? [] : tell(stored);
    },
  });
  return [
    {
      name: 'gatehouse_database_up',
      description: '1 when the database answered a look-up in time, 0 otherwise.',
      kind: 'gauge',
      read: async () => [{ value: (await isUp()) === null ? 0 : 1 }],
    },
    gauge('gatehouse_mail_queue_depth', 'Mails that are not sent yet.', ({ mails }) => [{ value: mails.depth }]),
    gauge('gatehouse_mail_queue_oldest_seconds', 'How long the oldest of them has waited.', ({ mails }) => [
      { value: mails.oldestSeconds ?? 0 },
    ]),
    gauge(
      'gatehouse_job_last_success_timestamp_seconds',
      'When a job last did all there was to do; 0 until the first time.',
      ({ jobs }) =>
        jobs.map(({ name, lastSucceededAt }) => ({
          value: (lastSucceededAt?.getTime() ?? 0) / 1000,
          labels: { job_name: name },
        })),
    ),
    gauge('gatehouse_job_failures', 'Runs of a job that failed, one after the other.', ({ jobs }) =>
      jobs.map(({ name, failures }) => ({ value: failures, labels: { job_name: name } })),
    ),
    // A gauge, not a counter: a sum over all processes would count each row once per process.
    gauge('gatehouse_job_deleted_rows', 'Rows that a job has deleted, on whichever process.', ({ jobs }) =>
      jobs.map(({ name, deletedRows }) => ({ value: Number(deletedRows), labels: { job_name: name } })),
    ),
  ];
};

const readStored = async (database: Database): Promise<Stored> => ({
  mails: await database.one(readMailQueue, []),
  jobs: await database.many(listJobs, []),
});

/** Null on failure or timeout; the next scrape tries again. */
const inTime = async <T>(reading: Promise<T>): Promise<T | null> => {
  const end = new AbortController();
  try {
    return await Promise.race([reading, delay(timeoutMilliseconds, null, { signal: end.signal, ref: false })]);
  } catch {
    return null;
  } finally {
    end.abort();
  }
};

// Sign-ins and refreshes of all surfaces, derived from the counters of the surfaces.

/** Operations that sign a person in, with their authentication method. */
const methods: Readonly<Record<string, string>> = {
  signInWithPassword: 'password',
  exchangeAuthTokens: 'provider',
  completeInvitedProfile: 'invitation',
};

const isRefresh = ({ operation }: Labels): boolean => operation === 'refreshAccessToken';
const isRefreshGrant = ({ grant }: Labels): boolean => grant === 'refresh_token';

const signInInstruments = ({ operations, tokenRequests }: Counts): readonly Instrument[] => [
  {
    name: 'gatehouse_sign_ins',
    description: 'Attempts to come in, by method and outcome.',
    kind: 'counter',
    read: () =>
      pick(operations, ({ operation = '', outcome = '' }) => {
        const method = methods[operation];
        return method === undefined ? null : { method, outcome };
      }),
  },
  {
    name: 'gatehouse_refreshes',
    description: 'Attempts to refresh a session, by surface and outcome.',
    kind: 'counter',
    read: () => [
      ...pick(operations, (labels) => (isRefresh(labels) ? refreshOn('graphql', labels) : null)),
      ...pick(tokenRequests, (labels) => (isRefreshGrant(labels) ? refreshOn('oauth', labels) : null)),
    ],
  },
];

const refreshOn = (surface: string, { outcome = '' }: Labels): Labels => ({ surface, outcome });

/** Selects tallies of a family and relabels them. */
const pick = (family: Family<Counter>, place: (labels: Labels) => Labels | null): readonly Reading[] =>
  Array.from(family.all()).flatMap(({ labels, member }) => {
    const there = place(labels);
    return there === null ? [] : [{ value: member.value, labels: there }];
  });
