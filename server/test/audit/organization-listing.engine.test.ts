/** Queries organizationAudit and organizationAuditCsv, and the rows that operations on organizations write. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { appendOrganizationAudits } from '../../src/domain/audit/organization-audits.ts';
import { verifyOrganizationAudits } from '../../src/domain/audit/verify-organization-audits.ts';
import { newId } from '../../src/kernel/ids.ts';
import { changeAddress } from '../support/actors/email-changes.ts';
import { newPersonalToken, newServiceToken } from '../support/actors/machines/machines.ts';
import { newAudit, withoutGuardOfAudits } from '../support/actors/organization-audits.ts';
import { seedSession } from '../support/actors/seeding.ts';
import { addTo, newMember, newOwner, runAs, type Tenant } from '../support/actors/tenants.ts';
import { range } from '../support/checks/concurrency.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { operations, post } from '../support/clients/clients.ts';
import { serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

interface Entry {
  readonly position: number;
  readonly event: string;
  readonly correlationId: string;
  readonly details: string | null;
}
interface Page {
  readonly nodes: readonly Entry[];
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

const list = async (person: Tenant, filter: object | null = null, page: object = {}): Promise<Page> => {
  const answer = await runAs(service, person, operations.organizationAudit, { filter, ...page });
  if (answer.code !== null) throw new Error(answer.text);
  return (JSON.parse(answer.text) as { data: { organizationAudit: Page } }).data.organizationAudit;
};

const exported = async (person: Tenant, filter: object | null = null) => {
  const answer = await runAs(service, person, operations.organizationAuditCsv, { filter });
  if (answer.code !== null) throw new Error(answer.text);
  return (JSON.parse(answer.text) as { data: { organizationAuditCsv: { csv: string; rows: number; isCut: boolean } } })
    .data.organizationAuditCsv;
};

const append = (...audits: Parameters<typeof appendOrganizationAudits>[1]): Promise<void> =>
  service.database.transaction((transaction) => appendOrganizationAudits(transaction, audits));

const positionsOf = ({ nodes }: Page): readonly number[] => nodes.map(({ position }) => position);

describe('organizationAudit', () => {
  it('shows every fact of a row, with the address of the person now', async () => {
    const owner = await newOwner(service);
    const { organizationId } = owner;
    const [credentialId, subjectId, clientId, correlationId] = [newId(), newId(), newId(), newId()];
    await append(
      newAudit({
        organizationId,
        event: 'MCP_TOOL_CALLED',
        outcome: 'started',
        actor: { kind: 'PERSON', id: owner.userId, credentialId },
        subjectId,
        clientId,
        correlationId,
        tool: 'notes_write',
        details: { name: 'A name' },
      }),
      newAudit({ organizationId, actor: { kind: 'SERVICE_ACCOUNT', id: newId(), credentialId } }),
      newAudit({ organizationId }),
    );
    const { nodes, totalCount } = await list(owner);
    expect(totalCount).toBe(3);
    expect(nodes).toMatchObject([
      { position: 3, actorId: null, actorKind: null, actorEmail: null, credentialId: null, event: 'TOKEN_REPORTED' },
      { position: 2, actorKind: 'SERVICE_ACCOUNT', actorEmail: null, outcome: 'success', tool: null, clientId: null },
      {
        position: 1,
        event: 'MCP_TOOL_CALLED',
        outcome: 'started',
        actorKind: 'PERSON',
        actorId: owner.userId,
        actorEmail: owner.email,
        credentialId,
        subjectId,
        clientId,
        correlationId,
        tool: 'notes_write',
        details: '{"name":"A name"}',
      },
    ]);
  });

  it('is in pages, newest first, and counts all of them', async () => {
    const owner = await newOwner(service);
    await append(...range(5).map(() => newAudit({ organizationId: owner.organizationId })));
    const first = await list(owner, null, { first: 2 });
    expect(first).toMatchObject({ totalCount: 5, pageInfo: { hasNextPage: true } });
    const second = await list(owner, null, { first: 3, after: first.pageInfo.endCursor });
    expect([positionsOf(first), positionsOf(second)]).toEqual([
      [5, 4],
      [3, 2, 1],
    ]);
    expect(second.pageInfo.hasNextPage).toBe(false);
  });

  // Contract: machine-credentials#reading-the-audit — Audit: organizationAudit, newest first, by each filter
  it('filters by each field, and by several together', async () => {
    const owner = await newOwner(service);
    const { organizationId } = owner;
    const [actorId, subjectId, correlationId] = [newId(), newId(), newId()];
    const actor = { kind: 'SERVICE_ACCOUNT', id: actorId, credentialId: newId() } as const;
    await append(
      newAudit({ organizationId, event: 'TOKEN_ROTATED', actor }),
      newAudit({ organizationId, event: 'MCP_TOOL_CALLED', outcome: 'deny', tool: 'notes_read', actor }),
      newAudit({ organizationId, subjectId }),
      newAudit({ organizationId, correlationId }),
    );
    onTestFinished(() =>
      withoutGuardOfAudits(service.sql, `DELETE FROM organization_audits WHERE organization_id = '${organizationId}'`),
    );
    const instants = ['2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01'];
    for (const [index, instant] of instants.entries())
      await withoutGuardOfAudits(
        service.sql,
        `UPDATE organization_audits SET created_at = '${instant}'
         WHERE organization_id = '${organizationId}' AND position = ${index + 1}`,
      );
    const at = (month: number) => `2026-0${month}-01T00:00:00.000Z`;
    for (const [filter, positions] of [
      [
        {
          actorId,
          subjectId,
          correlationId,
          event: 'TOKEN_ROTATED',
          outcome: 'deny',
          tool: 'notes_read',
          from: at(1),
          to: at(2),
        },
        [],
      ],
      [{ event: 'TOKEN_ROTATED' }, [1]],
      [{ actorId: actorId.toUpperCase() }, [2, 1]],
      [{ actorId, outcome: 'deny' }, [2]],
      [{ outcome: 'success' }, [4, 3, 1]],
      [{ tool: 'notes_read' }, [2]],
      [{ tool: 'notes_read\u0000' }, []],
      [{ subjectId }, [3]],
      [{ correlationId }, [4]],
      [{ from: at(2), to: at(4) }, [3, 2]],
      [{ from: at(3) }, [4, 3]],
      [{ to: at(2) }, [1]],
      [{ subjectId: newId() }, []],
    ] as const) {
      const page = await list(owner, filter);
      expect({ filter, positions: positionsOf(page), total: page.totalCount }).toEqual({
        filter,
        positions,
        total: positions.length,
      });
    }
  });

  it.each([
    ['actorId', { actorId: 'none' }],
    ['subjectId', { subjectId: 'none' }],
    ['correlationId', { correlationId: 'none' }],
    ['from', { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }],
  ])('refuses a wrong %s by its name', async (field, filter) => {
    const owner = await newOwner(service);
    for (const operation of [operations.organizationAudit, operations.organizationAuditCsv]) {
      const { extensions } = await expectRefusal(service, 'BAD_USER_INPUT', () =>
        runAs(service, owner, operation, { filter }),
      );
      expect(Object.keys(extensions['fields'] ?? {})).toEqual([field]);
    }
  });

  // Contract: machine-credentials#reading-the-audit — Audit: another organization’s is never shown
  it('never shows a row of another organization, whatever ids are asked for', async () => {
    const [owner, stranger] = [await newOwner(service), await newOwner(service)];
    const subjectId = newId();
    const correlationId = newId();
    await append(newAudit({ organizationId: owner.organizationId, subjectId, correlationId }));
    for (const filter of [null, { subjectId }, { correlationId }, { event: 'TOKEN_REPORTED' }]) {
      expect(await list(stranger, filter)).toMatchObject({ nodes: [], totalCount: 0 });
      expect((await exported(stranger, filter)).rows).toBe(0);
    }
    const { endCursor } = (await list(owner)).pageInfo;
    expect(positionsOf(await list(stranger, null, { after: endCursor }))).toEqual([]);
  });

  // Contract: machine-credentials#reading-the-audit — Audit: organizationAudit, scope AUDIT_VIEW
  it('is for those with AUDIT_VIEW, in the active organization', async () => {
    const owner = await newOwner(service);
    const [admin, member] = [
      await newMember(service, owner.organizationId, 'ADMIN'),
      await newMember(service, owner.organizationId),
    ];
    for (const operation of [operations.organizationAudit, operations.organizationAuditCsv]) {
      expect((await runAs(service, admin, operation)).code).toBeNull();
      const { extensions } = await expectRefusal(service, 'FORBIDDEN', () => runAs(service, member, operation));
      expect(extensions['missingScopes']).toEqual(['AUDIT_VIEW']);
      await expectRefusal(service, 'UNAUTHENTICATED', () => post(service.url, operation));
    }
  });

  // Contract: machine-credentials#reading-the-audit — Audit: in the schema while the scope AUDIT_VIEW is
  it('is absent from the schema while no part has an audit', async () => {
    const off = await startService({ MACHINE_TOKENS_ENABLED: 'false', ORGANIZATION_MCP_ENABLED: 'false' });
    for (const [name, operation] of [
      ['organizationAudit', operations.organizationAudit],
      ['organizationAuditCsv', operations.organizationAuditCsv],
    ] as const)
      expect((await post(off.url, operation)).text).toContain(`Cannot query field \\"${name}\\"`);
    await off.close();
  });
});

describe('organizationAuditCsv', () => {
  it('has a heading and the rows of the filter, newest first, over several pages', async () => {
    const owner = await newOwner(service);
    const { organizationId } = owner;
    await append(
      newAudit({ organizationId, event: 'TOKEN_ROTATED' }),
      ...range(105).map(() => newAudit({ organizationId })),
    );
    const { csv, rows, isCut } = await exported(owner, { event: 'TOKEN_REPORTED' });
    const [heading, ...lines] = csv.trimEnd().split('\r\n');
    expect(heading).toBe(
      'position,createdAt,event,outcome,actorKind,actorId,actorEmail,credentialId,subjectId,clientId,tool,correlationId,details',
    );
    expect([rows, isCut]).toEqual([105, false]);
    expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(range(105).map((turn) => 106 - turn));
  });

  it('never has a value that a spreadsheet would run as a formula', async () => {
    const owner = await newOwner(service);
    const actor = { kind: 'PERSON', id: owner.userId, credentialId: newId() } as const;
    await append(newAudit({ organizationId: owner.organizationId, actor }));
    await service.sql(`UPDATE users SET email = '=cmd|x@example.com' WHERE id = $1`, [owner.userId]);
    expect((await exported(owner)).csv).toContain(`,'=cmd|x@example.com,`);
  });
});

describe('The audit of an organization', () => {
  // Contract: machine-credentials#audited-events — Audit: the deletion and restoration of an organization and its
  //   policies
  it('has its deletion, its restoration and its policy on second factors, each by whom', async () => {
    const owner = await newOwner(service);
    const { organizationId: id } = owner;
    const name = await service.sql.value<string>('SELECT name FROM organizations WHERE id = $1', [id]);
    await runAs(service, owner, operations.deleteOrganization, { input: { organizationId: id, name } });
    await runAs(service, owner, operations.restoreOrganization, { id });
    await service.sql('UPDATE credentials SET second_factor_at = now() WHERE user_id = $1', [owner.userId]);
    const { code } = await runAs(service, owner, operations.setSecondFactorPolicy, { required: true });
    expect(code).toBeNull();
    // The policy is as requested already.
    await runAs(service, owner, operations.setSecondFactorPolicy, { required: true });
    const { nodes } = await list(owner);
    const by = { actorId: owner.userId, actorKind: 'PERSON', actorEmail: owner.email, subjectId: null };
    expect(nodes).toMatchObject([
      { ...by, position: 3, event: 'SECOND_FACTOR_POLICY_CHANGED', details: '{"required":true}' },
      { ...by, position: 2, event: 'ORGANIZATION_RESTORED', details: '{}' },
      { ...by, position: 1, event: 'ORGANIZATION_DELETED' },
    ]);
    expect(JSON.parse(nodes[2]?.details ?? '')).toHaveProperty('deletesAt');
  });

  it('has no row of a change that was refused', async () => {
    const owner = await newOwner(service);
    await expectRefusal(service, 'SECOND_FACTOR_REQUIRED', () =>
      runAs(service, owner, operations.setSecondFactorPolicy, { required: true }),
    );
    await expectRefusal(service, 'BAD_USER_INPUT', () =>
      runAs(service, owner, operations.deleteOrganization, {
        input: { organizationId: owner.organizationId, name: 'Another name' },
      }),
    );
    expect((await list(owner)).nodes).toEqual([]);
  });

  it('loses the details and the address of a person who deletes their account, and stays sound', async () => {
    const owner = await newOwner(service);
    const { organizationId } = owner;
    const leaver = await newOwner(service);
    await addTo(service, leaver.userId, organizationId, 'ADMIN');
    const actor = { kind: 'PERSON', id: leaver.userId, credentialId: newId() } as const;
    await append(newAudit({ organizationId, actor }), newAudit({ organizationId }));
    expect((await runAs(service, leaver, operations.deleteAccount, { email: leaver.email })).code).toBeNull();
    expect((await list(owner)).nodes).toMatchObject([
      { details: '{"source":"the tests"}' },
      { actorId: leaver.userId, actorEmail: null, details: null },
    ]);
    const chain = (await verifyOrganizationAudits(service.database)).find(
      (each) => each.organizationId === organizationId,
    );
    expect(chain).toMatchObject({ isSound: true, count: 2 });
  });
});

describe('The address of a person who left', () => {
  interface Shown {
    readonly audit: readonly (string | null)[];
    readonly csv: string;
    readonly tokens: readonly (string | null)[];
    readonly accounts: readonly (string | null)[];
  }
  type Named = {
    readonly actorEmail: string | null;
    readonly userEmail: string | null;
    readonly createdByEmail: string | null;
  };
  interface Lists {
    readonly organizationAudit: { readonly nodes: readonly Named[] };
    readonly organizationTokens: { readonly nodes: readonly Named[] };
    readonly serviceAccounts: readonly Named[];
  }

  /** Every address that the organization of this owner reads, but its owner's, outside of the list of its members. */
  const shownTo = async (owner: Tenant): Promise<Shown> => {
    const answer = await runAs(
      service,
      owner,
      `{ organizationAudit { nodes { actorEmail } } organizationTokens { nodes { userEmail } } serviceAccounts { createdByEmail } }`,
    );
    if (answer.code !== null) throw new Error(answer.text);
    const { data } = JSON.parse(answer.text) as { data: Lists };
    const ofOthers = (emails: readonly (string | null)[]) =>
      emails.filter((email) => email !== null && email !== owner.email);
    return {
      audit: ofOthers(data.organizationAudit.nodes.map(({ actorEmail }) => actorEmail)),
      csv: (await exported(owner)).csv,
      tokens: ofOthers(data.organizationTokens.nodes.map(({ userEmail }) => userEmail)),
      accounts: ofOthers(data.serviceAccounts.map(({ createdByEmail }) => createdByEmail)),
    };
  };

  /** A person who made a token, an account and a row of the audit, and is a member. */
  const newMaker = async (owner: Tenant): Promise<Tenant> => {
    const { organizationId } = owner;
    const maker = await newMember(service, organizationId, 'ADMIN');
    await newPersonalToken(service, maker);
    await newServiceToken(service, maker);
    await append(newAudit({ organizationId, actor: { kind: 'PERSON', id: maker.userId, credentialId: newId() } }));
    return maker;
  };

  const leave = async (owner: Tenant, { memberId }: Tenant): Promise<void> => {
    expect((await runAs(service, owner, operations.removeMember, { id: memberId })).code).toBeNull();
  };

  it('is that of then, and is not read once they have another one', async () => {
    const owner = await newOwner(service);
    const maker = await newMaker(owner);
    await leave(owner, maker);
    const before = await shownTo(owner);
    expect(before).toMatchObject({ audit: [maker.email], tokens: [maker.email], accounts: [maker.email] });
    const { newEmail } = await changeAddress(service, {
      ...maker,
      tokens: await seedSession(service.database, maker.userId),
    });
    const after = await shownTo(owner);
    expect(after).toMatchObject({ audit: [], tokens: [], accounts: [] });
    for (const email of [maker.email, newEmail]) expect(JSON.stringify(after)).not.toContain(email);
    // The person themself reads it as it is.
    const own = await runAs(
      service,
      { tokens: await seedSession(service.database, maker.userId) },
      '{ myTokens { userEmail } }',
    );
    expect(own.text).toContain(newEmail);
  });

  it('is read as it is now of a member, and again of one who came back', async () => {
    const owner = await newOwner(service);
    const maker = await newMaker(owner);
    const { newEmail } = await changeAddress(service, maker);
    expect(await shownTo(owner)).toMatchObject({ audit: [newEmail], tokens: [newEmail], accounts: [newEmail] });
    await leave(owner, maker);
    expect(await shownTo(owner)).toMatchObject({ audit: [], tokens: [], accounts: [] });
    await addTo(service, maker.userId, owner.organizationId, 'MEMBER');
    expect(await shownTo(owner)).toMatchObject({ audit: [newEmail], tokens: [newEmail], accounts: [newEmail] });
  });
});
