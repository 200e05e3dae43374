/**
 * Fail-overs as Patroni makes them, under load, of a service that is never started anew: no acknowledged change and no
 * session is lost, and nothing that was ended is accepted once the fence has passed.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPasswordHasher } from '../../src/platform/passwords/password-hasher.ts';
import { seedSessions } from '../support/actors/seeding.ts';
import { newOwner } from '../support/actors/tenants.ts';
import { tally, until } from '../support/checks/concurrency.ts';
import { goodPassword } from '../support/clients/clients.ts';
import { newDirectory } from '../support/database/databases.ts';
import { findClusterPrograms } from '../support/servers/programs.ts';
import { type KeptSession, keeping, keptSession, looking, signingIn } from './support/load/kept-sessions.ts';
import { underLoad } from './support/load/load.ts';
import { atNight, isNightly, sized } from './support/load/size.ts';
import {
  connecting,
  endingOthers,
  refreshingClient,
  signingOut,
  signingUp,
  type Workload,
} from './support/load/workloads.ts';
import { type Machine, PatroniCluster } from './support/sites/patroni-cluster.ts';
import { findPrograms } from './support/sites/postgres-server.ts';
import { Site } from './support/sites/site.ts';
import type { Violation } from './support/verdicts/checker.ts';
import { longestOutage } from './support/verdicts/history.ts';
import { keepResult } from './support/verdicts/results.ts';

const fenceMillis = 3_000;
/** Those of the page at night. */
const timing = { ttl: 6, loopWait: 1, retryTimeout: 2 };
const ttlSeconds = sized(timing.ttl, 20);
const frozenMillis = 35_000;
const withoutMillis = 20_000;
/** What DATABASE_URL of each process names: the balancer, or both machines. */
const places = isNightly ? (['haproxy', 'haproxy', 'hosts'] as const) : (['haproxy', 'hosts'] as const);
const disk = '400m';
const racedSessions = sized(1, 2);
/** Few enough that the processors wait for the fault, and not the fault for them. */
const load = isNightly ? [signingUp, signingOut, endingOthers, refreshingClient, connecting] : [signingOut];

const programs = findClusterPrograms();
const isInstalled = 'patroni' in programs;
const needs = isInstalled ? '' : ` [not installed: ${programs.join(', ')}]`;

