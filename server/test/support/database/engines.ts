/** Engine of this run, and whether it has a Redis, for tests that only one of them can pass. */

/** The server of the run, or absent on the embedded engine. */
export const serverUrl = process.env['TEST_DATABASE_URL'];

export const embedded = serverUrl === undefined;

export const isOnPostgres = !embedded;

/** For the title of tests of the embedded engine. */
export const embeddedOnly = embedded ? '' : ' [not run: TEST_DATABASE_URL is set; the run without it has this]';

/** For the title of tests that need a PostgreSQL server. */
export const postgresOnly = embedded ? ' [not run: needs a server in TEST_DATABASE_URL]' : '';

/** The Redis of the run: every service of the tests stores its helper sessions there; absent without one. */
export const redisUrl = process.env['TEST_REDIS_URL'];

/** For the title of tests that need one. */
export const redisOnly = redisUrl === undefined ? ' [not run: needs a Redis in TEST_REDIS_URL]' : '';
