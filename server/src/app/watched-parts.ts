/** What the parts of a service know of themselves, for whoever watches it: read when somebody asks. */
import { Authenticator } from '../domain/access/authenticate.ts';
import type { Database, DatabaseStats } from '../platform/database/database.ts';
import type { Instrument, Metrics, Reading } from '../platform/metrics.ts';
import type { PasswordHasher } from '../platform/password-hasher.ts';
import type { Redis } from '../platform/redis.ts';
import { signInInstruments } from './sign-in-counts.ts';
import { watchStored } from './watched-rows.ts';

export interface WatchedParts {
  readonly database: Database;
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  readonly passwords: Pick<PasswordHasher, 'load'>;
  /** Null where there is none. */
  readonly redis: Pick<Redis, 'isAvailable'> | null;
}

/** Has the parts read with every reading of `metrics`. */
export const watchParts = (metrics: Metrics, { database, authenticator, passwords, redis }: WatchedParts): void => {
  if (metrics.counts === null) return;
  for (const instrument of [
    ...signInInstruments(metrics.counts),
    ...poolInstruments(() => database.stats()?.pool),
    // A measurement brings its own, which keeps nobody in memory.
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

/** Without a pool, on the embedded engine, they tell nothing. */
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
