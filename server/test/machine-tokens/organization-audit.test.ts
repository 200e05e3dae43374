/** The audit of an organization, read by a machine: the query takes one that has AUDIT_VIEW, the file is for people. */
import { describe, expect, it } from 'vitest';
import { appendOrganizationAudits } from '../../src/domain/audit/organization-audits.ts';
import { newId } from '../../src/kernel/ids.ts';
import { type Machine, newPersonalToken, newServiceToken, runByToken } from '../support/actors/machines/machines.ts';
import { newAudit } from '../support/actors/organization-audits.ts';
import { addTo, newMember, newOwner, setActive, type Tenant } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { expectUnused } from '../support/checks/unused-tokens.ts';
import { operations, type Variables } from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

/** The first use from a network is a row of the same audit, written late: it must not come between two readings. */
const usedHere = async <Made extends Machine>(made: Promise<Made>): Promise<Made> => {
  const machine = await made;
  const insert =
    "INSERT INTO machine_token_networks (token_id, network, first_seen_at) VALUES ($1, '127.0.0.0/24', now())";
  await service.sql(insert, [machine.tokenId]);
  return machine;
};

const unused = { personal: newPersonalToken, service: newServiceToken };
const make = {
  personal: (...facts: Parameters<typeof newPersonalToken>) => usedHere(newPersonalToken(...facts)),
  service: (...facts: Parameters<typeof newServiceToken>) => usedHere(newServiceToken(...facts)),
};
const kinds = ['personal', 'service'] as const;

interface Entry {
  readonly position: number;
  readonly event: string;
  readonly actorEmail: string | null;
  readonly subjectId: string | null;
  readonly details: string | null;
}
interface Page {
  readonly nodes: readonly Entry[];
  readonly totalCount: number;
  readonly pageInfo: { readonly endCursor: string | null };
}

const list = async (machine: Machine, variables: Variables = {}): Promise<Page> => {
  const answer = await runByToken(service, machine, operations.organizationAudit, variables);
  if (answer.code !== null) throw new Error(answer.text);
  return (JSON.parse(answer.text) as { data: { organizationAudit: Page } }).data.organizationAudit;
};

const append = (...audits: Parameters<typeof appendOrganizationAudits>[1]): Promise<void> =>
  service.database.transaction((transaction) => appendOrganizationAudits(transaction, audits));

/** An organization with two rows in its audit. */
const newAudited = async (): Promise<Tenant & { readonly subjectId: string }> => {
  const owner = await newOwner(service);
  const { organizationId, userId: id } = owner;
  const subjectId = newId();
  const actor = { kind: 'PERSON', id, credentialId: newId() } as const;
  await append(
    newAudit({ organizationId, event: 'TOKEN_CREATED', actor, subjectId }),
    newAudit({ organizationId, event: 'TOKEN_POLICY_CHANGED', actor, subjectId: null }),
  );
  return { ...owner, subjectId };
};

