/** Concurrent sign-ups of one address, and concurrent validations of one token: one of each counts. */
import { describe, expect, it } from 'vitest';
import { inParallel, outcomeOf, range, tally } from '../../support/checks/concurrency.ts';
import { type Answer, goodPassword, newAddress, operations, post } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';
import { setting, startCluster, urlOf } from '../../support/gatehouse/cluster.ts';

const callers = 50;

describe(`${callers} callers with one address or one token, ${setting}`, () => {
  const cluster = fixture(startCluster);

  const atOnce = (query: string, variables: (caller: number) => Record<string, unknown>): Promise<Answer[]> =>
    Promise.all(range(callers).map((caller) => post(urlOf(cluster, caller), query, variables(caller))));

  const signUp = (email: string): Record<string, unknown> => ({
    input: { email, name: 'Test Person', password: goodPassword },
  });

  const tokenFor = async (email: string): Promise<string> => {
    await post(urlOf(cluster, 0), operations.signUp, signUp(email));
    return newestToken(email);
  };

  const newestToken = async (email: string): Promise<string> => {
    const mails = await cluster.mailsTo(email);
    const [newest] = mails.toSorted((left, right) => right.sentAt.localeCompare(left.sentAt));
    const token = /\/verify\/([0-9a-f]{64})/.exec(newest?.text ?? '')?.[1];
    if (token === undefined) throw new Error(`No verification mail to ${email}`);
    return token;
  };

  const statuses = (answers: readonly Answer[]): Record<string, number> =>
    tally(answers.map(({ data, text }) => /"status":"([A-Z_]+)"/.exec(JSON.stringify(data))?.[1] ?? text));

  const accountsOf = (email: string): Promise<Record<string, number>[]> =>
    cluster.sql<Record<string, number>>(
      `SELECT count(DISTINCT u.id)::integer AS users, count(DISTINCT m.id)::integer AS memberships,
         count(DISTINCT s.organization_id)::integer AS subscriptions
       FROM users u LEFT JOIN organization_members m ON m.id = u.current_membership AND m.user_id = u.id
       LEFT JOIN subscriptions s ON s.organization_id = m.organization_id WHERE u.email = $1`,
      [email],
    );

  const organizationCount = async (): Promise<number> => (await cluster.sql('SELECT id FROM organizations')).length;

  // Contract: credentials#concurrent-changes — Fifty sign-ups of one address over two processes
  it('creates one user, one organization and one mail of one address, in any case and spacing', async () => {
    const email = newAddress();
    const before = await organizationCount();
    const answers = await atOnce(operations.signUp, (caller) =>
      signUp(caller % 3 === 0 ? ` ${email.toUpperCase()} ` : email),
    );
    expect(tally(answers.map(outcomeOf))).toEqual({ OK: callers });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await accountsOf(email)).toEqual([{ users: 1, memberships: 1, subscriptions: 1 }]);
    expect((await organizationCount()) - before).toBe(1);
    expect(await cluster.mailsTo(email)).toHaveLength(1);
    const token = await newestToken(email);
    expect(statuses([await post(urlOf(cluster, 1), operations.validate, { token })])).toEqual({ VERIFIED: 1 });
  });

  // Contract: credentials#concurrent-changes — Fifty validations of one token over two processes
  it('verifies an address once', async () => {
    const token = await tokenFor(newAddress());
    expect(statuses(await atOnce(operations.validate, () => ({ token })))).toEqual({
      VERIFIED: 1,
      INVALID: callers - 1,
    });
  });

  // Contract: accounts#validating-a-token — Fifty validations of one expired token over two processes
  it('sends one new mail for an expired token, and its token verifies', async () => {
    const email = newAddress();
    const expired = await tokenFor(email);
    await cluster.sql(
      `UPDATE users SET email_validation_expires_at = now() - interval '1 second',
         account_mail_sent_at = now() - interval '24 hours' WHERE email = $1`,
      [email],
    );
    expect(statuses(await atOnce(operations.validate, () => ({ token: expired })))).toEqual({
      EXPIRED_RESENT: 1,
      EXPIRED: callers - 1,
    });
    expect(await cluster.mailsTo(email)).toHaveLength(2);
    const fresh = await newestToken(email);
    expect(statuses([await post(urlOf(cluster, 1), operations.validate, { token: fresh })])).toEqual({ VERIFIED: 1 });
  });

  it('keeps a repeated sign-up and a validation apart: the address stays verified, and mails are few', async () => {
    await inParallel(range(10), 2, async (index) => {
      const email = newAddress();
      const token = await tokenFor(email);
      await cluster.sql(`UPDATE users SET account_mail_sent_at = now() - interval '2 hours' WHERE email = $1`, [email]);
      const [validation] = await Promise.all([
        post(urlOf(cluster, index), operations.validate, { token }),
        ...range(4).map((caller) => post(urlOf(cluster, caller), operations.signUp, signUp(email))),
      ]);
      const [status] = Object.keys(statuses([validation]));
      const user = await cluster.sql.value<boolean>(
        'SELECT email_validation_token_hash IS NULL AS verified FROM users WHERE email = $1',
        [email],
      );
      expect(user).toBe(status === 'VERIFIED');
      expect(['VERIFIED', 'EXPIRED']).toContain(status);
      // The first mail, and the one that the repeated sign-ups may send in a new hour.
      expect(await cluster.mailsTo(email)).toHaveLength(2);
    });
    expect(cluster.defects()).toEqual([]);
  });
});
