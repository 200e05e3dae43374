/**
 * The embedded database under faults: kill -9, a second opener, a full disk. Nothing that clients were told is lost, the
 * files open again by themselves, and nobody shares them.
 */
import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pauseUpTo, range } from '../support/concurrency.ts';
import { makeTemplate } from '../support/database-template.ts';
import { newDirectory } from '../support/databases.ts';
import { runGatehouse } from '../support/gatehouse-process.ts';
import { EmbeddedSite } from './support/embedded-site.ts';
import { keepResult } from './support/results.ts';
import { sized } from './support/size.ts';

const kills = sized(4, 200);
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
    // Not everybody may.
    return false;
  }
};

const mount = (directory: string, size: string, ...options: readonly string[]): void => {
  const settings = [...options, `size=${size}`].join(',');
  execFileSync('mount', ['-t', 'tmpfs', '-o', settings, 'tmpfs', directory], { stdio: 'ignore' });
};

const mountable = await canMount();
const needs = mountable ? '' : ' [not run: this user may not mount a tmpfs]';

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

  it('loses nothing by kill -9, and opens again by itself', async () => {
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
    expect(worstRecoveryMillis).toBeLessThan(reopenedMillis);
  });

  it('refuses a second opener under load, and loses nothing by it', async () => {
    const here = await makeSite(join(await newDirectory(), 'data'), 400 * openers);
    const refused: { readonly code: number | null; readonly millis: number; readonly said: string }[] = [];
    await here.underLoad(async () => {
      for (const _ of range(openers)) {
        // What a process takes on this machine, now, before it comes to the database.
        const { milliseconds: before } = await runGatehouse(['serve'], { ...here.environment, PORT: 'none' });
        const { code, milliseconds, stderr } = await runGatehouse(['serve'], here.environment);
        refused.push({ code, millis: milliseconds - before, said: stderr });
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
    expect(slowest).toBeLessThan(refusedMillis);
  });

  it.runIf(mountable)(
    `leaves at once when the disk is full, and goes on with everything once there is room${needs}`,
    async () => {
      const disk = await newDirectory();
      mount(disk, '160m');
      disks.push(disk);
      const here = await makeSite(join(disk, 'data'), 100 + 400 * fullDisks);
      const facts = { exits: [] as (number | null)[], exitMillis: [] as number[], startMillis: [] as number[] };
      await here.underLoad(async () => {
        for (const _ of range(fullDisks)) {
          const ballast = join(disk, 'ballast');
          const { bavail, bsize } = statfsSync(disk);
          writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - mebibyte / 2)));
          const { code } = await here.ended();
          const endedAt = performance.now();
          const answered = here.history.operations.filter(({ outcome }) => outcome === 'ok');
          facts.exits.push(code);
          facts.exitMillis.push(endedAt - Math.max(...answered.map(({ returnedAt }) => returnedAt)));
          rmSync(ballast);
          facts.startMillis.push(await here.start());
          await here.untilAnswered(10);
        }
      });
      const violations = await here.judge();
      const { operations } = here.history;
      const slowest = Math.max(...facts.exitMillis);
      const worstRecoveryMillis = Math.max(...facts.startMillis);
      const note = `left within ${(slowest / 1000).toFixed(2)} s`;
      const fault = 'Embedded: disk full';
      await keepResult({ fault, runs: fullDisks, violations, operations, worstRecoveryMillis, note });
      expect(violations).toEqual([]);
      expect(facts.exits).toEqual(facts.exits.map(() => 1));
      expect(slowest).toBeLessThan(exitMillis);
      expect(worstRecoveryMillis).toBeLessThan(reopenedMillis);
    },
  );
});
