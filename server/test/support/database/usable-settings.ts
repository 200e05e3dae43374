/** What a PostgreSQL server reports of a session that Gatehouse accepts. */
export const usableSettings = {
  synchronousCommit: 'on',
  serverVersion: 150_000,
  isStandby: false,
  encoding: 'UTF8',
  statementMillis: 1_600,
  lockMillis: 1_500,
  idleInTransactionMillis: 2_000,
  timeZone: 'UTC',
  clientEncoding: 'UTF8',
};
