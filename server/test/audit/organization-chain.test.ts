/** The chains of the audits of organizations. */
import { expect, it } from 'vitest';
import { appendOrganizationAudits } from '../../src/domain/audit/organization-audits.ts';
import { newId } from '../../src/kernel/ids.ts';
import { expectSoundAudits, newAudit } from '../support/actors/organization-audits.ts';
import { serviceFixture } from '../support/fixture.ts';

const service = serviceFixture();

it('appends to chains of several organizations', async () => {
  const [one, other] = [newId(), newId()];
  await service.database.transaction((transaction) =>
    appendOrganizationAudits(transaction, [
      newAudit({ organizationId: one }),
      newAudit({ organizationId: other, event: 'ORGANIZATION_DELETED', subjectId: null }),
      newAudit({ organizationId: one, tool: 'tool_é', details: { name: 'é', undefinedToo: undefined } }),
    ]),
  );
  await expectSoundAudits(service.database, { [one]: 2, [other]: 1 });
  await expect(service.sql(`UPDATE organization_audits SET event = 'TOKEN_REVOKED'`)).rejects.toThrow(
    'only ever added',
  );
});
