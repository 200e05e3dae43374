/**
 * Every named statement of the source means the same to both engines: each accepts it, with parameters and columns of
 * the same names and types. The lanes of the tests stand on it: most statements run on the embedded engine alone.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { sourceFiles } from '../../../scripts/source-files.ts';
import '../../src/app.ts';
import '../../src/cli/program.ts';
import '../../src/testing/people.ts';
import '../../src/testing/world-database.ts';
import '../../src/cli/demo/demo-data.ts';
import '../../src/cli/doctor/doctor-store.ts';
import '../../src/domain/restores/after-restore-store.ts';
import { declaredStatements } from '../../src/platform/database/database.ts';
import { makeTemplate } from '../support/database/database-template.ts';
import { createTestDatabase } from '../support/database/databases.ts';
import { type Described, describeStatements } from '../support/database/described-statements.ts';
import { openHere } from '../support/database/embedded-in-thread.ts';
import { embedded, postgresOnly } from '../support/database/engines.ts';
import { fixture } from '../support/fixture.ts';

const server = fileURLToPath(new URL('../..', import.meta.url));

/** The names that stand in the source; those of lists are made for each filter. */
const namesInSource = (): readonly string[] =>
  sourceFiles(server, 'src').flatMap((path) =>
    [...readFileSync(join(server, path), 'utf8').matchAll(/\bstatement(?:<[^;']*>)?\(\s*'([^']+)'/g)].map(
      ([, name = '']) => name,
    ),
  );

/** Without those that tests declare. */
const ofSource = (): ReadonlyMap<string, string> =>
  new Map([...declaredStatements()].filter(([name]) => !name.startsWith('test.')));

const onPostgres = async (): Promise<ReadonlyMap<string, Described | string>> => {
  const stored = await createTestDatabase();
  const client = new pg.Client({ connectionString: stored.url });
  await client.connect();
  try {
    return await describeStatements(client, ofSource());
  } finally {
    await client.end();
    await stored.drop();
  }
};

const onEmbedded = async (): Promise<ReadonlyMap<string, Described | string>> => {
  const directory = await mkdtemp(join(inject('databaseTemplate').directory, 'embedded-'));
  const { template } = await makeTemplate(directory, undefined);
  const engine = await openHere(join(template.embedded ?? directory, 'database'), (reason) => {
    throw new Error(reason);
  });
  const client = new pg.Client({ stream: () => engine.stream, user: 'postgres', database: 'postgres' });
  await client.connect();
  try {
    return await describeStatements(client, ofSource());
  } finally {
    await client.end();
    await engine.close();
  }
};

describe.skipIf(embedded)(`The named statements${postgresOnly}`, () => {
  const described = fixture(async () => ({ postgres: await onPostgres(), embedded: await onEmbedded() }));

  it('are those that the source names', () => {
    const names = namesInSource();
    expect(names.filter((name) => !described.postgres.has(name))).toEqual([]);
    expect(names.length).toBeGreaterThan(300);
  });

  it('are accepted by both engines', () => {
    const refused = Object.entries(described).flatMap(([engine, statements]) =>
      [...statements].flatMap(([name, answer]) =>
        typeof answer === 'string' ? [`${engine}: ${name}: ${answer}`] : [],
      ),
    );
    expect(refused).toEqual([]);
  });

  it('have parameters and columns of the same names and types on both', () => {
    expect(Object.fromEntries(described.postgres)).toEqual(Object.fromEntries(described.embedded));
  });
});
