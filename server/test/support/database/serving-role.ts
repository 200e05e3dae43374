/** `gatehouse migrate --grant-to`, run in this process. */
import { runHere } from '../gatehouse/command-line.ts';
import { testSecret } from '../gatehouse/gatehouse.ts';
import type { Environment } from '../gatehouse/gatehouse-process.ts';
import type { TestDatabase } from './databases.ts';

export const migrateAt = (stored: Pick<TestDatabase, 'url' | 'dataDirectory'>, role: string) => {
  const environment: Environment = {
    NODE_ENV: 'test',
    DATA_DIR: stored.dataDirectory,
    GATEHOUSE_SECRET: testSecret,
    ...(stored.url === undefined ? {} : { DATABASE_URL: stored.url }),
  };
  return runHere(['migrate', '--grant-to', role, '--json'], environment);
};
