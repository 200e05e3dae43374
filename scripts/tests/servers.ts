/** The variables by which tests find PostgreSQL and Redis: as they are set, or the servers of this machine. */
export const serverEnvironment = (): Readonly<Record<string, string>> => ({
  TEST_DATABASE_URL: process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres',
  TEST_REDIS_URL: process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379',
});
