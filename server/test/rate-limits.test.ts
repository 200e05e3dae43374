/** Limits on what a person can make others pay for: mails to strangers, and organizations. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Refusal } from '../src/kernel/errors.ts';
import { Keyring } from '../src/kernel/secrets.ts';
import { createRateLimits, type RateLimit } from '../src/platform/rate-limits.ts';
import { sweepTurns } from '../src/platform/rate-limits-store.ts';
import { type Answer, newAddress, operations } from './support/clients.ts';
import { range, tally, until } from './support/concurrency.ts';
import { type Service, startService } from './support/gatehouse.ts';
import { memberIdOf } from './support/invitations.ts';
import { expectRefusal } from './support/refusals.ts';
import { newOwner, runAs, type Tenant } from './support/tenants.ts';

const mailsToAnAddress = 20;
const mailsFromAPerson = 1000;
const organizationsOfAPerson = 50;
const secondsBetweenMailsOfAPerson = 18;

let service: Service;
beforeAll(async () => {
  service = await startService({ RATE_LIMITS_ENABLED: 'true' });
});
afterAll(() => service.close());

const inviteAs = (person: Tenant, email: string): Promise<Answer> =>
  runAs(service, person, operations.inviteMember, { input: { email, role: 'MEMBER' } });

const outcomes = (answers: readonly Answer[]): Record<string, number> => tally(answers.map(({ code }) => code ?? 'OK'));

describe('Invitation mails', () => {
  it(`to one address are ${mailsToAnAddress} at once, whoever invites it and however`, async () => {
    const email = newAddress();
    const [first, second] = [await newOwner(service), await newOwner(service)];
    const memberId = memberIdOf(await inviteAs(first, email));
    const resets = await Promise.all(
      range(mailsToAnAddress + 4).map(() => runAs(service, first, operations.resetInvitation, { memberId })),
    );
    expect(outcomes(resets)).toEqual({ OK: mailsToAnAddress - 1, RATE_LIMITED: 5 });
    expect(await service.mailsTo(email)).toHaveLength(mailsToAnAddress);
    const refused = await expectRefusal(service, 'RATE_LIMITED', () => inviteAs(second, email));
    expect(Number(refused.extensions['retryAfterSeconds'])).toBeGreaterThan(0);
    expect((await inviteAs(second, newAddress())).code).toBeNull();
  });

  it('that are refused for another reason take no turn', async () => {
    const email = newAddress();
    const person = await newOwner(service);
    await inviteAs(person, email);
    const again = await Promise.all(range(mailsToAnAddress * 2).map(() => inviteAs(person, email)));
    expect(outcomes(again)).toEqual({ BAD_USER_INPUT: mailsToAnAddress * 2 });
    expect((await inviteAs(await newOwner(service), email)).code).toBeNull();
  });

  it(`from one person are ${mailsFromAPerson} at once, in all their organizations`, async () => {
    const person = await newOwner(service);
    await service.sql('DELETE FROM rate_limits');
    await inviteAs(person, newAddress());
    // As if all of them but three had been taken.
    await service.sql(
      `UPDATE rate_limits SET due_at = due_at + $1 * interval '1 second' WHERE key LIKE 'invitation-from:%'`,
      [(mailsFromAPerson - 4) * secondsBetweenMailsOfAPerson],
    );
    const answers = await Promise.all(range(6).map(() => inviteAs(person, newAddress())));
    expect(outcomes(answers)).toEqual({ OK: 3, RATE_LIMITED: 3 });
    const { code } = await inviteAs(await newOwner(service), newAddress());
    expect(code).toBeNull();
  });
});

describe('Organizations', () => {
  it(`founded by one person are ${organizationsOfAPerson} at once`, async () => {
    const person = await newOwner(service);
    const found = () => runAs(service, person, operations.createOrganization, { input: { name: 'Another' } });
    const answers = await Promise.all(range(organizationsOfAPerson + 2).map(found));
    expect(outcomes(answers)).toEqual({ OK: organizationsOfAPerson, RATE_LIMITED: 2 });
    await expectRefusal(service, 'RATE_LIMITED', found);
  });
});

describe('The table of limits', () => {
  it('holds neither addresses nor ids', async () => {
    const rows = await service.sql<{ key: string }>('SELECT key FROM rate_limits');
    expect(rows.length).toBeGreaterThan(3);
    for (const { key } of rows) expect(key).toMatch(/^[a-z-]+:[\w-]{43}$/);
  });

  it('loses the rows that mean nothing any more soon after the next turn, and no other', async () => {
    await service.sql('DELETE FROM rate_limits');
    await service.sql(
      `INSERT INTO rate_limits (key, due_at)
       SELECT 'over:' || n, now() - interval '2 minutes' FROM generate_series(1, 90) AS n
       UNION ALL VALUES ('counts:0', now() + interval '1 hour'), ('counts:1', now())`,
    );
    const person = await newOwner(service);
    await inviteAs(person, newAddress());
    await until('the rows are swept', 20, async () => {
      const [row] = await service.sql<{ left: number }>(
        "SELECT count(*)::integer AS left FROM rate_limits WHERE key LIKE 'over:%'",
      );
      return row?.left === 0;
    });
    const rows = await service.sql<{ key: string }>('SELECT key FROM rate_limits');
    expect(rows.map(({ key }) => key.replace(/:.*/, '')).sort()).toEqual([
      'counts',
      'counts',
      'invitation-from',
      'invitation-to',
    ]);
  });

  it('counts exactly while its rows are swept', async () => {
    const limits = createRateLimits(new Keyring(service.config.secrets), true, null);
    const limit: RateLimit = { name: 'test', perHour: 1, burst: 3 };
    const takeOrRefuse = (subject: string): Promise<string> =>
      limits.take(service.database, limit, subject).then(
        () => 'OK',
        (error: unknown) => (error instanceof Refusal ? error.code : 'failed'),
      );
    const sweep = () => service.database.execute(sweepTurns, [20]);
    for (const round of range(5)) {
      const subject = `somebody ${round}`;
      await takeOrRefuse(subject);
      await service.sql("UPDATE rate_limits SET due_at = now() - interval '2 minutes' WHERE key LIKE 'test:%'");
      const taken = range(6).map(() => takeOrRefuse(subject));
      const [answers] = await Promise.all([Promise.all(taken), sweep(), sweep()]);
      expect(tally(answers)).toEqual({ OK: 3, RATE_LIMITED: 3 });
      await sweep();
      expect(await takeOrRefuse(subject)).toBe('RATE_LIMITED');
    }
  });
});
