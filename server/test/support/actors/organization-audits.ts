/** Rows of organizations' audits, for tests of the chains and of their readers. */
import assert from 'node:assert/strict';
import type { appendOrganizationAudit } from '../../../src/domain/audit/organization-audits.ts';
import { verifyOrganizationAudits } from '../../../src/domain/audit/verify-organization-audits.ts';
import { newId } from '../../../src/kernel/ids.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import type { Sql } from '../database/sql.ts';

type OrganizationAudit = Parameters<typeof appendOrganizationAudit>[1];

/** A row of an organization that no person caused, with these facts. */
export const newAudit = (
  facts: Partial<OrganizationAudit> & { readonly organizationId: string },
): OrganizationAudit => ({
  event: 'TOKEN_REPORTED',
  actor: null,
  subjectId: newId(),
  details: { source: 'the tests' },
  ...facts,
});

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
