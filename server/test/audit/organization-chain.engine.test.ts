/** The audits of organizations: a hash chain each, whose details can be erased and which goes 90 days after its end. */
import { describe, expect, it } from 'vitest';
import { appendOrganizationAudits } from '../../src/domain/audit/organization-audits.ts';
import { eraseAuditDetails, purgeAudits } from '../../src/domain/audit/organization-audits-store.ts';
import { verifyOrganizationAudits } from '../../src/domain/audit/verify-organization-audits.ts';
import { newId } from '../../src/kernel/ids.ts';
import { expectSoundAudits, newAudit, withoutGuardOfAudits } from '../support/actors/organization-audits.ts';
import { seedPerson } from '../support/actors/seeding.ts';
import { inParallel, range } from '../support/checks/concurrency.ts';
import { newAddress } from '../support/clients/clients.ts';
import { lendDatabase } from '../support/database/database-pool.ts';
import { sqlOn } from '../support/database/sql.ts';
import { fixture } from '../support/fixture.ts';

const stored = fixture(lendDatabase, (lent) => lent.drop());
const database = fixture(
  () => stored.open(),
  (opened) => opened.close(),
);
const sql = sqlOn(database);

const append = (...audits: Parameters<typeof appendOrganizationAudits>[1]): Promise<void> =>
  database.transaction((transaction) => appendOrganizationAudits(transaction, audits));

/** An organization with so many rows. */
const newChain = async (rows: number): Promise<string> => {
  const organizationId = newId();
  await append(...range(rows).map((turn) => newAudit({ organizationId, details: { turn } })));
  return organizationId;
};

const verificationOf = async (organizationId: string) =>
  (await verifyOrganizationAudits(database)).find((chain) => chain.organizationId === organizationId);

const removePerson = (id: string): Promise<unknown> => sql('DELETE FROM users WHERE id = $1', [id]);

const personalTokenOf = (id: string) => ({ kind: 'PERSONAL_TOKEN', id, credentialId: newId() }) as const;

describe('appendOrganizationAudits', () => {
  it('continues the chain of each organization, in one statement', async () => {
    const [one, other] = [await newChain(1), newId()];
    await append(
      newAudit({ organizationId: one, details: { name: 'é', left: undefined, nested: { b: [1], a: null } } }),
      newAudit({ organizationId: other, event: 'ORGANIZATION_DELETED', subjectId: null }),
      newAudit({
        organizationId: one,
        event: 'MCP_TOOL_CALLED',
        outcome: 'started',
        tool: 'no tool',
        clientId: newId(),
      }),
    );
    expect(await verificationOf(one)).toMatchObject({ isSound: true, count: 3 });
    expect(await verificationOf(other)).toMatchObject({ isSound: true, count: 1 });
    expect(
      await sql(
        'SELECT details, tool FROM organization_audits WHERE organization_id = $1 AND position > 1 ORDER BY 1',
        [one],
      ),
    ).toEqual([
      { details: '{"name":"é","nested":{"a":null,"b":[1]}}', tool: null },
      { details: '{"source":"the tests"}', tool: '(unreadable)' },
    ]);
  });

  it('writes nothing for no row, and refuses what is no id', async () => {
    const before = await sql.value('SELECT count(*)::integer FROM organization_audits');
    await append();
    await expect(append(newAudit({ organizationId: 'none' }))).rejects.toThrow('recorded by ids');
    expect(await sql.value('SELECT count(*)::integer FROM organization_audits')).toBe(before);
  });

  // Contract: machine-credentials#audited-events — Audit: a change that is rolled back leaves no row and no gap
  it('leaves neither a row nor a gap when its transaction is rolled back', async () => {
    const organizationId = await newChain(1);
    const undone = new Error('undone');
    const work = database.transaction(async (transaction) => {
      await appendOrganizationAudits(transaction, [newAudit({ organizationId })]);
      throw undone;
    });
    await expect(work).rejects.toBe(undone);
    await append(newAudit({ organizationId }));
    expect(await verificationOf(organizationId)).toMatchObject({ isSound: true, count: 2 });
  });

  // Contract: machine-credentials#chain-of-an-organization — Audit: one chain for an organization of concurrent changes
  it('makes one chain of concurrent transactions, also those that append to several in other orders', async () => {
    const organizations = [newId(), newId()];
    await inParallel(range(60), 20, (turn) =>
      append(
        ...(turn % 2 === 0 ? organizations : organizations.toReversed()).map((organizationId) =>
          newAudit({ organizationId }),
        ),
      ),
    );
    for (const organizationId of organizations)
      expect(await verificationOf(organizationId)).toMatchObject({ isSound: true, count: 60 });
  });
});

