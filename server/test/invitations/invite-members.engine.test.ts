/** inviteMembers: a list of addresses in one request, with a report on each, and a dry run of the same. */
import { describe, expect, it } from 'vitest';
import { bindingDeadline, Deadline, waitLimits } from '../../src/platform/database/deadlines.ts';
import { addMember, expireInvitation, invitationRow, inviteByMail, openRow } from '../support/actors/invitations.ts';
import { newOwner, runAs, type Tenant } from '../support/actors/tenants.ts';
import { inParallel, range } from '../support/checks/concurrency.ts';
import { expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import { type Answer, newAddress, operations } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { type Service, serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture({}, 'none', { application: { products: { free: {}, trio: { members: 3 } } } });
const limited = serviceFixture({ RATE_LIMITS_ENABLED: 'true' });
const owner = fixture(() => newOwner(service));

const inviteAll = (as: Tenant, emails: readonly string[], dryRun = false, to: Service = service): Promise<Answer> =>
  runAs(to, as, operations.inviteMembers, { input: { emails, role: 'MEMBER' }, dryRun });

interface Report {
  readonly position: number;
  readonly email: string | null;
  readonly outcome: string;
}

const reportsOf = ({ data, text }: Answer): readonly Report[] => {
  if (data === null) throw new Error(text);
  return (data as { readonly inviteMembers: { readonly reports: readonly Report[] } }).inviteMembers.reports;
};

const outcomesOf = (answer: Answer): readonly string[] => reportsOf(answer).map(({ outcome }) => outcome);

const rowsOf = ({ organizationId }: Tenant): Promise<number | undefined> =>
  service.sql.value<number>('SELECT count(*)::integer FROM organization_members WHERE organization_id = $1', [
    organizationId,
  ]);

describe('inviteMembers', () => {
  // Contract: organizations#list-of-addresses — inviteMembers invites whom it can and reports on each address; a dry
  //   run reports the same and changes nothing
  it('invites whom it can, reports on every address in the order of the list, and mails each link once', async () => {
    const { tokens, email: own } = owner;
    const member = await addMember(service, tokens);
    const open = newAddress();
    await inviteByMail(service, tokens, open);
    const expired = newAddress();
    const { memberId } = await inviteByMail(service, tokens, expired);
    await expireInvitation(service, memberId);
    const fresh = newAddress();
    const list = [` ${fresh.toUpperCase()} `, member.email, open, expired, own, 'no address', fresh];
    const expected = ['INVITED', 'MEMBER', 'ALREADY_INVITED', 'RENEWED', 'OWN_ADDRESS', 'MALFORMED', 'REPEATED'];
    const dryRun = await expectNothingStored(service, () => inviteAll(owner, list, true));
    expect(outcomesOf(dryRun)).toEqual(expected);
    const answer = await inviteAll(owner, list);
    expect(reportsOf(answer)).toEqual(reportsOf(dryRun));
    expect(reportsOf(answer).map(({ position, email }) => [position, email])).toEqual([
      [0, fresh],
      [1, member.email],
      [2, open],
      [3, expired],
      [4, own],
      [5, null],
      [6, fresh],
    ]);
    expect(await service.mailsTo(fresh)).toHaveLength(1);
    expect(await service.mailsTo(expired)).toHaveLength(2);
    expect(await invitationRow(service, memberId)).toEqual({ ...openRow, role: 'MEMBER' });
    // Each is invited now.
    expect(outcomesOf(await inviteAll(owner, [fresh, expired]))).toEqual(['ALREADY_INVITED', 'ALREADY_INVITED']);
  });

  // Contract: organizations#list-of-addresses — inviteMembers takes two hundred addresses at once
  it('invites two hundred at once', async () => {
    const company = await newOwner(service);
    const answer = await inviteAll(company, range(200).map(newAddress));
    expect(new Set(outcomesOf(answer))).toEqual(new Set(['INVITED']));
    expect(await rowsOf(company)).toBe(201);
  });

  it('may wait longer for the database than another request', async () => {
    const { database } = service;
    const transaction: typeof database.transaction = database.transaction.bind(database);
    const deadlines: (number | null)[] = [];
    database.transaction = (work) => {
      const deadline = bindingDeadline();
      deadlines.push(deadline instanceof Deadline ? deadline.millis : null);
      return transaction(work);
    };
    try {
      for (const dryRun of [true, false]) {
        expect(outcomesOf(await inviteAll(owner, [newAddress()], dryRun))).toEqual(['INVITED']);
      }
    } finally {
      Object.assign(database, { transaction });
    }
    expect(new Set(deadlines)).toEqual(new Set([waitLimits.bulkMillis]));
  });

  it('reports on two hundred addresses that are none, and changes nothing', async () => {
    const answer = await expectNothingStored(service, () =>
      inviteAll(
        owner,
        range(200).map((at) => `<b>${at}</b>`),
        true,
      ),
    );
    expect(new Set(outcomesOf(answer))).toEqual(new Set(['MALFORMED']));
    expect(answer.text).not.toContain('<b>');
  });

  it('leaves out those for whom the product has no seat', async () => {
    const company = await newOwner(service);
    await service.sql(`UPDATE subscriptions SET product = 'trio' WHERE organization_id = $1`, [company.organizationId]);
    const list = range(4).map((at) => `${at}.${newAddress()}`);
    const expected = ['INVITED', 'INVITED', 'NO_SEAT', 'NO_SEAT'];
    expect(outcomesOf(await inviteAll(company, list, true))).toEqual(expected);
    expect(outcomesOf(await inviteAll(company, list))).toEqual(expected);
    expect(await rowsOf(company)).toBe(3);
  });

  it('leaves out a mailbox that has had too many mails', async () => {
    const email = newAddress();
    const senders = await inParallel(range(20), 4, () => newOwner(limited));
    for (const sender of senders)
      expect(outcomesOf(await inviteAll(sender, [email], false, limited))).toEqual(['INVITED']);
    const company = await newOwner(limited);
    const other = newAddress();
    expect(outcomesOf(await inviteAll(company, [email, other], false, limited))).toEqual(['TOO_MANY_MAILS', 'INVITED']);
    expect([await limited.mailsTo(email), await limited.mailsTo(other)].map(({ length }) => length)).toEqual([20, 1]);
  });

  it("takes no permit of the inviter for a mailbox that has had too many mails, and no mailbox's without one", async () => {
    const company = await newOwner(limited);
    const refused = range(3).map((at) => `a${at}.${newAddress()}`);
    const others = range(2).map((at) => `b${at}.${newAddress()}`);
    /** As if so many mails more had been sent, by the inviter or to each mailbox of before. */
    const age = async (limit: string, mails: number, secondsEach: number): Promise<void> => {
      await limited.sql(
        `UPDATE rate_limits SET due_at = greatest(due_at, now()) + $2 * interval '1 second' WHERE key LIKE $1 || ':%'`,
        [limit, mails * secondsEach],
      );
    };
    await limited.sql(`DELETE FROM rate_limits WHERE key LIKE 'invitation_%'`);
    const expected = refused.map(() => 'INVITED');
    expect(outcomesOf(await inviteAll(company, refused, false, limited))).toEqual(expected);
    await age('invitation_to', 19, 600);
    // All but one.
    await age('invitation_from', 996, 18);
    await limited.sql(`DELETE FROM organization_members WHERE organization_id = $1 AND joined_at IS NULL`, [
      company.organizationId,
    ]);
    const outcomes = outcomesOf(await inviteAll(company, [...refused, ...others], false, limited));
    expect(outcomes).toEqual([...refused.map(() => 'TOO_MANY_MAILS'), 'INVITED', 'TOO_MANY_MAILS']);
    const mailboxes = await limited.sql(`SELECT FROM rate_limits WHERE key LIKE 'invitation_to:%'`);
    expect(mailboxes).toHaveLength(4);
  });

  it('renews no invitation to a role that the caller may not give', async () => {
    const admin = await addMember(service, owner.tokens, 'ADMIN');
    const email = newAddress();
    const { memberId } = await inviteByMail(service, owner.tokens, email, 'OWNER');
    await expireInvitation(service, memberId);
    const answer = await runAs(service, admin, operations.inviteMembers, {
      input: { emails: [email], role: 'MEMBER' },
    });
    expect(outcomesOf(answer)).toEqual(['NOT_ALLOWED']);
    expect(await invitationRow(service, memberId)).toMatchObject({ role: 'OWNER' });
  });

  it.each([
    ['no address', []],
    ['more than two hundred', range(201).map((at) => `${at}@a.test`)],
  ])('refuses a list of %s', async (_what, list) => {
    const { extensions } = await expectRefusal(service, 'BAD_USER_INPUT', () => inviteAll(owner, list));
    expect(Object.keys(extensions['fields'] ?? {})).toEqual(['emails']);
  });

  it('refuses a role that the caller may not give, and invites none', async () => {
    const admin = await addMember(service, owner.tokens, 'ADMIN');
    await expectRefusal(service, 'FORBIDDEN', () =>
      runAs(service, admin, operations.inviteMembers, { input: { emails: [newAddress()], role: 'OWNER' } }),
    );
  });

  it('neither blocks nor doubles with another list of the same addresses, from any organization', async () => {
    const [one, other] = [await newOwner(service), await newOwner(service)];
    const list = range(30).map(newAddress);
    const answers = await Promise.all([
      inviteAll(one, list),
      inviteAll(one, list.toReversed()),
      inviteAll(other, list.toReversed()),
      inviteAll(other, list),
    ]);
    const invited = answers.flatMap(outcomesOf).filter((outcome) => outcome === 'INVITED');
    expect(invited).toHaveLength(60);
    expect([await rowsOf(one), await rowsOf(other)]).toEqual([31, 31]);
  });
});
