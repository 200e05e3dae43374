/** An acceptance concurrent with re-issue, cancellation, another acceptance or expiry: exactly one wins. */
import { describe, expect, it } from 'vitest';
import { newPersonId } from '../../../src/kernel/ids.ts';
import { randomHex, sha256 } from '../../../src/kernel/secrets.ts';
import { accept, profileInput } from '../../support/actors/invitations.ts';
import { seedSession } from '../../support/actors/seeding.ts';
import { inviteTo, newOwner, newSuperAdmin, runAs, type Tenant } from '../../support/actors/tenants.ts';
import {
  alternateFirst,
  inParallel,
  outcomeOf,
  raceWithSlow,
  range,
  startApart,
  tally,
} from '../../support/checks/concurrency.ts';
import {
  type Answer,
  bearer,
  goodPassword,
  newAddress,
  operations,
  post,
  tokensOf,
} from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';
import { setting, startCluster, urlOf } from '../../support/gatehouse/cluster.ts';
import { roundsOf } from '../../support/random/rounds.ts';

/** By default 500 rounds in all. */
const rounds = roundsOf(92);
/** Of the kinds that hash a password. */
const slowRounds = roundsOf(10);
const roundsAtOnce = 4;
const apartBy = 6;

/** About the time of bcrypt before a form reaches the database. */
const hashMillis = 60;
/** About the time of any other operation. */
const quickMillis = 10;

interface Invited {
  readonly person: Pick<Tenant, 'userId' | 'email'>;
  readonly memberId: string;
  readonly token: string;
}

