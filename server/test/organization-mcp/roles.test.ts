/**
 * Roles that a client gives or takes (organization-mcp.md, "Effective scopes"): their built-in scopes are measured by
 * those of the call, the application's own by what the person holds.
 */
import { describe, expect, it } from 'vitest';
import { newPersonalToken, runByToken } from '../support/actors/machines/machines.ts';
import { seedPerson } from '../support/actors/seeding.ts';
import { inviteTo, newMember, newOwner } from '../support/actors/tenants.ts';
import { expectNothingChanged, expectRefusal } from '../support/checks/refusals.ts';
import { newAddress } from '../support/clients/clients.ts';
import { callTool, type McpClient } from '../support/clients/mcp.ts';
import {
  callsDuring,
  connectToOrganization,
  memberScopes,
  resultOf,
  wordsOf,
} from '../support/clients/organization-mcp.ts';
import { toolCalls } from '../support/clients/organization-tools.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture({}, 'none', {
  application: {
    scopes: { 'notes:read': 'Read notes', 'notes:export': 'Export notes' },
    roles: {
      MEMBER: { scopes: ['notes:read'] },
      ADMIN: { scopes: ['notes:read', 'notes:export'] },
      EXPORTER: { title: 'Exporter', scopes: ['notes:export'] },
      INVITER: { title: 'Inviter', scopes: ['MEMBERS_VIEW', 'MEMBERS_INVITE', 'notes:read'] },
      // No tool needs AUDIT_VIEW, so clients are not offered it.
      AUDITOR: { title: 'Auditor', scopes: ['AUDIT_VIEW'] },
    },
    products: { free: { scopes: ['notes:read'] }, team: { scopes: '*' } },
  },
});
const owner = fixture(() => newOwner(service));
const client = fixture(() => connectToOrganization(service, owner));
const { succeed, dryRunOf, refuse } = toolCalls(service, client);

const challengeOf = (scopes: readonly string[]): string =>
  `Bearer error="insufficient_scope", scope="${scopes.join(' ')}", resource_metadata="${service.url}/.well-known/oauth-protected-resource/mcp/organization"`;

/** A call that asks for scopes, in a dry run as well, and changes nothing. */
const expectChallenge = async (
  who: McpClient,
  name: string,
  given: Readonly<Record<string, unknown>>,
  scopes: readonly string[],
): Promise<void> => {
  for (const dryRun of [true, false]) {
    const { result: answer, rows } = await callsDuring(service, who, () =>
      expectNothingChanged(service, () => callTool(service, who, name, { ...given, dryRun })),
    );
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([403, challengeOf(scopes)]);
    expect(answer.body).toMatchObject({ error: { code: -32003, data: { code: 'insufficient_scope', scopes } } });
    expect(rows).toMatchObject([{ tool: name, outcome: 'deny' }]);
  }
};

const invitationAs = async (role: string): Promise<string> =>
  inviteTo(service, await seedPerson(service.database, newAddress()), owner.organizationId, role);

const memberAs = async (role: string): Promise<string> =>
  (await newMember(service, owner.organizationId, role)).memberId;

/** A call of each tool that measures a role: for `member_change_role` as the former and as the new one. */
const calls = [
  ['member_invite', async (role: string) => ({ email: newAddress(), role })],
  ['invitation_reset', async (role: string) => ({ memberId: await invitationAs(role) })],
  ['invitation_cancel', async (role: string) => ({ memberId: await invitationAs(role) })],
  ['member_change_role', async (role: string) => ({ memberId: await memberAs(role), role: 'MEMBER' })],
  ['member_change_role', async (role: string) => ({ memberId: await memberAs('MEMBER'), role })],
  ['member_remove', async (role: string) => ({ memberId: await memberAs(role) })],
] as const;

const withProduct = async (product: string, work: () => Promise<void>): Promise<void> => {
  const setProduct = (name: string) =>
    service.sql('UPDATE subscriptions SET product = $2 WHERE organization_id = $1', [owner.organizationId, name]);
  await setProduct(product);
  try {
    await work();
  } finally {
    await setProduct('free');
  }
};