const mount = (directory: string): void => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${disk}`, 'tmpfs', directory], { stdio: 'ignore' });
};

/** Also while a process that was killed still ends. */
const unmount = (directory: string): void => void execFileSync('umount', ['--lazy', directory]);

const canMount = async (): Promise<boolean> => {
  const directory = await newDirectory();
  try {
    mount(directory);
    execFileSync('umount', [directory]);
    return true;
  } catch {
    // Mounting requires a privilege.
    return false;
  }
};

const mountable = isInstalled && isNightly && (await canMount());
const mayMount = mountable || !isNightly ? '' : ' [this user may not mount a tmpfs]';

interface Roles {
  readonly primary: Machine;
  readonly standby: Machine;
}

interface Fault {
  readonly name: string;
  readonly inject: (roles: Roles) => Promise<void>;
  /** The most seconds without a look-up, judged at night. */
  readonly most?: number;
}

describe.runIf(isInstalled)(`PostgreSQL under Patroni${needs}`, () => {
  let cluster: PatroniCluster;
  let site: Site;
  const kept: KeptSession[] = [];
  let passwordHash: string;

  beforeAll(async () => {
    const postgres = await findPrograms();
    if (postgres === null || !('patroni' in programs)) throw new Error('No PostgreSQL');
    cluster = await PatroniCluster.start(programs, {
      postgres,
      ...(isNightly ? {} : { timing }),
      ...(mountable ? { prepare: mount } : {}),
    });
    site = await Site.start({
      processes: places.length,
      isDirect: true,
      stored: { url: cluster.urls.balanced, dataDirectory: await newDirectory(), drop: async () => undefined },
      environment: (index) => ({
        DATABASE_FENCE_SECONDS: String(fenceMillis / 1000),
        ...(places[index] === 'hosts' ? { DATABASE_URL: cluster.urls.hosts } : {}),
      }),
    });
    const hasher = createPasswordHasher(10, { threads: 1 });
    passwordHash = await hasher.hash(goodPassword);
    await hasher.close();
  });
  afterAll(async () => {
    await site?.close();
    await cluster?.close(mountable ? unmount : undefined);
  });

  const newPerson = async () => {
    const person = await newOwner(site);
    await site.sql('UPDATE users SET password_hash = $2 WHERE id = $1', [person.userId, passwordHash]);
    return person;
  };

  /**
   * A session that is renewed and one that is only used, at each process; and one that eight callers renew anywhere.
   */
  const watchers = async (): Promise<{ readonly workloads: Workload[]; readonly renewed: () => Promise<void> }> => {
    const tokens = await seedSessions(site.database, 2 * places.length + racedSessions, 1);
    const used = tokens.splice(0, places.length);
    const own = tokens.splice(0, places.length).map(keptSession);
    const raced = tokens.map(keptSession);
    kept.push(...own, ...raced);
    const at = (index: number, workload: Workload): Workload => {
      return (load) => workload({ ...load, url: () => site.servers[index]?.url ?? '' });
    };
    return {
      workloads: [
        ...used.map((each, index) => at(index, looking(`me ${index}`, each))),
        ...own.map((each, index) => at(index, keeping(`refresh ${index}`, each))),
        ...raced.map((each) => keeping('one of eight refreshes', each, 8)),
        signingIn(await newPerson()),
      ],
      renewed: async () => {
        // The answer that is under way may be to a request from before.
        const later = [...own, ...raced].map((session) => ({ session, renewals: session.renewals + 2 }));
        await until('each session has a new pair', async () =>
          later.every(({ session, renewals }) => session.lost !== null || session.renewals >= renewals),
        );
      },
    };
  };

  const untilPrimary = (machine: Machine) => until(`${machine.name} is the primary`, () => machine.isPrimary());

  /** The history is that of all faults so far, so that what an earlier one acknowledged may still be found lost. */
  const known = new Set<string>();
  const isKnown = ({ invariant, rule, subject }: Violation): boolean => {
    const before = known.size;
    return known.add(`${invariant} ${rule} ${subject}`).size === before;
  };

  const tryFault = async ({ name: fault, inject, most }: Fault): Promise<void> => {
    const begunAt = performance.now();
    await cluster.untilWhole();
    await until('the database serves', () => site.sql('SELECT 1').then(Boolean, () => false));
    const { workloads, renewed } = await watchers();
    let faultAt = 0;
    await underLoad(site, [...workloads, ...load], async () => {
      const roles = await cluster.roles();
      await renewed();
      faultAt = performance.now();
      await inject(roles);
      await renewed();
      await cluster.untilWhole();
      await renewed();
    });
    const { operations: all } = site.history;
    const own = all.filter(({ invokedAt }) => invokedAt >= begunAt);
    const since = (name: string): number[] =>
      places.map((_, index) =>
        longestOutage(
          own.filter((each) => each.name === `${name} ${index}`),
          faultAt,
        ),
      );
    const [lookUps, changes] = [since('me'), since('refresh')];
    // A mail that was sent while its row could not be deleted for half a minute is sent again by another process.
    const found = await site.judge({ maxMails: 2, fenceMillis });
    const violations = found.filter((each) => !isKnown(each));
    const lost = kept.flatMap((session) => session.lost ?? []);
    const said = (millis: readonly number[]): string => millis.map((each) => (each / 1000).toFixed(1)).join(', ');
    const note = `look-ups ${said(lookUps)} s, changes ${said(changes)} s; ${JSON.stringify(tally(own.map(({ code }) => code)))}`;
    const worstRecoveryMillis = Math.max(...lookUps);
    const { defects } = site;
    await keepResult({
      fault: `Fail-over: ${fault}`,
      runs: 1,
      violations,
      operations: own,
      defects,
      worstRecoveryMillis,
      note,
    });
    expect(violations).toEqual([]);
    expect(lost).toEqual([]);
    expect(defects).toEqual([]);
    expect(worstRecoveryMillis / 1000).toBeLessThanOrEqual(atNight(most ?? Number.MAX_VALUE));
  };

  const faults: readonly Fault[] = [
    {
      name: 'planned switchover',
      most: 3,
      inject: async ({ standby }) => {
        await cluster.switchOver();
        await untilPrimary(standby);
      },
    },
    {
      name: 'machine of the primary lost',
      most: ttlSeconds + 5,
      inject: async ({ primary, standby }) => {
        await primary.signal('SIGKILL');
        await untilPrimary(standby);
        await sleep(fenceMillis);
        primary.start();
      },
    },
  ];

  const nightly: readonly Fault[] = [
    { name: 'PostgreSQL alone killed', inject: ({ primary }) => primary.signalPostgres('SIGKILL') },
    {
      name: 'primary frozen for 35 s',
      inject: async ({ primary, standby }) => {
        await primary.signal('SIGSTOP');
        await sleep(frozenMillis);
        await primary.signal('SIGCONT');
        await untilPrimary(standby);
      },
    },
    {
      name: 'Patroni alone killed',
      most: ttlSeconds + 5,
      inject: async ({ primary, standby }) => {
        await primary.killPatroni();
        await untilPrimary(standby);
        // The former primary lives on; whatever the fence allows is over.
        await sleep(2 * fenceMillis);
        primary.start();
      },
    },
    { name: 'etcd without quorum', inject: () => withoutQuorum() },
    {
      name: 'etcd without quorum or failsafe_mode',
      inject: async ({ primary }) => {
        await cluster.configure({ failsafe_mode: false });
        await withoutQuorum(() => until('it is demoted', async () => !(await primary.isPrimary())));
        await cluster.configure({ failsafe_mode: true });
      },
    },
    {
      name: 'machine of the standby lost',
      inject: async ({ standby }) => {
        await standby.signal('SIGKILL');
        await sleep(withoutMillis);
        standby.start();
      },
    },
    {
      name: 'standby frozen for 35 s',
      inject: async ({ standby }) => {
        await standby.signal('SIGSTOP');
        await sleep(frozenMillis);
        await standby.signal('SIGCONT');
      },
    },
  ];

  const withoutQuorum = async (meanwhile: () => Promise<void> = async () => undefined): Promise<void> => {
    const [first, second] = cluster.etcd;
    await first?.kill();
    await sleep(withoutMillis);
    await second?.kill();
    await meanwhile();
    await sleep(withoutMillis);
    first?.start();
    second?.start();
  };

  for (const fault of [...faults, ...(isNightly ? nightly : [])]) {
    // Contract: operation#fail-over-under-patroni — No acknowledged change is lost, and nothing is accepted later than
    //   the fence
    it(`loses nothing, and accepts nothing that was ended: ${fault.name}`, () => tryFault(fault));
  }

  it.runIf(mountable)(`loses nothing, and accepts nothing that was ended: disk of the primary full${mayMount}`, () =>
    tryFault({
      name: 'disk of the primary full',
      inject: async ({ primary, standby }) => {
        const ballast = join(primary.directory, 'ballast');
        // It ends when there is no room.
        spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k'], { stdio: 'ignore' });
        await untilPrimary(standby);
        rmSync(ballast);
      },
    }),
  );
});
