/** Limits on costs for others: mails to outsiders, and organizations. */
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../src/kernel/errors.ts';
import { purgePermits } from '../../src/platform/rate-limit/database-rate-limits.ts';
import type { RateLimit } from '../../src/platform/rate-limit/rate-limit-table.ts';
import { memberIdOf } from '../support/actors/invitations.ts';
import { newOwner, runAs, type Tenant } from '../support/actors/tenants.ts';
import { inParallel, range, tally } from '../support/checks/concurrency.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { type Answer, newAddress, operations } from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { limitsOn } from '../support/gatehouse/rate-limits.ts';

const mailsToAnAddress = 20;
const mailsFromAPerson = 1000;
const organizationsOfAPerson = 50;
const secondsBetweenMailsToAnAddress = 600;
const secondsBetweenMailsOfAPerson = 18;
const secondsBetweenOrganizations = 360;

const service = serviceFixture({ RATE_LIMITS_ENABLED: 'true' });

/** As if this many more permits of a limit had been consumed; it has a row of one subject alone. */
const consumePermits = async (limit: string, turns: number, secondsEach: number): Promise<void> => {
  const rows = await service.sql(
    `UPDATE rate_limits SET due_at = due_at + $2 * interval '1 second' WHERE key LIKE $1 || ':%' RETURNING key`,
    [limit, turns * secondsEach],
  );
  expect(rows).toHaveLength(1);
};

const inviteAs = (person: Tenant, email: string): Promise<Answer> =>
  runAs(service, person, operations.inviteMember, { input: { email, role: 'MEMBER' } });

const outcomes = (answers: readonly Answer[]): Record<string, number> => tally(answers.map(({ code }) => code ?? 'OK'));

describe('Invitation mails', () => {
  it(`to one address are ${mailsToAnAddress} at once, from any inviter and organization`, async () => {
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

  it('refused for another reason consume no permit', async () => {
    const email = newAddress();
    const person = await newOwner(service);
    await service.sql(`DELETE FROM rate_limits WHERE key LIKE 'invitation_to:%'`);
    await inviteAs(person, email);
    // All but one.
    await consumePermits('invitation_to', mailsToAnAddress - 2, secondsBetweenMailsToAnAddress);
    const again = await Promise.all(range(3).map(() => inviteAs(person, email)));
    expect(outcomes(again)).toEqual({ BAD_USER_INPUT: 3 });
    const others = [await inviteAs(await newOwner(service), email), await inviteAs(await newOwner(service), email)];
    expect(others.map(({ code }) => code)).toEqual([null, 'RATE_LIMITED']);
  });

  it(`from one person are ${mailsFromAPerson} at once, in all their organizations`, async () => {
    const person = await newOwner(service);
    await service.sql('DELETE FROM rate_limits');
    await inviteAs(person, newAddress());
    // All but three.
    await consumePermits('invitation_from', mailsFromAPerson - 4, secondsBetweenMailsOfAPerson);
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
    expect((await found()).code).toBeNull();
    // All but three.
    await consumePermits('organization', organizationsOfAPerson - 4, secondsBetweenOrganizations);
    const answers = await inParallel(range(5), 5, found);
    expect(outcomes(answers)).toEqual({ OK: 3, RATE_LIMITED: 2 });
    await expectRefusal(service, 'RATE_LIMITED', found);
  });
});

describe('The table of limits', () => {
  it('contains neither addresses nor ids', async () => {
    const rows = await service.sql<{ key: string }>('SELECT key FROM rate_limits');
    expect(rows.length).toBeGreaterThan(3);
    for (const { key } of rows) expect(key).toMatch(/^[a-z_]+:[\w-]{43}$/);
  });

  it('counts exactly while its rows are deleted', async () => {
    const limits = limitsOn(service, service.database);
    const limit: RateLimit = { name: 'test', perHour: 1, burst: 3, counts: 'tests' };
    const takeOrRefuse = (subject: string): Promise<string> =>
      limits.consume(limit, subject).then(
        () => 'OK',
        (error: unknown) => (error instanceof Refusal ? error.code : 'failed'),
      );
    const sweep = () => service.database.execute(purgePermits, []);
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
