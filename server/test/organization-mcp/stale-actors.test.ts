/**
 * Operations of a client's grant whose authority was lost after the request was admitted: the transaction reads it
 * again once it holds the organization, and changes nothing.
 */
import { describe, expect, it } from 'vitest';
import type { Actor } from '../../src/domain/access/actor.ts';
import { Authenticator } from '../../src/domain/access/authenticate.ts';
import { organizationTools } from '../../src/domain/organization-tools/catalogue.ts';
import { defaultApplication } from '../../src/domain/scopes/application-definition.ts';
import { Refusal } from '../../src/kernel/errors.ts';
import { seedPerson } from '../support/actors/seeding.ts';
import { inviteTo, newMember, newOwner, type Tenant } from '../support/actors/tenants.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { newAddress } from '../support/clients/clients.ts';
import type { McpClient } from '../support/clients/mcp.ts';
import { connectToOrganization } from '../support/clients/organization-mcp.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { depsOf } from '../tools/tool-caller.ts';

const service = serviceFixture();
const owner = fixture(() => newOwner(service));

const admittedOf = (client: McpClient): Promise<Actor> =>
  new Authenticator(service.database, defaultApplication, { superAdminsNeedSecondFactor: false }).authenticate(
    client.tokens.accessToken,
    ['mcp_organization'],
  );

/** What a call answers: `done`, or the code of its refusal. */
const outcomeOf = async (actor: Actor, name: string, given: object): Promise<string> => {
  const tool = organizationTools(defaultApplication).find((each) => each.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}`);
  try {
    await tool.call(depsOf(service), actor, given);
    return 'done';
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
};

const invited = async (): Promise<string> =>
  inviteTo(service, await seedPerson(service.database), owner.organizationId);
const joined = async (): Promise<string> => (await newMember(service, owner.organizationId)).memberId;

const calls: readonly (readonly [name: string, given: () => Promise<object>])[] = [
  ['member_invite', async () => ({ email: newAddress(), role: 'MEMBER' })],
  ['invitation_reset', async () => ({ memberId: await invited() })],
  ['invitation_cancel', async () => ({ memberId: await invited() })],
  ['member_change_role', async () => ({ memberId: await joined(), role: 'ADMIN' })],
  ['member_remove', async () => ({ memberId: await joined() })],
];

const losses: readonly (readonly [what: string, code: string, lose: (person: Tenant) => Promise<unknown>])[] = [
  [
    'the role',
    'FORBIDDEN',
    ({ memberId }) => service.sql(`UPDATE organization_members SET role = 'MEMBER' WHERE id = $1`, [memberId]),
  ],
  [
    'the membership',
    'UNAUTHENTICATED',
    ({ memberId }) => service.sql('DELETE FROM organization_members WHERE id = $1', [memberId]),
  ],
  [
    'the membership, for a new one',
    'UNAUTHENTICATED',
    async ({ memberId, userId }) => {
      await service.sql('DELETE FROM organization_members WHERE id = $1', [memberId]);
      await service.sql(
        `INSERT INTO organization_members (id, user_id, organization_id, role, joined_at)
         VALUES (gen_random_uuid(), $1, $2, 'OWNER', now())`,
        [userId, owner.organizationId],
      );
    },
  ],
  [
    'its pair',
    'UNAUTHENTICATED',
    ({ userId }) =>
      service.sql(
        `UPDATE credentials SET revoked_at = now(), revocation_reason = 'signed_out'
         WHERE user_id = $1 AND revoked_at IS NULL`,
        [userId],
      ),
  ],
  [
    'the grace of the policy',
    'FORBIDDEN',
    () => service.sql(`UPDATE organizations SET mcp_clients = 'NONE' WHERE id = $1`, [owner.organizationId]),
  ],
  [
    'the plan',
    'FORBIDDEN',
    () =>
      service.sql(`UPDATE subscriptions SET status = 'CANCELED' WHERE organization_id = $1`, [owner.organizationId]),
  ],
];

describe.each(calls)('%s', (name, given) => {
  // Contract: organization-mcp#effective-scopes — A change is refused that lost its authority while it waited
  it.each(losses)('is refused once its person has lost %s', async (_what, code, lose) => {
    const person = await newMember(service, owner.organizationId, 'ADMIN');
    const actor = await admittedOf(await connectToOrganization(service, person));
    const args = await given();
    expect(await outcomeOf(actor, name, { ...args, dryRun: true })).toBe('done');
    await lose(person);
    for (const dryRun of [true, false]) {
      const outcome = await expectNothingStored(service, () => outcomeOf(actor, name, { ...args, dryRun }));
      expect(outcome).toBe(code);
    }
    await service.sql(`UPDATE organizations SET mcp_clients = 'ANY' WHERE id = $1`, [owner.organizationId]);
    await service.sql(`UPDATE subscriptions SET status = 'ACTIVE' WHERE organization_id = $1`, [owner.organizationId]);
  });
});
