/** Concurrent invitations and sign-ups of one address: one person, in each organization once. */
import { beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/kernel/secrets.ts';
import { invite } from '../../support/actors/invitations.ts';
import { newMember, newOwner, type Tenant } from '../../support/actors/tenants.ts';
import { outcomeOf, pauseUpTo, range, tally } from '../../support/checks/concurrency.ts';
import { type Answer, goodPassword, newAddress, operations, post } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';
import { setting, startCluster, urlOf } from '../../support/gatehouse/cluster.ts';
import { roundsOf } from '../../support/random/rounds.ts';

const callers = 50;
const organizationCount = 5;
/** About the time of bcrypt before a sign-up reaches the database. */
const hashMillis = 60;
const rounds = roundsOf(5);

describe(`One address and ${callers} callers, ${setting}`, () => {
  /** Two of each of `organizationCount` organizations. */
  let inviters: Tenant[];

  const cluster = fixture(startCluster);
  beforeAll(async () => {
    const owners = await Promise.all(range(organizationCount).map(() => newOwner(cluster)));
    const admins = await Promise.all(owners.map(({ organizationId }) => newMember(cluster, organizationId, 'ADMIN')));
    inviters = [...owners, ...admins];
  });

  const inviteBy = (caller: number, email: string): Promise<Answer> => {
    const inviter = inviters[caller % inviters.length];
    if (inviter === undefined) throw new Error('There is no inviter');
    return invite({ url: urlOf(cluster, caller) }, inviter.tokens, email);
  };

  const signUpBy = (caller: number, email: string): Promise<Answer> =>
    post(urlOf(cluster, caller), operations.signUp, {
      input: { email, name: 'Test Person', password: goodPassword },
    });

  const rowsOf = (email: string): Promise<Record<string, number>[]> =>
    cluster.sql<Record<string, number>>(
      `SELECT count(DISTINCT u.id)::integer AS users, count(DISTINCT m.organization_id)::integer AS organizations,
         count(m.id)::integer AS rows, count(m.invitation_token_hash)::integer AS open,
         count(m.id) FILTER (WHERE m.joined_at IS NOT NULL AND m.role = 'OWNER' AND u.current_membership = m.id)::integer
           AS own
       FROM users u LEFT JOIN organization_members m ON m.user_id = u.id WHERE u.email = $1`,
      [email],
    );

  /** Hashes of the links in the mails to an address, and the stored ones; sorted. */
  const linksOf = async (email: string): Promise<{ readonly mailed: string[]; readonly stored: string[] }> => {
    const texts = (await cluster.mailsTo(email)).map(({ text }) => text);
    const tokens = texts.flatMap((text) => /\/invitation\/([0-9a-f-]{36})$/m.exec(text)?.[1] ?? []);
    const rows = await cluster.sql<{ hash: Buffer }>(
      `SELECT m.invitation_token_hash AS hash FROM organization_members m JOIN users u ON u.id = m.user_id
       WHERE u.email = $1 AND m.invitation_token_hash IS NOT NULL`,
      [email],
    );
    return {
      mailed: tokens.map((token) => sha256(token).toString('hex')).toSorted(),
      stored: rows.map(({ hash }) => Buffer.from(hash).toString('hex')).toSorted(),
    };
  };

  // Contract: credentials#concurrent-changes — Fifty invitations of one address over two processes: one user, one open
  //   invitation of each organization
  it('creates one person, one invitation of each organization and one mail of each invitation', async () => {
    for (const round of range(rounds)) {
      const email = newAddress();
      const written = (caller: number): string => (caller % 3 === 0 ? ` ${email.toUpperCase()} ` : email);
      const answers = await Promise.all(range(callers).map((caller) => inviteBy(caller + round, written(caller))));
      expect(tally(answers.map(outcomeOf))).toEqual({
        OK: organizationCount,
        BAD_USER_INPUT: callers - organizationCount,
      });
      expect(await rowsOf(email)).toEqual([
        { users: 1, organizations: organizationCount, rows: organizationCount, open: organizationCount, own: 0 },
      ]);
      const { mailed, stored } = await linksOf(email);
      expect(mailed).toHaveLength(organizationCount);
      expect(mailed).toEqual(stored);
    }
    expect(cluster.defects()).toEqual([]);
  });

  /** `signUpCount` sign-ups, and invitations at about the time when the first of their passwords is hashed. */
  const signUpAmidInvitations = async (email: string, signUpCount: number): Promise<void> => {
    const [signUps, invitations] = await Promise.all([
      Promise.all(range(signUpCount).map((caller) => signUpBy(caller, email))),
      Promise.all(range(callers).map((caller) => pauseUpTo(5 * hashMillis).then(() => inviteBy(caller, email)))),
    ]);
    expect(tally(signUps.map(outcomeOf))).toEqual({ OK: signUpCount });
    expect(tally(invitations.map(outcomeOf))).toEqual({
      OK: organizationCount,
      BAD_USER_INPUT: callers - organizationCount,
    });
  };

  /** Verifies the address by the one mail of the sign-ups, and signs in. */
  const expectUsable = async (email: string): Promise<void> => {
    const mails = await cluster.mailsTo(email);
    expect(mails).toHaveLength(organizationCount + 1);
    const [token] = mails.flatMap(({ text }) => /\/verify\/([0-9a-f]{64})/.exec(text)?.[1] ?? []);
    const validated = await post(urlOf(cluster, 1), operations.validate, { token });
    expect(validated.data).toEqual({ validateEmail: { status: 'VERIFIED' } });
    const input = { email, password: goodPassword };
    expect(outcomeOf(await post(urlOf(cluster, 0), operations.signIn, { input }))).toBe('OK');
  };

  // Contract: credentials#concurrent-changes — Sign-ups concurrent with invitations of the same address
  it('creates one account that can be verified, with its invitations, for concurrent sign-ups', async () => {
    for (const signUpCount of [callers, ...range(rounds).map(() => 4)]) {
      const email = newAddress();
      await signUpAmidInvitations(email, signUpCount);
      const count = organizationCount + 1;
      expect(await rowsOf(email)).toEqual([
        { users: 1, organizations: count, rows: count, open: organizationCount, own: 1 },
      ]);
      const { mailed, stored } = await linksOf(email);
      expect(mailed).toEqual(stored);
      await expectUsable(email);
    }
    expect(cluster.defects()).toEqual([]);
  });
});
