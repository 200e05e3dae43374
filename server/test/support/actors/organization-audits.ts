/** Rows of organizations' audits, for tests of the chains and of their readers. */
import assert from 'node:assert/strict';
import { appendOrganizationAudits, type OrganizationAudit } from '../../../src/domain/audit/organization-audits.ts';
import { verifyOrganizationAudits } from '../../../src/domain/audit/verify-organization-audits.ts';
import { newId } from '../../../src/kernel/ids.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import type { Sql } from '../database/sql.ts';
import type { Service } from '../gatehouse/gatehouse.ts';

/** A row of an organization that no person caused, with these columns. */
export const newAudit = (
  facts: Partial<OrganizationAudit> & { readonly organizationId: string },
): OrganizationAudit => ({
  event: 'TOKEN_REPORTED',
  actor: null,
  subjectId: newId(),
  details: { source: 'the tests' },
  ...facts,
});

interface SeededAudits {
  readonly userId: string;
  /** The token that two of the rows are about. */
  readonly subjectId: string;
  /** Of the rotation. */
  readonly correlationId: string;
}

/** Five rows of different kinds in the active organization of a person. */
export const seedAudits = async ({ database, sql }: Service, email: string): Promise<SeededAudits> => {
  const [found] = await sql<{ userId: string; organizationId: string }>(
    `SELECT u.id AS "userId", m.organization_id AS "organizationId" FROM users u
     JOIN organization_members m ON m.id = u.current_membership WHERE u.email = $1`,
    [email],
  );
  assert.ok(found !== undefined, `${email} has no organization`);
  const { userId, organizationId } = found;
  const [subjectId, correlationId, credentialId] = [newId(), newId(), newId()];
  const person = { kind: 'PERSON', id: userId, credentialId } as const;
  const facts: readonly Partial<OrganizationAudit>[] = [
    { event: 'SECOND_FACTOR_POLICY_CHANGED', actor: person, subjectId: null, details: { required: true } },
    { event: 'TOKEN_CREATED', actor: person, subjectId, details: { name: 'Nightly build', scopes: ['MEMBERS_VIEW'] } },
    { event: 'TOKEN_ROTATED', actor: { ...person, kind: 'PERSONAL_TOKEN' }, subjectId, correlationId, details: {} },
    {
      event: 'MCP_TOOL_CALLED',
      actor: { kind: 'SERVICE_ACCOUNT', id: newId(), credentialId },
      outcome: 'deny',
      tool: 'notes_write',
      clientId: newId(),
      details: { dryRun: true },
    },
    { event: 'TOKEN_REPORTED', details: { url: 'https://example.com/leak' } },
  ];
  await database.transaction((transaction) =>
    appendOrganizationAudits(
      transaction,
      facts.map((each) => newAudit({ organizationId, ...each })),
    ),
  );
  return { userId, subjectId, correlationId };
};

/** Every chain is sound; so many rows of each organization. */
export const expectSoundAudits = async (
  database: Pick<Database, 'many'>,
  counts: Readonly<Record<string, number>>,
): Promise<void> => {
  const found = await verifyOrganizationAudits(database);
  assert.ok(
    found.every(({ isSound }) => isSound),
    JSON.stringify(found),
  );
  const rows = Object.fromEntries(found.map((chain) => [chain.organizationId, chain.isSound ? chain.count : -1]));
  assert.deepEqual(rows, counts);
};

/** Changes rows that the service cannot change: the trigger is disabled meanwhile, as by an owner of the database. */
export const withoutGuardOfAudits = async (sql: Sql, change: string): Promise<void> => {
  await sql(`DO $$ BEGIN
     ALTER TABLE organization_audits DISABLE TRIGGER organization_audits_append_only;
     ${change};
     ALTER TABLE organization_audits ENABLE TRIGGER organization_audits_append_only;
   END $$`);
};
