/** The embedded database under faults: kill -9, a second opener, a full disk. No acknowledged write is lost. */
import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pauseUpTo, range } from '../support/checks/concurrency.ts';
import { makeTemplate } from '../support/database/database-template.ts';
import { newDirectory } from '../support/database/databases.ts';
import { runGatehouse } from '../support/gatehouse/gatehouse-process.ts';
import { atNight, size, sized } from './support/load/size.ts';
import { EmbeddedSite } from './support/sites/embedded-site.ts';
import type { Operation } from './support/verdicts/history.ts';
import { keepResult } from './support/verdicts/results.ts';

const kills = sized(3, 200);
const reopenedMillis = 5000;
const openers = sized(2, 20);
const refusedMillis = 2000;
const fullDisks = sized(1, 10);
const exitMillis = 2000;
const mebibyte = 1_048_576;

const canMount = async (): Promise<boolean> => {
  if (process.platform !== 'linux') return false;
  const directory = await newDirectory();
  try {
    mount(directory, '1m');
    execFileSync('umount', [directory]);
    return true;
  } catch {
    // Mounting requires a privilege.
    return false;
  }
};

const mount = (directory: string, room: string): void => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${room}`, 'tmpfs', directory], { stdio: 'ignore' });
};

/** A disk that filled, until the process had exited. */
interface Filled {
  readonly filledAt: number;
  readonly endedAt: number;
}

/** From the request of the first failed write, or from the moment the disk was full if later; NaN when none failed. */
const exitAfterFailedWrite = (operations: readonly Operation[], { filledAt, endedAt }: Filled): number => {
  const [first = Number.NaN] = operations
    .filter(({ outcome, does }) => outcome === 'unknown' && does !== 'use')
    .filter(({ invokedAt, returnedAt }) => returnedAt >= filledAt && invokedAt <= endedAt)
    .map(({ invokedAt }) => Math.max(invokedAt, filledAt))
    .toSorted((left, right) => left - right);
  return endedAt - first;
};

const mountable = await canMount();
const needs = mountable ? '' : ' [this user may not mount a tmpfs]';

describe('The embedded database', () => {
  let template: string;
  let site: EmbeddedSite | null = null;
  const disks: string[] = [];
  beforeAll(async () => {
    const made = await makeTemplate(await newDirectory(), undefined);
    template = made.template.embedded ?? '';
  }, 120_000);
  afterEach(async () => {
    await site?.close();
    site = null;
    for (const disk of disks.splice(0)) execFileSync('umount', [disk]);
  });

  const makeSite = async (directory: string, sessions: number): Promise<EmbeddedSite> => {
    site = await EmbeddedSite.make(template, directory, sessions);
    await site.start();
    return site;
  };

  // Contract: operation#embedded-database-under-faults — Embedded database, kill -9: none lost, reopened in 5 s
  it('loses nothing by kill -9, and reopens without repair', async () => {
    const here = await makeSite(join(await newDirectory(), 'data'), 100 + kills * 60);
    const startMillis: number[] = [];
    await here.underLoad(async () => {
      for (const _ of range(kills)) {
        await here.untilAnswered(10);
        await pauseUpTo(400);
        await here.kill();
        startMillis.push(await here.start());
      }
      await here.untilAnswered(10);
    });
    const violations = await here.judge();
    const worstRecoveryMillis = Math.max(...startMillis);
    const { operations } = here.history;
    await keepResult({ fault: 'Embedded: kill -9', runs: kills, violations, operations, worstRecoveryMillis });
    expect(violations).toEqual([]);
    expect(operations.filter(({ outcome }) => outcome === 'ok').length).toBeGreaterThan(kills * 10);
    expect(operations.filter(({ outcome }) => outcome === 'unknown').length).toBeGreaterThan(0);
    expect(worstRecoveryMillis).toBeLessThanOrEqual(atNight(reopenedMillis));
  });

  // Contract: operation#embedded-database-under-faults — Embedded database, second opener: refused in 2 s
  it('refuses a second opener under load, and loses nothing', async () => {
    const here = await makeSite(join(await newDirectory(), 'data'), 400 * openers);
    const refused: { readonly code: number | null; readonly millis: number; readonly said: string }[] = [];
    await here.underLoad(async () => {
      for (const _ of range(openers)) {
        // The start of the process counts as well.
        const begun = performance.now();
        const { code, stderr } = await runGatehouse(['serve'], here.environment);
        refused.push({ code, millis: performance.now() - begun, said: stderr });
      }
    });
    const violations = await here.judge();
    const { operations } = here.history;
    const slowest = Math.max(...refused.map(({ millis }) => millis));
    const note = `refused within ${(slowest / 1000).toFixed(2)} s`;
    await keepResult({ fault: 'Embedded: second opener', runs: openers, violations, operations, note });
    expect(violations).toEqual([]);
    expect(operations.filter(({ outcome }) => outcome === 'unknown')).toEqual([]);
    expect(refused.map(({ code }) => code)).toEqual(refused.map(() => 1));
    expect(refused.filter(({ said }) => !/is in use by process \d+ on host /.test(said))).toEqual([]);
    expect(slowest).toBeLessThanOrEqual(atNight(refusedMillis));
  });

  // The nightly run fails where it cannot be tested: a missing result is not a pass.
  // Contract: operation#embedded-database-under-faults — Embedded database, disk full: exit in 2 s with data intact
  it.runIf(mountable || size === 'nightly')(`exits on a full disk, and reopens with all data${needs}`, async () => {
    const disk = await newDirectory();
    mount(disk, '160m');
    disks.push(disk);
    const here = await makeSite(join(disk, 'data'), 100 + 400 * fullDisks);
    const facts = { exits: [] as (number | null)[], filled: [] as Filled[], startMillis: [] as number[] };
    await here.underLoad(async () => {
      for (const _ of range(fullDisks)) {
        const ballast = join(disk, 'ballast');
        const { bavail, bsize } = statfsSync(disk);
        writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - mebibyte / 2)));
        const filledAt = performance.now();
        const { code } = await here.ended();
        facts.exits.push(code);
        facts.filled.push({ filledAt, endedAt: performance.now() });
        rmSync(ballast);
        facts.startMillis.push(await here.start());
        await here.untilAnswered(10);
      }
    });
    const violations = await here.judge();
    const { operations } = here.history;
    const exits = facts.filled.map((each) => exitAfterFailedWrite(operations, each));
    const slowest = Math.max(...exits);
    const worstRecoveryMillis = Math.max(...facts.startMillis);
    const note = `left within ${(slowest / 1000).toFixed(2)} s`;
    const fault = 'Embedded: disk full';
    await keepResult({ fault, runs: fullDisks, violations, operations, worstRecoveryMillis, note });
    expect(violations).toEqual([]);
    expect(facts.exits).toEqual(facts.exits.map(() => 1));
    // Writes failed each time, and the process exited soon after.
    expect(exits.filter(Number.isNaN)).toEqual([]);
    expect(slowest).toBeLessThanOrEqual(atNight(exitMillis));
    expect(worstRecoveryMillis).toBeLessThanOrEqual(atNight(reopenedMillis));
  });
});