describe(`Concurrent operations on one invitation, ${rounds} rounds of a quick kind and ${slowRounds} of a slow one, ${setting}`, () => {
  const inTurn = alternateFirst(quickMillis);

  const cluster = fixture(startCluster);
  const owner = fixture(() => newOwner(cluster));

  const at = (index: number): { readonly url: string } => ({ url: urlOf(cluster, index) });

  const inviteHere = async <Person extends Invited['person']>(
    person: Person,
  ): Promise<Invited & { person: Person }> => {
    const memberId = await inviteTo(cluster, person.userId, owner.organizationId);
    // The stored hash is that of the id.
    return { person, memberId, token: memberId };
  };

  /** A user with an organization of their own and a session, and neither password nor identity; invited here. */
  const invitePerson = async (): Promise<Invited & { readonly person: Tenant }> => inviteHere(await newOwner(cluster));

  /** A user with only a known address; invited here. */
  const inviteOutsider = async (): Promise<Invited> => {
    const person = { userId: newPersonId(), email: newAddress() };
    await cluster.sql(`INSERT INTO users (id, email, name) VALUES ($1, $2, '')`, [person.userId, person.email]);
    return inviteHere(person);
  };

  const acceptAt = (index: number, { person, token }: { readonly person: Pick<Tenant, 'tokens'>; token: string }) =>
    accept(at(index), person.tokens, token);

  /** The state of the row; 'between two states' for one that no sequence of single operations leads to. */
  const stateOf = async ({ memberId, token, person }: Invited): Promise<string> =>
    (await cluster.sql.value<string>(
      `SELECT CASE
         WHEN m.id IS NULL THEN 'gone'
         WHEN m.joined_at IS NOT NULL AND m.invitation_accepted_at IS NOT NULL AND m.invitation_token_hash IS NULL
           AND m.invitation_expires_at IS NULL AND m.spent_invitation_token_hash = $3 AND u.current_membership = m.id
           THEN 'joined and active'
         WHEN m.joined_at IS NOT NULL OR m.invitation_accepted_at IS NOT NULL OR m.invitation_token_hash IS NULL
           OR m.spent_invitation_token_hash IS NOT NULL OR u.current_membership = m.id
           THEN 'between two states'
         WHEN m.invitation_expires_at <= now() THEN 'expired'
         WHEN m.invitation_token_hash = $3 THEN 'open'
         ELSE 'open with a new link' END AS state
       FROM users u LEFT JOIN organization_members m ON m.id = $2 AND m.user_id = u.id WHERE u.id = $1`,
      [person.userId, memberId, sha256(token)],
    )) ?? 'no user';

  const play = async (count: number, round: (index: number) => Promise<string>): Promise<Record<string, number>> => {
    const seen = await inParallel(range(count), roundsAtOnce, (_item, index) => round(index));
    expect(cluster.defects()).toEqual([]);
    return tally(seen);
  };

  /** Every round ended in one of these two ways, and each occurred. */
  const expectEither = (seen: Record<string, number>, one: string, other: string): void => {
    expect(Object.keys(seen).toSorted()).toEqual([one, other].toSorted());
  };

  const expectOnly = (seen: Record<string, number>, ...endings: readonly string[]): void => {
    expect(Object.keys(seen).filter((ending) => !endings.includes(ending))).toEqual([]);
  };

  // Contract: credentials#concurrent-changes — Acceptance against re-issue: one winner
  it('an acceptance and a re-issue: one of them counts, and only a counting re-issue sends a mail', async () => {
    const seen = await play(rounds, async (index) => {
      const invited = await invitePerson();
      const [accepted, reset] = await inTurn(
        index,
        () => acceptAt(index, invited),
        () => runAs(at(index + 1), owner, operations.resetInvitation, { memberId: invited.memberId }),
      );
      const mails = await cluster.mailsTo(invited.person.email);
      return `${outcomeOf(accepted)}, ${outcomeOf(reset)}: ${await stateOf(invited)}, ${mails.length} mails`;
    });
    expectEither(
      seen,
      'OK, INVITATION_NOT_OPEN: joined and active, 0 mails',
      'INVITATION_NOT_OPEN, OK: open with a new link, 1 mails',
    );
  });

  // Contract: credentials#concurrent-changes — Acceptance against cancellation
  it('an acceptance and a cancellation: joined, or gone', async () => {
    const seen = await play(rounds, async (index) => {
      const invited = await invitePerson();
      const [accepted, cancelled] = await inTurn(
        index,
        () => acceptAt(index, invited),
        () => runAs(at(index + 1), owner, operations.cancelInvitation, { memberId: invited.memberId }),
      );
      return `${outcomeOf(accepted)}, ${outcomeOf(cancelled)}: ${await stateOf(invited)}`;
    });
    expectEither(seen, 'OK, INVITATION_NOT_OPEN: joined and active', 'INVITATION_NOT_OPEN, OK: gone');
  });

  // Contract: platform-mcp#dry-runs-and-transactions — A super admin's cancellation concurrent with an acceptance
  it("an acceptance, the owner's re-issue and a super admin's cancellation: joined, or gone, without a deadlock", async () => {
    const superAdmin = await newSuperAdmin(cluster);
    const seen = await play(rounds, async (index) => {
      const invited = await invitePerson();
      const { memberId } = invited;
      const [accepted, [, cancelled]] = await inTurn(
        index,
        () => acceptAt(index, invited),
        () =>
          startApart(
            apartBy,
            () => runAs(at(index), owner, operations.resetInvitation, { memberId }),
            () => runAs(at(index + 1), superAdmin, operations.platformCancelInvitation, { memberId }),
          ),
      );
      return `${outcomeOf(accepted)}, ${outcomeOf(cancelled)}: ${await stateOf(invited)}`;
    });
    expectEither(seen, 'OK, INVITATION_NOT_OPEN: joined and active', 'INVITATION_NOT_OPEN, OK: gone');
  });

  // Contract: credentials#concurrent-changes — Acceptance against expiry
  it('an acceptance and the end of the seven days: joined, or expired', async () => {
    const seen = await play(rounds, async (index) => {
      const invited = await invitePerson();
      const [accepted, expired] = await inTurn(
        index,
        () => acceptAt(index, invited),
        () =>
          cluster.sql(
            `UPDATE organization_members SET invitation_expires_at = now() - interval '1 second'
             WHERE id = $1 AND joined_at IS NULL RETURNING id`,
            [invited.memberId],
          ),
      );
      return `${outcomeOf(accepted)}, ${expired.length} expired: ${await stateOf(invited)}`;
    });
    expectEither(seen, 'OK, 0 expired: joined and active', 'INVITATION_NOT_OPEN, 1 expired: expired');
  });

  // Contract: credentials#concurrent-changes — An invitation is accepted once
  it('two acceptances from two sessions: one joins', async () => {
    const seen = await play(rounds, async (index) => {
      const invited = await invitePerson();
      const second = { ...invited.person, tokens: await seedSession(cluster.database, invited.person.userId) };
      const answers = await startApart(
        apartBy,
        () => acceptAt(index, invited),
        () => acceptAt(index + 1, { person: second, token: invited.token }),
      );
      return `${answers.map(outcomeOf).toSorted().join(', ')}: ${await stateOf(invited)}`;
    });
    expect(seen).toEqual({ 'INVITATION_NOT_OPEN, OK: joined and active': rounds });
  });

  // Contract: credentials#concurrent-changes — Acceptance against a change of the offered role
  it('an acceptance and a change of the offered role: joined, in the new role', async () => {
    const seen = await play(rounds, async (index) => {
      const invited = await invitePerson();
      const [accepted, changed] = await startApart(
        apartBy,
        () => acceptAt(index, invited),
        () => runAs(at(index + 1), owner, operations.changeMemberRole, { id: invited.memberId, role: 'ADMIN' }),
      );
      const own = await runAs(at(index), invited.person, operations.me);
      const role = /"currentMembership":\{"id":"[^"]+","role":"([A-Z]+)"/.exec(own.text)?.[1];
      return `${outcomeOf(accepted)}, ${outcomeOf(changed)}: ${await stateOf(invited)}, ${role}`;
    });
    expect(seen).toEqual({ 'OK, OK: joined and active, ADMIN': rounds });
  });

  /** Sends the form of an invitation's page; the answer names the sender. */
  const completeAt = async (index: number, { token }: Invited, name: string): Promise<() => Promise<Answer>> => {
    const variables = await profileInput(at(index), token, { name });
    return () => post(urlOf(cluster, index), operations.completeInvitedProfile, variables);
  };

  /** The person's name and live credentials, and the state of the returned pair. */
  const personAfter = async ({ person }: Invited, answers: readonly Answer[]): Promise<string> => {
    const [row] = await cluster.sql<{ name: string; live: number }>(
      `SELECT name, (SELECT count(*)::integer FROM credentials c WHERE c.user_id = u.id AND c.revoked_at IS NULL) AS live
       FROM users u WHERE id = $1`,
      [person.userId],
    );
    const pairs = answers.filter((answer) => answer.text.includes('"refreshToken"')).map(tokensOf);
    const uses = await Promise.all(
      pairs.flatMap((pair) => cluster.urls.map((url) => post(url, operations.me, {}, bearer(pair)))),
    );
    return `${row?.name}, ${row?.live} live, handed out: ${tallied(uses)}`;
  };

  const tallied = (answers: readonly Answer[]): string => [...new Set(answers.map(outcomeOf))].join('+') || 'none';

  const raceWithHash = raceWithSlow(hashMillis);

  /** Submits a form while `other` happens, about when the hash of the password is done. */
  const raceWithForm = async (
    index: number,
    invited: Invited,
    other: () => Promise<Answer>,
  ): Promise<[form: Answer, other: Answer]> => raceWithHash(await completeAt(index, invited, 'The form'), other);

  // Contract: credentials#concurrent-changes — completeInvitedProfile counts once
  it('two forms of one invitation: one profile, one pair', async () => {
    const seen = await play(slowRounds, async (index) => {
      const invited = await inviteOutsider();
      const [left, right] = [await completeAt(index, invited, 'Left'), await completeAt(index + 1, invited, 'Right')];
      const answers = await startApart(apartBy, left, right);
      const winner = outcomeOf(answers[0]) === 'OK' ? 'Left' : 'Right';
      const after = (await personAfter(invited, answers)).replace(winner, 'the winner');
      return `${answers.map(outcomeOf).toSorted().join(', ')}: ${await stateOf(invited)}, ${after}`;
    });
    expect(seen).toEqual({
      'INVITATION_NOT_OPEN, OK: joined and active, the winner, 2 live, handed out: OK': slowRounds,
    });
  });

  // Contract: credentials#concurrent-changes — completeInvitedProfile against acceptInvitation
  it('a form and an acceptance of a person who could do either: one of them joins', async () => {
    const seen = await play(slowRounds, async (index) => {
      const invited = await invitePerson();
      const [form, accepted] = await raceWithForm(index, invited, () => acceptAt(index + 1, invited));
      const after = await personAfter(invited, [form]);
      return `form ${outcomeOf(form)}, acceptance ${outcomeOf(accepted)}: ${await stateOf(invited)}, ${after}`;
    });
    expectOnly(
      seen,
      'form OK, acceptance INVITATION_NOT_OPEN: joined and active, The form, 2 live, handed out: OK',
      // The form ended the session first.
      'form OK, acceptance UNAUTHENTICATED: joined and active, The form, 2 live, handed out: OK',
      'form INVITATION_NOT_OPEN, acceptance OK: joined and active, Test Person, 2 live, handed out: none',
    );
  });

  // Contract: credentials#concurrent-changes — completeInvitedProfile against validateEmail
  it("a form and the verification of an outsider's password: never both", async () => {
    const seen = await play(slowRounds, async (index) => {
      const invited = await inviteOutsider();
      const verification = randomHex(32);
      await cluster.sql(
        `UPDATE users SET name = 'The outsider', password_hash = 'a hash', email_validation_token_hash = $2,
           email_validation_expires_at = now() + interval '1 day' WHERE id = $1`,
        [invited.person.userId, sha256(verification)],
      );
      const [form, verified] = await raceWithForm(index, invited, () =>
        post(urlOf(cluster, index + 1), operations.validate, { token: verification }),
      );
      const status = /"status":"([A-Z_]+)"/.exec(verified.text)?.[1];
      return `form ${outcomeOf(form)}, ${status}: ${await stateOf(invited)}, ${await personAfter(invited, [form])}`;
    });
    expectOnly(
      seen,
      'form OK, INVALID: joined and active, The form, 2 live, handed out: OK',
      'form INVITATION_NOT_OPEN, VERIFIED: open, The outsider, 0 live, handed out: none',
    );
  });

  // Contract: credentials#concurrent-changes — completeInvitedProfile against signUpWithPassword
  it('a form and a sign-up with the address: the holder of the link has the account', async () => {
    const seen = await play(slowRounds, async (index) => {
      const invited = await inviteOutsider();
      const input = { email: invited.person.email, name: 'The sign-up', password: goodPassword };
      const form = await completeAt(index, invited, 'The form');
      const answers = await startApart(2 * apartBy, form, () =>
        post(urlOf(cluster, index + 1), operations.signUp, { input }),
      );
      const after = await personAfter(invited, answers);
      return `${answers.map(outcomeOf).join(', ')}: ${await stateOf(invited)}, ${after}`;
    });
    expect(seen).toEqual({ 'OK, OK: joined and active, The form, 2 live, handed out: OK': slowRounds });
  });
});
