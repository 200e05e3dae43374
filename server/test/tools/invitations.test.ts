/** The tools invitation_reset and invitation_cancel against their GraphQL operations; one transaction each. */
import { describe, expect, it } from 'vitest';
import { credentialIdOf } from '../support/actors/credentials.ts';
import { expireInvitation, inviteByMail, newestInvitationToken, preview } from '../support/actors/invitations.ts';
import { newOwner, runAs, type Tenant } from '../support/actors/tenants.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { newAddress, operations, type Variables } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { ask, expectIdsRefused, expectSameRefusal } from './tool-and-graphql.ts';
import { type Answered, actorOf, callTool, depsOf, newToolCaller, toolNamed } from './tool-caller.ts';

const service = serviceFixture();
const root = fixture(() => newToolCaller(service));

const idOf = (token: string): Promise<string> => credentialIdOf(service, token);

const asked = (query: string, variables: Variables = {}): Promise<unknown> => ask(service, root, query, variables);

/** Instants that two calls set a moment apart. */
const momentary = (facts: Readonly<Record<string, unknown>>, ...fields: readonly string[]): Record<string, unknown> => {
  for (const field of fields) expect(facts[field]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  return { ...facts, ...Object.fromEntries(fields.map((field) => [field, 'a moment'])) };
};

/** An open invitation of an organization without any relation to the super admin. */
const newInvitation = async (): Promise<{ owner: Tenant; email: string; memberId: string; token: string }> => {
  const [owner, email] = [await newOwner(service), newAddress()];
  return { owner, email, ...(await inviteByMail(service, owner.tokens, email)) };
};

const statusOf = async (token: string): Promise<string | null> =>
  ((await preview(service, token))?.status as string | undefined) ?? null;

describe('invitation_reset', () => {
  // Contract: organizations#resending-and-cancelling — invitation_reset
  it('re-sends an invitation of any organization like platformResetInvitation', async () => {
    const { owner, email, memberId, token } = await newInvitation();
    await expireInvitation(service, memberId);
    const dryRun = await expectNothingStored(service, () =>
      callTool(service, root, 'invitation_reset', { memberId, dryRun: true }),
    );
    expect(await statusOf(token)).toBe('EXPIRED');
    const real = await callTool(service, root, 'invitation_reset', { memberId });
    expect(real.structured).toMatchObject({
      dryRun: false,
      organizationId: owner.organizationId,
      member: { id: memberId, email, name: null, invitation: { status: 'OPEN' } },
      mail: { to: email },
    });
    const comparable = ({ structured }: Answered) => ({
      ...structured,
      member: { ...structured.member, invitation: momentary(structured.member.invitation, 'expiresAt') },
    });
    expect(comparable(dryRun)).toEqual({ ...comparable(real), dryRun: true });
    expect(dryRun.text).toMatch(/^Dry run, nothing was changed: .*would be sent again/);
    const mails = await service.mailsTo(email);
    expect(mails).toHaveLength(2);
    expect(mails[0]?.subject).toBe(real.structured.mail.subject);
    expect(mails[0]?.text).toContain('You are invited to join');
    expect(mails[0]?.text).not.toContain('Test Person invites');
    expect(await statusOf(token)).toBeNull();
    const second = await newestInvitationToken(service, email);
    expect(await statusOf(second)).toBe('OPEN');
    expect(JSON.stringify([real, dryRun])).not.toContain(second);
    const graphql = await asked(operations.platformResetInvitation, { memberId });
    expect(momentaryMember(graphql)).toEqual(momentaryMember(real.structured.member));
    expect(await service.mailsTo(email)).toHaveLength(3);
    expect([await statusOf(second), await statusOf(await newestInvitationToken(service, email))]).toEqual([
      null,
      'OPEN',
    ]);
  });

  // Contract: platform-mcp#table-of-tools — invitation_reset keeps to the limits of mails
  it('respects the limits of invitation mails, in a dry run too, which consumes no permit', async () => {
    const { memberId } = await newInvitation();
    const tool = toolNamed('invitation_reset');
    const actor = await actorOf(service, root);
    const limited = depsOf(service, true);
    for (let mail = 0; mail < 20; mail += 1) {
      await expectNothingStored(service, () => tool.call(limited, actor, { memberId, dryRun: true }));
      await tool.call(limited, actor, { memberId });
    }
    await expectNothingStored(service, async () => {
      for (const dryRun of [true, false]) {
        await expect(tool.call(limited, actor, { memberId, dryRun })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
      }
    });
  });
});

const momentaryMember = (member: unknown): unknown => {
  const { invitation, ...rest } = member as { invitation: Record<string, unknown> };
  return { ...rest, invitation: momentary(invitation, 'expiresAt') };
};

// Contract: organizations#resending-and-cancelling — invitation_cancel
it('invitation_cancel cancels an invitation of any organization like platformCancelInvitation, without a mail', async () => {
  const [{ owner, email, memberId, token }, other] = [await newInvitation(), await newInvitation()];
  const dryRun = await expectNothingStored(service, () =>
    callTool(service, root, 'invitation_cancel', { memberId, dryRun: true }),
  );
  const { structured, text } = await callTool(service, root, 'invitation_cancel', { memberId });
  expect(structured).toMatchObject({
    dryRun: false,
    organizationId: owner.organizationId,
    member: { id: memberId, email, invitation: { status: 'OPEN' } },
  });
  expect(dryRun.structured).toEqual({ ...structured, dryRun: true });
  expect(text).toContain(email);
  expect(await asked(operations.platformCancelInvitation, { memberId: other.memberId })).toBe(true);
  expect([await statusOf(token), await statusOf(other.token)]).toEqual([null, null]);
  const left = await service.sql('SELECT id FROM organization_members WHERE id = ANY ($1::uuid[])', [
    [memberId, other.memberId],
  ]);
  expect(left).toEqual([]);
  expect(await service.mailsTo(email)).toHaveLength(1);
});

describe.each([
  ['invitation_reset', operations.platformResetInvitation],
  ['invitation_cancel', operations.platformCancelInvitation],
])('What %s refuses', (name, operation) => {
  it('is every unknown id', async () => {
    await expectIdsRefused(service, root, name, 'memberId', (memberId) =>
      runAs(service, root, operation, { memberId }),
    );
  });

  it('is a joined member', async () => {
    const { memberId } = await newOwner(service);
    await expectSameRefusal(service, root, 'INVITATION_NOT_OPEN', name, { memberId }, () =>
      runAs(service, root, operation, { memberId }),
    );
  });

  it('is a super admin who lost the authority after the request began', async () => {
    const { memberId } = await newInvitation();
    const former = await newToolCaller(service);
    const actor = await actorOf(service, former);
    await service.sql('UPDATE users SET is_super_admin = false WHERE id = $1', [former.userId]);
    await expectNothingStored(service, async () => {
      for (const dryRun of [true, false]) {
        const call = toolNamed(name).call(depsOf(service), actor, { memberId, dryRun });
        await expect(call).rejects.toMatchObject({ code: 'FORBIDDEN' });
      }
    });
  });
});

// Contract: platform-mcp#dry-runs-and-transactions — A tool changes something in one transaction
it('A changing tool changes in exactly one transaction, in which its call can be recorded', async () => {
  const transactions = async (name: string, args: object): Promise<number> => {
    let count = 0;
    const { database } = service;
    const counting = {
      ...depsOf(service),
      database: {
        engine: database.engine,
        lookups: database.lookups,
        many: database.many.bind(database),
        one: database.one.bind(database),
        maybeOne: database.maybeOne.bind(database),
        execute: database.execute.bind(database),
        ping: () => database.ping(),
        stats: () => database.stats(),
        count: database.count.bind(database),
        close: () => database.close(),
        transaction: ((work) => {
          count += 1;
          return database.transaction(work);
        }) as typeof database.transaction,
      },
    };
    await toolNamed(name).call(counting, await actorOf(service, root), args);
    return count;
  };
  const person = await newOwner(service);
  const { memberId } = await newInvitation();
  const credentialId = await idOf(person.tokens.accessToken);
  expect([
    await transactions('sessions_revoke', { credentialId }),
    await transactions('sessions_revoke_user', { userId: person.userId }),
    await transactions('invitation_reset', { memberId }),
    await transactions('invitation_cancel', { memberId }),
  ]).toEqual([1, 1, 1, 1]);
});