describe('verifyOrganizationAudits', () => {
  /** Tampers, verifies, and rolls back. */
  const lookAfter = async (organizationId: string, change: string, noted?: { position: number; hash: string }) => {
    const undone = new Error('undone');
    let found: unknown;
    const work = database.transaction(async (transaction) => {
      await withoutGuardOfAudits(sqlOn(transaction), change);
      const known = new Map(noted === undefined ? [] : [[organizationId, noted]]);
      found = (await verifyOrganizationAudits(transaction, known)).find(
        (chain) => chain.organizationId === organizationId,
      );
      throw undone;
    });
    await expect(work).rejects.toBe(undone);
    return found;
  };

  // Contract: machine-credentials#chain-of-an-organization — Audit: the chain covers ids, the event, its time and a
  //   digest of the details
  it.each([
    ['the event', `event = 'TOKEN_REVOKED'`, 'hash'],
    ['the outcome', `outcome = 'deny'`, 'hash'],
    ['the actor', `actor_kind = 'PERSON', actor_id = gen_random_uuid()`, 'hash'],
    ['the credential', 'credential_id = gen_random_uuid()', 'hash'],
    ['the subject', 'subject_id = NULL', 'hash'],
    ['the person of the subject', 'subject_user_id = gen_random_uuid()', 'hash'],
    ['a null, which becomes empty', `tool = ''`, 'hash'],
    ['the client', 'client_id = gen_random_uuid()', 'hash'],
    ['the correlation id', 'correlation_id = gen_random_uuid()', 'hash'],
    ['the instant, by a microsecond', `created_at = created_at + interval '1 microsecond'`, 'hash'],
    ['the id', 'id = gen_random_uuid()', 'hash'],
    ['the digest of the details', `details_digest = repeat('e', 64)`, 'hash'],
    ['the details', `details = '{"turn":7}'`, 'details'],
    ['the salt of the details', 'details_salt = gen_random_uuid()', 'details'],
    ['the details, which are erased', 'details = NULL, details_salt = NULL', 'erased'],
    ['the link', `previous_hash = sha256('x')`, 'link'],
  ])('detects a change of %s', async (_what, columns, problem) => {
    const id = await newChain(4);
    const change = `UPDATE organization_audits SET ${columns} WHERE organization_id = '${id}' AND position = 3`;
    expect(await lookAfter(id, change)).toMatchObject({ isSound: false, position: 3, problem });
    expect(await verificationOf(id)).toMatchObject({ isSound: true, count: 4 });
  });

  it.each([
    ['a removed row', 2, 'DELETE FROM organization_audits WHERE position = 2', 3, 'gap'],
    ['a removed first row', 1, 'DELETE FROM organization_audits WHERE position = 1', 2, 'gap'],
  ])('detects %s at the row after it', async (_what, _position, change, position, problem) => {
    const id = await newChain(4);
    const found = await lookAfter(id, `${change} AND organization_id = '${id}'`);
    expect(found).toMatchObject({ isSound: false, position, problem });
  });

  it('detects a row that was moved to another organization', async () => {
    const [id, other] = [await newChain(2), newId()];
    const change = `UPDATE organization_audits SET organization_id = '${other}' WHERE organization_id = '${id}'`;
    expect(await lookAfter(other, change)).toMatchObject({ isSound: false, position: 1, problem: 'hash' });
  });

  it('detects a cut end, and a chain that is missing, only by a noted position', async () => {
    const id = await newChain(3);
    const sound = await verificationOf(id);
    if (sound?.isSound !== true) throw new Error('The chain is broken');
    const noted = { position: 3, hash: sound.lastHash };
    const missing = { isSound: false, position: 3, id: null, problem: 'noted_missing' };
    const cut = `DELETE FROM organization_audits WHERE organization_id = '${id}' AND position > 2`;
    expect(await lookAfter(id, cut)).toMatchObject({ isSound: true, count: 2 });
    expect(await lookAfter(id, cut, noted)).toMatchObject(missing);
    expect(await lookAfter(id, `DELETE FROM organization_audits WHERE organization_id = '${id}'`, noted)).toMatchObject(
      missing,
    );
    const other = { ...noted, hash: '0'.repeat(64) };
    expect(await verifyOrganizationAudits(database, new Map([[id, other]]))).toMatchObject([
      { organizationId: id, isSound: false, problem: 'noted_hash' },
    ]);
  });
});

