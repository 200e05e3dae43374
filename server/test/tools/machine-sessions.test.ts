/** The session tools on the credentials of machines: the same as the console, with the kind machine. */
import { describe, expect, it } from 'vitest';
import {
  type StoredMachine,
  storeNextSecret,
  storePersonalToken,
  storeServiceToken,
} from '../support/actors/machines/machine-secrets.ts';
import { newOwner } from '../support/actors/tenants.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { operations } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { ask } from './tool-and-graphql.ts';
import { callTool, newToolCaller } from './tool-caller.ts';

const service = serviceFixture();
const root = fixture(() => newToolCaller(service));

const isLive = async ({ tokenId }: StoredMachine): Promise<boolean> =>
  (await service.sql('SELECT 1 FROM credentials WHERE session_family_id = $1 AND revoked_at IS NULL', [tokenId]))
    .length > 0;

const newMachines = async () => {
  const owner = await newOwner(service);
  return {
    owner,
    personal: await storePersonalToken(service, owner),
    account: await storeServiceToken(service, owner),
  };
};

describe('sessions_list', () => {
  // Contract: machine-credentials#tokens-in-lists-of-sessions — sessions_list lists machine credentials as
  //   activeSessions does
  it('lists machines as activeSessions and sessionFamilies do', async () => {
    const { owner, account } = await newMachines();
    for (const filter of [
      { organizationId: owner.organizationId, kind: 'machine' },
      { userId: account.ownerId },
      { userId: owner.userId },
      { organizationId: owner.organizationId, authMethod: 'service_token' },
    ]) {
      const single = await callTool(service, root, 'sessions_list', filter);
      expect(single.structured).toEqual(await ask(service, root, operations.activeSessions, { filter }));
      const grouped = await callTool(service, root, 'sessions_list', { ...filter, groupBySession: true });
      expect(grouped.structured).toEqual(await ask(service, root, operations.sessionFamilies, { filter }));
    }
    const { structured } = await callTool(service, root, 'sessions_list', { userId: account.ownerId });
    expect(structured.nodes).toMatchObject([
      { kind: 'machine', actorKind: 'SERVICE_ACCOUNT', tokenName: 'Deployment', userEmail: account.email },
    ]);
  });
});

describe('the tools that end sessions', () => {
  // Contract: machine-credentials#revocation-by-super-admins — sessions_revoke ends the whole token
  it('end both secrets of a token, and say whose it was', async () => {
    const { account } = await newMachines();
    const { credentialId } = await storeNextSecret(service, account);
    const dryRun = await expectNothingStored(service, () =>
      callTool(service, root, 'sessions_revoke', { credentialId, dryRun: true }),
    );
    expect(dryRun.structured).toMatchObject({ dryRun: true, revokedCredentials: 2, userEmail: account.email });
    const { structured, text } = await callTool(service, root, 'sessions_revoke', { credentialId });
    expect(structured.credentials).toMatchObject([
      { kind: 'machine', tokenName: 'Deployment' },
      { kind: 'machine', tokenName: 'Deployment' },
    ]);
    expect(text).toContain(account.email);
    expect(await isLive(account)).toBe(false);
  });

  it('end the personal tokens of a person, and know no service account', async () => {
    const { owner, personal, account } = await newMachines();
    await expectNothingStored(service, () =>
      expect(callTool(service, root, 'sessions_revoke_user', { userId: account.ownerId })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      }),
    );
    const { structured } = await callTool(service, root, 'sessions_revoke_user', { userId: owner.userId });
    expect(structured.revokedCredentials).toBe(3);
    expect([await isLive(personal), await isLive(account)]).toEqual([false, true]);
  });

  it('end the tokens that a filter or an organization has, as a dry run counts them', async () => {
    const { owner, personal, account } = await newMachines();
    const filter = { organizationId: owner.organizationId, kind: 'machine' };
    const dry = await callTool(service, root, 'sessions_revoke_many', { ...filter, dryRun: true });
    expect(dry.structured).toMatchObject({ sessions: 2, revokedCredentials: 2 });
    expect(await isLive(personal)).toBe(true);
    await callTool(service, root, 'sessions_revoke_many', { ...filter, expectedCount: 2 });
    expect([await isLive(personal), await isLive(account)]).toEqual([false, false]);
    const other = await newMachines();
    const { organizationId } = other.owner;
    const { structured } = await callTool(service, root, 'organization_revoke', { organizationId });
    expect(structured).toMatchObject({ sessions: 3, revokedCredentials: 4 });
    expect(await isLive(other.account)).toBe(false);
  });
});
