/** The exclusive lock on the embedded data directory. */

import { symlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { statement } from '../../../src/platform/database/database.ts';
import { DatabaseRefused } from '../../../src/platform/database/failure.ts';
import { openDatabase } from '../../../src/platform/database/open.ts';
import { createTestDatabase } from '../../support/database/databases.ts';
import { embedded, embeddedOnly } from '../../support/database/engines.ts';
import type { Child } from '../../support/gatehouse/script-child.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';
import { startChild } from './child.ts';

const openAt = (dataDirectory: string) => openDatabase({ url: undefined, dataDirectory, logger: silentLogger });

const started: Child[] = [];
const holderOf = async (directory: string): Promise<Child> => {
  const child = startChild('hold', directory);
  started.push(child);
  await child.said('held');
  return child;
};

afterEach(async () => {
  await Promise.all(started.splice(0).map((child) => child.kill()));
});

/** Opens, expecting a refusal; returns its message. */
const refusal = async (directory: string): Promise<string> => {
  const error: unknown = await openAt(directory).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(DatabaseRefused);
  return error instanceof Error ? error.message : '';
};

describe.runIf(embedded)(`The lock of the embedded data directory${embeddedOnly}`, { timeout: 120_000 }, () => {
  it('refuses a second process while the first holds it, and names the first', async () => {
    const directory = (await createTestDatabase()).dataDirectory;
    const holder = await holderOf(directory);
    const message = await refusal(directory);
    expect(message).toMatch(new RegExp(`in use by process ${holder.pid} on host ${hostname()} since \\d{4}-`));
    expect(message).toContain('DATABASE_URL');
  });

  it('refuses a second process that opens the same directory by another path', async () => {
    const directory = (await createTestDatabase()).dataDirectory;
    const holder = await holderOf(directory);
    await symlink(directory, `${directory}-link`);
    expect(await refusal(`${directory}-link`)).toContain(`process ${holder.pid} `);
  });

  it('refuses a second opener in the same process, and the first is not affected', async () => {
    const directory = (await createTestDatabase()).dataDirectory;
    const first = await openAt(directory);
    try {
      expect(await refusal(directory)).toContain(`process ${process.pid} `);
      const { one } = await first.one(statement<{ one: number }>('test.lock', 'SELECT 1 AS one'), []);
      expect(one).toBe(1);
      const third = startChild('hold', directory);
      started.push(third);
      expect(await third.said('')).toMatch(/^failed DatabaseRefused: /);
    } finally {
      await first.close();
    }
    const second = await openAt(directory);
    await second.close();
  });

  it('is free again after kill -9 of its holder, without repair', async () => {
    const directory = (await createTestDatabase()).dataDirectory;
    const holder = await holderOf(directory);
    await holder.kill();
    const next = await openAt(directory);
    await next.close();
  });
});
