/** Query platformOverview: what happened lately, counted by hours or days, and what waits or fails now. */
import { describe, expect, it } from 'vitest';
import { newOwner, newSuperAdmin, runAs } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { bearer, goodPassword, operations, post, register, signIn } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
const root = fixture(() => newSuperAdmin(service, ['sessions:view']));

interface Piece {
  readonly startsAt: string;
  readonly endsAt: string;
  readonly signIns: number;
  readonly refusedSignIns: number;
  readonly endedSessions: number;
}

interface Overview {
  readonly activity: readonly Piece[];
  readonly historySince: string | null;
  readonly activeSessions: number;
  readonly activeSessionsAreCapped: boolean;
  readonly waitingMails: number;
  readonly oldestMailSeconds: number | null;
  readonly failingJobs: readonly string[];
}

const overview = async (period?: string): Promise<Overview> => {
  const answer = await runAs(service, root, operations.platformOverview, { period });
  if (answer.code !== null) throw new Error(answer.text);
  return (JSON.parse(answer.text) as { data: { platformOverview: Overview } }).data.platformOverview;
};

const sums = ({ activity }: Overview) => ({
  signIns: activity.reduce((sum, { signIns }) => sum + signIns, 0),
  refused: activity.reduce((sum, { refusedSignIns }) => sum + refusedSignIns, 0),
  ended: activity.reduce((sum, { endedSessions }) => sum + endedSessions, 0),
});

describe('platformOverview', () => {
  it.each([
    ['HOURS_24', 24, 3_600_000],
    ['DAYS_30', 30, 86_400_000],
  ])('divides %s into pieces that follow each other and contain this moment', async (period, pieces, milliseconds) => {
    const { activity } = await overview(period);
    expect(activity).toHaveLength(pieces);
    for (const [at, { startsAt, endsAt }] of activity.entries()) {
      expect(Date.parse(endsAt) - Date.parse(startsAt)).toBe(milliseconds);
      if (at > 0) expect(startsAt).toBe(activity[at - 1]?.endsAt);
    }
    const now = await service.sql.value<Date>('SELECT now()');
    expect(Date.parse(activity.at(-1)?.endsAt ?? '')).toBeGreaterThan(now?.getTime() ?? Number.POSITIVE_INFINITY);
  });

  it('counts sign-ins, refused ones and ended sessions, and not what a rotation replaced', async () => {
    const email = await register(service);
    const before = sums(await overview());
    const tokens = await signIn(service, email);
    await post(service.url, operations.signIn, { input: { email, password: 'Wrong.password1' } });
    const rotated = await post(service.url, operations.refresh, { ...tokens });
    expect(rotated.code).toBeNull();
    const after = sums(await overview());
    expect(after).toEqual({ signIns: before.signIns + 1, refused: before.refused + 1, ended: before.ended });
    const again = await signIn(service, email, goodPassword);
    await post(service.url, operations.signOutEverywhere, {}, bearer(again));
    expect(sums(await overview('DAYS_30')).ended).toBe(before.ended + 2);
  });

  it('says since when attempts are kept', async () => {
    await service.sql('DELETE FROM sign_ins');
    expect((await overview()).historySince).toBeNull();
    const insert = (days: number) =>
      service.sql<{ at: Date }>(
        `INSERT INTO sign_ins (id, at, method, outcome, expires_at)
         VALUES (gen_random_uuid(), now() - $1::integer * interval '1 day', 'password', 'success', now() + interval '1 day')
         RETURNING at`,
        [days],
      );
    await insert(1);
    const [oldest] = await insert(12);
    // No longer kept by the present setting, and not deleted yet.
    await insert(31);
    for (const period of ['HOURS_24', 'DAYS_30']) {
      expect((await overview(period)).historySince).toBe(oldest?.at.toISOString());
    }
  });

  it('shows what waits and what fails', async () => {
    const quiet = await overview();
    expect(quiet).toMatchObject({ activeSessionsAreCapped: false, failingJobs: [] });
    expect(quiet.activeSessions).toBeGreaterThan(0);
    await service.sql("INSERT INTO scheduled_jobs (name, failures) VALUES ('failing', 2), ('working', 0)");
    expect((await overview()).failingJobs).toEqual(['failing']);
  });

  it('refuses a period that does not exist, and a person without the scope', async () => {
    await expectRefusal(service, 'BAD_USER_INPUT', () =>
      runAs(service, root, operations.platformOverview, { period: 'FOREVER' }),
    );
    const owner = await newOwner(service);
    await expectRefusal(service, 'FORBIDDEN', () => runAs(service, owner, operations.platformOverview));
  });
});
