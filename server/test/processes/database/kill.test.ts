/** Acknowledged writes of the embedded database survive kill -9 at any moment. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { statement } from '../../../src/platform/database/database.ts';
import { openDatabase } from '../../../src/platform/database/open.ts';
import { createTestDatabase, newDirectory } from '../../support/database/databases.ts';
import { embedded, embeddedOnly } from '../../support/database/engines.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';
import { acknowledged, startChild } from './child.ts';

const rounds = 4;

const written = statement<{ id: number; twin: number | null }>('test.written', 'SELECT id, twin FROM written');

describe.runIf(embedded)(`kill -9 of the embedded database${embeddedOnly}`, { timeout: 240_000 }, () => {
  it(`under writes loses no acknowledged one and leaves no half transaction, ${rounds} times`, async () => {
    const { dataDirectory: directory } = await createTestDatabase();
    const known = new Set<number>();
    for (let round = 0; round < rounds; round += 1) {
      const child = startChild('write', directory, String(round * 1_000_000));
      await child.said('acknowledged');
      await sleep(50 + Math.random() * 300);
      await child.kill();
      for (const id of acknowledged(child)) known.add(id);
      const database = await openDatabase({ url: undefined, dataDirectory: directory, logger: silentLogger });
      const rows = await database.many(written, []);
      await database.close();
      const stored = new Set(rows.map(({ id }) => id));
      expect([...known].filter((id) => !stored.has(id))).toEqual([]);
      expect(rows.filter(({ id, twin }) => id !== twin)).toEqual([]);
    }
    expect(known.size).toBeGreaterThan(rounds);
  });

  it('while the files are first created does not prevent the next start', async () => {
    for (const afterMillis of [300, 900, 1_500]) {
      const directory = await newDirectory();
      const child = startChild('hold', directory);
      await sleep(afterMillis);
      await child.kill();
      const database = await openDatabase({ url: undefined, dataDirectory: directory, logger: silentLogger });
      await database.ping();
      await database.close();
    }
  });
});