describe.each(calls)('%s', (name, givenFor) => {
  // Contract: organization-mcp#scopes-of-a-role — The application's own scopes of a role are measured by what the
  //   person holds
  it('manages a role whose own scopes the person holds, although clients are not offered them', async () => {
    const given = await givenFor('MEMBER');
    await dryRunOf(name, given);
    await succeed(name, given);
  });

  it('refuses a role whose own scopes the person does not hold, and knows when they do', async () => {
    const given = await givenFor('EXPORTER');
    await refuse(name, given, /^FORBIDDEN: This role has scopes that you do not hold/, 'deny');
    await withProduct('team', async () => void (await succeed(name, given)));
  });

  // Contract: organization-mcp#scopes-of-a-role — A built-in scope that is held but not granted is asked for, never
  //   FORBIDDEN
  it('asks for the built-in scopes of a role that were not granted', async () => {
    const own = { member_change_role: 'MEMBERS_UPDATE', member_remove: 'MEMBERS_REMOVE' }[String(name)];
    const granted = own ?? 'MEMBERS_INVITE';
    const narrow = await connectToOrganization(service, owner, { scopes: [granted] });
    const needed = own === undefined ? ['MEMBERS_VIEW'] : ['MEMBERS_VIEW', 'MEMBERS_INVITE'];
    await expectChallenge(narrow, name, await givenFor('INVITER'), [granted, ...needed]);
  });

  it('refuses a role with a scope that clients are not offered, and says which', async () => {
    const words =
      /^FORBIDDEN: This role has scopes that you do not hold, or that clients are not offered here.* in the portal\.\n- AUDIT_VIEW: Clients are not offered this scope here\.$/;
    await refuse(name, await givenFor('AUDITOR'), words, 'deny');
  });

  it('asks for what clients are offered of an administrator, and then refuses the rest', async () => {
    const given = await givenFor('ADMIN');
    const narrow = await connectToOrganization(service, owner, { scopes: memberScopes.slice(1) });
    await withProduct('team', async () => {
      await expectChallenge(narrow, name, given, [...memberScopes.slice(1), 'MEMBERS_VIEW']);
      await refuse(name, given, /^FORBIDDEN: This role has scopes/, 'deny');
    });
  });

  it('never touches an owner, and asks for nothing', async () => {
    const narrow = await connectToOrganization(service, owner, { scopes: memberScopes.slice(1) });
    const given = await givenFor('OWNER');
    const answer = await expectNothingChanged(service, () => callTool(service, narrow, name, given));
    expect([answer.status, resultOf(answer).isError]).toEqual([200, true]);
    expect(wordsOf(answer)).toMatch(/^FORBIDDEN: A connected client never makes an owner/);
  });
});

describe('The scopes of both roles of a change', () => {
  it('are asked for at once', async () => {
    const narrow = await connectToOrganization(service, owner, { scopes: ['MEMBERS_UPDATE'] });
    const given = { memberId: await memberAs('MEMBER'), role: 'INVITER' };
    await expectChallenge(narrow, 'member_change_role', given, ['MEMBERS_UPDATE', 'MEMBERS_VIEW', 'MEMBERS_INVITE']);
  });
});

describe('A role of a person who holds less', () => {
  it('asks for no scope that the person does not hold', async () => {
    const inviter = await newMember(service, owner.organizationId, 'INVITER');
    const theirs = await connectToOrganization(service, inviter, { scopes: ['MEMBERS_INVITE'] });
    // MEMBERS_UPDATE and MEMBERS_REMOVE are the resource's, and an administrator's, but not theirs.
    const given = { email: newAddress(), role: 'ADMIN' };
    await expectChallenge(theirs, 'member_invite', given, ['MEMBERS_INVITE', 'MEMBERS_VIEW']);
    const whole = await connectToOrganization(service, inviter, { scopes: ['MEMBERS_VIEW', 'MEMBERS_INVITE'] });
    const answer = await expectNothingChanged(service, () => callTool(service, whole, 'member_invite', given));
    expect([answer.status, wordsOf(answer)]).toEqual([
      200,
      expect.stringMatching(/^FORBIDDEN: This role has scopes that you do not hold/),
    ]);
  });
});

describe('A personal token', () => {
  // Contract: application#callers-with-limited-scopes — Roles that a machine gives or takes are measured by its
  //   effective scopes
  it('is measured by its own scopes alone, those of the application too', async () => {
    const invite = 'mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { role } }';
    const given = { input: { email: newAddress(), role: 'MEMBER' } };
    const scopes = ['MEMBERS_VIEW', 'MEMBERS_INVITE'];
    const narrow = await newPersonalToken(service, owner, { scopes });
    const refused = await expectRefusal(service, 'FORBIDDEN', () => runByToken(service, narrow, invite, given));
    expect(refused.extensions['missingScopes']).toBeUndefined();
    const wide = await newPersonalToken(service, owner, { scopes: [...scopes, 'notes:read'] });
    expect((await runByToken(service, wide, invite, given)).data).toEqual({ inviteMember: { role: 'MEMBER' } });
  });
});
