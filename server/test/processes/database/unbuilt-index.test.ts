/** A migration that drops an index refuses while the index that replaces it cannot do its work. */
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inMemory } from '../../../src/platform/database/embedded/embedded.ts';
import { migrate } from '../../../src/platform/database/migrate.ts';
import { openDatabase } from '../../../src/platform/database/open.ts';
import { migrationsDirectory } from '../../support/database/database-template.ts';
import { newDirectory } from '../../support/database/databases.ts';
import { sqlOn } from '../../support/database/sql.ts';
import { fixture } from '../../support/fixture.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';

const last = '0037-without-live-in-family';

const database = fixture(
  () => openDatabase({ url: undefined, dataDirectory: inMemory, logger: silentLogger }),
  (database) => database.close(),
);

const formerIndex = () => sqlOn(database).value("SELECT to_regclass('credentials_live_in_family')::text AS name");

// Contract: operation#index-that-was-built-by-hand — An index that was built by hand and cut off
it('keeps the former index while its successor is invalid, and drops it once that is valid', async () => {
  const directory = join(await newDirectory(), 'migrations');
  await mkdir(directory);
  const files = (await readdir(migrationsDirectory)).filter((file) => file.endsWith('.sql')).sort();
  const copy = (file: string): Promise<void> => copyFile(join(migrationsDirectory, file), join(directory, file));
  const dropping = files.indexOf(`${last}.sql`);
  for (const file of files.slice(0, dropping)) await copy(file);
  await migrate(database, directory);

  const setValid = (isValid: boolean) =>
    sqlOn(database)(
      `UPDATE pg_index SET indisvalid = $1 WHERE indexrelid = 'credentials_live_in_slot'::regclass RETURNING indexrelid`,
      [isValid],
    );
  expect(await setValid(false)).toHaveLength(1);
  await copy(`${last}.sql`);
  await expect(migrate(database, directory)).rejects.toMatchObject({ code: '55000' });
  expect(await formerIndex()).toBe('credentials_live_in_family');

  await setValid(true);
  expect((await migrate(database, directory)).applied).toEqual([last]);
  expect(await formerIndex()).toBeNull();
});