describe('The rows of an audit', () => {
  it('are neither changed nor deleted, and lose nothing but their details', async () => {
    const id = await newChain(2);
    const rows = () =>
      sql('SELECT t::text FROM organization_audits t WHERE organization_id = $1 ORDER BY position', [id]);
    const before = await rows();
    for (const change of [
      `UPDATE organization_audits SET event = 'TOKEN_REVOKED' WHERE organization_id = '${id}'`,
      `UPDATE organization_audits SET details = '{}' WHERE organization_id = '${id}'`,
      `UPDATE organization_audits SET details = NULL, details_salt = NULL, tool = 'x' WHERE organization_id = '${id}'`,
      `DELETE FROM organization_audits WHERE organization_id = '${id}'`,
      'TRUNCATE organization_audits',
    ])
      await expect(sql(change)).rejects.toThrow('are only ever added');
    expect(await rows()).toEqual(before);
  });

  // Contract: machine-credentials#erased-details — Audit: details of a person who deleted their account are erased
  //   without breaking the chain
  it('lose the details of a person whose account is deleted, and the chain stays sound', async () => {
    const organizationId = newId();
    const [person, other] = [await seedPerson(database, newAddress()), await seedPerson(database, newAddress())];
    await append(
      newAudit({ organizationId, actor: personalTokenOf(person) }),
      newAudit({ organizationId, actor: personalTokenOf(other) }),
      newAudit({ organizationId, actor: personalTokenOf(other), subjectUserId: person }),
      newAudit({ organizationId, subjectId: person }),
    );
    await removePerson(person);
    await database.execute(eraseAuditDetails, [person, [organizationId]]);
    expect(
      await sql.column(
        `SELECT details IS NULL AND details_salt IS NULL AS erased FROM organization_audits WHERE organization_id = $1
         ORDER BY position`,
        [organizationId],
      ),
    ).toEqual([true, false, true, false]);
    expect(await verificationOf(organizationId)).toMatchObject({ isSound: true, count: 4 });
  });

  // Contract: machine-credentials#erased-details — Audit: details of a person who has an account are never erased
  it('keep the details of everybody who has an account, and of what is no person', async () => {
    const organizationId = newId();
    const [person, other, account, token] = [
      await seedPerson(database, newAddress()),
      await seedPerson(database, newAddress()),
      newId(),
      newId(),
    ];
    const serviceAccount = { kind: 'SERVICE_ACCOUNT', id: account, credentialId: newId() } as const;
    await append(
      newAudit({ organizationId, actor: personalTokenOf(person), subjectId: token }),
      newAudit({ organizationId, actor: personalTokenOf(other), subjectId: token, subjectUserId: person }),
      newAudit({ organizationId, actor: serviceAccount, subjectId: token }),
      newAudit({ organizationId, actor: null, subjectId: token }),
    );
    const rows = () =>
      sql('SELECT t::text FROM organization_audits t WHERE organization_id = $1 ORDER BY position', [organizationId]);
    const before = await rows();
    for (const alive of [person, other])
      await expect(database.execute(eraseAuditDetails, [alive, [organizationId]])).rejects.toThrow('has an account');
    for (const id of [account, token, newId()]) await database.execute(eraseAuditDetails, [id, [organizationId]]);
    const byHand = 'UPDATE organization_audits SET details = NULL, details_salt = NULL WHERE organization_id = $1';
    await expect(sql(byHand, [organizationId])).rejects.toThrow('are only ever added');
    expect(await rows()).toEqual(before);
    expect(await verificationOf(organizationId)).toMatchObject({ isSound: true, count: 4 });
  });

  it('are missed where a person was deleted for the erasure alone', async () => {
    const organizationId = newId();
    const person = await seedPerson(database, newAddress());
    await append(newAudit({ organizationId, actor: personalTokenOf(person) }));
    await database.transaction(async (transaction) => {
      const work = sqlOn(transaction);
      await work('CREATE TEMP TABLE kept ON COMMIT DROP AS SELECT * FROM users WHERE id = $1', [person]);
      await work('DELETE FROM users WHERE id = $1', [person]);
      await transaction.execute(eraseAuditDetails, [person, [organizationId]]);
      await work('INSERT INTO users SELECT * FROM kept');
    });
    expect(await verificationOf(organizationId)).toMatchObject({ isSound: false, position: 1, problem: 'erased' });
    // So that the other tests find all chains sound.
    await removePerson(person);
    expect(await verificationOf(organizationId)).toMatchObject({ isSound: true, count: 1 });
  });

  it('never have details of a person who is gone', async () => {
    const organizationId = newId();
    const serviceAccount = { kind: 'SERVICE_ACCOUNT', id: newId(), credentialId: newId() } as const;
    await append(
      newAudit({ organizationId, actor: personalTokenOf(newId()) }),
      newAudit({ organizationId, subjectUserId: newId() }),
      newAudit({ organizationId, actor: serviceAccount }),
    );
    expect(
      await sql.column('SELECT details FROM organization_audits WHERE organization_id = $1 ORDER BY position', [
        organizationId,
      ]),
    ).toEqual([null, null, '{"source":"the tests"}']);
    expect(await verificationOf(organizationId)).toMatchObject({ isSound: true, count: 3 });
  });

  // Contract: machine-credentials#erased-details — Audit: kept 90 days after the organization is gone
  it('are deleted 90 days after their organization, from the end, and those of others stay', async () => {
    const [gone, recent, alive] = [await newChain(3), await newChain(2), await newChain(2)];
    await sql(`INSERT INTO organizations (id, name) VALUES ($1, ''), ($2, ''), ($3, '')`, [gone, recent, alive]);
    await sql('DELETE FROM organizations WHERE id IN ($1, $2)', [gone, recent]);
    const age = (id: string, span: string) =>
      sql('UPDATE organization_audit_ends SET ended_at = now() - $2::interval WHERE organization_id = $1', [id, span]);
    await age(gone, '90 days 1 second');
    await age(recent, '89 days 23 hours');
    expect(await database.one(purgeAudits, [2])).toEqual({ deleted: 2 });
    expect(await verificationOf(gone)).toMatchObject({ isSound: true, count: 1 });
    // The last row, and the note that the organization is gone.
    expect(await database.one(purgeAudits, [250])).toEqual({ deleted: 2 });
    expect(await verificationOf(gone)).toBeUndefined();
    expect(await verificationOf(recent)).toMatchObject({ isSound: true, count: 2 });
    expect(await verificationOf(alive)).toMatchObject({ isSound: true, count: 2 });
    expect(await database.one(purgeAudits, [250])).toEqual({ deleted: 0 });
  });
});

it('verifies chains of several pages', async () => {
  const lent = await lendDatabase();
  const opened = await lent.open();
  const [one, other] = [newId(), newId()].toSorted();
  if (one === undefined || other === undefined) throw new Error('No ids');
  const rows = (organizationId: string, count: number) => range(count).map(() => newAudit({ organizationId }));
  await opened.transaction((transaction) =>
    appendOrganizationAudits(transaction, [...rows(one, 1000), ...rows(other, 1003)]),
  );
  await expectSoundAudits(opened, { [one]: 1000, [other]: 1003 });
  await opened.close();
  await lent.drop();
});
