/** A full disk ends the process of the embedded database, with all acknowledged writes on it. */
import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { statement } from '../../../src/platform/database/database.ts';
import { openDatabase } from '../../../src/platform/database/open.ts';
import { newDirectory } from '../../support/database/databases.ts';
import { embedded, embeddedOnly } from '../../support/database/engines.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';
import { acknowledged, startChild } from './child.ts';

const canMount = (directory: string): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory], { stdio: 'ignore' });
    execFileSync('umount', [directory]);
    return true;
  } catch {
    return false;
  }
};

const mountable = process.platform === 'linux' && canMount(await newDirectory());
const needs = mountable ? '' : ' [not run: this user may not mount a tmpfs]';

const mounted: string[] = [];
const newDisk = async (megabytes: number): Promise<string> => {
  const directory = await newDirectory();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory]);
  mounted.push(directory);
  return directory;
};

afterEach(() => {
  for (const directory of mounted.splice(0)) execFileSync('umount', [directory]);
});

const rows = statement<{ id: number }>('test.rows', 'SELECT id FROM written ORDER BY id');

const fullDiskSentence = (disk: string): RegExp =>
  new RegExp(`^error The embedded database in ${disk}/data \\(0 MB free\\) stopped: .+\\.$`);

const runUntilFull = async (job: string, disk: string): Promise<number[]> => {
  const child = startChild(job, join(disk, 'data'));
  const code = await child.ended();
  expect(code, child.lines.slice(-3).join('\n')).toBe(1);
  const errors = child.lines.filter((line) => line.startsWith('error'));
  expect(errors).toEqual([expect.stringMatching(fullDiskSentence(disk))]);
  // By the error of the engine, not by the silence of a broken one.
  expect(errors.join()).not.toContain('has not answered');
  return acknowledged(child);
};

describe.runIf(embedded)(`A full disk${embeddedOnly}`, { timeout: 120_000 }, () => {
  it.runIf(mountable)(`filled by the database ends the process without loss${needs}`, async () => {
    const disk = await newDisk(80);
    const known = await runUntilFull('fill', disk);
    expect(known.length).toBeGreaterThan(100);
    execFileSync('mount', ['-o', 'remount,size=160m', disk]);
    const database = await openDatabase({ url: undefined, dataDirectory: join(disk, 'data'), logger: silentLogger });
    const stored = new Set((await database.many(rows, [])).map(({ id }) => id));
    await database.close();
    expect(known.filter((id) => !stored.has(id))).toEqual([]);
  });

  it.runIf(mountable)(`filled by another program ends the process without loss${needs}`, async () => {
    const disk = await newDisk(160);
    await mkdir(join(disk, 'data'));
    const first = await openDatabase({ url: undefined, dataDirectory: join(disk, 'data'), logger: silentLogger });
    await first.close();
    const ballast = join(disk, 'ballast');
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - 3 * 1_048_576));
    const known = await runUntilFull('rewrite', disk);
    expect(known.length).toBeGreaterThan(100);
    rmSync(ballast);
    const database = await openDatabase({ url: undefined, dataDirectory: join(disk, 'data'), logger: silentLogger });
    expect(await database.many(rows, [])).toEqual([{ id: 0 }]);
    await database.close();
  });

  it.runIf(mountable)(`refuses a first start with a sentence, without files${needs}`, async () => {
    const disk = await newDisk(20);
    const opening = openDatabase({ url: undefined, dataDirectory: join(disk, 'data'), logger: silentLogger });
    await expect(opening).rejects.toThrow(/^The embedded database in .+ did not open: .+\.$/);
    expect(await readdir(join(disk, 'data'))).toEqual(['database.lock']);
  });
});