describe('organizationAudit, asked by a machine', () => {
  // Contract: machine-credentials#reading-the-audit — Audit: a machine with AUDIT_VIEW reads organizationAudit
  it.each(kinds)('(%s) shows it the rows of its organization as to a person, with filters and pages', async (kind) => {
    const { subjectId, ...owner } = await newAudited();
    const machine = await make[kind](service, owner, { scopes: ['AUDIT_VIEW'] });
    const { nodes, totalCount } = await list(machine);
    expect(totalCount).toBe(2);
    expect(nodes).toMatchObject([
      { position: 2, event: 'TOKEN_POLICY_CHANGED', actorEmail: owner.email, subjectId: null },
      { position: 1, event: 'TOKEN_CREATED', actorEmail: owner.email, subjectId, details: '{"source":"the tests"}' },
    ]);
    expect((await list(machine, { filter: { subjectId } })).nodes).toEqual(nodes.slice(1));
    const first = await list(machine, { first: 1 });
    expect(first.nodes).toEqual(nodes.slice(0, 1));
    expect((await list(machine, { first: 1, after: first.pageInfo.endCursor })).nodes).toEqual(nodes.slice(1));
  });

  it.each(kinds)('(%s) refuses it without AUDIT_VIEW, whatever else its token has', async (kind) => {
    const owner = await newAudited();
    const scopes = ['MEMBERS_VIEW', 'ORGANIZATION_UPDATE', 'TOKENS_MANAGE'];
    const machine = await make[kind](service, owner, { scopes });
    const { extensions } = await expectRefusal(service, 'FORBIDDEN', () =>
      runByToken(service, machine, operations.organizationAudit),
    );
    expect(extensions['missingScopes']).toEqual(['AUDIT_VIEW']);
  });

  it('refuses the token of a person whose role grants it no more, and lets it again', async () => {
    const owner = await newAudited();
    const admin = await newMember(service, owner.organizationId, 'ADMIN');
    const machine = await make.personal(service, admin, { scopes: ['AUDIT_VIEW'] });
    expect((await list(machine)).totalCount).toBe(2);
    const setRole = (role: string): Promise<unknown> =>
      service.sql('UPDATE organization_members SET role = $2 WHERE id = $1', [admin.memberId, role]);
    await setRole('MEMBER');
    await expectRefusal(service, 'FORBIDDEN', () => runByToken(service, machine, operations.organizationAudit));
    await setRole('ADMIN');
    await expect(list(machine)).resolves.toHaveProperty('totalCount');
  });

  it('refuses the token of an account that lost the scope', async () => {
    const owner = await newAudited();
    const machine = await make.service(service, owner, { scopes: ['AUDIT_VIEW'] });
    expect((await list(machine)).totalCount).toBe(2);
    await service.sql(`UPDATE service_accounts SET scopes = '{MEMBERS_VIEW}' WHERE id = $1`, [machine.accountId]);
    await expectRefusal(service, 'FORBIDDEN', () => runByToken(service, machine, operations.organizationAudit));
  });

  it.each(kinds)('(%s) refuses it where the organization does not accept its tokens', async (kind) => {
    const owner = await newAudited();
    const machine = await unused[kind](service, owner, { scopes: ['AUDIT_VIEW'] });
    const set = (networks: string): Promise<unknown> =>
      service.sql('UPDATE organizations SET token_networks = $2 WHERE id = $1', [owner.organizationId, networks]);
    await set('{192.0.2.0/24}');
    await expectUnused(service, machine, () =>
      expectRefusal(service, 'FORBIDDEN', () => runByToken(service, machine, operations.organizationAudit)),
    );
    await set('{}');
    expect((await list(machine, { filter: { event: 'TOKEN_CREATED' } })).totalCount).toBe(1);
  });

  // Contract: machine-credentials#reading-the-audit — Audit: a machine reads that of its own organization alone
  it.each(kinds)('(%s) never shows it a row of another organization, also of its person', async (kind) => {
    const [owner, other] = [await newOwner(service), await newAudited()];
    const machine = await make[kind](service, owner, { scopes: ['AUDIT_VIEW'] });
    const memberId = await addTo(service, owner.userId, other.organizationId, 'OWNER');
    await setActive(service, owner.userId, memberId);
    const { endCursor } = (await list(await make.service(service, other, { scopes: ['AUDIT_VIEW'] }))).pageInfo;
    for (const variables of [
      {},
      { after: endCursor },
      { filter: { subjectId: other.subjectId } },
      { filter: { actorId: other.userId } },
      { filter: { event: 'TOKEN_CREATED' } },
    ])
      expect(await list(machine, variables)).toMatchObject({ nodes: [], totalCount: 0 });
  });

  it.each(kinds)('(%s) has its file for people alone', async (kind) => {
    const owner = await newAudited();
    const machine = await make[kind](service, owner, { scopes: ['AUDIT_VIEW'] });
    await expectRefusal(service, 'FORBIDDEN', () => runByToken(service, machine, operations.organizationAuditCsv));
  });
});
