/** The list of audits in exportMyData: what a person did and what was done to them, and nothing of others. */
import { describe, expect, it } from 'vitest';
import { appendOrganizationAudits } from '../../src/domain/audit/organization-audits.ts';
import { newId } from '../../src/kernel/ids.ts';
import { newServiceToken } from '../support/actors/machines/machines.ts';
import {
  createPersonalToken,
  createServiceAccount,
  dataOf,
  rotate,
  runWith,
  setPolicy,
  tokenOperations,
} from '../support/actors/machines/token-operations.ts';
import { newAudit } from '../support/actors/organization-audits.ts';
import { newMember, newOwner, runAs, type Tenant } from '../support/actors/tenants.ts';
import { operations } from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

interface ExportedAudit {
  readonly byThisPerson: boolean;
  readonly details: string | null;
  readonly event: string;
  readonly organizationId: string;
  readonly subjectId: string | null;
}

const auditsOf = async (person: Tenant): Promise<readonly ExportedAudit[]> => {
  const { json } = dataOf<{ readonly json: string }>(await runAs(service, person, operations.exportMyData));
  return (JSON.parse(json) as { readonly organizationAudits: readonly ExportedAudit[] }).organizationAudits;
};

const append = (...audits: Parameters<typeof appendOrganizationAudits>[1]): Promise<void> =>
  service.database.transaction((transaction) => appendOrganizationAudits(transaction, audits));

/** What each row is, in the order of the export. */
const outline = (audits: readonly ExportedAudit[]) =>
  audits.map(({ event, byThisPerson, subjectId }) => [event, byThisPerson, subjectId]);

describe('The audits in exportMyData', () => {
  // Contract: account#export-of-personal-data — exportMyData has the audit of what a person did, and of what was done
  //   to their tokens
  it('are what the person did, and what was done to their tokens, not by whom', async () => {
    const owner = await newOwner(service);
    const admin = await newMember(service, owner.organizationId, 'ADMIN');
    await setPolicy(service, owner, { personalTokens: 'APPROVAL', maxTokenLifetimeDays: 90, allowedNetworks: [] });
    const { token } = await createPersonalToken(service, admin);
    await runAs(service, owner, tokenOperations.decideToken, { id: token.id, approve: true });
    const { secret } = dataOf<{ readonly secret: string }>(await rotate(service, admin, { tokenId: token.id }));
    expect((await runWith(service, secret)).code).toBeNull();
    await service.flush();
    await runAs(service, owner, tokenOperations.revokeToken, { id: token.id });

    const ofAdmin = await auditsOf(admin);
    expect(outline(ofAdmin)).toEqual([
      ['TOKEN_CREATED', true, token.id],
      ['TOKEN_DECIDED', false, token.id],
      ['TOKEN_ROTATED', true, token.id],
      ['TOKEN_USED_FROM_NEW_NETWORK', true, token.id],
      ['TOKEN_REVOKED', false, token.id],
    ]);
    for (const audit of ofAdmin)
      expect(Object.keys(audit)).toEqual([
        'organizationId',
        'event',
        'outcome',
        'byThisPerson',
        'subjectId',
        'clientId',
        'tool',
        'details',
        'correlationId',
        'createdAt',
      ]);
    expect(JSON.stringify(ofAdmin)).not.toContain(owner.userId);
    expect(JSON.stringify(ofAdmin)).not.toContain(owner.email);

    // The owner has their own part in it, and nothing that the other person did alone.
    const ofOwner = await auditsOf(owner);
    expect(outline(ofOwner)).toEqual([
      ['TOKEN_POLICY_CHANGED', true, null],
      ['TOKEN_DECIDED', true, token.id],
      ['TOKEN_REVOKED', true, token.id],
    ]);
    for (const text of [admin.userId, admin.email, token.name]) expect(JSON.stringify(ofOwner)).not.toContain(text);
  });

  it('have no row of colleagues, of service accounts, or that no person caused', async () => {
    const owner = await newOwner(service);
    const { organizationId } = owner;
    const [admin, leaver] = [
      await newMember(service, organizationId, 'ADMIN'),
      await newMember(service, organizationId, 'ADMIN'),
    ];
    const account = await newServiceToken(service, owner);
    const actor = { kind: 'SERVICE_ACCOUNT', id: account.accountId, credentialId: account.credentialId } as const;
    const theirs = { kind: 'PERSON', id: leaver.userId, credentialId: newId() } as const;
    await createPersonalToken(service, admin);
    await createServiceAccount(service, admin);
    await append(
      newAudit({ organizationId, actor, subjectId: account.tokenId }),
      newAudit({ organizationId, actor: theirs, subjectId: newId(), subjectUserId: admin.userId }),
      newAudit({ organizationId, subjectId: null }),
    );
    expect(await auditsOf(owner)).toEqual([]);
    expect((await auditsOf(admin)).map(({ event, byThisPerson }) => [event, byThisPerson])).toEqual([
      ['TOKEN_CREATED', true],
      ['SERVICE_ACCOUNT_CREATED', true],
      ['TOKEN_REPORTED', false],
    ]);
  });

  it('are of every organization of the person, also of those that they left', async () => {
    const person = await newOwner(service);
    const other = await newOwner(service);
    const by = { kind: 'PERSON', id: person.userId, credentialId: newId() } as const;
    await append(
      newAudit({ organizationId: person.organizationId, actor: by, details: { place: 'own' } }),
      newAudit({ organizationId: other.organizationId, actor: by, details: { place: 'left' } }),
      newAudit({ organizationId: other.organizationId, subjectId: person.userId, details: { place: 'to them' } }),
      newAudit({ organizationId: other.organizationId, actor: { ...by, id: other.userId } }),
    );
    expect(await auditsOf(person)).toMatchObject([
      { organizationId: person.organizationId, byThisPerson: true, details: '{"place":"own"}' },
      { organizationId: other.organizationId, byThisPerson: true, details: '{"place":"left"}' },
      { organizationId: other.organizationId, byThisPerson: false, details: '{"place":"to them"}' },
    ]);
  });
});
