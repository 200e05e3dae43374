/** The mail server is down for an hour, and workers are killed at every point of a delivery (invariant I6). */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { range, until } from '../support/checks/concurrency.ts';
import type { ServerProcess } from '../support/gatehouse/processes.ts';
import type { SmtpStage } from '../support/servers/smtp.ts';
import {
  hold,
  installMailFaults,
  mailsWaiting,
  passForMails,
  signUp,
  untilDueMailsAreTaken,
  untilHeld,
  untilNoMailWaits,
} from './support/faults/mail-faults.ts';
import { sized } from './support/load/size.ts';
import { Site } from './support/sites/site.ts';
import type { Tolerances } from './support/verdicts/checker.ts';
import { keepResult } from './support/verdicts/results.ts';

const peopleEachStep = sized(1, 10);
const rounds = sized(2, 100);
const peopleEachRound = 3;
/** An hour, in steps of five minutes, and the longest pause between two attempts after it. */
const [stepMinutes, steps, longestPauseMinutes] = [5, 12, 30];

describe('Mail', () => {
  let open: Site | null = null;
  afterEach(async () => {
    await open?.close();
    open = null;
  });
  const start = async (processes: number): Promise<Site> => {
    open = await Site.start({ processes });
    await installMailFaults(open);
    return open;
  };

  /** Checks the answers of all clients, keeps the row of the table, and returns the violations. */
  const verdictOn = async (site: Site, fault: string, runs: number, terms: Tolerances, note: string) => {
    const violations = await site.judge(terms);
    await keepResult({ fault, runs, violations, operations: site.history.operations, note });
    return violations;
  };

  // Contract: operation#queued-mails — SMTP down for an hour: none lost
  it('is sent completely, once each, after the mail server was down for an hour', async () => {
    const site = await start(2);
    await site.smtp.down();
    for (const step of range(steps)) {
      // For the second half it is up, but refuses mails.
      if (step === steps / 2) {
        site.smtp.refuse('DATA', 451, 'not now');
        await site.smtp.up();
      }
      const people = site.servers.flatMap((server) => range(peopleEachStep).map(() => server));
      const reported = await Promise.all(people.map((server) => signUp(site, server)));
      expect(reported.map(({ outcome }) => outcome)).toEqual(people.map(() => 'ok'));
      await Promise.all(site.servers.map((server) => signUp(site, server, 'Undone Person')));
      await untilDueMailsAreTaken(site);
      await passForMails(site, stepMinutes);
    }
    expect(site.smtp.mails).toEqual([]);
    expect(await mailsWaiting(site)).toBe(steps * peopleEachStep * site.servers.length);
    site.smtp.accept();
    let minutes = 0;
    for (; (await mailsWaiting(site)) > 0 && minutes < longestPauseMinutes; minutes += stepMinutes) {
      await passForMails(site, stepMinutes);
      await untilDueMailsAreTaken(site);
    }
    const note = `all sent within ${minutes} min of the mail server`;
    expect(await verdictOn(site, 'SMTP down for an hour', 1, { maxMails: 1 }, note)).toEqual([]);
  });

  interface Point {
    readonly when: string;
    /** Brings the worker to this point with the mails of sign-ups; resolves when it is there. */
    readonly reach: (site: Site, worker: ServerProcess) => Promise<void>;
    readonly isHeldByDatabase: boolean;
  }

  const signUps = (site: Site, worker: ServerProcess): Promise<unknown> =>
    Promise.all(range(peopleEachRound).map(() => signUp(site, worker)));

  const untilServerHolds =
    (stage: SmtpStage): Point['reach'] =>
    async (site, worker) => {
      site.smtp.hold(stage);
      await signUps(site, worker);
      await until('the mail server holds one', async () => site.smtp.held() > 0);
    };

  const points: readonly Point[] = [
    {
      when: 'before it claimed them',
      isHeldByDatabase: true,
      reach: async (site, worker) => {
        await signUps(site, worker);
        await untilHeld(site, 1);
      },
    },
    { when: 'while it sent them', isHeldByDatabase: false, reach: untilServerHolds('MAIL FROM') },
    { when: 'after the mail server accepted them', isHeldByDatabase: false, reach: untilServerHolds('DATA') },
  ];

  // Contract: operation#queued-mails — Worker killed at three points: none lost, at most two copies
  it.each(points)(
    'arrives once or twice when its worker is killed $when',
    async ({ when, reach, isHeldByDatabase }) => {
      const site = await start(1);
      const worker = site.first;
      for (const _ of range(rounds)) {
        const inject = async (): Promise<void> => {
          await reach(site, worker);
          await worker.kill();
        };
        await (isHeldByDatabase ? hold(site, inject) : inject());
        site.smtp.release();
        // The mails claimed by the killed worker are due again in half a minute.
        await passForMails(site, 1);
        await worker.restart();
        await untilNoMailWaits(site);
      }
      const copies = `${site.smtp.mails.length} mails for ${rounds * peopleEachRound} sign-ups`;
      expect(await verdictOn(site, `Mail worker killed ${when}`, rounds, { maxMails: 2 }, copies)).toEqual([]);
      expect(site.history.operations).toHaveLength(rounds * peopleEachRound);
    },
  );

  // Contract: operation#queued-mails — Each mail once unless a process crashed
  it('arrives once when the database fails before it is deleted', async () => {
    const site = await start(1);
    for (const _ of range(rounds)) {
      site.smtp.hold('DATA');
      await signUp(site, site.first);
      await until('the mail server holds it', async () => site.smtp.held() > 0);
      await site.way.cut();
      site.smtp.release();
      // The worker learns that the mail was accepted, and cannot record it.
      await sleep(500);
      await site.way.restore();
      await untilNoMailWaits(site);
    }
    const copies = `${site.smtp.mails.length} mails for ${rounds} sign-ups`;
    expect(await verdictOn(site, 'Database away when a mail was sent', rounds, { maxMails: 1 }, copies)).toEqual([]);
    expect(site.smtp.mails).toHaveLength(rounds);
  });

  // Contract: operation#queued-mails — Mail: none after a rollback
  it('is not sent for sign-ups whose process is killed before the commit', async () => {
    const site = await start(1);
    for (const _ of range(rounds)) {
      const lost: Promise<unknown>[] = [];
      await hold(site, async () => {
        lost.push(...range(peopleEachRound).map(() => signUp(site, site.first, 'Waiting Person')));
        await untilHeld(site, peopleEachRound);
        await site.first.kill();
      });
      await Promise.all(lost);
      await site.first.restart();
      await signUp(site, site.first);
      await untilNoMailWaits(site);
    }
    const copies = `${site.smtp.mails.length} mails`;
    const terms = { maxMails: 1, mayHangUp: true } as const;
    expect(await verdictOn(site, 'Mail of a sign-up killed before its commit', rounds, terms, copies)).toEqual([]);
    expect(site.history.operations.filter(({ outcome }) => outcome === 'unknown')).toHaveLength(
      rounds * peopleEachRound,
    );
    expect(site.smtp.mails).toHaveLength(rounds);
  });
});
